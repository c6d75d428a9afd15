"""Level: bring the speech to its level, exactly, on the 16-bit grid, under the peak ceiling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from synthkit.audio import FULL_SCALE, Audio, Samples, from_pcm16, to_pcm16
from synthkit.errors import AudioError, InputError, SilenceError, quoted
from synthkit.levels import from_db, rms_dbfs, rounded, to_db, true_peak
from synthkit.renderers.base import Renderer
from synthkit.renderers.limiter import MAX_ROUNDS, limiting_gain, reduction

TOLERANCE_DB = 0.01


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
    peak: Literal["limit", "refuse"] = "limit"

    def __post_init__(self) -> None:
        self.require("dbfs", -100, 0)
        self.require("ceiling_dbtp", -100, 0)
        if self.peak not in ("limit", "refuse"):
            raise InputError(f"level: peak is {quoted(self.peak)}; allowed: limit, refuse")

    def __call__(self, audio: Audio) -> Audio:
        ceiling = from_db(self.ceiling_dbtp)
        limiting = np.ones(audio.num_samples)
        for _ in range(MAX_ROUNDS):
            samples, gain_db = self._at_level(audio.samples * limiting, audio)
            found = true_peak(samples)
            if found <= ceiling - 1 / FULL_SCALE:  # room for the rounding to come
                return self._finished(audio, samples, gain_db, limiting)
            if self.peak == "refuse":
                raise AudioError(
                    f"true peak at {self.dbfs:g} dBFS is {rounded(to_db(found))} dBTP; "
                    f"allowed: {self.ceiling_dbtp:g}"
                )
            limiting = limiting * limiting_gain(
                samples, ceiling * from_db(-0.02), audio.sampling_rate
            )
        raise AudioError(
            f"level {self.dbfs:g} dBFS and peak {self.ceiling_dbtp:g} dBTP exclude each other: "
            f"not reached in {MAX_ROUNDS} rounds of limiting"
        )

    def _at_level(self, samples: Samples, audio: Audio) -> tuple[Samples, float]:
        """``samples`` with the gain in dB that sets the level of the speech window."""
        found = rms_dbfs(samples[slice(*audio.window)])
        if found is None:
            raise SilenceError("no speech: the speech window is digital silence")
        gain_db = self.dbfs - found
        return samples * from_db(gain_db), gain_db

    def _finished(self, audio: Audio, samples: Samples, gain_db: float, limiting: Samples) -> Audio:
        on_grid = from_pcm16(to_pcm16(samples))
        realised = rms_dbfs(on_grid[slice(*audio.window)])
        if realised is None or abs(realised - self.dbfs) > TOLERANCE_DB:
            raise AudioError(
                f"level reads {rounded(realised)} dBFS after rounding to 16 bits; "
                f"allowed: {self.dbfs:g} within {TOLERANCE_DB} dB"
            )
        return audio.with_samples(on_grid).noted(
            self.name,
            requested_dbfs=self.dbfs,
            realised_dbfs=rounded(realised),
            gain_db=rounded(gain_db),
            **reduction(limiting),
        )
