"""The files of an audit's items, read once: the samples of each part, and what lies between."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from synthkit.audio import SAMPLING_RATE, Samples, Span, from_pcm16
from synthkit.audit.items import Item, Part
from synthkit.beds.mix import remove_bed
from synthkit.errors import AudioError
from synthkit.files import below, reason
from synthkit.soundfiles import read_bytes
from synthkit.wav import pcm16_of, read_mono

ROLES = ("context", "trigger")


@dataclass(frozen=True, eq=False)
class PartSound:
    """A part's samples, float64 of shape (num_samples,), and their hash.

    ``heard`` are those in the file, where a bed may lie under them.
    """

    part: Part
    samples: Samples
    heard: Samples
    sampling_rate: int
    sha256: str

    @property
    def window(self) -> Span:
        return self.part.window


@dataclass(frozen=True, eq=False)
class Sound:
    """An item's file: all samples, its parts by role, the hash of the whole file."""

    samples: Samples
    sampling_rate: int
    parts: Mapping[str, PartSound]
    file_sha256: str


def read_own(item: Item, folder: Path) -> Sound:
    """Read a file that synthkit has written, with its bed taken off again.

    Raises :class:`SynthkitError` for a file that is missing, leaves the folder, or is anything
    but a header and mono 16-bit samples at 16 kHz, and where its parts are not context and trigger,
    one after the other within it.
    """
    content = _content(item.file, folder)
    pcm, rate = pcm16_of(content, str(item.file))
    if rate != SAMPLING_RATE:
        raise AudioError(f"{item.file}: found {rate} Hz; allowed: {SAMPLING_RATE} Hz")
    heard = samples = from_pcm16(pcm)
    if item.bed:
        bed, _ = pcm16_of(_content(item.bed[0], folder), item.bed[0])
        samples = from_pcm16(remove_bed(pcm, bed))
    return _sound(item, samples, heard, rate, hashlib.sha256(content).hexdigest())


def read_any(item: Item, folder: Path) -> Sound:
    """Read any sound file as mono, at its own rate; raises as :func:`read_own` does."""
    content = _content(item.file, folder)
    audio = read_mono(folder / str(item.file))
    sha256 = hashlib.sha256(content).hexdigest()
    return _sound(item, audio.samples, audio.samples, audio.sampling_rate, sha256)


def _content(file: str | None, folder: Path) -> bytes:
    try:
        path = below(folder, str(file))
        if path.is_symlink() or not path.is_file():
            raise AudioError("missing, or a link; allowed: a file of the set's own")
        return read_bytes(path)
    except (OSError, ValueError) as error:
        raise AudioError(f"cannot be read ({reason(error)})") from None


def _sound(item: Item, samples: Samples, heard: Samples, rate: int, sha256: str) -> Sound:
    roles = tuple(part.role for part in item.parts)
    if roles != ROLES:
        raise AudioError(f"parts are {', '.join(roles) or 'none'}; allowed: {', '.join(ROLES)}")
    parts = {}
    for part in item.parts:
        edges = [part.span.start, part.speech.start, part.speech.end, part.span.end]
        if edges != sorted(edges) or edges[0] < 0 or edges[3] > len(samples):
            raise AudioError(f"{part.role} at {edges}; allowed: in order within {len(samples)}")
        if part.speech.num_samples == 0:
            raise AudioError(f"{part.role} has no speech window")
        piece = samples[slice(*part.span)]
        digest = hashlib.sha256(piece.tobytes()).hexdigest()
        parts[part.role] = PartSound(part, piece, heard[slice(*part.span)], rate, digest)
    return Sound(samples, rate, parts, sha256)
