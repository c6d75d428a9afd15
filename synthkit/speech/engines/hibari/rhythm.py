"""Give a synthetic voice another speaker's timing: how long each of a vocoder's frames lasts.

Frames are repeated or dropped whole, before any timbre: what is said stays, and so do the
spectra. Voices made from one network would else keep one timing up to a constant factor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthkit.speech.engines.hibari.timbre import FRAME_S, Frames, playable

Array64: TypeAlias = NDArray[np.float64]

QUIET_DB = 30.0  # frames this far under the loudest are pauses and stop closures, not sound
STRESS_DB = 10.0  # loudness over or under the median that takes the full contrast
FINAL_S = 0.5  # stretch before the end that lengthens
LONGEST = 3.0  # a frame is never repeated more often


@dataclass(frozen=True)
class Rhythm:
    """A speaker's timing, relative to the one that the network learned.

    ``vowel_scale``: factor on the length of voiced frames. ``pause_scale``: factor on the length of
    quiet frames inside the utterance, pauses and stop closures. ``stress_contrast``: natural log of
    the factor on frames 10 dB louder than the median, its inverse on quieter ones: above 0 stressed
    syllables are longer and the rest shorter, below 0 all become alike. ``tempo_drift``: natural
    log of the factor by which the first frame lasts longer than the last: above 0 the utterance
    gathers pace. ``final_scale``: factor on the length of its last frame, reached over half a
    second. Contrast and drift leave the whole as long as it was, so that pace is ``speed``.
    """

    vowel_scale: float = 1.0
    pause_scale: float = 1.0
    stress_contrast: float = 0.0
    tempo_drift: float = 0.0
    final_scale: float = 1.0

    def __call__(self, frames: Frames) -> Frames:
        """The same frames in this timing, [601, F'], F' >= 1 unless F is 0."""
        if not frames.f0.size:
            return frames
        return _stretch(frames, self.lengths(frames))

    def lengths(self, frames: Frames) -> Array64:
        """How long each frame lasts, in frames, [F]; silence around the speech keeps 1."""
        loudness = _loudness_db(frames)
        sound = loudness > loudness.max() - QUIET_DB
        first, last = np.flatnonzero(sound)[[0, -1]]
        inside = np.zeros(sound.size, bool)
        inside[first : last + 1] = True
        place = np.clip((np.arange(sound.size) - first) / max(last - first, 1), 0.0, 1.0)
        louder = np.clip((loudness - np.median(loudness[sound])) / STRESS_DB, -1.0, 1.0)
        pace = np.exp(self.stress_contrast * louder + self.tempo_drift * (0.5 - place))
        pace = pace / pace[inside].mean()
        final = np.clip(1.0 - (last - np.arange(sound.size)) * FRAME_S / FINAL_S, 0.0, 1.0)
        pace = pace * (1.0 + (self.final_scale - 1.0) * final)
        pace = pace * np.where(sound, 1.0, self.pause_scale)
        voiced = np.where(frames.voiced, self.vowel_scale, 1.0)
        lengths: Array64 = np.minimum(np.where(inside, pace, 1.0) * voiced, LONGEST)
        return lengths


def _loudness_db(frames: Frames) -> Array64:
    """Power of each frame over 62.5 ms, about a syllable's nucleus, in dB, [F]."""
    spectra = (frames.harmonic, frames.noise, frames.residual)
    pulses, *rest = (np.exp(2 * playable(part)).sum(axis=0) for part in spectra)
    total = np.where(frames.voiced, pulses, 0.0) + rest[0] + rest[1]
    smooth = np.convolve(np.pad(total, 2, mode="edge"), np.full(5, 0.2), "valid")
    db: Array64 = 10.0 * np.log10(smooth)
    return db


def _stretch(frames: Frames, lengths: Array64) -> Frames:
    """Repeat or drop whole frames so that each lasts about ``lengths`` [F] frames."""
    ends = np.cumsum(lengths)
    middles = np.arange(max(round(float(ends[-1])), 1)) + 0.5
    picked = np.minimum(np.searchsorted(ends, middles), ends.size - 1)
    return Frames(*(part[..., picked] for part in frames.parts))
