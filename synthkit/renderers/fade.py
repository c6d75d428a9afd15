"""Fade: linear ramps at both ends, so that no segment starts or stops with a click."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from synthkit.audio import Audio, num_samples_of
from synthkit.renderers.base import Renderer


@dataclass(frozen=True)
class Fade(Renderer):
    """Linear fade in and out over ``ms``; the first and the last sample become zero.

    Shorter audio than two fades gets two ramps of half its length.
    """

    ms: float = 5.0

    def __post_init__(self) -> None:
        self.require("ms", 0, 1000)

    def __call__(self, audio: Audio) -> Audio:
        ramp = min(num_samples_of(self.ms, audio.sampling_rate), audio.num_samples // 2)
        samples = audio.samples.copy()
        if ramp:
            rise = np.arange(ramp) / ramp
            samples[:ramp] *= rise
            samples[-ramp:] *= rise[::-1]
        return audio.with_samples(samples)
