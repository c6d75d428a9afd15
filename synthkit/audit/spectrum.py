"""What the spectrum of speech tells: its tilt, its upper end, the noise between its harmonics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthkit.audit.frames import Powers, between, decibels

TILT_HZ = (250.0, 6300.0)  # third octaves, by their centres
VALLEYS_HZ = (300.0, 3400.0)
LOW_HZ, HIGH_HZ, TOP_HZ = (60.0, 250.0), 4000.0, 7000.0
ROLL_OFF = 0.99
ACTIVE_DB = 30.0  # frames this far below the loudest are pauses


def spectral(powers: Powers, frequencies: NDArray[np.float64]) -> dict[str, float | None]:
    """The meters of a speech window's spectra, shape (num_frames, num_bins); see ``meters``."""
    mean = powers.mean(axis=0) if len(powers) else np.zeros(len(frequencies))
    total = float(mean.sum())
    if not total:
        names = ("tilt", "low_band", "high_band", "top_band", "bandwidth", "flatness", "valleys")
        return dict.fromkeys(names)
    loudness = powers.sum(axis=1)
    active = powers[loudness > loudness.max() * 10 ** (-ACTIVE_DB / 10)]
    end = float(frequencies[-1]) + 1
    rolled = int(np.searchsorted(np.cumsum(mean), ROLL_OFF * total))
    return {
        "tilt": _tilt(mean, frequencies),
        "low_band": decibels(float(mean[between(frequencies, *LOW_HZ)].sum()) / total),
        "high_band": decibels(float(mean[between(frequencies, HIGH_HZ, end)].sum()) / total),
        "top_band": decibels(float(mean[between(frequencies, TOP_HZ, end)].sum()) / total),
        "bandwidth": float(frequencies[min(rolled, len(frequencies) - 1)]),
        "flatness": _flatness(active),
        "valleys": _valleys(active[:, between(frequencies, *VALLEYS_HZ)]),
    }


def _tilt(mean: Powers, frequencies: NDArray[np.float64]) -> float | None:
    """Slope of the third-octave levels' densities over log frequency, dB per octave."""
    octaves = np.arange(np.log2(TILT_HZ[0]), np.log2(TILT_HZ[1]) + 1e-9, 1 / 3)
    bins = [between(frequencies, 2 ** (o - 1 / 6), 2 ** (o + 1 / 6)) for o in octaves]
    held = [(o, float(mean[b].mean())) for o, b in zip(octaves, bins, strict=True) if mean[b].any()]
    if len(held) < 2:
        return None
    at, density = np.array(held).T
    return float(np.polyfit(at, 10 * np.log10(density), 1)[0])


def _flatness(active: Powers) -> float:
    """Geometric over arithmetic mean of a frame's bins, in dB: 0 for noise, low for tones."""
    relative = active / active.mean(axis=1, keepdims=True)
    return float(10 * np.log10(np.maximum(relative, 1e-12)).mean())


def _valleys(active: Powers) -> float | None:
    """How far the tenth percentile of a frame's bins lies below their mean, in dB, on average.

    Noise that comes with the speech (companding, a vocoder, coarse steps) fills these valleys.
    """
    mean = active.mean(axis=1)
    if not mean.any():
        return None
    low = np.percentile(active[mean > 0], 10, axis=1) / mean[mean > 0]
    return float(10 * np.log10(np.maximum(low, 1e-12)).mean())
