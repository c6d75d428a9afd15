"""Level meters: RMS, sample peak, true peak. ``None`` where a signal has no level."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable

import numpy as np
import scipy  # which loads its parts when they are first used
from numpy.typing import NDArray

from synthkit.audio import Pcm16, Samples

OVERSAMPLING = 4
HALF_TAPS = 10  # of the interpolator, in samples to either side
REACH = HALF_TAPS + 1  # no sample further away has a say
DECIMALS = 4  # to which levels are recorded; finer digits are not reproducible


def rms_dbfs(samples: Samples) -> float | None:
    """RMS level in dB re full scale 1.0 (a full-scale sine reads -3.01); None for silence."""
    if not len(samples):
        return None
    return to_db(math.sqrt(float(np.mean(np.square(samples)))))


def peak_dbfs(samples: Samples) -> float | None:
    """Largest sample in dB re full scale 1.0; None for silence."""
    return to_db(largest(samples))


def largest(samples: Samples | Pcm16) -> float:
    """Largest magnitude, in the samples' own unit; 0 where there are none."""
    return max(float(samples.max()), -float(samples.min())) if len(samples) else 0.0


def true_peak(samples: Samples) -> float:
    """Largest magnitude of the 4x oversampled signal, linear, full scale 1.0.

    ITU-R BS.1770-5 Annex 2 asks for at least 4x oversampling; the interpolator here is
    ``scipy.signal.resample_poly``'s kind, a Kaiser-windowed sinc of 81 taps.
    """
    magnitudes = np.abs(samples)
    peak = float(magnitudes.max(initial=0.0))
    if peak == 0.0:
        return 0.0
    # An interpolated value is at most `gain` times the largest sample within reach, so only
    # samples that loud, with their neighbours' neighbours, can hold one over the sample peak.
    loud = _around(samples, np.flatnonzero(magnitudes > peak / _gain()), 2 * REACH)
    return max(peak, _interpolated_peak(loud))


def _interpolated_peak(samples: Samples) -> float:
    """Largest magnitude of the whole convolution with the interpolator, phase by phase.

    (As one product of matrices it would be quicker, and busy all cores.)
    """
    taps = _interpolator()
    between = (np.convolve(samples, taps[phase::OVERSAMPLING]) for phase in range(1, OVERSAMPLING))
    # Of the phase that falls on the samples, all taps but the middle one are zero.
    on_samples = largest(samples) * float(taps[len(taps) // 2])
    return max(on_samples, *map(largest, between))


def _around(samples: Samples, marked: NDArray[np.intp], reach: int) -> Samples:
    """The samples within ``reach`` of the ``marked`` ones (places in order), each once."""
    last = np.flatnonzero(np.diff(marked) > 2 * reach)  # of each run but the last
    starts = np.maximum(marked[np.concatenate(([0], last + 1))] - reach, 0)
    ends = marked[np.concatenate((last, [-1]))] + reach + 1
    runs = zip(starts.tolist(), ends.tolist(), strict=True)
    return np.concatenate([samples[start:end] for start, end in runs])


def oversampled_envelope(samples: Samples) -> Samples:
    """Largest magnitude of the 4x oversampled signal within half a sample of each, same shape."""
    taps = _interpolator()
    fine = np.abs(scipy.signal.upfirdn(taps, samples, up=OVERSAMPLING))
    around: Samples = scipy.ndimage.maximum_filter1d(fine, OVERSAMPLING + 1, mode="constant")
    at_samples = around[len(taps) // 2 :: OVERSAMPLING][: len(samples)]
    return np.maximum(at_samples, np.abs(samples))


def true_peak_dbtp(samples: Samples) -> float | None:
    """True peak in dB re full scale 1.0 (see :func:`true_peak`); None for silence."""
    return to_db(true_peak(samples))


def joined_true_peak_dbtp(
    samples: Samples, edges: Iterable[int], parts: Iterable[float | None]
) -> float | None:
    """True peak in dBTP of samples joined of parts, whose own true peaks ``parts`` holds.

    A part's reading holds in the whole but for what lies near its ``edges``. Where it is too
    quiet there for any peak, as after a fade, the parts say all; else the whole is read.
    """
    if joints_are_quiet(samples, edges):
        return max((part for part in parts if part is not None), default=None)
    return true_peak_dbtp(samples)


def joints_are_quiet(samples: Samples | Pcm16, edges: Iterable[int]) -> bool:
    """Whether no true peak of the whole can lie near ``edges``; in any unit."""
    most = largest(samples) / _gain()
    return all(largest(samples[max(0, e - 2 * REACH) : e + 2 * REACH]) <= most for e in edges)


def to_db(amplitude: float) -> float | None:
    """``20 log10`` of an amplitude; None for zero."""
    return 20 * math.log10(amplitude) if amplitude > 0 else None


def from_db(level_db: float) -> float:
    """The amplitude whose level is ``level_db``."""
    return float(10 ** (level_db / 20))


def rounded(level: float | None) -> float | None:
    """A level as it is recorded; never minus zero."""
    return None if level is None else round(level, DECIMALS) + 0.0


@functools.cache
def _gain() -> float:
    """How far an interpolated value may pass the largest sample within reach, as a factor."""
    taps = _interpolator()
    return max(float(np.abs(taps[phase::OVERSAMPLING]).sum()) for phase in range(OVERSAMPLING))


@functools.cache
def _interpolator() -> Samples:
    """Low-pass at the old Nyquist frequency: a sinc under a Kaiser window, 1 in its middle."""
    places = np.arange(-HALF_TAPS * OVERSAMPLING, HALF_TAPS * OVERSAMPLING + 1)
    taps: Samples = np.sinc(places / OVERSAMPLING) * np.kaiser(len(places), 5.0)
    scaled: Samples = taps * (OVERSAMPLING / taps.sum())
    return scaled
