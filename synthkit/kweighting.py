"""K-weighting, the filter of ITU-R BS.1770: a high shelf and a high-pass, exact at any rate."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np

from synthkit.audio import Samples

# Both filters as analogue prototypes, frequency in Hz and quality, from which the digital ones
# come at any rate: B. De Man, Evaluation of Implementations of the EBU R128 Loudness Measurement,
# AES 145 (2018). At 48 kHz they give the coefficients of BS.1770.
SHELF_HZ, SHELF_Q, SHELF_DB, SHELF_BAND = (
    1681.9744509555319,
    0.7071752369554193,
    3.99984385397,
    0.499666774155,
)
HIGHPASS_HZ, HIGHPASS_Q = 38.13547087613982, 0.5003270373253953
BLOCK = 32  # samples that one product of matrices carries the filters over
BLOCKS = 2**8  # at once: such products stay in the cache, and on one core
STATES = 4  # two a filter


class _Section(NamedTuple):
    """Coefficients of a second-order filter, divided by the first of its denominator."""

    b0: float
    b1: float
    b2: float
    a1: float
    a2: float


class _System(NamedTuple):
    """What a block of samples, and the states before it, do to its output and the states after.

    ``to_output`` has shape (BLOCK, BLOCK), ``to_states`` (BLOCK, STATES), ``from_states``
    (STATES, BLOCK); ``kept`` are matrices (STATES, STATES) over 1, 2, 4 … blocks.
    """

    to_output: Samples
    to_states: Samples
    from_states: Samples
    kept: tuple[Samples, ...]


def k_weighted(samples: Samples, sampling_rate: int) -> Samples:
    """K-weighted samples, shape (num_samples,), from rest."""
    system = _system(sampling_rate)
    weighted = np.empty(len(samples))
    before = np.zeros(STATES)
    for at in range(0, len(samples), BLOCKS * BLOCK):
        piece = samples[at : at + BLOCKS * BLOCK]
        blocks = np.pad(piece, (0, -len(piece) % BLOCK)).reshape(-1, BLOCK)
        states = _states(blocks, before, system)
        output = blocks @ system.to_output
        output += states[:-1] @ system.from_states
        weighted[at : at + len(piece)] = output.reshape(-1)[: len(piece)]
        before = states[-1]
    return weighted


def _states(blocks: Samples, before: Samples, system: _System) -> Samples:
    """States before each block and after the last, shape (num_blocks + 1, STATES).

    A sum over all earlier blocks, by doubling: each pass adds what lies twice as far behind.
    """
    states = np.concatenate((before[np.newaxis], blocks @ system.to_states))
    for power, kept in enumerate(system.kept):
        states[2**power :] += states[: -(2**power)] @ kept
    return states


@functools.lru_cache(maxsize=8)
def _system(sampling_rate: int) -> _System:
    """Matrices of both filters in a row: their answers to each single unit, sample or state."""
    units = np.eye(BLOCK + STATES)
    signal, states = list(units[:, :BLOCK].T), list(units[:, BLOCK:].T)
    for place, section in enumerate((_shelf(sampling_rate), _highpass(sampling_rate))):
        of_section = slice(2 * place, 2 * place + 2)
        signal, states[of_section] = _run(section, signal, *states[of_section])
    outputs, after = np.stack(signal, axis=1), np.stack(states, axis=1)
    kept = [after[BLOCK:]]
    while 2 ** len(kept) <= BLOCKS:
        kept.append(kept[-1] @ kept[-1])
    return _System(outputs[:BLOCK], after[:BLOCK], outputs[BLOCK:], tuple(kept))


def _run(
    section: _Section, signal: list[Samples], first: Samples, second: Samples
) -> tuple[list[Samples], list[Samples]]:
    """Output and states after of one filter, sample by sample, in transposed direct form II."""
    outputs = []
    for sample in signal:
        output = section.b0 * sample + first
        first = section.b1 * sample - section.a1 * output + second
        second = section.b2 * sample - section.a2 * output
        outputs.append(output)
    return outputs, [first, second]


def _shelf(sampling_rate: int) -> _Section:
    tan = math.tan(math.pi * SHELF_HZ / sampling_rate)
    high = 10 ** (SHELF_DB / 20)
    band = high**SHELF_BAND * tan / SHELF_Q
    rising = (high + band + tan**2, 2 * (tan**2 - high), high - band + tan**2)
    return _section(rising, tan, SHELF_Q)


def _highpass(sampling_rate: int) -> _Section:
    tan = math.tan(math.pi * HIGHPASS_HZ / sampling_rate)
    # BS.1770 gives its numerator as 1, -2, 1 after the division by the first coefficient.
    unity = 1 + tan / HIGHPASS_Q + tan**2
    return _section((unity, -2 * unity, unity), tan, HIGHPASS_Q)


def _section(numerator: tuple[float, float, float], tan: float, quality: float) -> _Section:
    """A second-order filter by the bilinear transform; ``tan`` is its frequency, prewarped."""
    a0, a1, a2 = 1 + tan / quality + tan**2, 2 * (tan**2 - 1), 1 - tan / quality + tan**2
    b0, b1, b2 = numerator
    return _Section(b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0)
