"""A bed goes under a clip and comes off again, and not a bit is lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from synthkit.beds.make import make_bed
from synthkit.beds.mix import add_bed, remove_bed
from synthkit.beds.spec import BedSpec
from synthkit.errors import AudioError

LENGTHS = st.integers(0, 200)


def pcm(*values: int) -> np.ndarray:
    return np.array(values, np.int16)


@st.composite
def clip_and_bed(draw: st.DrawFn, lowest: int, highest: int) -> tuple[np.ndarray, np.ndarray]:
    length = draw(LENGTHS)
    values = st.integers(lowest, highest)
    clip = draw(arrays.arrays(np.int16, length, elements=values))
    return clip, draw(arrays.arrays(np.int16, length + draw(LENGTHS), elements=values))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(clip_and_bed(-16384, 16383))
def test_off_again_is_the_clip(pair: tuple[np.ndarray, np.ndarray]) -> None:
    clip, bed = pair
    mixed = add_bed(clip, bed)
    assert mixed.dtype == np.int16
    np.testing.assert_array_equal(remove_bed(mixed, bed), clip)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(clip_and_bed(-32768, 32767))
def test_any_sum_is_exact_or_refused(pair: tuple[np.ndarray, np.ndarray]) -> None:
    clip, bed = pair
    sums = [int(a) + int(b) for a, b in zip(clip, bed, strict=False)]  # Python's own integers
    outside = [at for at, value in enumerate(sums) if not -32768 <= value <= 32767]
    if outside:
        message = f"^sample {outside[0]} with its bed is {sums[outside[0]]} "
        with pytest.raises(AudioError, match=message):
            add_bed(clip, bed)
    else:
        assert add_bed(clip, bed).tolist() == sums
        np.testing.assert_array_equal(remove_bed(add_bed(clip, bed), bed), clip)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(1, 32767), st.booleans(), st.data())
def test_what_cannot_have_been_there_is_refused(size: int, up: bool, data: st.DataObject) -> None:
    # A clip without its bed would be 32768 at least, or -32769 at most.
    most = data.draw(st.integers(32768 - size, 32767))
    mixed, bed = (most, -size) if up else (-most - 1, size)
    with pytest.raises(AudioError, match=f"^sample 0 without its bed is {mixed - bed} "):
        remove_bed(pcm(mixed), pcm(bed))


def test_full_scale_is_allowed_and_one_step_more_is_not() -> None:
    assert add_bed(pcm(32766, -32767), pcm(1, -1)).tolist() == [32767, -32768]
    message = r"sample 1 with its bed is 32768 \(1 such samples\); allowed: -32768 to 32767"
    with pytest.raises(AudioError, match=message):
        add_bed(pcm(0, 32767), pcm(1, 1))
    with pytest.raises(AudioError, match=r"sample 0 with its bed is -32769 \(2 such"):
        add_bed(pcm(-32768, -32768), pcm(-1, -1))


def test_a_bed_that_is_too_short_is_refused() -> None:
    for mix in (add_bed, remove_bed):
        with pytest.raises(AudioError, match="bed has 2 samples; allowed: 3 or more"):
            mix(pcm(1, 2, 3), pcm(1, 2))


def test_clips_of_one_bed_have_the_same_noise_at_the_same_place() -> None:
    bed = make_bed(BedSpec("room_tone", level_dbfs=-50.0), 48000, 1, -20.0)
    silence = add_bed(np.zeros(20000, np.int16), bed)
    longest = add_bed(np.zeros(48000, np.int16), bed)
    np.testing.assert_array_equal(silence, longest[:20000])
    np.testing.assert_array_equal(longest, bed)


def test_neither_clip_nor_bed_is_changed() -> None:
    clip, bed = pcm(1, 2), pcm(3, 4, 5)
    add_bed(clip, bed)
    remove_bed(clip, bed)
    assert (clip.tolist(), bed.tolist()) == ([1, 2], [3, 4, 5])
