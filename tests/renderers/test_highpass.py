"""The high-pass against the Butterworth formula."""

from __future__ import annotations

import math

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.levels import rms_dbfs
from synthkit.renderers.highpass import HighPass

RATE = 16000


def gain_db(hertz: float, highpass: HighPass) -> float:
    """Level change of a steady sine, once the filter has settled."""
    sine = 0.5 * np.sin(2 * np.pi * hertz * np.arange(4 * RATE) / RATE)
    out = highpass(Audio(sine, RATE)).samples[2 * RATE : 4 * RATE]
    before, after = rms_dbfs(sine[2 * RATE :]), rms_dbfs(out)
    assert before is not None
    assert after is not None
    return after - before


def butterworth_db(hertz: float, cutoff: float, order: int) -> float:
    """Oppenheim & Schafer, Discrete-Time Signal Processing, 7.1: bilinear Butterworth.

    |H|^2 = 1 / (1 + (tan(pi fc / fs) / tan(pi f / fs))^(2 N)).
    """
    ratio = math.tan(math.pi * cutoff / RATE) / math.tan(math.pi * hertz / RATE)
    return -10 * math.log10(1 + ratio ** (2 * order))


@pytest.mark.parametrize("hertz", [15, 30, 60, 100, 200, 1000, 7000])
def test_attenuation_is_butterworths(hertz: float) -> None:
    assert gain_db(hertz, HighPass()) == pytest.approx(butterworth_db(hertz, 60, 4), abs=0.02)


def test_figures_known_by_heart() -> None:
    # Half power at the cutoff; 24.1 dB an octave below a 4th-order filter's.
    assert gain_db(60, HighPass()) == pytest.approx(-3.01, abs=0.01)
    assert gain_db(30, HighPass()) == pytest.approx(-24.1, abs=0.1)
    assert gain_db(50, HighPass(cutoff=100, order=2)) == pytest.approx(-12.3, abs=0.1)


def test_it_is_causal_and_moves_no_window(speech: Audio) -> None:
    out = HighPass()(speech)
    assert out.speech == speech.speech
    np.testing.assert_array_equal(out.samples[: speech.window.start], 0)


def test_the_ringing_is_kept_until_it_has_died_away() -> None:
    step = np.ones(RATE)
    out = HighPass()(Audio(step, RATE))
    assert out.num_samples == RATE + 1600  # 100 ms
    ringing = rms_dbfs(out.samples[-80:])
    assert ringing is None or ringing < -80
