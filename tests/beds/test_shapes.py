"""Pink noise and room tone have the spectra they are named for, and nothing besides."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

from synthkit.beds.pink import pink
from synthkit.beds.room_tone import room_tone

RATE = 16000
MINUTE = 60 * RATE
SHAPES = pytest.mark.parametrize("shape", [pink, room_tone])

# The published table of Hoth's noise: centres of third octaves in Hz, dB per Hz.
HOTH = {100: 32.4, 125: 30.9, 160: 29.1, 200: 27.6, 250: 26.0, 315: 24.4, 400: 22.7, 500: 21.1}
HOTH |= {630: 19.5, 800: 17.8, 1000: 16.2, 1250: 14.6, 1600: 12.9, 2000: 11.3, 2500: 9.6}
HOTH |= {3150: 7.8, 4000: 5.4, 5000: 2.6, 6300: -1.3}


def density_db(samples: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Mean power per Hz in the third octaves around ``centres``, in dB, by Welch's method."""
    hertz, power = signal.welch(samples, RATE, nperseg=RATE)
    bands = [(centre * 2 ** (-1 / 6), centre * 2 ** (1 / 6)) for centre in centres]
    means = [power[(low <= hertz) & (hertz < high)].mean() for low, high in bands]
    return 10 * np.log10(means)


def slope(samples: np.ndarray, low: float, high: float) -> float:
    """dB an octave by a line through the third octaves from ``low`` to ``high`` Hz."""
    octaves = np.arange(np.log2(low) + 1 / 6, np.log2(high) - 1 / 6 + 1e-9, 1 / 3)
    return float(np.polyfit(octaves, density_db(samples, 2**octaves), 1)[0])


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_pink_falls_by_3_db_an_octave(seed: int) -> None:
    # 10 log10(1/2) = -3.01 in every octave.
    noise = pink(MINUTE, RATE, seed)
    assert slope(noise, 60, 6000) == pytest.approx(-3.01, abs=0.1)
    for low in (60, 120, 240, 480, 960, 1920):
        assert slope(noise, low, 3 * low) == pytest.approx(-3.01, abs=0.5)


def test_pink_starts_at_20_hz() -> None:
    # Butterworth, 4th order: half the power at 20 Hz, 1 / (1 + 2**8) or -24.1 dB at 10 Hz.
    hertz, power = signal.welch(pink(3 * MINUTE, RATE, 3), RATE, nperseg=4 * RATE)
    over = {f: 10 * np.log10(power[4 * f] * f / (power[400] * 100)) for f in (10, 20, 40)}
    assert hertz[400] == 100
    assert over == pytest.approx({10: -24.1, 20: -3.0, 40: 0.0}, abs=1.5)


def test_room_tone_has_hoths_spectrum() -> None:
    found = density_db(room_tone(MINUTE, RATE, 4), np.array(list(HOTH)))
    wanted = np.array(list(HOTH.values()))
    # The standard allows 3 dB.
    np.testing.assert_allclose(found - found.mean(), wanted - wanted.mean(), atol=0.7)


def test_room_tone_falls_by_5_to_6_db_an_octave() -> None:
    assert -6 < slope(room_tone(MINUTE, RATE, 5), 100, 7000) < -5


def test_room_tone_has_no_rumble() -> None:
    hertz, power = signal.welch(room_tone(MINUTE, RATE, 6), RATE, nperseg=RATE)
    # Flat below 100 Hz but for the high-pass: 1 / (1 + 2**8) or -24.1 dB at 30 Hz.
    assert 10 * np.log10(power[30] / power[100]) == pytest.approx(-24.1, abs=2)
    assert power[hertz <= 20].sum() < 1e-3 * power.sum()


@SHAPES
def test_there_are_no_tones(shape) -> None:  # type: ignore[no-untyped-def]
    # A mean of 119 periodograms, half overlapping, has a standard deviation of about 0.45 dB.
    _, power = signal.welch(shape(MINUTE, RATE, 7), RATE, nperseg=RATE)
    level = 10 * np.log10(power[100:7000])
    assert (level - signal.medfilt(level, 31)).max() < 3


@SHAPES
def test_it_is_steady(shape) -> None:  # type: ignore[no-untyped-def]
    seconds = shape(MINUTE, RATE, 8).reshape(60, RATE)
    levels = 10 * np.log10(np.mean(seconds**2, axis=1))
    assert np.ptp(levels) < 4


@SHAPES
@pytest.mark.parametrize("num_samples", [2, 3, 100, 16001, 65537])
def test_it_is_as_long_as_asked_and_has_no_offset(shape, num_samples: int) -> None:  # type: ignore[no-untyped-def]
    noise = shape(num_samples, RATE, 9)
    assert noise.shape == (num_samples,)
    assert abs(noise.mean()) < 1e-12 * np.sqrt(np.mean(noise**2))


@SHAPES
def test_the_seed_decides(shape) -> None:  # type: ignore[no-untyped-def]
    np.testing.assert_array_equal(shape(RATE, RATE, 1), shape(RATE, RATE, 1))
    other = np.corrcoef(shape(MINUTE, RATE, 1), shape(MINUTE, RATE, 2))[0, 1]
    assert abs(other) < 0.05
