"""Loudness: bring a segment to an integrated loudness instead of an RMS level."""

from __future__ import annotations

from dataclasses import dataclass

from synthkit.audio import Audio, Samples
from synthkit.errors import AudioError
from synthkit.levels import rounded
from synthkit.loudness import BLOCK_MS, lufs
from synthkit.renderers.base import Renderer
from synthkit.renderers.grid16 import PEAKS, Peak, on_grid

TOLERANCE_LU = 0.05  # the gates of the measure see the limiter and the rounding


@dataclass(frozen=True)
class Loudness(Renderer):
    """Set the integrated loudness of the whole segment to ``lufs`` (ITU-R BS.1770).

    Ceiling and peak as in :class:`Level`. Raises :class:`AudioError` for a segment below
    400 ms, which has no loudness, and where it lands more than 0.05 LU off.
    """

    lufs: float
    ceiling_dbtp: float = 0.0
    peak: Peak = "limit"

    def __post_init__(self) -> None:
        self.require("lufs", -70, 0)
        self.require("ceiling_dbtp", -100, 0)
        self.require_one_of("peak", PEAKS)

    def __call__(self, audio: Audio) -> Audio:
        def gain_db(samples: Samples) -> float:
            return self.lufs - _loudness(samples, audio)

        levelled = on_grid(audio, gain_db, self.ceiling_dbtp, self.peak, requested_lufs=self.lufs)
        realised = _loudness(levelled.samples, audio)
        if abs(realised - self.lufs) > TOLERANCE_LU:
            raise AudioError(
                f"loudness reads {rounded(realised)} LUFS after rounding to 16 bits; "
                f"allowed: {self.lufs:g} within {TOLERANCE_LU} LU"
            )
        return levelled


def _loudness(samples: Samples, audio: Audio) -> float:
    found = lufs(samples, audio.sampling_rate)
    if found is None:
        raise AudioError(
            f"no loudness: the segment is silent or below {BLOCK_MS} ms; "
            "allowed: longer speech, or a level in dBFS"
        )
    return found
