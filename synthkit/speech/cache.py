"""Speech that was made once: kept by content, shared between sets, trusted by its hash alone."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import platformdirs

from synthkit.audio import Audio
from synthkit.errors import InputError, quoted
from synthkit.files import TEMPORARY_PREFIX, write_bytes

FOLDER_VARIABLE, BYTES_VARIABLE = "SYNTHKIT_CACHE", "SYNTHKIT_CACHE_BYTES"
DEFAULT_BYTES = 10 * 2**30
# An entry: this header, the samples as little-endian float32, then the SHA-256 of both.
MAGIC = b"synthkit speech 1\n"
_RATE = struct.Struct("<I")
_SUM_BYTES = hashlib.sha256().digest_size
SUFFIX = ".speech"
_NAME = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class CacheInfo:
    """What a cache holds: entries and their bytes, of at most ``max_bytes``."""

    folder: Path
    entries: int
    num_bytes: int
    max_bytes: int

    def __str__(self) -> str:
        used, most = (f"{size / 2**20:.1f} MiB" for size in (self.num_bytes, self.max_bytes))
        return f"{self.folder}: {self.entries} utterances, {used} of at most {most}"


class SpeechCache:
    """A folder of utterances by content key; several processes may use it at once.

    Every entry appears whole or not at all, and is checked when it is read: one that was cut or
    altered is made again. When the folder outgrows ``max_bytes`` (by a twentieth at most for each
    process), what was used longest ago goes. A cache that cannot be written to keeps nothing.
    """

    def __init__(self, folder: Path, max_bytes: int = DEFAULT_BYTES) -> None:
        self.folder, self.max_bytes = folder, max_bytes
        self._unseen = max_bytes  # bytes put since the folder was last measured: measure at once

    def __contains__(self, key: str) -> bool:
        """Whether there is an entry; only :meth:`get` tells whether it is whole."""
        return self._path(key).is_file()

    def get(self, key: str) -> Audio | None:
        """The utterance of ``key``, to the bit as it was put, or None."""
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        with contextlib.suppress(OSError):  # of somebody else's, or of a read-only disk
            os.utime(path)
        head = len(MAGIC) + _RATE.size
        body, found = content[:-_SUM_BYTES], content[-_SUM_BYTES:]
        if len(body) < head or hashlib.sha256(key.encode() + body).digest() != found:
            return None
        (rate,) = _RATE.unpack(body[len(MAGIC) : head])
        return Audio(np.frombuffer(body[head:], "<f4").astype(np.float64), rate)

    def put(self, key: str, spoken: Audio) -> None:
        """Keep an utterance whose samples single precision holds."""
        samples = spoken.samples.astype("<f4").tobytes()
        body = MAGIC + _RATE.pack(spoken.sampling_rate) + samples
        content = body + hashlib.sha256(key.encode() + body).digest()
        try:
            write_bytes(self._path(key), content)
        except (OSError, InputError):
            return  # a full or read-only disk, a folder in the way: they cost time, not the run
        self._unseen += len(content)
        if self._unseen > self.max_bytes // 20:
            self._shrink()

    def info(self) -> CacheInfo:
        """Entries and bytes there are."""
        sizes = [entry.num_bytes for entry in _entries(self.folder)]
        return CacheInfo(self.folder, len(sizes), sum(sizes), self.max_bytes)

    def clear(self) -> CacheInfo:
        """Delete every entry, and no other file; returns what was there."""
        before = self.info()
        for entry in _entries(self.folder):
            with contextlib.suppress(OSError):
                entry.path.unlink(missing_ok=True)
        self._sweep()
        return before

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}{SUFFIX}"

    def _sweep(self) -> None:
        """Remove what killed writers left; what is younger than an hour may still be written."""
        for path in self.folder.glob(f"[0-9a-f][0-9a-f]/{TEMPORARY_PREFIX}*.tmp"):
            with contextlib.suppress(OSError):
                old = time.time() - path.lstat().st_mtime > 3600
                if old and not path.parent.is_symlink():
                    path.unlink()

    def _shrink(self) -> None:
        self._unseen = 0
        self._sweep()
        entries = sorted(_entries(self.folder))
        excess = sum(entry.num_bytes for entry in entries) - self.max_bytes
        for entry in entries:
            if excess <= 0:
                return
            try:
                entry.path.unlink(missing_ok=True)
            except OSError:
                return
            excess -= entry.num_bytes


class _Entry(NamedTuple):
    used: float  # seconds since the epoch; sorts first
    num_bytes: int
    path: Path


def _entries(folder: Path) -> Iterator[_Entry]:
    """What is in the cache now; other processes may be deleting it.

    What does not bear the name of an entry, and what is a link or lies behind one, is not ours.
    """
    for path in folder.glob(f"[0-9a-f][0-9a-f]/*{SUFFIX}"):
        if not _NAME.fullmatch(path.stem) or path.stem[:2] != path.parent.name:
            continue
        try:
            found = path.lstat()
            if stat.S_ISREG(found.st_mode) and not path.parent.is_symlink():
                yield _Entry(found.st_mtime, found.st_size, path)
        except OSError:
            continue


def default_cache() -> SpeechCache:
    """The user's cache, or what ``SYNTHKIT_CACHE`` and ``SYNTHKIT_CACHE_BYTES`` say."""
    folder = os.environ.get(FOLDER_VARIABLE) or platformdirs.user_cache_dir("synthkit", False)
    wanted = os.environ.get(BYTES_VARIABLE) or str(DEFAULT_BYTES)
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) <= 18):
        raise InputError(f"{BYTES_VARIABLE}: found {quoted(wanted)}; allowed: a number of bytes")
    return SpeechCache(Path(folder).expanduser() / "speech", int(wanted))
