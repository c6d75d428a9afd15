"""Trim: find the speech, cut to it with margins, and record what was cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from synthkit.audio import Audio, Samples, Span, num_samples_of
from synthkit.renderers.activity import FRAME_MS, active_frames, frame_levels
from synthkit.renderers.base import Renderer

TAPER_MS = 5


@dataclass(frozen=True)
class Trim(Renderer):
    """Cut to the speech activity and set the speech window.

    A frame of 10 ms is active within ``threshold_db`` of the loudest frame and at least
    ``over_noise_db`` over the recording's noise floor, if one is given (a recording's is
    its 10th percentile of frame levels; synthetic speech has none). Onset and offset are
    the first and last active frame, found on a copy without rumble. ``margin_ms`` is kept on
    both sides (zeros where the audio has less), with 5 ms tapers at the cuts.

    Raises :class:`SilenceError` where the loudest frame is below -70 dBFS.
    """

    threshold_db: float = 50.0
    margin_ms: float = 20.0
    over_noise_db: float | None = None

    def __post_init__(self) -> None:
        self.require("threshold_db", 0, 100)
        self.require("margin_ms", TAPER_MS, 1000)
        if self.over_noise_db is not None:
            self.require("over_noise_db", 0, 100)

    def __call__(self, audio: Audio) -> Audio:
        onset, offset = self._activity(audio)
        margin = num_samples_of(self.margin_ms, audio.sampling_rate)
        padded = np.pad(audio.samples, margin)
        samples = padded[onset : offset + 2 * margin] * _tapers(
            offset - onset + 2 * margin, num_samples_of(TAPER_MS, audio.sampling_rate)
        )
        trimmed = audio.with_samples(samples, Span(margin, margin + offset - onset))
        return trimmed.noted(
            self.name,
            detector="frame_rms",
            threshold_db=self.threshold_db,
            over_noise_db=self.over_noise_db,
            leading_samples=max(0, onset - margin),
            trailing_samples=max(0, audio.num_samples - offset - margin),
        )

    def _activity(self, audio: Audio) -> tuple[int, int]:
        """Onset and offset of the speech in samples."""
        rms = frame_levels(audio.samples, audio.sampling_rate)
        active = np.flatnonzero(active_frames(rms, self.threshold_db, self.over_noise_db))
        hop = num_samples_of(FRAME_MS, audio.sampling_rate)
        return int(active[0]) * hop, min((int(active[-1]) + 1) * hop, audio.num_samples)


def _tapers(length: int, taper: int) -> Samples:
    """Ones with a raised-cosine rise and fall of ``taper`` samples."""
    window = np.ones(length)
    rise = np.sin(np.pi / 2 * np.arange(taper) / taper) ** 2
    window[:taper] = rise
    window[-taper:] = rise[::-1]
    return window
