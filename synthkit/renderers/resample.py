"""Resample to another sampling rate, keeping the duration to the sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import soxr

from synthkit.audio import SAMPLING_RATE, Audio, Span
from synthkit.renderers.base import Renderer


@dataclass(frozen=True)
class Resample(Renderer):
    """Band-limited resampling by soxr (quality HQ); ``sampling_rate`` in Hz.

    The result has exactly ``round(num_samples * new / old)`` samples, in integer arithmetic:
    the floating-point form is one off at thousands of rates.
    """

    sampling_rate: int = SAMPLING_RATE

    def __post_init__(self) -> None:
        self.require("sampling_rate", 1000, 768000)

    def __call__(self, audio: Audio) -> Audio:
        old, new = audio.sampling_rate, self.sampling_rate
        if old == new:
            return audio
        wanted = _scaled(audio.num_samples, old, new)
        samples = soxr.resample(audio.samples, old, new, quality="HQ")[:wanted]
        samples = np.pad(samples, (0, wanted - len(samples)))
        speech = audio.speech and Span(*(_scaled(at, old, new) for at in audio.speech))
        return Audio(samples, new, speech, audio.notes)


def _scaled(count: int, old: int, new: int) -> int:
    return (2 * count * new + old) // (2 * old)
