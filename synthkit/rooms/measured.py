"""Measured impulse responses: read from a file, their direct sound found, resampled around it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy

from synthkit.audio import Audio, Samples, num_samples_of
from synthkit.errors import AudioError, InputError
from synthkit.files import inside, sha256_file
from synthkit.rooms.acoustics import DIRECT_HALF_WIDTH_MS
from synthkit.soundfiles import read_sound
from synthkit.wav import mono, read_mono

# ISO 3382-1, A.3.4: an impulse response starts where it first comes within 20 dB of its maximum.
ARRIVAL_THRESHOLD_DB = -20.0
# A filter's ripple before the direct sound may pass the threshold, so the largest sample of
# what follows within this time is the direct sound.
ARRIVAL_WIDTH_MS = 0.25
RUMBLE_PAD_MS = 100
SILENT_DBFS = -120.0
SHORTEST_MS, LONGEST_MS = 10, 20_000


@dataclass(frozen=True)
class Recording:
    """A measured impulse response as its file has it.

    ``direct_sample`` is where the direct sound was found, ``threshold_db`` the level over which
    the first arrival was looked for, re the largest sample; ``sha256`` is the file's.
    """

    file: str
    channel: int
    sampling_rate: int
    num_samples: int
    direct_sample: int
    threshold_db: float
    sha256: str


def recording(name: str, channel: int | None, folder: Path, where: str) -> Recording:
    """Read and check the impulse response in ``folder``'s file ``name``.

    Raises :class:`InputError` for files outside the folder, unreadable, cut short, too short or
    too long, silent, or with several channels of which none is named.
    """
    path = inside(name, folder, folder, where)
    try:
        sound = read_sound(path)
        audio, channels = mono(sound, path.name, channel or 0), sound.samples.shape[1]
    except AudioError as error:
        raise InputError(f"{where}: {error}") from None
    if channel is None and channels > 1:
        raise InputError(
            f"{where}: {path.name} has {channels} channels; "
            f"allowed: a channel by number, channel = 0 to {channels - 1}"
        )
    milliseconds = 1000 * audio.num_samples / audio.sampling_rate
    if not SHORTEST_MS <= milliseconds <= LONGEST_MS:
        raise InputError(
            f"{where}: {path.name} is {milliseconds:g} ms long; "
            f"allowed: {SHORTEST_MS:g} to {LONGEST_MS:g} ms"
        )
    peak = float(np.abs(audio.samples).max())
    if peak < 10 ** (SILENT_DBFS / 20):
        found = f"peaks at {20 * math.log10(peak):.1f} dBFS" if peak else "is all zeros"
        raise InputError(f"{where}: {path.name} {found}; allowed: {SILENT_DBFS:g} dBFS or more")
    return Recording(
        file=name,
        channel=channel or 0,
        sampling_rate=audio.sampling_rate,
        num_samples=audio.num_samples,
        direct_sample=first_arrival(audio),
        threshold_db=ARRIVAL_THRESHOLD_DB,
        sha256=sha256_file(path),
    )


def first_arrival(audio: Audio) -> int:
    """Sample of the direct sound: the first arrival within 20 dB of the largest sample.

    Looked for without rumble: an offset or a hum would pass the threshold before any sound.
    """
    size = np.abs(_without_rumble(audio))
    first = int(np.argmax(size >= size.max() * 10 ** (ARRIVAL_THRESHOLD_DB / 20)))
    # Four samples at least: at low rates the ripple is as many samples long.
    width = max(4, num_samples_of(ARRIVAL_WIDTH_MS, audio.sampling_rate))
    return first + int(np.argmax(size[first : first + width + 1]))


def _without_rumble(audio: Audio) -> Samples:
    """The response less its offset and what lies below 60 Hz, in which no speech is heard."""
    sos = scipy.signal.butter(4, 60, "highpass", fs=audio.sampling_rate, output="sos")
    centred = audio.samples - np.median(audio.samples)
    # Silence around it, as a response may start with its direct sound.
    pad = num_samples_of(RUMBLE_PAD_MS, audio.sampling_rate)
    filtered: Samples = scipy.signal.sosfiltfilt(sos, np.pad(centred, pad), padlen=0)
    return filtered[pad:-pad]


def aligned(found: Recording, path: Path, sampling_rate: int) -> tuple[Samples, int]:
    """Samples at ``sampling_rate``, and the sample at which the direct sound arrives.

    What lies more than 2.5 ms before the direct sound is dropped. Zeros in front put the direct
    sound at a time that is whole in both rates, so that resampling moves it by nothing; the gain
    of the filter that the response is stays what it was.
    """
    import soxr

    audio = read_mono(path, found.channel)
    old, common = audio.sampling_rate, math.gcd(audio.sampling_rate, sampling_rate)
    guard = num_samples_of(DIRECT_HALF_WIDTH_MS, old)
    units = math.ceil(guard * common / old)
    kept = min(found.direct_sample, guard)
    samples = audio.samples[found.direct_sample - kept :]
    samples = np.pad(samples, (units * old // common - kept, 0))
    if old != sampling_rate:
        samples = soxr.resample(samples, old, sampling_rate, quality="HQ") * (old / sampling_rate)
    return samples, units * sampling_rate // common
