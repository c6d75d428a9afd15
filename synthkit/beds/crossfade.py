"""Crossfade: one sound into the next at equal power."""

from __future__ import annotations

import numpy as np

from synthkit.audio import Samples


def crossfaded(first: Samples, second: Samples, overlap: int) -> Samples:
    """``second`` after ``first``, ``overlap`` samples of both sounding together.

    The gains are a cosine and a sine, whose squares add up to 1: two sounds that have nothing
    in common keep their power. Shape: (len(first) + len(second) - overlap,).
    """
    rise = np.sin(np.pi / 2 * (np.arange(overlap) + 0.5) / max(overlap, 1))
    before, ending = np.split(first, [len(first) - overlap])
    beginning, after = np.split(second, [overlap])
    return np.concatenate((before, ending * rise[::-1] + beginning * rise, after))
