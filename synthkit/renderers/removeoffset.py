"""Remove a constant offset, which is no sound until something cuts it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from synthkit.audio import Audio
from synthkit.renderers.base import Renderer


@dataclass(frozen=True)
class RemoveOffset(Renderer):
    """Subtract the median: a recorder's offset, and nothing where the audio rests at zero.

    Left in, it rings where a resampler meets the ends of the file and thumps where it is cut.
    """

    def __call__(self, audio: Audio) -> Audio:
        offset = float(np.median(audio.samples)) if audio.num_samples else 0.0
        return audio.with_samples(audio.samples - offset)
