"""A recording as a bed: any file in, cut or looped without a seam."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from synthkit.beds.crossfade import crossfaded
from synthkit.beds.file import excerpt, read_recording
from synthkit.errors import AudioError

RATE = 16000
LOOP = np.random.default_rng(1).standard_normal(2 * RATE)
Recorded = Callable[..., Path]


def sine(hertz: float, rate: int, seconds: float = 2.0) -> np.ndarray:
    return 0.1 * np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate)


def amplitude(samples: np.ndarray, hertz: float) -> float:
    """Amplitude of one frequency over the last second, by the Fourier sum itself."""
    last = samples[-RATE:]
    return float(2 * np.abs(np.exp(-2j * np.pi * hertz * np.arange(RATE) / RATE) @ last) / RATE)


@pytest.mark.parametrize("rate", [8000, 16000, 44100, 48000])
def test_any_sampling_rate_is_heard_at_its_pitch(recorded: Recorded, rate: int) -> None:
    samples = read_recording(recorded(sine(1000, rate), rate)).samples
    assert len(samples) == 2 * RATE
    assert amplitude(samples, 1000) == pytest.approx(0.1, rel=0.01)


def test_channels_are_averaged_or_chosen(recorded: Recorded) -> None:
    path = recorded(np.stack((sine(1000, 48000), sine(2000, 48000)), axis=1), 48000)
    for channel, expected in ((None, (0.05, 0.05)), (0, (0.1, 0.0)), (1, (0.0, 0.1))):
        samples = read_recording(path, channel).samples
        found = (amplitude(samples, 1000), amplitude(samples, 2000))
        assert found == pytest.approx(expected, abs=1e-3)


def test_offset_and_rumble_are_taken_out(recorded: Recorded) -> None:
    # Butterworth, 4th order, at 60 Hz: 1 / sqrt(1 + 3**8) or -38.2 dB at 20 Hz.
    samples = read_recording(recorded(0.5 + sine(20, RATE, 4) + sine(1000, RATE, 4))).samples
    assert amplitude(samples, 20) == pytest.approx(0.1 / np.sqrt(1 + 3**8), rel=0.05)
    assert abs(samples[-RATE:].mean()) < 1e-5


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        (np.zeros(2 * RATE), "hum.wav: silence; allowed: -100 dBFS or more"),
        (np.full(2 * RATE, 0.25), "hum.wav: silence"),
        (1e-6 * LOOP, "hum.wav: -1.* dBFS over 60 Hz; allowed: -100 dBFS or more"),
        (np.append(LOOP, np.nan), "hum.wav: sample 32000 is .nan.*; allowed: finite"),
        (np.append(LOOP, np.inf), "hum.wav: sample 32000 is .inf.*; allowed: finite"),
        (0.1 * LOOP[: RATE - 1], "hum.wav: 0.999938 s long; allowed: 1 s or more"),
        (np.zeros(0), "hum.wav: 0 samples"),
        (np.stack((LOOP, -LOOP), axis=1), "its channels cancel in their mean"),
    ],
)
def test_what_is_no_noise_is_refused(recorded: Recorded, samples: np.ndarray, message: str) -> None:
    with pytest.raises(AudioError, match=message):
        read_recording(recorded(samples))


def test_a_channel_that_is_not_there_is_refused(recorded: Recorded) -> None:
    with pytest.raises(AudioError, match="channel 2; allowed: 0 to 0"):
        read_recording(recorded(0.1 * LOOP), 2)


def test_a_long_recording_is_cut_at_a_seeded_place() -> None:
    ramp = np.arange(1.0, 2 * RATE + 1)
    starts = set()
    for seed in range(40):
        cut = excerpt(RATE, RATE, seed, ramp)
        np.testing.assert_array_equal(np.diff(cut), 1)
        assert len(cut) == RATE
        starts.add(cut[0])
    assert len(starts) == 40
    assert max(starts) - min(starts) > RATE / 2


def test_a_recording_of_the_very_length_is_taken_whole() -> None:
    np.testing.assert_array_equal(excerpt(len(LOOP), RATE, 3, LOOP), LOOP)


def test_a_silent_cut_is_refused() -> None:
    with pytest.raises(AudioError, match=r"16000 samples from \d+ on: silence"):
        excerpt(RATE, RATE, 1, np.append(np.zeros(10**6), LOOP[:10]))


def test_a_short_recording_is_looped() -> None:
    period = len(LOOP) - 800  # 50 ms less: they are in the crossfade
    long = excerpt(5 * len(LOOP), RATE, 4, LOOP)
    np.testing.assert_array_equal(long[period:], long[:-period])
    # One period is the recording, turned, but for its crossfade.
    turned = np.concatenate((LOOP[800:period], LOOP[800:period]))
    at = int(np.argmax(np.isin(long[:period], LOOP[800])))
    np.testing.assert_array_equal(long[at : at + period - 800], turned[: period - 800])


def test_the_seam_keeps_the_power() -> None:
    # Mean over many loops of independent noise: 1 within 4 standard errors, all along the seam.
    rng = np.random.default_rng(6)
    loops = rng.standard_normal((400, 1000))
    seams = np.array([crossfaded(row[-300:], row[:700], 300)[:300] for row in loops])
    assert np.mean(seams**2) == pytest.approx(1, abs=4 * np.sqrt(2 / seams.size))


def test_the_seam_makes_no_click() -> None:
    # A sine that does not close: without a crossfade the loop would jump by up to 2.
    tone = np.sin(2 * np.pi * 100.3 * np.arange(RATE) / RATE)
    steps = np.abs(np.diff(excerpt(4 * RATE, RATE, 7, tone)))
    assert steps.max() < 1.5 * np.abs(np.diff(tone)).max()


@pytest.mark.parametrize("overlap", [0, 1, 4])
def test_a_crossfade_by_hand(overlap: int) -> None:
    found = crossfaded(np.full(5, 1.0), np.full(4, 0.0), overlap)
    assert len(found) == 9 - overlap
    np.testing.assert_array_equal(found[: 5 - overlap], 1.0)
    np.testing.assert_array_equal(found[5:], 0.0)
    # cos of the middles of `overlap` equal parts of a right angle.
    angles = [(2 * i + 1) * np.pi / 4 / max(overlap, 1) for i in range(overlap)]
    np.testing.assert_allclose(found[5 - overlap : 5], np.cos(angles))
