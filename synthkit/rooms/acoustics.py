"""Room acoustics measured from an impulse response, by the definitions of ISO 3382-1."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
import scipy

from synthkit.audio import Samples, num_samples_of

OCTAVES_HZ = (500.0, 1000.0)  # whose mean is the single-number reverberation time
DIRECT_HALF_WIDTH_MS = 2.5
# A filter of bandwidth B rings by itself: a decay time below 16 / B is its own (ISO 3382-1, 7.3).
LEAST_BANDWIDTH_TIME = 16
EDGE_MS = 10  # the shortest stretch that a slope or a level is read from


@dataclass(frozen=True)
class Acoustics:
    """Realised acoustics: ``rt60`` (T30) and ``edt`` in seconds, the others in dB.

    ``rt60`` and ``edt`` are None where nothing decays, ``c50`` and ``drr`` where there is
    nothing but the direct sound, ``direct_level`` where the gain of the response is unknown.
    """

    rt60: float | None
    edt: float | None
    c50: float | None
    drr: float | None
    direct_level: float | None

    def describe(self) -> dict[str, float | None]:
        return dataclasses.asdict(self)


def measure(rir: Samples, delay: int, sampling_rate: int, calibrated: bool = False) -> Acoustics:
    """Measure an impulse response whose direct sound arrives at sample ``delay``.

    With ``p`` the response, ``t`` counted from the direct sound and lg the decimal logarithm:

    * ``rt60``: T30 (ISO 3382-1, 6), ``edt``: early decay time (A.2.2), both by
      :func:`decay_time`, means of the 500 Hz and 1 kHz octaves;
    * ``c50`` = 10 lg of the integral of p² over 0 to 50 ms over that from 50 ms on (A.2.3);
    * ``drr`` = 10 lg of the integral of p² within 2.5 ms of the direct sound over that of all
      after it (Zahorik 2002, J. Acoust. Soc. Am. 112, 2110);
    * ``direct_level`` = 10 lg of the integral of p² within those 2.5 ms, re that of the talker
      at 1 m in the free field, on its axis, whose response is a click of 1; read where the
      response is ``calibrated`` to it.
    """
    half = num_samples_of(DIRECT_HALF_WIDTH_MS, sampling_rate)
    direct = float(np.square(rir[max(0, delay - half) : delay + half]).sum())
    return Acoustics(
        rt60=_over_octaves(rir[delay:], sampling_rate, -5.0, -35.0),
        edt=_over_octaves(rir[delay:], sampling_rate, 0.0, -10.0),
        c50=_ratio_db(rir, delay + num_samples_of(50, sampling_rate), 0),
        drr=_ratio_db(rir, delay + half, delay - half),
        direct_level=round(10 * math.log10(direct), 4) if calibrated and direct > 0 else None,
    )


def energy_decay(rir: Samples) -> Samples:
    """Schroeder's backward integral: the share of the energy that is still to come."""
    energy = np.cumsum(np.square(rir)[::-1])[::-1]
    return np.asarray(energy / energy[0])


def decay_time(rir: Samples, sampling_rate: int, start_db: float, end_db: float) -> float | None:
    """Seconds for 60 dB, from the slope of the energy decay between two levels.

    The decay curve is Schroeder's backward integral, the slope its least-squares line (ISO
    3382-1, 5.3.3 and 6). None where the curve does not fall that far over at least 10 ms, and
    where the response stops before it is 10 dB below ``end_db`` (ISO 3382-1, 5.3.3): the curve
    then falls because the samples end.
    """
    power, edge = np.square(rir), num_samples_of(EDGE_MS, sampling_rate)
    if len(power) < 2 * edge or not power.any():
        return None
    if power[-edge:].mean() > power[:edge].mean() * 10 ** ((end_db - 10) / 10):
        return None
    curve = 10 * np.log10(np.maximum(energy_decay(rir), 1e-30))
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
        sos = scipy.signal.butter(4, edges, "bandpass", fs=rate, output="sos")
        time = decay_time(scipy.signal.sosfilt(sos, rir), rate, start_db, end_db)
        if time is None or time * (edges[1] - edges[0]) < LEAST_BANDWIDTH_TIME:
            return None
        times.append(time)
    return round(float(np.mean(times)), 4)


def _ratio_db(rir: Samples, split: int, start: int) -> float | None:
    """Energy in ``[start, split)`` over the energy after ``split``, dB rounded to 4 decimals."""
    energy = np.square(rir)
    early, late = float(energy[max(0, start) : split].sum()), float(energy[split:].sum())
    if early <= 0 or late <= 0:
        return None
    return round(10 * math.log10(early / late), 4)
