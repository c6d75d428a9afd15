"""Sound files of any kind that libsndfile reads: their samples, and what their header got wrong."""

from __future__ import annotations

import io
import os
import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import soundfile

from synthkit.audio import Samples
from synthkit.errors import AudioError
from synthkit.files import reason
from synthkit.soundheaders import Claim, claim, ends, mpeg

MAX_CHANNELS = 64
MAX_SECONDS = 3600
MAX_VALUES = MAX_SECONDS * 48000 * 2  # samples of all channels together: 2.8 GB as floats
SAMPLING_RATES = (4000, 768000)
MAX_SAMPLE = 1e6  # 120 dB over full scale: nothing a recorder writes
UNKNOWN = 1 << 48  # more samples than libsndfile says where a stream does not
MAX_BYTES = 1 << 31
BLOCK = 1 << 12  # a damaged file is told to within a block

# What an extension promises, as libsndfile's names; any other promises nothing.
EXTENSIONS = {
    ".aif": ("AIFF",),
    ".aifc": ("AIFF",),
    ".aiff": ("AIFF",),
    ".au": ("AU",),
    ".caf": ("CAF",),
    ".flac": ("FLAC",),
    ".mp3": ("MP3",),
    ".oga": ("OGG",),
    ".ogg": ("OGG",),
    ".opus": ("OGG",),
    ".w64": ("W64",),
    ".wav": ("WAV", "WAVEX", "RF64"),
}
# Kinds whose length libsndfile takes from the file's size, whatever their header says.
UNCHECKED = frozenset(
    ("AVR", "HTK", "IRCAM", "MAT4", "MAT5", "MPC2K", "PAF", "PVF", "SVX", "VOC", "WVE", "XI")
)
BYTES = {"ALAW": 1, "DOUBLE": 8, "FLOAT": 4, "ULAW": 1} | {
    f"PCM_{kind}": size for kind, size in (("S8", 1), ("U8", 1), ("16", 2), ("24", 3), ("32", 4))
}


@dataclass(frozen=True, eq=False)
class Sound:
    """What a sound file holds.

    ``samples`` is float64 of shape (num_samples, channels), full scale 1.0 and over it where the
    file is; ``sampling_rate`` is in Hz; ``container`` and ``subtype`` are libsndfile's names,
    such as ``WAV`` and ``PCM_16``. ``remarks`` are lines about what the file claims and is not;
    ``cut_short`` says that sound is missing at its end.
    """

    samples: Samples
    sampling_rate: int
    container: str
    subtype: str
    remarks: tuple[str, ...]
    cut_short: bool


def read_sound(path: Path) -> Sound:
    """Read a sound file; what is read is what is there, whatever its header claims.

    Raises :class:`AudioError` for what is no regular file or no sound, for what holds no
    samples, for sampling rates, channels and lengths no speech has, for samples that are no
    numbers, and for damage. Files without a header are refused: nobody can know what they hold.
    No header makes memory be taken.
    """
    with _regular(path) as file:
        return _read(file, path.name)


def read_sound_bytes(content: bytes, name: str) -> Sound:
    """Read the bytes of a sound file as :func:`read_sound` does; ``name`` is for errors."""
    return _read(io.BytesIO(content), name)


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of at most 2 GiB; :class:`AudioError` for any other."""
    with _regular(path) as file:
        _check_size(file, path.name)
        return file.read()


def _check_size(file: BinaryIO, name: str) -> None:
    size = file.seek(0, os.SEEK_END)
    if size > MAX_BYTES:
        raise AudioError(f"{name}: {size} bytes; allowed: up to {MAX_BYTES}")
    file.seek(0)


@contextmanager
def _regular(path: Path) -> Iterator[BinaryIO]:
    try:
        if not path.is_file():  # opening a pipe would wait for its other end
            found = "it is a folder or a device" if path.exists() else "no such file"
            raise AudioError(f"{path.name}: not a readable sound file ({found})")
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise AudioError(f"{path.name}: not a readable sound file ({reason(error)})") from None


def _read(file: BinaryIO, name: str) -> Sound:
    try:
        claimed = claim(file)
    except AudioError as error:
        raise AudioError(f"{name}: {error}") from None
    with _opened(file, claimed, name) as sound:
        _check(sound, name)
        samples = _samples(sound, name)
        container, subtype, expected = sound.format, sound.subtype, sound.frames
        rate = sound.samplerate
    width = BYTES.get(subtype, 0) * samples.shape[1]
    if width and claimed and claimed.claimed:  # what comes after is padding, or no sound
        samples = samples[: claimed.claimed // width]
    missing = _missing(claimed, len(samples), expected, width)
    if container == "OGG" and not missing and not ends(file):
        missing = "no end of stream"
    if not len(samples):
        raise AudioError(f"{name}: 0 samples{f' (cut short: {missing})' if missing else ''}")
    remarks = [f"cut short: {missing}"] if missing else []
    remarks += _remarks(claimed, container, len(samples), name)
    return Sound(samples, rate, container, subtype, tuple(remarks), bool(missing))


def _missing(claimed: Claim | None, found: int, expected: int, width: int) -> str:
    """How much is there of what is claimed, where it is less; ``width`` is 0 for coded sound."""
    if claimed and claimed.claimed is not None and claimed.claimed > claimed.there:
        if width and claimed.claimed // width > found:
            return f"{found} of {claimed.claimed // width} samples"
        return f"{claimed.there} of {claimed.claimed} bytes of sound"
    return f"{found} of {expected} samples" if found < expected < UNKNOWN else ""


def _remarks(claimed: Claim | None, container: str, found: int, name: str) -> Iterator[str]:
    if claimed and claimed.size_at is not None:
        yield f"length in header 0: {found} samples found"
    elif claimed and claimed.claimed is None:
        yield "length in header unknown (stream)"
    if claimed and claimed.loose:
        yield f"{claimed.loose} bytes after the sound that are no chunk"
    if container in UNCHECKED:
        yield f"{container}: whether it is whole cannot be told"
    suffix = Path(name).suffix.lower()
    if container not in EXTENSIONS.get(suffix, (container,)):
        yield f"extension {suffix}, found {container}"


def _mended(file: BinaryIO, claimed: Claim | None) -> bytes:
    """The file's first bytes with the length that its recorder never wrote, or nothing."""
    if claimed is None or claimed.size_at is None:
        return b""
    file.seek(0)
    head = bytearray(file.read(claimed.start))
    big = head[:4] == b"RIFX"
    size = min(claimed.there, 2**32 - 2)
    struct.pack_into(">I" if big else "<I", head, claimed.size_at, size)
    return bytes(head)


class _Source:
    """A file as libsndfile is given it: read only, its first bytes replaced, never raising.

    An exception within libsndfile's callbacks would be printed and not be raised.
    """

    def __init__(self, file: BinaryIO, head: bytes) -> None:
        self._file, self._head, self._at = file, head, 0
        self._end = file.seek(0, os.SEEK_END)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        place = offset + (0, self._at, self._end)[whence]
        if not 0 <= place < 2**63:
            return -1
        self._at = place
        return place

    def tell(self) -> int:
        return self._at

    def read(self, count: int) -> bytes:
        try:
            if self._at < len(self._head):
                found = self._head[self._at : self._at + count]
            else:
                self._file.seek(self._at)
                found = self._file.read(count)
        except (OSError, ValueError):
            found = b""
        self._at += len(found)
        return found

    def write(self, content: bytes) -> int:
        return 0


class _Sequential(soundfile.SoundFile):  # type: ignore[misc]
    """A file read from its start to its end: seeking after each block fails in streams."""

    def seekable(self) -> bool:
        return False


@contextmanager
def _opened(file: BinaryIO, claimed: Claim | None, name: str) -> Iterator[soundfile.SoundFile]:
    if not mpeg(file):
        with _decoder(_Source(file, _mended(file, claimed)), name) as sound:
            yield sound
        return
    # Of a file that it has not opened itself, libsndfile 1.2 can lose the first bytes of an MP3.
    _check_size(file, name)
    with tempfile.TemporaryDirectory(prefix="synthkit-") as folder:
        copy = Path(folder, "sound")
        with copy.open("wb") as into:
            shutil.copyfileobj(file, into)
        with _decoder(str(copy), name) as sound:
            yield sound


def _decoder(source: _Source | str, name: str) -> soundfile.SoundFile:
    try:
        return _Sequential(source)
    except soundfile.LibsndfileError as error:
        # Without what it was read from: the same fault has the same words.
        raise AudioError(f"{name}: not a readable sound file ({error.error_string})") from None


def _check(sound: soundfile.SoundFile, name: str) -> None:
    rate, channels, (low, high) = sound.samplerate, sound.channels, SAMPLING_RATES
    if not low <= rate <= high:
        raise AudioError(f"{name}: sampling rate {rate} Hz; allowed: {low} to {high}")
    if channels > MAX_CHANNELS:
        raise AudioError(f"{name}: {channels} channels; allowed: up to {MAX_CHANNELS}")


def _samples(sound: soundfile.SoundFile, name: str) -> Samples:
    """All that can be decoded, shape (num_samples, channels)."""
    blocks, found = [np.zeros((0, sound.channels))], 0
    longest = min(MAX_SECONDS * sound.samplerate, MAX_VALUES // sound.channels)
    try:
        while len(block := sound.read(BLOCK, dtype="float64", always_2d=True)):
            blocks.append(block)
            found += len(block)
            if found > longest:
                seconds = longest / sound.samplerate
                raise AudioError(f"{name}: longer than {seconds:g} s; allowed: up to that")
    except soundfile.LibsndfileError as error:
        what = (
            f"damaged or cut short after sample {found}" if found else "not a readable sound file"
        )
        raise AudioError(f"{name}: {what} ({error.error_string})") from None
    samples = np.concatenate(blocks)
    if len(samples) and not (samples.min() >= -MAX_SAMPLE and samples.max() <= MAX_SAMPLE):
        # NaN is within no limits.
        at = int(np.argmin((np.abs(samples) <= MAX_SAMPLE).all(axis=1)))
        raise AudioError(
            f"{name}: sample {at} is {samples[at].tolist()}; "
            f"allowed: finite numbers within {MAX_SAMPLE:g}"
        )
    return samples
