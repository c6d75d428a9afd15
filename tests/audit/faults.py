"""The table of planted faults."""

from __future__ import annotations

from tests.audit.fault import Fault
from tests.audit.plants_segments import SEGMENTS

FAULTS: list[Fault] = [*SEGMENTS]
