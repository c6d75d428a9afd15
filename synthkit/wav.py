"""WAVs as synthkit writes them, and any sound file as mono audio."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import soundfile

from synthkit.audio import Audio, Pcm16, Samples
from synthkit.errors import AudioError, quoted
from synthkit.levels import rms_dbfs
from synthkit.soundfiles import UNCHECKED, Sound, read_sound, read_sound_bytes

# A mean this far below its channels is what is left when they cancel.
CANCELLATION_DB = 20.0
HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")  # RIFF, fmt and data, with nothing between


def wav_bytes(pcm: Pcm16, sampling_rate: int) -> bytes:
    """A mono 16-bit WAV as bytes, which depend on samples and rate alone."""
    file = io.BytesIO()
    soundfile.write(file, pcm, sampling_rate, format="WAV", subtype="PCM_16")
    return file.getvalue()


def pcm16_of(content: bytes, name: str) -> tuple[Pcm16, int]:
    """The samples and sampling rate of the bytes of a WAV that :func:`wav_bytes` made.

    Raises :class:`AudioError` for anything else, even where the samples are the same: another
    header, chunks before or after the sound, lengths that are not those of the bytes.
    """
    found = HEADER.unpack_from(content) if len(content) > HEADER.size else ()
    rate, size = (found[7], found[12]) if found else (0, 0)
    if found == _header(rate, size) and rate and size == len(content) - HEADER.size:
        return np.frombuffer(content, "<i2", offset=HEADER.size).astype(np.int16), rate
    sound = read_sound_bytes(content, name)
    kind = f"{sound.container}/{sound.subtype}, {sound.samples.shape[1]} channels"
    if kind != "WAV/PCM_16, 1 channels":
        raise AudioError(f"{name}: found {kind}; allowed: WAV/PCM_16, 1 channel")
    said = (
        "; ".join(sound.remarks)
        or f"{len(content) - 2 * len(sound.samples)} bytes besides the samples"
    )
    raise AudioError(f"{name}: {said}; allowed: a header of {HEADER.size} bytes and the samples")


def _header(rate: int, size: int) -> tuple[bytes | int, ...]:
    fmt = (b"fmt ", 16, 1, 1, rate, 2 * rate, 2, 16)
    return (b"RIFF", size + HEADER.size - 8, b"WAVE", *fmt, b"data", size)


def read_mono(path: Path, channel: int | None = None) -> Audio:
    """Read a sound file as mono float, over full scale where it is.

    Several channels are averaged, or ``channel`` (from 0) is taken. Raises :class:`AudioError`
    for what :func:`synthkit.soundfiles.read_sound` refuses, for a file that is cut short, or of a
    kind that may be and not show it, for no such channel and for channels that cancel.
    """
    return mono(read_sound(path), path.name, channel)


def mono_of(content: bytes, name: str) -> Audio:
    """Read the bytes of a WAV, a file's or a stream's, as :func:`read_mono` does.

    A length that a stream's header could not know is taken from the bytes there are.
    """
    if content[:4] not in (b"RIFF", b"RIFX", b"RF64") or content[8:12] != b"WAVE":
        raise AudioError(f"{name}: found {quoted(content[:24])}; allowed: a WAV")
    return mono(read_sound_bytes(content, name), name)


def mono(sound: Sound, name: str, channel: int | None = None) -> Audio:
    """The mean of a sound's channels, or one of them; see :func:`read_mono`."""
    samples = sound.samples
    if sound.cut_short:
        raise AudioError(f"{name}: {sound.remarks[0]}; allowed: a whole file")
    if sound.container in UNCHECKED:
        raise AudioError(
            f"{name}: found {sound.container}, of which nobody can tell whether it is whole; "
            "allowed: WAV, FLAC and other kinds that say how long they are"
        )
    if channel is None:
        return Audio(_mean(samples, name), sound.sampling_rate)
    if not 0 <= channel < samples.shape[1]:
        raise AudioError(f"{name}: channel {channel}; allowed: 0 to {samples.shape[1] - 1}")
    return Audio(samples[:, channel], sound.sampling_rate)


def _mean(samples: Samples, name: str) -> Samples:
    mean: Samples = samples.mean(axis=1)
    if samples.shape[1] == 1:
        return samples[:, 0]
    levels = [level for level in map(rms_dbfs, samples.T) if level is not None]
    left = rms_dbfs(mean)
    if levels and (left is None or left < max(levels) - CANCELLATION_DB):
        raise AudioError(f"{name}: its channels cancel in their mean; allowed: a channel by number")
    return mean
