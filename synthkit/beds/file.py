"""A user's recording as a bed: read once, then cut or looped to length."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from synthkit.audio import SAMPLING_RATE, Samples, num_samples_of
from synthkit.beds.crossfade import crossfaded
from synthkit.errors import AudioError
from synthkit.files import sha256_file
from synthkit.keys import draw
from synthkit.levels import rms_dbfs, rounded
from synthkit.renderers.base import chain
from synthkit.renderers.highpass import HighPass
from synthkit.renderers.removeoffset import RemoveOffset
from synthkit.renderers.resample import Resample
from synthkit.wav import read_mono

CROSSFADE_MS = 50
MIN_SECONDS = 1  # a shorter loop is heard as a tone or a rhythm
QUIETEST_DBFS = -100.0  # below it there is nothing that 16 bits could have recorded


@dataclass(frozen=True)
class Recording:
    """A recording as 16 kHz mono floats of shape (num_samples,), and where it came from."""

    name: str
    sha256: str
    channel: int | None
    path: Path = field(repr=False, compare=False)
    samples: Samples = field(repr=False, compare=False)

    def describe(self) -> dict[str, object]:
        """What determines the samples, as plain JSON; not the folder it lay in."""
        return {"sha256": self.sha256, "channel": self.channel}


def read_recording(path: Path, channel: int | None = None) -> Recording:
    """Read any sound file; its offset and what lies below 60 Hz are taken out, as of speech.

    Several channels are averaged, or ``channel`` (from 0) is taken. Raises :class:`AudioError`
    for what :func:`synthkit.wav.read_mono` refuses, and for silence and less than a second.
    """
    audio = chain(RemoveOffset(), Resample(SAMPLING_RATE))(read_mono(path, channel))
    if audio.num_samples < MIN_SECONDS * SAMPLING_RATE:
        raise AudioError(
            f"{path.name}: {audio.num_samples / SAMPLING_RATE:g} s long; "
            f"allowed: {MIN_SECONDS} s or more"
        )
    samples = HighPass().filtered(audio.samples, SAMPLING_RATE)
    _check_heard(samples, path.name)
    samples.setflags(write=False)
    return Recording(path.name, sha256_file(path), channel, path, samples)


def excerpt(num_samples: int, sampling_rate: int, seed: int, recording: Samples) -> Samples:
    """``num_samples`` of ``recording`` from a seeded place on.

    One that is long enough is cut, and never repeats. A shorter one is looped, its end fading
    into its beginning over 50 ms at equal power. Shape: (num_samples,).

    Raises :class:`AudioError` where what was cut is silent.
    """
    at = draw(seed, "bed", "start", 62)
    spare = len(recording) - num_samples
    if spare >= 0:
        start = at % (spare + 1)
        cut = recording[start : start + num_samples]
        _check_heard(cut, f"{num_samples} samples from {start} on")
        return cut
    overlap = num_samples_of(CROSSFADE_MS, sampling_rate)
    ending = recording[len(recording) - overlap :]
    loop = crossfaded(ending, recording[: len(recording) - overlap], overlap)
    return np.resize(np.roll(loop, -(at % len(loop))), num_samples)


def _check_heard(samples: Samples, what: str) -> None:
    level = rms_dbfs(samples)
    if level is None or level < QUIETEST_DBFS:
        found = "silence" if level is None else f"{rounded(level)} dBFS over 60 Hz"
        raise AudioError(f"{what}: {found}; allowed: {QUIETEST_DBFS:g} dBFS or more")
