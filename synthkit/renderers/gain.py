"""Gain: a fixed one, or the one that levels a source before its fields part."""

from __future__ import annotations

from dataclasses import dataclass

from synthkit.audio import Audio
from synthkit.levels import from_db, rounded
from synthkit.renderers.base import Renderer
from synthkit.renderers.level import speech_dbfs


@dataclass(frozen=True)
class Gain(Renderer):
    """Multiply by ``db`` decibels."""

    db: float

    def __post_init__(self) -> None:
        self.require("db", -120, 120)

    def __call__(self, audio: Audio) -> Audio:
        return audio.with_samples(audio.samples * from_db(self.db))


@dataclass(frozen=True)
class SourceLevel(Renderer):
    """Set the RMS over the speech window to ``dbfs``, in float: one gain for all fields.

    Distance then keeps the level that it has by nature.
    """

    dbfs: float

    def __post_init__(self) -> None:
        self.require("dbfs", -100, 0)

    def __call__(self, audio: Audio) -> Audio:
        gain_db = self.dbfs - speech_dbfs(audio.samples, audio)
        levelled = audio.with_samples(audio.samples * from_db(gain_db))
        return levelled.noted(self.name, gain_db=rounded(gain_db))
