"""Pitch: the fundamental frequency of voiced frames, and how far it ranges."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthkit.instruments.packages import package
from synthkit.instruments.signal import signal

PURPOSE = "pitch"
BOUNDS_HZ = (60.0, 600.0)
FRAME, HOP = 1024, 320  # 64 ms, every 20 ms

Hertz: TypeAlias = NDArray[np.float64]


def f0(samples: ArrayLike, sampling_rate: int) -> Hertz:
    """Return F0 of the voiced frames of (num_samples,) samples at 16 kHz, in Hz: (num_voiced,).

    Probabilistic YIN (Mauch and Dixon, 2014) as in librosa, 64 ms frames every 20 ms, from 60 to
    600 Hz; unvoiced frames are left out.
    """
    lowest, highest = BOUNDS_HZ
    found, voiced, _ = package("librosa", PURPOSE).pyin(
        signal(samples, sampling_rate),
        fmin=lowest,
        fmax=highest,
        sr=sampling_rate,
        frame_length=FRAME,
        hop_length=HOP,
    )
    return np.asarray(found[voiced], np.float64)


def median_hz(hertz: Hertz) -> float | None:
    """Median F0 in Hz; None where nothing is voiced."""
    return float(np.median(hertz)) if hertz.size else None


def spread_semitones(hertz: Hertz) -> float | None:
    """Half the way from the 16th to the 84th percentile, in semitones; None if nothing is voiced.

    For a normal distribution this is the standard deviation; a few octave errors do not move it.
    """
    if not hertz.size:
        return None
    low, high = np.percentile(12 * np.log2(hertz), (16, 84))
    return float(high - low) / 2
