"""The table of planted faults."""

from __future__ import annotations

from tests.audit.fault import Fault
from tests.audit.plants_dealing import DEALING
from tests.audit.plants_fields import FIELDS
from tests.audit.plants_independent import INDEPENDENT
from tests.audit.plants_segments import SEGMENTS
from tests.audit.plants_voices import VOICES
from tests.audit.plants_words import WORDS

FAULTS: list[Fault] = [*SEGMENTS, *FIELDS, *VOICES, *WORDS, *DEALING, *INDEPENDENT]
