"""How far two stretches of samples are one sound: what differs, what is left over, how late."""

from __future__ import annotations

import math

import numpy as np
import scipy

from synthkit.audio import FULL_SCALE, Samples

FLOOR_DB = -200.0  # of a residual; two equal stretches have none
REACH = 800  # lags that are looked at, in samples to either side


def difference(one: Samples, other: Samples) -> str | None:
    """Where two stretches that should be one differ; None where they don't."""
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} samples"
    apart = one != other
    if not apart.any():
        return None
    first, most = int(np.argmax(apart)), float(np.abs(one - other).max()) * FULL_SCALE
    return f"{int(apart.sum())} samples differ, the first at {first}, by up to {most:g} steps"


def residual_db(expected: Samples, found: Samples) -> tuple[float, float]:
    """What is left of ``found`` when ``expected`` is taken out at its best gain; and that gain.

    dB re ``found``, and linear, negative where the polarity is the other way. 0 dB and a gain of
    0 where one of them is silent.
    """
    n = min(len(expected), len(found))
    a, b = expected[:n], found[:n]
    energy, own = float(np.sum(a * a)), float(np.sum(b * b))
    if energy == 0.0 or own == 0.0:
        return 0.0, 0.0
    gain = float(np.sum(a * b)) / energy
    left = float(np.sum(np.square(b - gain * a)))
    return max(10 * math.log10(left / own) if left else FLOOR_DB, FLOOR_DB), gain


def lag(reference: Samples, later: Samples, whitened: bool = False) -> int:
    """Samples by which ``later`` is late against ``reference``, within 800 to either side.

    The place of the largest magnitude of their cross-correlation; ``whitened`` divides the
    spectrum by its magnitude first (GCC-PHAT: Knapp and Carter, 1976), for one sound dry and in
    a room.
    """
    # As long as both together, and at least as all lags, so that none stands for another.
    n = scipy.fft.next_fast_len(max(len(reference) + len(later), 2 * REACH + 1), real=True)
    spectrum = np.conj(scipy.fft.rfft(reference, n)) * scipy.fft.rfft(later, n)
    if whitened:
        magnitude = np.abs(spectrum)
        spectrum /= np.maximum(magnitude, 1e-6 * max(float(magnitude.max()), 1e-300))
    correlation = np.abs(scipy.fft.irfft(spectrum, n))
    near = np.concatenate((correlation[-REACH:], correlation[: REACH + 1]))
    return int(np.argmax(near)) - REACH


def above_db(samples: Samples, sampling_rate: int, frequency: float) -> float:
    """Energy above ``frequency`` in Hz, in dB re all of it; -200 where there is none."""
    power = np.square(np.abs(scipy.fft.rfft(samples)))
    total = float(power.sum())
    first = math.ceil(frequency * len(samples) / sampling_rate)
    share = float(power[first:].sum()) / total if total else 0.0
    return max(10 * math.log10(share) if share else FLOOR_DB, FLOOR_DB)
