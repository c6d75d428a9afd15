"""Times of a table that are rounded to milliseconds are no faults of its sounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from synthkit.audio import Span
from synthkit.audit.foreign import ROUNDING_S
from synthkit.audit.items import Part
from synthkit.audit.partpairs import edges_differ
from synthkit.audit.parts import item_faults
from synthkit.audit.sounds import PartSound, Sound
from tests.audit.made import EIGHT, design, items

OURS, OTHERS = design(EIGHT, None), replace(design(EIGHT, None), rounding_s=ROUNDING_S)
(FIRST, *_) = items(1)
SAMPLES = np.full(20000, 0.1)


def part(start: int, end: int) -> PartSound:
    told = Part("trigger", "wearer", "ann", "Open.", "near", Span(0, 20000), Span(start, end))
    return PartSound(told, SAMPLES, SAMPLES, 16000, "")


@pytest.mark.parametrize(("late", "ours", "others"), [(0, 0, 0), (16, 1, 0), (17, 1, 1)])
@pytest.mark.parametrize("at_end", [False, True])
def test_margins_are_told_to_a_millisecond(late: int, ours: int, others: int, at_end: bool) -> None:
    one, other = part(320, 16800), part(320, 16800 + late) if at_end else part(320 + late, 16800)
    for given, number in ((OURS, ours), (OTHERS, others)):
        assert (edges_differ(one, other, given) is not None) == bool(number)


@pytest.mark.parametrize(("more", "ours", "others"), [(0, 0, 0), (16, 1, 0), (17, 1, 1)])
def test_the_last_part_ends_with_its_file_to_a_millisecond(
    more: int, ours: int, others: int
) -> None:
    sound = Sound(np.zeros(20000 + more), 16000, {"trigger": part(320, 16800)}, "")
    for given, number in ((OURS, ours), (OTHERS, others)):
        found = [c for c in item_faults(FIRST, sound, given) if c.check == "file.parts" and c.fault]
        assert len(found) == number
