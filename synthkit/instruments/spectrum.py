"""Bandwidth: how far up a signal's power reaches."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from synthkit.instruments.signal import signal


def bandwidth_hz(samples: ArrayLike, sampling_rate: int, share: float = 0.99) -> float:
    """Return the frequency below which ``share`` of the power of (num_samples,) samples lies."""
    sound = signal(samples, sampling_rate)
    power = np.cumsum(np.abs(np.fft.rfft(sound.astype(np.float64))) ** 2)
    return float(np.searchsorted(power, share * power[-1]) * sampling_rate / sound.size)
