"""Integrated loudness by ITU-R BS.1770: K-weighting, 400 ms blocks, two gates."""

from __future__ import annotations

import functools
import math

import numpy as np
import scipy  # which loads its parts when they are first used
from numpy.typing import NDArray

from synthkit.audio import Samples

# Named in dataset.json: the K-weighting that agrees with libebur128 at every sampling rate.
LUFS_FILTER = "DeMan"
BLOCK_MS = 400  # nothing shorter has a loudness
BLOCK_S, STEP = 0.4, 0.25  # a gating block, and how far the next one is, in blocks
OFFSET_LUFS = -0.691
ABSOLUTE_GATE_LUFS, RELATIVE_GATE_LU = -70.0, -10.0
# K-weighting as analogue prototypes, frequency in Hz and quality, from which the digital filter
# comes at any rate: B. De Man, Evaluation of Implementations of the EBU R128 Loudness Measurement,
# AES 145 (2018). At 48 kHz they give the coefficients of BS.1770.
SHELF_HZ, SHELF_Q, SHELF_DB, SHELF_BAND = (
    1681.9744509555319,
    0.7071752369554193,
    3.99984385397,
    0.499666774155,
)
HIGHPASS_HZ, HIGHPASS_Q = 38.13547087613982, 0.5003270373253953
DECAY_S = 0.25  # after which the filters' memory is below a double's precision


def lufs(samples: Samples, sampling_rate: int) -> float | None:
    """Integrated loudness of a mono signal in LUFS; None for silence and below 400 ms.

    Blocks are those of pyloudnorm: the last one may reach past the end, and counts what is there.
    """
    if len(samples) * 1000 < BLOCK_MS * sampling_rate:
        return None
    energies = _block_energies(_weighted(samples, sampling_rate), sampling_rate)
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


def _block_energies(samples: Samples, sampling_rate: int) -> Samples:
    """Mean square of each block, shape (num_blocks,)."""
    seconds = len(samples) / sampling_rate
    blocks = np.arange(round((seconds - BLOCK_S) / (BLOCK_S * STEP)) + 1)
    starts = (BLOCK_S * (blocks * STEP) * sampling_rate).astype(np.intp)
    ends = (BLOCK_S * (blocks * STEP + 1) * sampling_rate).astype(np.intp)
    summed = np.concatenate(([0.0], np.cumsum(np.square(samples))))
    sums: Samples = summed[np.minimum(ends, len(samples))] - summed[starts]
    return np.maximum(sums, 0.0) / (BLOCK_S * sampling_rate)


def _weighted(samples: Samples, sampling_rate: int) -> Samples:
    """K-weighted samples, block by block: each with as much before it as the filters remember.

    One length of transform serves all signals of a rate, so its response is computed once.
    """
    memory = math.ceil(DECAY_S * sampling_rate)
    response, length = _response(sampling_rate)
    step = length - memory
    before = np.concatenate((np.zeros(memory), samples))
    weighted = np.empty(len(samples))
    for at in range(0, len(samples), step):
        spectrum = scipy.fft.rfft(before[at : at + length], length)
        block = scipy.fft.irfft(spectrum * response, length)[memory:]
        weighted[at : at + step] = block[: len(samples) - at]
    return weighted


@functools.lru_cache(maxsize=8)
def _response(sampling_rate: int) -> tuple[NDArray[np.complex128], int]:
    """Frequency response of shelf and high-pass at the bins of a real transform; its length."""
    length = int(scipy.fft.next_fast_len(math.ceil(4 * DECAY_S * sampling_rate), real=True))
    delay = np.exp(-2j * np.pi * np.arange(length // 2 + 1) / length)  # of one sample
    tan = math.tan(math.pi * SHELF_HZ / sampling_rate)
    high = 10 ** (SHELF_DB / 20)
    band = high**SHELF_BAND * tan / SHELF_Q
    rising = (high + band + tan**2, 2 * (tan**2 - high), high - band + tan**2)
    shelf = _biquad(rising, tan, SHELF_Q, delay)
    tan = math.tan(math.pi * HIGHPASS_HZ / sampling_rate)
    # BS.1770 gives its numerator as 1, -2, 1 after the division by the first coefficient.
    unity = 1 + tan / HIGHPASS_Q + tan**2
    return shelf * _biquad((unity, -2 * unity, unity), tan, HIGHPASS_Q, delay), length


def _biquad(
    numerator: tuple[float, float, float], tan: float, quality: float, delay: NDArray[np.complex128]
) -> NDArray[np.complex128]:
    """Response of a second-order filter by the bilinear transform; ``tan`` is its frequency."""
    b0, b1, b2 = numerator
    a0, a1, a2 = 1 + tan / quality + tan**2, 2 * (tan**2 - 1), 1 - tan / quality + tan**2
    above = b0 + (b1 + b2 * delay) * delay
    response: NDArray[np.complex128] = above / (a0 + (a1 + a2 * delay) * delay)
    return response
