"""Timing: how alike two speakers time the same sentences, whatever their overall speed.

Two measures. Between sentences, :func:`pace_correlation`: do both slow down and hurry in the same
ones? Within a sentence, :func:`warp_ms`: how far do its sounds lie from where a constant factor of
speed would put them?
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthkit.errors import InputError
from synthkit.instruments.packages import package
from synthkit.instruments.signal import signal

PURPOSE = "timing"
FRAME_MS = 10
COEFFICIENTS = 13

Contour: TypeAlias = NDArray[np.float64]


def pace_correlation(one: ArrayLike, other: ArrayLike) -> float | None:
    """Return Pearson's r of the logarithms of two (num_sentences,) lists of positive numbers.

    Each holds one speaker's seconds per syllable, so that a sentence's length plays no part; a
    constant factor drops out of the logarithms' correlation. 1 is the same rhythm of fast and
    slow sentences, 0 none in common. None for fewer than three sentences or a constant list.
    """
    first, second = np.log(np.asarray(one, np.float64)), np.log(np.asarray(other, np.float64))
    if first.shape != second.shape or first.ndim != 1:
        raise InputError(f"timing: lists of shape {first.shape} and {second.shape}; allowed: alike")
    if first.size < 3 or min(np.ptp(first), np.ptp(second)) < 1e-9:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def contour(samples: ArrayLike, sampling_rate: int) -> Contour:
    """Return what :func:`warp_ms` aligns: (num_frames, 13), a frame every 10 ms.

    Mel-frequency cepstral coefficients of (num_samples,) samples at 16 kHz, the speech alone
    without silence around it; each coefficient has mean 0 and variance 1, which takes out most of
    what differs between speakers.
    """
    sound = signal(samples, sampling_rate)
    hop = sampling_rate * FRAME_MS // 1000
    mfcc = package("librosa", PURPOSE).feature.mfcc(
        y=sound, sr=sampling_rate, n_mfcc=COEFFICIENTS, n_fft=400, hop_length=hop, n_mels=40
    )
    found = np.asarray(mfcc, np.float64).T
    return np.asarray((found - found.mean(axis=0)) / np.maximum(found.std(axis=0), 1e-9))


def warp_ms(one: Contour, other: Contour) -> float:
    """Return how far two contours of a sentence are from one being the other at a constant speed.

    Dynamic time warping (Sakoe and Chiba, 1978; Euclidean cost, steps of 1) pairs the frames; both
    axes are scaled to 0 … 1, where a constant speed is the diagonal. The result is the path's
    root-mean-square distance from it along the time axis, times the mean duration, in ms: 0 for
    the same timing. Aligning different voices of one timing still costs one or two frames.
    """
    path = package("librosa", PURPOSE).sequence.dtw(one.T, other.T, backtrack=True)[1]
    ends = np.maximum(np.array([len(one), len(other)]) - 1, 1)
    places = np.asarray(path) / ends
    off = np.sqrt(np.mean((places[:, 0] - places[:, 1]) ** 2))
    return float(off * FRAME_MS * ends.mean())
