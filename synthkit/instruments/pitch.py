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
PERIODIC = 0.5  # least correlation of a voiced frame with itself one period later
QUIET = 0.05  # of the loudest frame's RMS; below it nothing counts as voiced

Hertz: TypeAlias = NDArray[np.float64]


def f0(samples: ArrayLike, sampling_rate: int) -> Hertz:
    """Return F0 of the voiced frames of (num_samples,) samples at 16 kHz, in Hz: (num_voiced,).

    YIN (de Cheveigne and Kawahara, 2002) as in librosa, 64 ms frames every 20 ms, from 60 to
    600 Hz. A frame is voiced if it correlates with itself one period later by 0.5 or more and its
    RMS is a twentieth of the loudest frame's or more.
    """
    sound = signal(samples, sampling_rate)
    if sound.size < FRAME:
        return np.zeros(0)
    lowest, highest = BOUNDS_HZ
    found = package("librosa", PURPOSE).yin(
        sound,
        fmin=lowest,
        fmax=highest,
        sr=sampling_rate,
        frame_length=FRAME,
        hop_length=HOP,
        center=False,
    )
    frames = np.lib.stride_tricks.sliding_window_view(sound.astype(np.float64), FRAME)[::HOP]
    rms = np.sqrt((frames**2).mean(axis=1))
    lags = np.rint(sampling_rate / found).astype(int)
    periodic = np.array([_correlation(f, lag) for f, lag in zip(frames, lags, strict=True)])
    voiced = (periodic >= PERIODIC) & (rms >= QUIET * rms.max())
    return np.asarray(found[voiced], np.float64)


def _correlation(frame: Hertz, lag: int) -> float:
    """Of a frame with itself ``lag`` samples later, -1 to 1; 0 for silence."""
    early, late = frame[:-lag], frame[lag:]
    energy = np.sum(early**2) * np.sum(late**2)
    return float(np.sum(early * late) / np.sqrt(energy)) if energy else 0.0


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
