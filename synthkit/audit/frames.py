"""A signal in short frames: their levels and their power spectra."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from synthkit.audio import Samples

SILENCE_DB = -120.0  # what digital silence reads, and all that is less
HOP_MS = 10
SPECTRUM_MS = 32  # of a spectrum's frame: tells the harmonics of any voice apart

Powers = NDArray[np.float64]


def decibels(power: float) -> float:
    """A ratio of powers in dB, -120 at the least."""
    return float(10 * np.log10(max(power, 10 ** (SILENCE_DB / 10))))


def mean_square(samples: Samples) -> float:
    """Mean power; 0 where there are no samples."""
    return float(np.mean(np.square(samples))) if len(samples) else 0.0


def frame_powers(samples: Samples, size: int) -> Powers:
    """Mean power of each whole frame of ``size`` samples, side by side; shape (num_frames,)."""
    whole = len(samples) // size * size
    powers: Powers = np.square(samples[:whole]).reshape(-1, size).mean(axis=1)
    return powers


def spectra(samples: Samples, sampling_rate: int) -> tuple[Powers, NDArray[np.float64]]:
    """Power spectra of Hann-windowed frames of 32 ms every 10 ms, and their frequencies in Hz.

    Shapes (num_frames, num_bins) and (num_bins,). A signal shorter than a frame has none.
    """
    size, hop = sampling_rate * SPECTRUM_MS // 1000, sampling_rate * HOP_MS // 1000
    frequencies = np.arange(size // 2 + 1, dtype=np.float64) * (sampling_rate / size)
    if len(samples) < size:
        return np.empty((0, len(frequencies))), frequencies
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(size) / size)
    frames = sliding_window_view(samples, size)[::hop] * hann
    return np.square(np.abs(np.fft.rfft(frames, axis=1))), frequencies


def between(frequencies: NDArray[np.float64], low: float, high: float) -> slice:
    """The bins from ``low`` up to but not ``high`` Hz."""
    first, last = np.searchsorted(frequencies, (low, high))
    return slice(int(first), int(last))
