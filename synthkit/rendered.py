"""What rendering yields: finished segments, the noise under them, whole clips, and failures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from synthkit.audio import SAMPLING_RATE, Audio, Pcm16, from_pcm16
from synthkit.beds.make import bed_sha256
from synthkit.clip import Clip
from synthkit.levels import joined_true_peak_dbtp, rounded, true_peak_dbtp
from synthkit.loudness import lufs
from synthkit.plan import ClipPlan
from synthkit.wav import wav_bytes


@dataclass(frozen=True, eq=False)
class Segment:
    """A finished segment, read once by every meter, whatever the number of clips it is in."""

    audio: Audio
    source_key: str
    key: str

    @cached_property
    def lufs(self) -> float | None:
        return rounded(lufs(self.audio.samples, self.audio.sampling_rate))

    @cached_property
    def true_peak_dbtp(self) -> float | None:
        return rounded(true_peak_dbtp(self.audio.samples))


@dataclass(frozen=True, eq=False)
class Bed:
    """The noise under the clips of a command, as the set keeps it: int16, (num_samples,)."""

    name: str
    pcm: Pcm16

    @cached_property
    def wav(self) -> bytes:
        return wav_bytes(self.pcm, SAMPLING_RATE)

    @cached_property
    def sha256(self) -> str:
        return bed_sha256(self.pcm)

    @property
    def file(self) -> str:
        """Path below the set's folder."""
        return f"beds/{self.sha256}.wav"


@dataclass(frozen=True, eq=False)
class RenderedClip:
    """A clip with its plan, the segments it was joined from, and the bed under it.

    ``pcm`` is what is written, int16 of shape (num_samples,); places and hashes of segments
    and gaps are of ``clip``, before the bed.
    """

    plan: ClipPlan
    clip: Clip
    segments: tuple[Segment, ...]
    pcm: Pcm16
    content_key: str
    bed: Bed | None = None

    @cached_property
    def true_peak_dbtp(self) -> float | None:
        samples = from_pcm16(self.pcm)
        if self.bed:
            return rounded(true_peak_dbtp(samples))
        edges = (at for segment in self.clip.segments for at in segment.span)
        parts = (segment.true_peak_dbtp for segment in self.segments)
        return rounded(joined_true_peak_dbtp(samples, edges, parts))


@dataclass(frozen=True)
class Failure:
    """A clip that could not be made as asked, and why in one line."""

    plan: ClipPlan
    reason: str
