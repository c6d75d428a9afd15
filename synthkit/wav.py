"""Sound files: reading any to mono float, reading PCM16 as it is, writing PCM16."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import BinaryIO

import numpy as np
import soundfile

from synthkit.audio import Audio, Pcm16, Samples
from synthkit.errors import AudioError, quoted
from synthkit.levels import rms_dbfs

# A mean this far below its channels is what is left when they cancel.
CANCELLATION_DB = 20.0
MAX_CHANNELS = 64
MAX_SECONDS = 3600
SAMPLING_RATES = (4000, 768000)
MAX_SAMPLE = 1e6  # 120 dB over full scale: nothing a recorder writes
BLOCK = 1 << 16
# Programs that write to a pipe don't know how long it gets: they claim none, or far too much.
STREAM_BYTES = 1 << 30


def wav_bytes(pcm: Pcm16, sampling_rate: int) -> bytes:
    """A mono 16-bit WAV as bytes, which depend on samples and rate alone."""
    file = io.BytesIO()
    soundfile.write(file, pcm, sampling_rate, format="WAV", subtype="PCM_16")
    return file.getvalue()


def read_pcm16(path: Path) -> tuple[Pcm16, int]:
    """Read a mono 16-bit WAV as it is; :class:`AudioError` for anything else."""
    with _opened(path, path.name) as file:
        found = f"{file.format}/{file.subtype}, {file.channels} channels"
        if (file.format, file.subtype, file.channels) != ("WAV", "PCM_16", 1):
            raise AudioError(f"{path.name}: found {found}; allowed: WAV/PCM_16, 1 channel")
        return file.read(dtype="int16"), file.samplerate


def read_mono(path: Path, channel: int | None = None) -> Audio:
    """Read any sound file libsndfile knows to mono float, over full scale where it is.

    Several channels are averaged, or ``channel`` (from 0) is taken. What is read is what is
    there: no header's claim is trusted, and none makes memory be taken. Raises
    :class:`AudioError` for unreadable files, for sampling rates and lengths no speech has, for
    samples that are no numbers and for channels that cancel each other.
    """
    return _mono(path, path.name, channel)


def mono_of(content: bytes, name: str) -> Audio:
    """Read the bytes of a WAV, a file's or a stream's, as :func:`read_mono` does.

    A length that a stream's header could not know is taken from the bytes there are; one that
    a header knows and that is not there raises :class:`AudioError`, as does what is no WAV.
    """
    if content[:4] not in (b"RIFF", b"RIFX", b"RF64") or content[8:12] != b"WAVE":
        raise AudioError(f"{name}: found {quoted(content[:24])}; allowed: a WAV")
    return _mono(io.BytesIO(_with_length(content, name)), name, None)


def _with_length(content: bytes, name: str) -> bytes:
    """``content`` with the lengths of its data and of the whole written into its header."""
    at = 12
    while content[:4] == b"RIFF" and at + 8 <= len(content):
        chunk, claimed = struct.unpack_from("<4sI", content, at)
        there = len(content) - at - 8
        if chunk == b"data":
            if 0 < claimed <= there or there == 0:
                break
            if 0 < claimed < STREAM_BYTES:
                raise AudioError(f"{name}: cut short, {there} of {claimed} bytes of sound")
            sizes = struct.pack("<I", len(content) - 8), struct.pack("<I", there)
            return content[:4] + sizes[0] + content[8 : at + 4] + sizes[1] + content[at + 8 :]
        at += 8 + claimed + claimed % 2
    return content


def _mono(source: Path | BinaryIO, name: str, channel: int | None) -> Audio:
    with _opened(source, name) as file:
        rate, low, high = file.samplerate, *SAMPLING_RATES
        if not low <= rate <= high:
            raise AudioError(f"{name}: sampling rate {rate} Hz; allowed: {low} to {high}")
        if file.channels > MAX_CHANNELS:
            raise AudioError(f"{name}: {file.channels} channels; allowed: up to {MAX_CHANNELS}")
        samples = _blocks(file, name)
    if not (np.abs(samples) <= MAX_SAMPLE).all():  # false for NaN too
        at = int(np.argmin((np.abs(samples) <= MAX_SAMPLE).all(axis=1)))
        raise AudioError(
            f"{name}: sample {at} is {samples[at].tolist()}; "
            f"allowed: finite numbers within {MAX_SAMPLE:g}"
        )
    if channel is None:
        return Audio(mean_of(samples, name), rate)
    if not 0 <= channel < samples.shape[1]:
        raise AudioError(f"{name}: channel {channel}; allowed: 0 to {samples.shape[1] - 1}")
    return Audio(samples[:, channel], rate)


def _blocks(file: soundfile.SoundFile, name: str) -> Samples:
    """All frames that can be decoded, shape (num_samples, channels)."""
    blocks, left = [np.zeros((0, file.channels))], MAX_SECONDS * file.samplerate
    try:
        while len(block := file.read(BLOCK, dtype="float64", always_2d=True)):
            blocks.append(block)
            left -= len(block)
            if left < 0:
                raise AudioError(f"{name}: longer than {MAX_SECONDS} s; allowed: up to that")
    except soundfile.LibsndfileError as error:
        raise AudioError(f"{name}: not a readable sound file ({error.error_string})") from None
    return np.concatenate(blocks)


def mean_of(samples: Samples, name: str) -> Samples:
    mean: Samples = samples.mean(axis=1)
    if samples.shape[1] == 1:
        return samples[:, 0]
    levels = [level for level in map(rms_dbfs, samples.T) if level is not None]
    left = rms_dbfs(mean)
    if levels and (left is None or left < max(levels) - CANCELLATION_DB):
        raise AudioError(f"{name}: its channels cancel in their mean; allowed: a channel by number")
    return mean


def _opened(source: Path | BinaryIO, name: str) -> soundfile.SoundFile:
    try:
        return soundfile.SoundFile(source)
    except (soundfile.LibsndfileError, OSError, TypeError, UnicodeError) as error:
        # Without what it was read from: the same fault has the same words.
        said = getattr(error, "error_string", error)
        raise AudioError(f"{name}: not a readable sound file ({said})") from None
