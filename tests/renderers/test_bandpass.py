"""BandPass: a telephone's band and nothing else, at no delay."""

from __future__ import annotations

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.errors import AudioError, InputError
from synthkit.renderers.bandpass import BandPass

RATE = 16000


def gain_db(frequency: float) -> float:
    time = np.arange(RATE) / RATE
    tone = np.sin(2 * np.pi * frequency * time)
    out = BandPass(300, 3400)(Audio(tone, RATE)).samples[4000:12000]
    return float(20 * np.log10(np.sqrt(np.mean(out**2)) / np.sqrt(0.5)))


@pytest.mark.parametrize("frequency", [500, 1000, 2000, 3000])
def test_the_band_passes(frequency: float) -> None:
    assert gain_db(frequency) == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize("frequency", [300, 3400])
def test_the_edges_have_half_the_amplitude(frequency: float) -> None:
    assert gain_db(frequency) == pytest.approx(-6.02, abs=0.2)


@pytest.mark.parametrize("frequency", [100, 3700, 5000, 7900])
def test_outside_is_stopped(frequency: float) -> None:
    assert gain_db(frequency) < -60


def test_a_click_stays_at_its_sample() -> None:
    click = np.zeros(4000)
    click[1000] = 1.0
    assert int(np.argmax(np.abs(BandPass(300, 3400)(Audio(click, RATE)).samples))) == 1000


def test_edges_that_make_no_band_are_refused() -> None:
    with pytest.raises(InputError, match="at least 200 Hz over low"):
        BandPass(3400, 300)
    with pytest.raises(AudioError, match="allowed: below 4000 Hz"):
        BandPass(300, 5000)(Audio(np.zeros(100), 8000))
