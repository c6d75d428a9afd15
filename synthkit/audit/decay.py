"""How fast the energy of speech falls: a room does not let it fall faster than it decays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from synthkit.audit.frames import HOP_MS, Powers, between

# Below any low-pass that a telephone has, above what a high-pass takes; in Hz.
BANDS = (250, 500, 1000, 1500, 2000, 2800, 3700)
FALL_MS = 50  # over which a fall is read: longer than a frame, shorter than a syllable
NEAR_TOP_DB = 25.0  # falls count from where the band is loud: further down lies noise
DEPTH_DB = 60.0  # below a band's top all is silence
STEEP = 90  # percentile of the falls: those that nothing but the room slows down


def decay_db_per_s(powers: Powers, frequencies: NDArray[np.float64]) -> float | None:
    """How fast the steepest falls within speech are, in dB per second.

    ``powers``, shape (num_frames, num_bins), are spectra of the speech window, 10 ms apart. In
    each band, what its level loses over 50 ms, wherever it is loud; the 90th percentile of
    that; the mean over the bands. A reverberation time of T seconds lets the energy fall by
    60 / T dB per second, so rooms read low and dry speech high. (That the decay of speech in a
    room shows in its steepest falls: Ratnam et al. 2003, blind estimation of reverberation
    time; Wen, Habets and Naylor 2008.) None where no band is loud for long enough.
    """
    lag = FALL_MS // HOP_MS
    falls = []
    for low, high in pairwise(BANDS):
        power = powers[:, between(frequencies, low, high)].sum(axis=1)
        if len(power) <= lag or not power.any():
            continue
        top = 10 * np.log10(np.percentile(power, 95))
        levels = np.maximum(10 * np.log10(np.maximum(power, 1e-30)), top - DEPTH_DB)
        loud = levels[:-lag] > top - NEAR_TOP_DB
        if loud.any():
            falls.append(np.percentile((levels[:-lag] - levels[lag:])[loud], STEEP))
    return float(np.mean(falls)) * 1000 / FALL_MS if falls else None
