"""What a sound file's header claims about the length of its sound, against the bytes there are."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from synthkit.errors import AudioError

MAX_CHUNKS = 10_000
LONGEST_HEADER = 1 << 20  # bytes that are kept to mend one
# Programs that write to a pipe cannot know how long it gets. They claim the most that 31 or 32
# bits hold, less some header, or that 64 bits hold.
STREAM_SLACK = 1 << 16
OGG_PAGE = 65307  # bytes at most (RFC 3533)


@dataclass(frozen=True)
class Claim:
    """The sound's bytes: where they start, how many a header claims (None: unknown) and there are.

    ``loose`` is the number of bytes after the sound that belong to no chunk, ``size_at`` where
    the header of a crashed recorder says 0.
    """

    start: int
    claimed: int | None
    there: int
    loose: int = 0
    size_at: int | None = None


def claim(file: BinaryIO) -> Claim | None:
    """What the header claims; None for kinds of files that claim nothing in bytes.

    Raises :class:`AudioError` for more chunks than a decoder should have to walk along, and for
    a MIDI sample dump: libsndfile prints each of its faults to standard output.
    """
    end = file.seek(0, os.SEEK_END)
    head = _at(file, 0, 1024)
    if head[:2] == b"\xf0\x7e":
        raise AudioError("found a MIDI sample dump; allowed: WAV, FLAC and other sound files")
    if head[:4] in (b"RIFF", b"RIFX", b"RF64") and head[8:12] == b"WAVE":
        return _riff(file, head, end)
    if head[:4] == b"FORM" and head[8:11] == b"AIF":
        return _first(_chunks(file, 12, end, ">4sI", 2), b"SSND", end, 8)
    if head[:4] == b"riff" and head[24:28] == b"wave":
        return _first(_chunks(file, 40, end, "<4s12xQ", 8), b"data", end)
    if head[:4] == b"caff":
        return _first(_chunks(file, 8, end, ">4sQ", 1), b"data", end, 4)
    if head[:4] in (b".snd", b"dns.") and len(head) >= 12:
        start, size = struct.unpack_from(">II" if head[:1] == b"." else "<II", head, 4)
        return Claim(start, _known(size), max(0, end - start))
    if head[:8] == b"NIST_1A\n":
        return _nist(head, end)
    return None


def ends(file: BinaryIO) -> bool:
    """Whether the last page of an Ogg file says that it is the last (RFC 3533, section 6)."""
    end = file.seek(0, os.SEEK_END)
    tail = _at(file, max(0, end - OGG_PAGE), OGG_PAGE)
    page = tail[tail.rfind(b"OggS") :] if b"OggS" in tail else b""
    lengths = page[27 : 27 + page[26]] if len(page) > 26 else b""
    return page[5:6] >= b"\4" and len(page) >= 27 + len(lengths) + sum(lengths)


def mpeg(file: BinaryIO) -> bool:
    """Whether the file starts as MP3 does: with a frame, or with a tag before it."""
    head = _at(file, 0, 3)
    return head == b"ID3" or (head[:1] == b"\xff" and head[1:2] >= b"\xe0")


def _at(file: BinaryIO, place: int, count: int) -> bytes:
    file.seek(place)
    return file.read(count)


def _known(size: int) -> int | None:
    """The size, or None where it is what streams claim."""
    stream = size >= 2**62 or (size >= 2**30 and -size % 2**31 <= STREAM_SLACK)
    return None if stream else size


@dataclass(frozen=True)
class _Chunk:
    name: bytes
    start: int
    size: int


def _chunks(file: BinaryIO, at: int, end: int, form: str, align: int) -> Iterator[_Chunk]:
    """Chunks from ``at`` on, as far as their headers are whole; the size is what is claimed."""
    head = struct.calcsize(form)
    for _ in range(MAX_CHUNKS):
        if at + head > end:
            return
        name, size = struct.unpack(form, _at(file, at, head))
        size -= head if "x" in form else 0  # Wave64 counts a chunk's header
        if size < 0:
            return
        yield _Chunk(name, at + head, size)
        at += head + size + -size % align
    raise AudioError(f"more than {MAX_CHUNKS} chunks; allowed: up to that")


def _first(chunks: Iterator[_Chunk], name: bytes, end: int, inner: int = 0) -> Claim | None:
    """The claim of the first chunk of that name, whose sound starts after ``inner`` bytes."""
    found = [chunk for chunk in chunks if chunk.name == name]
    if not found or found[0].size < inner:
        return None
    start, size = found[0].start + inner, found[0].size - inner
    return Claim(start, _known(size), max(0, min(size, end - start)))


def _riff(file: BinaryIO, head: bytes, end: int) -> Claim | None:
    form = ">4sI" if head[:4] == b"RIFX" else "<4sI"
    size = None
    for chunk in _chunks(file, 12, end, form, 2):
        if chunk.name == b"ds64" and min(chunk.size, end - chunk.start) >= 16:
            size = struct.unpack("<Q", _at(file, chunk.start + 8, 8))[0]
        elif chunk.name == b"data":
            claimed = size if chunk.size == 2**32 - 1 and size is not None else chunk.size
            there = end - chunk.start
            after = chunk.start + claimed
            loose = end - _end_of_chunks(file, after + after % 2, end, form)
            if claimed == 0 and loose > 0 and chunk.start < LONGEST_HEADER:
                return Claim(chunk.start, 0, there, 0, chunk.start - 4)
            return Claim(
                chunk.start, _known(claimed), min(there, claimed), loose if loose > 0 else 0
            )
    return None


def _end_of_chunks(file: BinaryIO, at: int, end: int, form: str) -> int:
    """Where the last chunk ends that has a name and is whole."""
    for chunk in _chunks(file, at, end, form, 2):
        if (
            chunk.name == b"RIFF"
            or not chunk.name.isascii()
            or not chunk.name.decode().isprintable()
        ):
            break
        if chunk.start + chunk.size > end:
            break
        at = chunk.start + chunk.size + chunk.size % 2
    return at


def _nist(head: bytes, end: int) -> Claim | None:
    """SPHERE: a header of lines ``name -i number``, its own size in the second line."""
    numbers = {k: int(v) for k, v in re.findall(rb"(?m)^(\w+) -(?:i|s\d+) (\d{1,12})\s*$", head)}
    start = re.match(rb"NIST_1A\n\s*(\d{1,6})\n", head)
    wanted = (b"sample_count", b"sample_n_bytes", b"channel_count")
    if start is None or not all(name in numbers for name in wanted):
        return None
    claimed = numbers[wanted[0]] * numbers[wanted[1]] * numbers[wanted[2]]
    return Claim(int(start[1]), claimed, max(0, end - int(start[1])))
