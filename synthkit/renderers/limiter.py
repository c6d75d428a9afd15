"""The look-ahead limiter that crest control and level share: gain, no filtering."""

from __future__ import annotations

import numpy as np
from scipy import ndimage, signal

from synthkit.audio import Samples, num_samples_of
from synthkit.levels import oversampled_envelope

LOOK_AHEAD_MS = 2.5
MAX_ROUNDS = 40  # each takes off what the one before left; more than a few is never seen


def limiting_gain(samples: Samples, ceiling: float, sampling_rate: int) -> Samples:
    """Return the gain, at most 1 and of the same shape, that takes peaks to ``ceiling``.

    The gain that each sample needs is held over the look-ahead on both sides and smoothed by
    a window of the same width, so it is symmetric in time (linear phase): it neither delays
    nor overshoots. ``ceiling`` is linear and refers to the 4x oversampled signal.
    """
    reach = num_samples_of(LOOK_AHEAD_MS, sampling_rate)
    needed = np.minimum(1.0, ceiling / np.maximum(oversampled_envelope(samples), ceiling))
    held = ndimage.minimum_filter1d(needed, 2 * reach + 1, mode="nearest")
    window = signal.windows.hann(2 * reach + 1, sym=True)
    smooth = np.convolve(np.pad(held, reach, mode="edge"), window / window.sum(), mode="valid")
    return np.minimum(smooth, 1.0)


def reduction(gain: Samples) -> dict[str, object]:
    """The facts of a limiting gain: largest reduction in dB, share of samples reduced."""
    lowest = float(gain.min(initial=1.0))
    return {
        "limited": lowest < 1.0,
        "reduction_db": round(-20 * float(np.log10(lowest)), 4) + 0.0,
        "share": round(float(np.mean(gain < 1.0)), 6) if len(gain) else 0.0,
    }
