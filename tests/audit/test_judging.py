"""Bounds of what is heard, from either side, and which meters are judged."""

from __future__ import annotations

import numpy as np
import pytest

from synthkit.audit.judging import Bound, bound_of, judged_meters
from synthkit.audit.meters import METERS
from synthkit.audit.statistics import Values


def values(*numbers: float) -> Values:
    return np.array(numbers)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_mean_must_be_more_than_its_bound_either_way(sign: int) -> None:
    bound, low = Bound("mean", 0.5), values(-20.0, -20.0)
    assert not bound.passed(low, low + sign * values(0.25, 0.75))  # 0.5 on average
    assert bound.passed(low, low + sign * values(0.25, 0.76))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_median_must_reach_its_bound(sign: int) -> None:
    bound, low = Bound("median", 1.0), np.zeros(5)
    assert bound.passed(low, sign * values(1, 1, 1, 0, 0))
    assert not bound.passed(low, sign * values(1, 1, 0, 0, 0))
    assert not bound.passed(low, sign * values(800, -300, 0, 0, 0))  # single wrong readings


@pytest.mark.parametrize("turned", [False, True])
def test_an_excess_is_the_energy_that_one_side_has_more(turned: bool) -> None:
    # 10^-4.4 - 10^-4.6 = 1.469e-5 of the speech's energy, which is -48.3 dB.
    sides = np.full(20, -46.0), np.full(20, -44.0)
    low, high = sides[::-1] if turned else sides
    assert Bound("excess", -45.0).reached(low, high) == pytest.approx(-48.33, abs=0.01)
    assert Bound("excess", -48.4).passed(low, high)
    assert not Bound("excess", -48.2).passed(low, high)


def test_an_excess_over_silence_is_the_reading_itself() -> None:
    bound, low = Bound("excess", -45.0), np.full(20, -120.0)
    assert bound.passed(low, np.full(20, -44.9))
    assert not bound.passed(low, np.full(20, -45.1))


def test_an_excess_in_one_command_of_ten_counts_and_in_one_of_a_hundred_does_not() -> None:
    low, high = np.full(100, -80.0), np.full(100, -79.0)
    assert not Bound("excess", -45.0).passed(low, np.where(np.arange(100) < 1, -30.0, high))
    assert Bound("excess", -45.0).passed(low, np.where(np.arange(100) < 10, -30.0, high))


def test_nothing_more_is_silence() -> None:
    assert Bound("excess", -45.0).reached(np.full(3, -50.0), np.full(3, -50.0)) == -120


@pytest.mark.parametrize(
    ("meter", "kind", "size"),
    [
        ("level", "mean", 0.1),
        ("lag", "median", 1),
        ("sub_bass", "excess", -45),
        ("start_step", "excess", -45),
        ("end_step", "excess", -45),
        ("dc", "excess", -60),
    ],
)
def test_bounds_are_those_required(meter: str, kind: str, size: float) -> None:
    assert bound_of(meter, same_speech=True) == bound_of(meter, same_speech=False) == (kind, size)


def test_only_one_recording_must_keep_its_length_to_the_sample() -> None:
    assert bound_of("speech_duration", same_speech=True) == ("median", 1)
    assert bound_of("speech_duration", same_speech=False) is None


def test_what_a_room_changes_is_judged_between_sources_alone() -> None:
    over_fields, of_source = judged_meters(over_fields=True), judged_meters(over_fields=False)
    borne = {"decay", "tilt", "crest", "floor", "tail", "flatness", "bandwidth"}
    assert not borne & set(over_fields)
    assert {"level", "speech_duration", "lag", "dc", "sub_bass"} <= set(over_fields)
    assert {"start_step", "end_step"} <= set(over_fields)
    assert set(of_source) == set(METERS)
