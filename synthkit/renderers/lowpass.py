"""Low-pass: the dullness of distance, without moving the speech in time."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from scipy import signal

from synthkit.audio import SAMPLING_RATE, Audio, Samples
from synthkit.errors import AudioError
from synthkit.renderers.base import Renderer

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
        if self.cutoff >= audio.sampling_rate / 2:
            raise AudioError(
                f"lowpass: cutoff is {self.cutoff:g} Hz; "
                f"allowed: below {audio.sampling_rate / 2:g} Hz"
            )
        half = NUM_TAPS // 2
        padded = np.pad(audio.samples, (0, half))
        taps = _design(self.cutoff, audio.sampling_rate)
        return audio.with_samples(signal.oaconvolve(padded, taps)[half : half + len(padded)])


@functools.cache
def _design(cutoff: float, sampling_rate: int) -> Samples:
    """Symmetric taps with a stop band 80 dB down, shape (NUM_TAPS,)."""
    taps: Samples = signal.firwin(NUM_TAPS, cutoff, window=("kaiser", 8.0), fs=sampling_rate)
    return taps
