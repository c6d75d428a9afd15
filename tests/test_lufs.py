"""Loudness against another implementation of BS.1770, and against the standard's own figures."""

from __future__ import annotations

import warnings

import numpy as np
import pyloudnorm
import pytest
import scipy

from synthkit.kweighting import k_weighted
from synthkit.loudness import lufs

RATES = (8000, 11025, 16000, 22050, 44100, 48000, 96000, 192000)


def signals(rate: int, seconds: float) -> dict[str, np.ndarray]:
    """Noise that is even, that drops by 60 dB half-way, that swells, and that is below the gate."""
    noise = 0.1 * np.random.default_rng(int(rate * seconds)).standard_normal(int(rate * seconds))
    drops = noise * np.where(np.arange(len(noise)) < len(noise) // 2, 1.0, 1e-3)
    return {
        "even": noise,
        "drops": drops,
        "swells": noise * np.sin(3 * np.arange(len(noise)) / rate) ** 2,
        "quiet": 1e-3 * noise,
    }


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("seconds", [0.4, 0.45, 0.7, 1.0, 2.33, 3.777])
def test_it_reads_what_pyloudnorm_reads(rate: int, seconds: float) -> None:
    meter = pyloudnorm.Meter(rate, filter_class="DeMan")
    for name, samples in signals(rate, seconds).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of silent blocks
            wanted = meter.integrated_loudness(samples)
        found = lufs(samples, rate)
        if name == "quiet":
            assert (found, wanted) == (None, -np.inf)
        else:
            assert found == pytest.approx(wanted, abs=1e-9), name


def test_the_weighting_at_48_khz_is_the_standards() -> None:
    """BS.1770-5, Annex 1, tables 1 and 2, run through as a recursion."""
    shelf = (
        (1.53512485958697, -2.69169618940638, 1.19839281085285),
        (-1.69065929318241, 0.73248077421585),
    )
    highpass = (1.0, -2.0, 1.0), (-1.99004745483398, 0.99007225036621)
    signal = np.random.default_rng(1).standard_normal(4800)
    wanted = signal
    for b, a in (shelf, highpass):
        wanted = scipy.signal.lfilter(b, (1.0, *a), wanted)
    assert np.abs(k_weighted(signal, 48000) - wanted).max() < 1e-6


@pytest.mark.parametrize("length", [1, 31, 32, 33, 8191, 8192, 8193, 20000])
def test_the_weighting_is_the_same_at_any_length(length: int) -> None:
    """What comes later changes nothing before; neither ends nor joints of blocks show."""
    signal = np.random.default_rng(2).standard_normal(30000)
    whole = k_weighted(signal, 16000)[:length]
    assert np.abs(k_weighted(signal[:length], 16000) - whole).max() < 1e-12


@pytest.mark.parametrize("samples", [np.zeros(16000), np.full(16000, 1e-6), np.ones(6399)])
def test_silence_and_what_is_shorter_than_a_block_have_no_loudness(samples: np.ndarray) -> None:
    assert lufs(samples, 16000) is None
