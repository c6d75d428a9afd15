"""Post window: every segment ends the same time after its speech, tail or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from synthkit.audio import Audio, num_samples_of
from synthkit.renderers.base import Renderer

TAPER_MS = 100


@dataclass(frozen=True)
class PostWindow(Renderer):
    """End ``ms`` after the speech offset, with a cos² taper over the last 100 ms of it.

    A room's decay and a dry voice's silence then last equally long. Cutting at the offset
    (``ms = 0``) leaves a chopped tail that alone tells far from near; ``"full"`` keeps the
    whole decay.
    """

    ms: float | Literal["full"] = 200

    def __post_init__(self) -> None:
        if self.ms != "full":
            self.require("ms", 0, 10000)

    def __call__(self, audio: Audio) -> Audio:
        if self.ms == "full":
            return audio
        post = num_samples_of(self.ms, audio.sampling_rate)
        end = audio.window.end + post
        samples = np.pad(audio.samples[:end], (0, max(0, end - audio.num_samples)))
        taper = min(post, num_samples_of(TAPER_MS, audio.sampling_rate))
        samples[end - taper :] *= np.cos(np.pi / 2 * np.arange(1, taper + 1) / max(taper, 1)) ** 2
        return audio.with_samples(samples)
