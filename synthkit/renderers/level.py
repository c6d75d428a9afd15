"""Level: bring the speech to its RMS level, exactly, on the 16-bit grid, under the ceiling."""

from __future__ import annotations

from dataclasses import dataclass

from synthkit.audio import Audio, Samples
from synthkit.errors import AudioError, SilenceError
from synthkit.levels import rms_dbfs, rounded
from synthkit.renderers.base import Renderer
from synthkit.renderers.grid16 import PEAKS, TOLERANCE_DB, Peak, on_grid


@dataclass(frozen=True)
class Level(Renderer):
    """Set the RMS over the speech window to ``dbfs`` re full scale 1.0.

    The samples come back on the PCM16 grid, and what is noted is read from them. Where the
    true peak passes ``ceiling_dbtp``, ``peak = "limit"`` limits it and solves the level again,
    ``"refuse"`` raises. Raises :class:`AudioError` where level and ceiling cannot both hold,
    :class:`SilenceError` where the window is silent.
    """

    dbfs: float = -20.0
    ceiling_dbtp: float = 0.0
    peak: Peak = "limit"

    def __post_init__(self) -> None:
        self.require("dbfs", -100, 0)
        self.require("ceiling_dbtp", -100, 0)
        self.require_one_of("peak", PEAKS)

    def __call__(self, audio: Audio) -> Audio:
        def gain_db(samples: Samples) -> float:
            return self.dbfs - speech_dbfs(samples, audio)

        levelled = on_grid(audio, gain_db, self.ceiling_dbtp, self.peak, requested_dbfs=self.dbfs)
        realised = speech_dbfs(levelled.samples, audio)
        if abs(realised - self.dbfs) > TOLERANCE_DB:
            raise AudioError(
                f"level reads {rounded(realised)} dBFS after rounding to 16 bits; "
                f"allowed: {self.dbfs:g} within {TOLERANCE_DB} dB"
            )
        return levelled


def speech_dbfs(samples: Samples, audio: Audio) -> float:
    """RMS level over the speech window of ``audio``; :class:`SilenceError` where it is silent."""
    found = rms_dbfs(samples[slice(*audio.window)])
    if found is None:
        raise SilenceError("no speech: the speech window is digital silence")
    return found
