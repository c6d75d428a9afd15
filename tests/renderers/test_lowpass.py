"""The low-pass takes treble and no time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.errors import AudioError, InputError
from synthkit.renderers.lowpass import LowPass

RATE = 16000


def response_db(cutoff: float, hertz: np.ndarray) -> np.ndarray:
    """Gain at ``hertz`` from the response to a click, by the Fourier sum itself."""
    click = np.zeros(2001)
    click[1000] = 1.0
    out = LowPass(cutoff)(Audio(click, RATE)).samples
    kernel = np.exp(-2j * np.pi * np.outer(hertz, np.arange(len(out))) / RATE)
    return 20 * np.log10(np.maximum(np.abs(kernel @ out), 1e-12))


@pytest.mark.parametrize("at", [0, 1, 1000, 1998, 1999])
@pytest.mark.parametrize("cutoff", [500, 4000, 7000])
def test_a_click_stays_at_its_sample(at: int, cutoff: float) -> None:
    click = np.zeros(2000)
    click[at] = 1.0
    assert int(np.argmax(np.abs(LowPass(cutoff)(Audio(click, RATE)).samples))) == at


def test_a_click_spreads_evenly_to_both_sides() -> None:
    click = np.zeros(2001)
    click[1000] = 1.0
    out = LowPass(4000)(Audio(click, RATE)).samples[:2001]
    np.testing.assert_allclose(out, out[::-1], atol=1e-15)


@pytest.mark.parametrize("cutoff", [2000, 3400, 4000, 6000])
def test_half_the_amplitude_at_the_cutoff(cutoff: float) -> None:
    assert response_db(cutoff, np.array([cutoff]))[0] == pytest.approx(-6.02, abs=0.05)


def test_pass_band_and_stop_band() -> None:
    # Kaiser, beta 8, 129 taps (Oppenheim & Schafer, 7.75 and 7.76): A = 8 / 0.1102 + 8.7 = 81 dB
    # over a transition of (A - 8) / (2.285 * 128) rad = 0.25 rad = 636 Hz around the cutoff.
    assert np.abs(response_db(4000, np.linspace(0, 3650, 100))).max() < 0.01
    assert response_db(4000, np.linspace(4350, 8000, 100)).max() < -75


def test_speech_is_not_moved(speech: Audio, lag: Callable[..., int]) -> None:
    out = LowPass(4000)(speech)
    assert lag(speech.samples, out.samples) == 0
    assert out.speech == speech.speech


@pytest.mark.parametrize("cutoff", [0, -4000, 8000, 9000, float("nan")])
def test_a_cutoff_outside_the_band_is_refused(cutoff: float) -> None:
    with pytest.raises(InputError, match=r"lowpass: cutoff is .*; allowed: 20 to 7999"):
        LowPass(cutoff)


def test_a_cutoff_beyond_the_audio_at_hand_is_refused() -> None:
    with pytest.raises(AudioError, match="allowed: below 4000 Hz"):
        LowPass(5000)(Audio(np.zeros(100), 8000))
