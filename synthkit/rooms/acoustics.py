"""Room acoustics measured from an impulse response: T30, EDT, C50, DRR (ISO 3382-1)."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from scipy import signal

from synthkit.audio import Samples, num_samples_of

OCTAVES_HZ = (500.0, 1000.0)  # whose mean is the single-number reverberation time
DIRECT_HALF_WIDTH_MS = 2.5
EDGE_MS = 10  # the shortest stretch that a slope or a level is read from


@dataclass(frozen=True)
class Acoustics:
    """Realised acoustics: ``rt60`` (T30) and ``edt`` in seconds, ``c50`` and ``drr`` in dB.

    ``rt60`` and ``edt`` are None where nothing decays, ``c50`` and ``drr`` where there is
    nothing but the direct sound.
    """

    rt60: float | None
    edt: float | None
    c50: float | None
    drr: float | None

    def describe(self) -> dict[str, float | None]:
        return dataclasses.asdict(self)


def measure(rir: Samples, delay: int, sampling_rate: int) -> Acoustics:
    """Measure an impulse response whose direct sound arrives at sample ``delay``."""
    return Acoustics(
        rt60=_over_octaves(rir[delay:], sampling_rate, -5.0, -35.0),
        edt=_over_octaves(rir[delay:], sampling_rate, 0.0, -10.0),
        c50=_ratio_db(rir, delay + num_samples_of(50, sampling_rate), 0),
        drr=_ratio_db(
            rir,
            delay + num_samples_of(DIRECT_HALF_WIDTH_MS, sampling_rate),
            delay - num_samples_of(DIRECT_HALF_WIDTH_MS, sampling_rate),
        ),
    )


def decay_time(rir: Samples, sampling_rate: int, start_db: float, end_db: float) -> float | None:
    """Seconds for 60 dB, from the slope of the energy decay between two levels.

    The decay curve is Schroeder's backward integral, the slope its least-squares line (ISO
    3382-1, 5.3.3 and 6). None where the curve does not fall that far over at least 10 ms, and
    where the response stops before it is 10 dB below ``end_db`` (ISO 3382-1, 5.3.3): the curve
    then falls because the samples end.
    """
    power, edge = np.square(rir), num_samples_of(EDGE_MS, sampling_rate)
    energy = np.cumsum(power[::-1])[::-1]
    if len(power) < 2 * edge or energy[0] <= 0:
        return None
    if power[-edge:].mean() > power[:edge].mean() * 10 ** ((end_db - 10) / 10):
        return None
    curve = 10 * np.log10(np.maximum(energy / energy[0], 1e-30))
    first = int(np.argmax(curve <= start_db))
    last = int(np.argmax(curve <= end_db))
    if last - first < edge:
        return None
    slope = np.polyfit(np.arange(first, last) / sampling_rate, curve[first:last], 1)[0]
    return float(-60 / slope)


def _over_octaves(rir: Samples, rate: int, start_db: float, end_db: float) -> float | None:
    """Mean decay time of the 500 Hz and 1 kHz octaves, rounded to 0.1 ms; None if one has none."""
    times = []
    for centre in OCTAVES_HZ:
        edges = [centre / math.sqrt(2), centre * math.sqrt(2)]
        sos = signal.butter(4, edges, "bandpass", fs=rate, output="sos")
        times.append(decay_time(signal.sosfilt(sos, rir), rate, start_db, end_db))
    if any(time is None for time in times):
        return None
    return round(float(np.mean([time for time in times if time is not None])), 4)


def _ratio_db(rir: Samples, split: int, start: int) -> float | None:
    """Energy in ``[start, split)`` over the energy after ``split``, dB rounded to 4 decimals."""
    energy = np.square(rir)
    early, late = float(energy[max(0, start) : split].sum()), float(energy[split:].sum())
    if early <= 0 or late <= 0:
        return None
    return round(10 * math.log10(early / late), 4)
