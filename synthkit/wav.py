"""Sound files: reading any to mono float, reading PCM16 as it is, writing PCM16."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import soundfile

from synthkit.audio import Audio, Pcm16, Samples, from_pcm16
from synthkit.errors import AudioError
from synthkit.levels import rms_dbfs

# A mean this far below its channels is what is left when they cancel.
CANCELLATION_DB = 20.0
MAX_CHANNELS = 64


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

    Several channels are averaged, or ``channel`` (from 0) is taken. Raises
    :class:`AudioError` for unreadable files and for channels that cancel each other.
    """
    with _opened(path) as file:
        if file.channels > MAX_CHANNELS:
            raise AudioError(
                f"{path.name}: {file.channels} channels; allowed: up to {MAX_CHANNELS}"
            )
        samples, rate = file.read(dtype="float64", always_2d=True), file.samplerate
    if not np.isfinite(samples).all():
        at = int(np.flatnonzero(~np.isfinite(samples).all(axis=1))[0])
        raise AudioError(
            f"{path.name}: sample {at} is not a finite number; allowed: finite numbers"
        )
    if channel is not None:
        if not 0 <= channel < samples.shape[1]:
            raise AudioError(
                f"{path.name}: channel {channel}; allowed: 0 to {samples.shape[1] - 1}"
            )
        return Audio(samples[:, channel], rate)
    return Audio(_mean(samples, path), rate)


def decoded(pcm: Pcm16, sampling_rate: int) -> Audio:
    """PCM16 as float audio."""
    return Audio(from_pcm16(pcm), sampling_rate)


def _mean(samples: Samples, path: Path) -> Samples:
    mean: Samples = samples.mean(axis=1)
    levels = [level for level in map(rms_dbfs, samples.T) if level is not None]
    left = rms_dbfs(mean)
    if levels and (left is None or left < max(levels) - CANCELLATION_DB):
        raise AudioError(f"{path.name}: its channels cancel in their mean; name one channel")
    return mean


def _opened(path: Path) -> soundfile.SoundFile:
    try:
        return soundfile.SoundFile(path)
    except (soundfile.LibsndfileError, OSError, TypeError) as error:
        raise AudioError(f"{path.name}: not a readable sound file ({error})") from None
