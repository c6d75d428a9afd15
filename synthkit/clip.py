"""Clips: segments and gaps joined as integers, so that a gap changes zeros and no more."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from synthkit.audio import Audio, Pcm16, Span, num_samples_of, to_pcm16
from synthkit.errors import AudioError
from synthkit.files import write_bytes
from synthkit.wav import wav_bytes


@dataclass(frozen=True)
class Gap:
    """``ms`` milliseconds of digital silence."""

    ms: float

    def __post_init__(self) -> None:
        if not 0 <= self.ms < math.inf:
            raise AudioError(f"gap is {self.ms} ms; allowed: 0 ms or more")


@dataclass(frozen=True)
class PlacedSegment:
    """Where a segment and its speech lie in a clip, and the SHA-256 of its 16-bit samples."""

    span: Span
    speech: Span
    pcm_sha256: str


@dataclass(frozen=True)
class PlacedGap:
    """Where a gap lies in a clip, and how long it was asked to be."""

    span: Span
    requested_ms: float


@dataclass(frozen=True, eq=False)
class Clip:
    """Segments and gaps one after another: int16 samples of shape (num_samples,), and places."""

    pcm: Pcm16
    sampling_rate: int
    segments: tuple[PlacedSegment, ...]
    gaps: tuple[PlacedGap, ...]

    def write(self, path: str | Path) -> None:
        """Write a mono 16-bit WAV."""
        write_bytes(Path(path), self.wav_bytes())

    def wav_bytes(self) -> bytes:
        """The WAV file that :meth:`write` writes."""
        return wav_bytes(self.pcm, self.sampling_rate)


def join(*parts: Audio | Gap) -> Clip:
    """Join finished segments and gaps in the order given.

    Each segment is quantised by itself, so its bytes do not depend on its neighbours. Raises
    :class:`AudioError` where sampling rates differ or a segment has no speech window.
    """
    rates = {part.sampling_rate for part in parts if isinstance(part, Audio)}
    if len(rates) != 1:
        raise AudioError(f"segments have sampling rates {sorted(rates)}; allowed: one for all")
    (rate,) = rates
    pieces: list[Pcm16] = []
    segments: list[PlacedSegment] = []
    gaps: list[PlacedGap] = []
    at = 0
    for part in parts:
        if isinstance(part, Gap):
            pcm = np.zeros(num_samples_of(part.ms, rate), np.int16)
            gaps.append(PlacedGap(Span(at, at + len(pcm)), part.ms))
        else:
            pcm = to_pcm16(part.samples)
            span = Span(at, at + len(pcm))
            segments.append(PlacedSegment(span, part.window.moved(at), pcm_sha256(pcm)))
        pieces.append(pcm)
        at += len(pcm)
    return Clip(np.concatenate(pieces), rate, tuple(segments), tuple(gaps))


def pcm_sha256(pcm: Pcm16) -> str:
    """SHA-256 of 16-bit samples as little-endian bytes, as they stand in a WAV."""
    return hashlib.sha256(pcm.astype("<i2").tobytes()).hexdigest()
