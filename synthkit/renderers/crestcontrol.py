"""Crest control: no dry source so peaky that its level and the peak ceiling exclude each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from synthkit.audio import Audio, Samples
from synthkit.errors import AudioError
from synthkit.levels import from_db, true_peak
from synthkit.renderers.base import Renderer
from synthkit.renderers.highpass import HighPass
from synthkit.renderers.limiter import MAX_ROUNDS, limiting_gain, reduction


@dataclass(frozen=True)
class CrestControl(Renderer):
    """Limit a source whose true peak would pass ``ceiling_dbtp`` at ``dbfs`` RMS.

    Only their difference matters: the largest crest that is let through. The meter reads
    through the high-pass that follows, as that filter can raise peaks again; the gain acts on
    the signal before it, because limiting makes low frequencies that the filter must take.

    Raises :class:`AudioError` where limiting does not get there.
    """

    dbfs: float = -20.0
    ceiling_dbtp: float = -1.0
    highpass: HighPass = field(default_factory=HighPass)

    def __post_init__(self) -> None:
        self.require("dbfs", -100, 0)
        self.require("ceiling_dbtp", -100, 0)

    def __call__(self, audio: Audio) -> Audio:
        gain = np.ones(audio.num_samples)
        for _ in range(MAX_ROUNDS):
            heard = self.highpass.filtered(audio.samples * gain, audio.sampling_rate)
            ceiling = self._ceiling(heard[slice(*audio.window)])
            if true_peak(heard) <= ceiling:
                return audio.with_samples(audio.samples * gain).noted(self.name, **reduction(gain))
            # A hair below the ceiling, so that rounds end.
            gain = gain * limiting_gain(heard, ceiling * from_db(-0.02), audio.sampling_rate)
        raise AudioError(
            f"crest: the peak stays over {self.ceiling_dbtp:g} dBTP at {self.dbfs:g} dBFS "
            f"after {MAX_ROUNDS} rounds of limiting"
        )

    def _ceiling(self, speech: Samples) -> float:
        """The largest magnitude allowed beside this speech's RMS."""
        rms = math.sqrt(float(np.mean(np.square(speech))))
        return rms * from_db(self.ceiling_dbtp - self.dbfs)
