"""The look-ahead limiter that crest control and level share: gain, no filtering."""

from __future__ import annotations

import math

import numpy as np
import scipy

from synthkit.audio import Samples, num_samples_of
from synthkit.errors import AudioError
from synthkit.levels import oversampled_envelope

LOOK_AHEAD_MS = 2.5
MAX_ROUNDS = 40  # each takes off what the one before left; more than a few is never seen
# Speech at -20 dBFS needs 6.4 dB at most; far beyond that, limiting is not repair but damage.
MAX_REDUCTION_DB = 12.0


def limiting_gain(samples: Samples, ceiling: float, sampling_rate: int) -> Samples:
    """Return the gain, at most 1 and of the same shape, that takes peaks to ``ceiling``.

    The gain that each sample needs is held over the look-ahead on both sides and smoothed by
    a window of the same width, so it is symmetric in time (linear phase): it neither delays
    nor overshoots. ``ceiling`` is linear and refers to the 4x oversampled signal.
    """
    reach = num_samples_of(LOOK_AHEAD_MS, sampling_rate)
    needed = np.minimum(1.0, ceiling / np.maximum(oversampled_envelope(samples), ceiling))
    held = scipy.ndimage.minimum_filter1d(needed, 2 * reach + 1, mode="nearest")
    window = scipy.signal.windows.hann(2 * reach + 1, sym=True)
    smooth = np.convolve(np.pad(held, reach, mode="edge"), window / window.sum(), mode="valid")
    return np.minimum(smooth, 1.0)


def reduction(gain: Samples) -> dict[str, object]:
    """The facts of a limiting gain: largest reduction in dB, share of samples reduced.

    Raises :class:`AudioError` for a reduction over 12 dB.
    """
    lowest = float(gain.min(initial=1.0))
    reduction_db = -20 * math.log10(lowest)
    if reduction_db > MAX_REDUCTION_DB:
        raise AudioError(
            f"peaks need {reduction_db:.1f} dB of limiting at this level; "
            f"allowed: {MAX_REDUCTION_DB:g} dB"
        )
    return {
        "limited": lowest < 1.0,
        "reduction_db": round(reduction_db, 4) + 0.0,
        "share": round(float(np.mean(gain < 1.0)), 6) if len(gain) else 0.0,
    }
