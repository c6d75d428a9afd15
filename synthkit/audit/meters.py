"""Meters on one part of a clip: everything that could tell one condition from another."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from synthkit.audio import Samples, Span
from synthkit.audit.decay import decay_db_per_s
from synthkit.audit.frames import decibels, frame_powers, mean_square, spectra
from synthkit.audit.spectrum import spectral
from synthkit.audit.surroundings import surroundings
from synthkit.audit.waveform import waveform

AUDIBLE_DB = 30.0  # frames this far below the loudest are not heard as speech
AUDIBLE_MS = 5
DECIMALS = 6  # finer digits are not reproducible


class Meter(NamedTuple):
    """A meter's unit, and what it reads."""

    unit: str
    reads: str


METERS = MappingProxyType(
    {
        "level": Meter("dBFS", "RMS re full scale 1.0 over the speech window"),
        "speech_duration": Meter("samples", "length of the speech window"),
        "front_margin": Meter("samples", "from the part's start to the speech window"),
        "post_window": Meter("samples", "from the speech window to the part's end"),
        "lag": Meter("samples", "by which the part is late against its dry one"),
        "dc": Meter("dB re speech", "constant offset of the part"),
        "sub_bass": Meter("dB re speech", "energy below 40 Hz in the part"),
        "start_step": Meter("dB re speech", "what stands within 10 ms of the part's start"),
        "end_step": Meter("dB re speech", "what stands within 10 ms of the part's end"),
        "audible_onset": Meter("ms", "first frame within 30 dB of the loudest, from the start"),
        "audible_duration": Meter("ms", "from the first such frame to the last"),
        "floor": Meter("dB re speech", "10th percentile of 10 ms frames in the speech window"),
        "margin": Meter("dB re speech", "RMS before the speech window"),
        "tail": Meter("dB re speech", "RMS from 50 ms after the speech window on"),
        "decay": Meter("dB/s", "how fast speech falls where it falls fastest"),
        "crest": Meter("dB", "largest sample of the speech window re its RMS"),
        "skewness": Meter("", "third moment of the speech, positive the way up its voice is"),
        "odd_share": Meter("", "odd ones among loud 16-bit samples"),
        "tilt": Meter("dB/octave", "slope of the spectrum, 250 Hz to 6.3 kHz"),
        "low_band": Meter("dB", "energy from 60 to 250 Hz re all"),
        "high_band": Meter("dB", "energy from 4 kHz up re all"),
        "top_band": Meter("dB", "energy from 7 kHz up re all"),
        "bandwidth": Meter("Hz", "below which 99 % of the energy lie"),
        "flatness": Meter("dB", "geometric over arithmetic mean of the spectrum"),
        "valleys": Meter("dB", "between the harmonics re the mean, 300 to 3400 Hz"),
    }
)
# Compared by their ratios: a voice that is slower is slower by a factor, whatever it says.
RATIOS = frozenset({"speech_duration", "audible_duration"})


def measure(samples: Samples, window: Span, sampling_rate: int) -> dict[str, float | None]:
    """Return what every meter but ``lag`` reads in a part, None where it reads nothing.

    ``samples`` is float64 of shape (num_samples,), full scale 1.0; ``window`` is the speech
    window in it; ``sampling_rate`` is in Hz. Names, units and meanings: :data:`METERS`.
    A ratio in dB never reads less than -120. Nothing is read where the window is silent.
    """
    speech = samples[slice(*window)]
    power = mean_square(speech)
    if not power:
        return {name: None for name in METERS if name != "lag"}
    powers, frequencies = spectra(speech, sampling_rate)
    values: dict[str, float | None] = {
        "level": decibels(power),
        "speech_duration": float(window.num_samples),
        "front_margin": float(window.start),
        "post_window": float(len(samples) - window.end),
        **_audible(samples, sampling_rate),
        **surroundings(samples, window, sampling_rate),
        **waveform(speech),
        **spectral(powers, frequencies),
        "decay": decay_db_per_s(powers, frequencies),
    }
    return {name: _rounded(values[name]) for name in METERS if name != "lag"}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS) + 0.0  # never minus zero


def _audible(samples: Samples, sampling_rate: int) -> dict[str, float | None]:
    """Onset and duration as the energy has them, whatever window is declared."""
    size = sampling_rate * AUDIBLE_MS // 1000
    powers = frame_powers(samples, size)
    if not powers.any():
        return {"audible_onset": None, "audible_duration": None}
    heard = np.flatnonzero(powers > powers.max() * 10 ** (-AUDIBLE_DB / 10))
    first, last = int(heard[0]), int(heard[-1])
    ms = 1000 * size / sampling_rate
    return {"audible_onset": first * ms, "audible_duration": (last + 1 - first) * ms}
