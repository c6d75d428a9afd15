"""Rhythm: each parameter lengthens what it names, by the amount it names, and nothing else."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from synthkit.speech.cards import voice_card, voices
from synthkit.speech.engines.hibari.rhythm import Rhythm
from synthkit.speech.engines.hibari.timbre import Frames

ROWS = 601
LN10_20 = math.log(10) / 20  # natural-log magnitude of one dB
Array = np.ndarray


def frames(level_db: Array | list[float], f0: float | Array = 0.0) -> Frames:
    """Noise of these levels, a frame each; frame i is known by its first residual phase, i."""
    level = np.asarray(level_db, np.float64) * LN10_20
    noise = np.repeat(level[None], ROWS, axis=0).astype(np.float32)
    silent = np.full_like(noise, -25.0)
    label = np.repeat(np.arange(level.size, dtype=np.float32)[None], ROWS, axis=0)
    pitch = np.broadcast_to(np.float32(f0), level.shape).astype(np.float32)
    return Frames(silent, silent, noise, silent, label, pitch)


def times(rhythm: Rhythm, before: Frames) -> Array:
    """How many times each frame is said, [F]; the order must be kept."""
    source = rhythm(before).residual_phase[0].astype(int)
    assert (np.diff(source) >= 0).all()
    return np.bincount(source, minlength=before.f0.size)


def test_no_change_is_the_same_bits() -> None:
    before = frames(np.random.default_rng(1).uniform(-60, 0, 90), 120.0)
    after = Rhythm()(before)
    assert [p.tobytes() for p in after.parts] == [p.tobytes() for p in before.parts]


@pytest.mark.parametrize("scale", [0.8, 0.95, 1.05, 1.25])
def test_vowel_scale_stretches_voiced_frames_and_no_other(scale: float) -> None:
    voiced = np.repeat([False, True, False, True, False], [7, 40, 9, 20, 5])
    found = times(Rhythm(vowel_scale=scale), frames(np.zeros(81), np.where(voiced, 150.0, 0.0)))
    # 40 + 20 voiced frames and 21 others.
    assert found.sum() == round(60 * scale + 21)
    assert found[~voiced].tolist() == [1] * 21
    assert found[7:47].sum() == pytest.approx(40 * scale, abs=1)
    assert found[56:76].sum() == pytest.approx(20 * scale, abs=1)


@pytest.mark.parametrize(("scale", "pause"), [(2.0, 40), (0.5, 10)])
def test_pause_scale_acts_on_quiet_frames_between_sounds_only(scale: float, pause: int) -> None:
    # Silence, sound, a pause, sound, silence. Loudness is smoothed over five frames, so that a
    # frame on either side of an edge by two counts as sound: the pause counts 24 - 4 = 20.
    level = np.repeat([-60.0, 0.0, -60.0, 0.0, -60.0], [10, 30, 24, 30, 10])
    lengths = Rhythm(pause_scale=scale).lengths(frames(level))
    assert lengths[42:62].sum() == pytest.approx(pause)
    assert np.delete(lengths, np.arange(42, 62)).tolist() == [1.0] * 84


@pytest.mark.parametrize("contrast", [0.4, -0.4])
def test_stress_contrast_is_the_log_factor_at_10_db_over_the_median(contrast: float) -> None:
    level = np.repeat([-10.0, -15.0, -20.0, -25.0, -30.0], 20)  # the median is -20
    lengths = Rhythm(stress_contrast=contrast).lengths(frames(level))
    middles = lengths[10::20]
    wanted = np.exp(contrast * np.array([1.0, 0.5, 0.0, -0.5, -1.0]))
    np.testing.assert_allclose(middles / middles[2], wanted, rtol=1e-5)
    assert lengths.sum() == pytest.approx(100)


def test_stress_contrast_grows_no_more_beyond_10_db() -> None:
    level = np.repeat([0.0, -14.0, -28.0], [20, 21, 20])
    lengths = Rhythm(stress_contrast=0.5).lengths(frames(level))
    assert lengths[10] / lengths[30] == pytest.approx(math.exp(0.5), rel=1e-5)


@pytest.mark.parametrize("drift", [0.6, -0.6])
def test_tempo_drift_is_the_log_ratio_of_the_first_frame_to_the_last(drift: float) -> None:
    silence = [-80.0] * 6
    lengths = Rhythm(tempo_drift=drift).lengths(frames([*silence, *[0.0] * 101, *silence]))
    # Smoothing makes two frames of each silence sound: frames 4 to 108.
    assert lengths[4] / lengths[108] == pytest.approx(math.exp(drift))
    assert lengths[4] / lengths[56] == pytest.approx(math.exp(drift / 2))
    assert lengths[4:109].sum() == pytest.approx(105)
    assert lengths[:4].tolist() == lengths[109:].tolist() == [1.0] * 4


@pytest.mark.parametrize("scale", [1.6, 0.7])
def test_final_scale_is_reached_over_the_last_half_second(scale: float) -> None:
    lengths = Rhythm(final_scale=scale).lengths(frames(np.zeros(100)))
    # Half a second is 40 frames.
    assert lengths[:60].tolist() == [1.0] * 60
    assert lengths[[79, 99]] == pytest.approx([1 + (scale - 1) / 2, scale])


def test_factors_multiply_and_no_frame_is_said_more_than_three_times() -> None:
    lengths = Rhythm(vowel_scale=1.25, final_scale=2.0).lengths(frames(np.zeros(50), 100.0))
    assert lengths[[0, 49]] == pytest.approx([1.25, 2.5])
    lengths = Rhythm(vowel_scale=2.0, final_scale=2.0).lengths(frames(np.zeros(50), 100.0))
    assert lengths[49] == 3.0


def test_the_whole_lasts_the_sum_of_its_frames() -> None:
    before = frames(np.random.default_rng(2).uniform(-50, 0, 200), 90.0)
    rhythm = Rhythm(1.1, 1.5, -0.4, 0.5, 1.5)
    lengths = rhythm.lengths(before)
    found = times(rhythm, before)
    assert found.sum() == round(lengths.sum())
    assert np.abs(np.cumsum(found) - np.cumsum(lengths)).max() <= 1


@pytest.mark.parametrize("level", [[], [0.0], [-200.0] * 5, [400.0, -400.0] * 9, [math.nan, 0.0]])
@pytest.mark.parametrize(
    "rhythm", [Rhythm(1.25, 2.5, 0.6, 1.0, 2.0), Rhythm(0.8, 0.4, -0.6, -1, 0.6)]
)
def test_whatever_goes_in_some_of_its_frames_come_out(rhythm: Rhythm, level: list[float]) -> None:
    before = frames(level)
    found = times(rhythm, before)
    assert found.sum() > 0 or not level
    assert rhythm(before).f0.dtype == np.float32


def test_no_two_voices_of_the_cast_share_a_rhythm() -> None:
    names = [name for name in voices() if name.startswith("heart/")]
    keys = [field.name for field in dataclasses.fields(Rhythm)]
    patterns = {
        tuple(voice_card(name).parameters.get(key, getattr(Rhythm, key)) for key in keys)
        for name in names
    }
    assert len(patterns) == len(names) == 9
