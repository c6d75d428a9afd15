"""Sound files: reading any to mono float, reading PCM16 as it is, writing PCM16."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import soundfile

from synthkit.audio import Audio, Pcm16, Samples
from synthkit.errors import AudioError
from synthkit.levels import rms_dbfs

# A mean this far below its channels is what is left when they cancel.
CANCELLATION_DB = 20.0
MAX_CHANNELS = 64
MAX_SECONDS = 3600
SAMPLING_RATES = (4000, 768000)
MAX_SAMPLE = 1e6  # 120 dB over full scale: nothing a recorder writes
BLOCK = 1 << 16


def wav_bytes(pcm: Pcm16, sampling_rate: int) -> bytes:
    """A mono 16-bit WAV as bytes, which depend on samples and rate alone."""
    file = io.BytesIO()
    soundfile.write(file, pcm, sampling_rate, format="WAV", subtype="PCM_16")
    return file.getvalue()


def read_pcm16(path: Path) -> tuple[Pcm16, int]:
    """Read a mono 16-bit WAV as it is; :class:`AudioError` for anything else."""
    with _opened(path) as file:
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
    with _opened(path) as file:
        rate, low, high = file.samplerate, *SAMPLING_RATES
        if not low <= rate <= high:
            raise AudioError(f"{path.name}: sampling rate {rate} Hz; allowed: {low} to {high}")
        if file.channels > MAX_CHANNELS:
            raise AudioError(
                f"{path.name}: {file.channels} channels; allowed: up to {MAX_CHANNELS}"
            )
        samples = _blocks(file, path)
    if not (np.abs(samples) <= MAX_SAMPLE).all():  # false for NaN too
        at = int(np.argmin((np.abs(samples) <= MAX_SAMPLE).all(axis=1)))
        raise AudioError(
            f"{path.name}: sample {at} is {samples[at].tolist()}; "
            f"allowed: finite numbers within {MAX_SAMPLE:g}"
        )
    if channel is None:
        return Audio(_mean(samples, path), rate)
    if not 0 <= channel < samples.shape[1]:
        raise AudioError(f"{path.name}: channel {channel}; allowed: 0 to {samples.shape[1] - 1}")
    return Audio(samples[:, channel], rate)


def _blocks(file: soundfile.SoundFile, path: Path) -> Samples:
    """All frames that can be decoded, shape (num_samples, channels)."""
    blocks, left = [np.zeros((0, file.channels))], MAX_SECONDS * file.samplerate
    try:
        while len(block := file.read(BLOCK, dtype="float64", always_2d=True)):
            blocks.append(block)
            left -= len(block)
            if left < 0:
                raise AudioError(f"{path.name}: longer than {MAX_SECONDS} s; allowed: up to that")
    except soundfile.LibsndfileError as error:
        raise AudioError(f"{path.name}: not a readable sound file ({error})") from None
    return np.concatenate(blocks)


def _mean(samples: Samples, path: Path) -> Samples:
    mean: Samples = samples.mean(axis=1)
    if samples.shape[1] == 1:
        return samples[:, 0]
    levels = [level for level in map(rms_dbfs, samples.T) if level is not None]
    left = rms_dbfs(mean)
    if levels and (left is None or left < max(levels) - CANCELLATION_DB):
        raise AudioError(
            f"{path.name}: its channels cancel in their mean; allowed: a channel by number"
        )
    return mean


def _opened(path: Path) -> soundfile.SoundFile:
    try:
        return soundfile.SoundFile(path)
    except (soundfile.LibsndfileError, OSError, TypeError) as error:
        raise AudioError(f"{path.name}: not a readable sound file ({error})") from None
