"""A sound file as meters hear it: its channels, and the one signal whose level is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from synthkit import wav
from synthkit.audio import Samples
from synthkit.errors import AudioError, one_line
from synthkit.soundfiles import read_sound

# Coarser encodings, of 8 bits or mu-law, stand still at their largest code without being clipped.
FINE = ("PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE")


@dataclass(frozen=True, eq=False)
class Loaded:
    """Peaks and clipping are read in ``channels``, the worst counts; everything else in ``mono``.

    ``channels`` has shape (num_samples, num_channels): those of the file, or the one asked for.
    ``mono`` has shape (num_samples,): their mean. ``num_channels`` is what the file has.
    """

    channels: Samples
    mono: Samples
    sampling_rate: int
    container: str
    subtype: str
    num_channels: int
    remarks: tuple[str, ...]
    cut_short: bool

    @property
    def num_samples(self) -> int:
        return len(self.mono)

    @property
    def fine(self) -> bool:
        """Whether samples keep apart what a waveform keeps apart (16 bits and more, lossless)."""
        return self.subtype in FINE

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.num_samples / self.sampling_rate


def load(path: Path, channel: int | None = None) -> Loaded:
    """Read a sound file; ``channel`` counts from 0, None is the mean of all.

    Raises :class:`AudioError`, without the file's name, for what :func:`read_sound` refuses, a
    channel that is not there, and channels that cancel in their mean.
    """
    try:
        sound = read_sound(path)
        # What is there of a file that was cut short is measured, and the remarks say so.
        mono = wav.mono(replace(sound, cut_short=False), path.name, channel).samples
    except AudioError as error:
        raise AudioError(str(error).removeprefix(one_line(f"{path.name}: "))) from None
    return Loaded(
        channels=sound.samples if channel is None else mono[:, np.newaxis],
        mono=mono,
        sampling_rate=sound.sampling_rate,
        container=sound.container,
        subtype=sound.subtype,
        num_channels=sound.samples.shape[1],
        remarks=sound.remarks,
        cut_short=sound.cut_short,
    )
