"""Trimming finds the speech and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.errors import SilenceError
from synthkit.renderers.trim import Trim

RATE = 16000
FRAME = 160  # 10 ms
MARGIN = 320  # 20 ms


def burst(num_samples: int, rms: float = 0.1, seed: int = 5) -> np.ndarray:
    return rms * np.random.default_rng(seed).standard_normal(num_samples)


def placed(start: int, end: int, total: int = RATE, rms: float = 0.1) -> np.ndarray:
    """Silence with a burst in ``[start, end)``."""
    samples = np.zeros(total)
    samples[start:end] = burst(end - start, rms)
    return samples


def found(audio: Audio) -> tuple[int, int]:
    """Where the speech window of a trimmed signal lay in the original, by what was recorded.

    Only for speech that begins later than the margin.
    """
    note = audio.note("trim")
    assert note is not None
    onset = int(str(note["leading_samples"])) + audio.window.start
    return onset, onset + audio.window.num_samples


@pytest.mark.parametrize(("start", "end"), [(4800, 9600), (4801, 9599), (5555, 12345), (999, 3000)])
def test_a_burst_is_found_within_one_frame_and_never_cut(start: int, end: int) -> None:
    onset, offset = found(Trim()(Audio(placed(start, end), RATE)))
    assert start - FRAME < onset <= start
    # The detector's high-pass rings on: what it leaves is 50 dB down within a few frames.
    assert end <= offset < end + 4 * FRAME


def test_margins_are_20_ms_and_recorded_cuts_add_up() -> None:
    trimmed = Trim()(Audio(placed(4800, 9600), RATE))
    assert trimmed.window.start == MARGIN
    assert trimmed.num_samples == trimmed.window.num_samples + 2 * MARGIN
    note = trimmed.note("trim")
    assert note is not None
    cut = int(str(note["leading_samples"])) + int(str(note["trailing_samples"]))
    assert cut + trimmed.num_samples == RATE
    assert note["leading_samples"] == 4800 - MARGIN


def test_margins_are_20_ms_even_where_the_audio_has_none() -> None:
    samples = burst(8000)
    trimmed = Trim()(Audio(samples, RATE))
    assert trimmed.window == (MARGIN, MARGIN + 8000)
    assert trimmed.num_samples == 8000 + 2 * MARGIN
    np.testing.assert_array_equal(trimmed.samples[:MARGIN], 0)
    np.testing.assert_array_equal(trimmed.samples[-MARGIN:], 0)
    np.testing.assert_array_equal(trimmed.samples[MARGIN:-MARGIN], samples)
    note = trimmed.note("trim")
    assert note is not None
    assert (note["leading_samples"], note["trailing_samples"]) == (0, 0)


def test_the_speech_itself_is_not_touched() -> None:
    samples = placed(4800, 9600)
    trimmed = Trim()(Audio(samples, RATE))
    inside = trimmed.samples[trimmed.window.start : trimmed.window.end]
    np.testing.assert_array_equal(inside, samples[4800 : 4800 + trimmed.window.num_samples])


def test_cuts_are_tapered_over_5_ms() -> None:
    # Noise 60 dB under the speech: silent to the detector, and what is cut through.
    samples = burst(RATE, 1e-4, seed=7) + placed(6400, 9600)
    trimmed = Trim()(Audio(samples, RATE))
    start = 6400 - MARGIN
    assert trimmed.samples[0] == 0
    # Raised cosine, half-way after 2.5 ms = 40 samples; whole after 80.
    assert trimmed.samples[40] == pytest.approx(samples[start + 40] / 2)
    np.testing.assert_array_equal(trimmed.samples[80:MARGIN], samples[start + 80 : start + MARGIN])
    assert abs(trimmed.samples[-1]) < 1e-7


@pytest.mark.parametrize("num_samples", [0, 1, 159, 16000])
def test_silence_is_refused(num_samples: int) -> None:
    with pytest.raises(SilenceError, match=r"no speech.*digital silence"):
        Trim()(Audio(np.zeros(num_samples), RATE))


def test_what_is_nearly_silence_is_refused_with_its_level() -> None:
    with pytest.raises(SilenceError, match=r"no speech: .* -8\d\.\d+ dBFS; allowed") as caught:
        Trim()(Audio(placed(4800, 9600, rms=10 ** (-83 / 20)), RATE))
    assert "\n" not in str(caught.value)


def test_quiet_speech_is_speech() -> None:
    loud = found(Trim()(Audio(placed(4800, 9600), RATE)))
    quiet = found(Trim()(Audio(placed(4800, 9600, rms=10 ** (-60 / 20)), RATE)))
    assert quiet == loud


def test_weak_onsets_down_to_50_db_are_kept() -> None:
    # A fricative 40 dB under the vowel, 100 ms before it.
    samples = placed(6400, 9600) + placed(4800, 6400, rms=0.001)
    onset, _ = found(Trim()(Audio(samples, RATE)))
    assert onset == 4800


def test_a_pause_within_the_speech_is_not_cut() -> None:
    samples = placed(3200, 6400) + placed(9600, 12800)
    onset, offset = found(Trim()(Audio(samples, RATE)))
    assert onset == 3200
    assert offset >= 12800


def test_dc_does_not_count_as_speech() -> None:
    # As much DC as there is speech, from the first sample on, as in an AC-uncoupled recording.
    onset, offset = found(Trim()(Audio(placed(4800, 9600) + 0.1, RATE)))
    assert 4800 - FRAME < onset <= 4800
    assert 9600 <= offset < 9600 + 4 * FRAME


def test_rumble_does_not_count_as_speech() -> None:
    # 8 Hz lies 70 dB down a 4th-order 60 Hz Butterworth: 20 log10((60/8)^4) = 70.
    rumble = 0.1 * np.sqrt(2) * np.cos(2 * np.pi * 8 * np.arange(RATE) / RATE)
    onset, offset = found(Trim()(Audio(placed(4800, 9600) + rumble, RATE)))
    assert 4800 - FRAME < onset <= 4800
    assert 9600 <= offset < 9600 + 4 * FRAME


def test_room_noise_of_a_recording_does_not_count_as_speech() -> None:
    # Noise 40 dB under the speech is inside the 50 dB, but it is the recording's floor.
    samples = burst(RATE, 0.001, seed=9) + placed(4800, 9600)
    assert Trim()(Audio(samples, RATE)).window.num_samples == RATE
    onset, offset = found(Trim(over_noise_db=10.0)(Audio(samples, RATE)))
    assert onset == 4800
    assert 9600 <= offset < 9600 + 4 * FRAME


def test_a_recording_without_any_pause_is_kept_whole() -> None:
    samples = burst(RATE)
    trimmed = Trim(over_noise_db=10.0)(Audio(samples, RATE))
    assert trimmed.window == (MARGIN, MARGIN + RATE)


def test_speech_shorter_than_a_frame_is_found() -> None:
    trimmed = Trim()(Audio(burst(50), RATE))
    assert trimmed.window == (MARGIN, MARGIN + 50)
