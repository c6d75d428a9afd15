"""Put a bed under a clip, and take it off again: integers, so that nothing is lost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthkit.audio import Pcm16
from synthkit.errors import AudioError

LOWEST, HIGHEST = np.iinfo(np.int16).min, np.iinfo(np.int16).max


def add_bed(pcm: Pcm16, bed: Pcm16) -> Pcm16:
    """``pcm`` plus the beginning of ``bed``, both int16, shape of ``pcm``.

    Raises :class:`AudioError` naming the first sample that passes 16 bits (nothing is clipped
    or wrapped), and for a bed that is shorter than the clip.
    """
    return _within(pcm.astype(np.int32) + _under(pcm, bed), "with its bed")


def remove_bed(pcm: Pcm16, bed: Pcm16) -> Pcm16:
    """The clip that :func:`add_bed` was given, to the bit.

    Raises :class:`AudioError` where that leaves 16 bits, so that this bed was never under it,
    and for a bed that is shorter than the clip.
    """
    return _within(pcm.astype(np.int32) - _under(pcm, bed), "without its bed")


def _under(pcm: Pcm16, bed: Pcm16) -> NDArray[np.int32]:
    if len(bed) < len(pcm):
        raise AudioError(f"bed has {len(bed)} samples; allowed: {len(pcm)} or more, as the clip")
    return bed[: len(pcm)].astype(np.int32)


def _within(values: NDArray[np.int32], what: str) -> Pcm16:
    outside = np.flatnonzero((values < LOWEST) | (values > HIGHEST))
    if len(outside):
        at = int(outside[0])
        raise AudioError(
            f"sample {at} {what} is {values[at]} ({len(outside)} such samples); "
            f"allowed: {LOWEST} to {HIGHEST}"
        )
    return values.astype(np.int16)
