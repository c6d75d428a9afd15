"""Signals that the renderers' tests share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import signal

from synthkit.audio import Audio, Span

RATE = 16000


@pytest.fixture
def speech() -> Audio:
    """1.4 s of noise with speech's long-term slope and syllable rate, 0.2 s of silence around it.

    The level is -20 dBFS or so, the true peak some 15 dB over it, as of speech.
    """
    rng = np.random.default_rng(20)
    sos = signal.butter(1, [150, 800], "bandpass", fs=RATE, output="sos")
    voiced = signal.sosfilt(sos, rng.standard_normal(22400))
    syllables = 0.55 - 0.45 * np.cos(2 * np.pi * 4 * np.arange(22400) / RATE)
    voiced *= 0.1 * syllables / np.sqrt(np.mean((voiced * syllables) ** 2))
    return Audio(np.pad(voiced, 3200), RATE, Span(3200, 25600))


@pytest.fixture
def lag() -> Callable[[np.ndarray, np.ndarray], int]:
    """Samples by which the second signal is later than the first, by GCC-PHAT.

    Knapp and Carter, "The generalized correlation method for estimation of time delay", 1976:
    the largest value of the cross-correlation whose spectrum has been whitened.
    """

    def gcc_phat(first: np.ndarray, second: np.ndarray, reach: int = 400) -> int:
        size = 2 * max(len(first), len(second))
        cross = np.fft.rfft(second, size) * np.conj(np.fft.rfft(first, size))
        correlation = np.fft.irfft(cross / np.maximum(np.abs(cross), 1e-12), size)
        return int(np.argmax(np.roll(correlation, reach)[: 2 * reach + 1])) - reach

    return gcc_phat
