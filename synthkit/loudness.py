"""Integrated loudness by ITU-R BS.1770: K-weighting, 400 ms blocks, two gates."""

from __future__ import annotations

import numpy as np

from synthkit.audio import Samples
from synthkit.kweighting import k_weighted

# Named in dataset.json: the K-weighting that agrees with libebur128 at every sampling rate.
LUFS_FILTER = "DeMan"
BLOCK_MS = 400  # nothing shorter has a loudness
BLOCK_S, STEP = 0.4, 0.25  # a gating block, and how far the next one is, in blocks
OFFSET_LUFS = -0.691
ABSOLUTE_GATE_LUFS, RELATIVE_GATE_LU = -70.0, -10.0


def lufs(samples: Samples, sampling_rate: int) -> float | None:
    """Integrated loudness of a mono signal in LUFS; None for silence and below 400 ms.

    Blocks are those of pyloudnorm: the last one may reach past the end, and counts what is there.
    """
    if len(samples) * 1000 < BLOCK_MS * sampling_rate:
        return None
    weighted = k_weighted(samples, sampling_rate)
    energies = _block_energies(np.square(weighted, out=weighted), sampling_rate)
    levels = _lufs(energies)
    loud = levels >= ABSOLUTE_GATE_LUFS
    if not loud.any():
        return None
    gate = _lufs(energies[loud].mean(keepdims=True))[0] + RELATIVE_GATE_LU
    return float(_lufs(energies[loud & (levels > gate)].mean(keepdims=True))[0])


def _lufs(energies: Samples) -> Samples:
    with np.errstate(divide="ignore"):
        loudness: Samples = OFFSET_LUFS + 10 * np.log10(energies)
    return loudness


def _block_energies(squares: Samples, sampling_rate: int) -> Samples:
    """Mean square of each block, shape (num_blocks,); what they share is summed once."""
    seconds = len(squares) / sampling_rate
    blocks = np.arange(round((seconds - BLOCK_S) / (BLOCK_S * STEP)) + 1)
    starts = (BLOCK_S * (blocks * STEP) * sampling_rate).astype(np.intp)
    ends = (BLOCK_S * (blocks * STEP + 1) * sampling_rate).astype(np.intp)
    ends = np.minimum(ends, len(squares))
    edges = np.unique(np.concatenate((starts, ends)))
    between = np.add.reduceat(squares[: edges[-1]], edges[:-1])
    summed = np.concatenate(([0.0], np.cumsum(between)))
    sums: Samples = summed[np.searchsorted(edges, ends)] - summed[np.searchsorted(edges, starts)]
    return np.maximum(sums, 0.0) / (BLOCK_S * sampling_rate)
