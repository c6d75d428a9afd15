"""Low-pass: the dullness of distance, without moving the speech in time."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import scipy

from synthkit.audio import SAMPLING_RATE, Audio, Samples
from synthkit.renderers.base import Renderer
from synthkit.renderers.fir import KAISER_BETA, below_nyquist, filtered

NUM_TAPS = 129  # odd, so that the delay is a whole number of samples: 4 ms at 16 kHz


@dataclass(frozen=True)
class LowPass(Renderer):
    """Linear-phase FIR low-pass, half amplitude at ``cutoff`` Hz, its delay taken out.

    The filter is symmetric, so the arrival of speech moves by no sample at any frequency.
    """

    cutoff: float

    def __post_init__(self) -> None:
        self.require("cutoff", 20, SAMPLING_RATE / 2 - 1)

    def __call__(self, audio: Audio) -> Audio:
        below_nyquist(self.cutoff, audio, self.name)
        return filtered(audio, _design(self.cutoff, audio.sampling_rate))


@functools.cache
def _design(cutoff: float, sampling_rate: int) -> Samples:
    taps: Samples = scipy.signal.firwin(
        NUM_TAPS, cutoff, window=("kaiser", KAISER_BETA), fs=sampling_rate
    )
    return taps
