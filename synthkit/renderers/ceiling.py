"""Ceiling: onto the 16-bit grid at the level there is, and not over the peak."""

from __future__ import annotations

from dataclasses import dataclass

from synthkit.audio import Audio
from synthkit.renderers.base import Renderer
from synthkit.renderers.grid16 import PEAKS, Peak, on_grid


@dataclass(frozen=True)
class Ceiling(Renderer):
    """Change no level: what a segment ends with whose source was levelled before the room."""

    ceiling_dbtp: float = 0.0
    peak: Peak = "limit"

    def __post_init__(self) -> None:
        self.require("ceiling_dbtp", -100, 0)
        self.require_one_of("peak", PEAKS)

    def __call__(self, audio: Audio) -> Audio:
        return on_grid(audio, lambda samples: 0.0, self.ceiling_dbtp, self.peak)
