"""Band-pass: a telephone's band, without moving the speech in time."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import scipy

from synthkit.audio import SAMPLING_RATE, Audio, Samples
from synthkit.errors import InputError
from synthkit.renderers.base import Renderer
from synthkit.renderers.fir import KAISER_BETA, below_nyquist, filtered

# Long enough for the low edge, and at 16 ms shorter than the 20 ms margin before the speech.
NUM_TAPS = 513


@dataclass(frozen=True)
class BandPass(Renderer):
    """Linear-phase FIR band-pass, half amplitude at ``low`` and ``high`` Hz, its delay taken out.

    300 to 3400 Hz is the telephone band (ITU-T G.712).
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        self.require("low", 100, SAMPLING_RATE / 2 - 1)
        self.require("high", 100, SAMPLING_RATE / 2 - 1)
        if self.high - self.low < 200:
            raise InputError(
                f"bandpass: low {self.low:g} and high {self.high:g} Hz; "
                "allowed: high at least 200 Hz over low"
            )

    def __call__(self, audio: Audio) -> Audio:
        below_nyquist(self.high, audio, self.name)
        return filtered(audio, _design(self.low, self.high, audio.sampling_rate))


@functools.cache
def _design(low: float, high: float, sampling_rate: int) -> Samples:
    taps: Samples = scipy.signal.firwin(
        NUM_TAPS,
        [low, high],
        pass_zero=False,
        window=("kaiser", KAISER_BETA),
        fs=sampling_rate,
    )
    return taps
