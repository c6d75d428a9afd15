"""Take: one recording, read, held against the limits, and brought to the form of all segments."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from synthkit.audio import Audio
from synthkit.clip import Clip, join
from synthkit.errors import AudioError, InputError
from synthkit.files import below, reason, sha256_file
from synthkit.importing.items import Reason
from synthkit.importing.limits import Limits, Read, shortfalls
from synthkit.levels import rounded, to_db
from synthkit.measure.activity import OVER_NOISE_DB
from synthkit.measure.file import Ask, Heard, hear
from synthkit.measure.found import shown
from synthkit.measure.readings import readings
from synthkit.measure.segments import speech
from synthkit.renderers.activity import frame_levels
from synthkit.renderers.base import Chain, chain
from synthkit.renderers.fade import Fade
from synthkit.renderers.level import Level
from synthkit.renderers.postwindow import PostWindow
from synthkit.scripts.prompts import Prompt
from synthkit.speech.text import spoken_text
from synthkit.speech.voice import conditioning

LIMITERS = ("crestcontrol", "level")  # renderers whose notes hold what limiting took


@dataclass(frozen=True)
class Settings:
    """How recordings are taken: the level of the speech, a channel from 0 or the mean, limits."""

    level_dbfs: float = -20.0
    channel: int | None = None
    limits: Limits = dataclasses.field(default_factory=Limits)

    @property
    def chain(self) -> Chain:
        """What every recording goes through: what a recorded voice does in a near field."""
        start = conditioning(self.level_dbfs, OVER_NOISE_DB)
        return chain(*start.renderers, PostWindow(), Fade(), Level(self.level_dbfs))

    def describe(self) -> dict[str, Any]:
        """As plain JSON values, the chain by name and parameters."""
        return {
            "level_dbfs": self.level_dbfs,
            "channel": self.channel,
            "chain": self.chain.describe()["renderers"],
            "limits": self.limits.describe(),
        }


@dataclass(frozen=True, eq=False)
class Take:
    """What became of one recording.

    ``source`` is how it read, None where it cannot be read; ``sound_sha256`` is the hash of its
    sound, whatever file holds it. ``clip`` is None where there are ``reasons``.
    """

    reasons: tuple[Reason, ...]
    remarks: tuple[str, ...] = ()
    source: Mapping[str, Any] | None = None
    sound_sha256: str | None = None
    clip: Clip | None = None
    reduction_db: float | None = None


def take(folder: Path, path: Path, prompt: Prompt, settings: Settings) -> Take:
    """Take the recording ``path`` below ``folder`` of ``prompt``; nothing is raised for what it is.

    One that falls short of a limit is not rendered: all that is wrong with it is told at once.
    """
    try:
        below(folder, str(path.relative_to(folder)))
        sha256 = sha256_file(path)
        heard = hear(path, Ask(channel=settings.channel))
    except (AudioError, InputError) as error:
        return Take((Reason("unreadable", str(error)),))
    except OSError as error:
        return Take((Reason("unreadable", f"cannot be read ({reason(error)})"),))
    found = _readings(heard)
    read = _read(heard, prompt, found["clipped_runs"])
    reasons = [*_file_faults(heard)]
    if read:
        reasons += shortfalls(read, settings.limits)
    taken = Take(
        reasons=tuple(reasons),
        remarks=_remarks(heard),
        source={
            "file": shown(path.relative_to(folder)),
            "sha256": sha256,
            **_format(heard, settings.channel),
            **found,
            "snr_db": read and read.snr_db,
            "letters_per_second": read and read.letters_per_second,
        },
        sound_sha256=_sound_sha256(heard),
    )
    return taken if reasons else _rendered(taken, heard, settings)


def _rendered(taken: Take, heard: Heard, settings: Settings) -> Take:
    try:
        audio = settings.chain(Audio(heard.loaded.mono, heard.loaded.sampling_rate))
        clip = join(audio)
    except AudioError as error:
        return dataclasses.replace(taken, reasons=(Reason("level", str(error)),))
    notes = [audio.note(renderer) or {} for renderer in LIMITERS]
    taken_off = sum(float(str(note.get("reduction_db", 0.0))) for note in notes)
    return dataclasses.replace(taken, clip=clip, reduction_db=rounded(taken_off))


def _file_faults(heard: Heard) -> list[Reason]:
    """What is wrong with the file itself, whatever it should hold."""
    loaded = heard.loaded
    found = [Reason("content_type", r) for r in loaded.remarks if r.startswith("extension ")]
    if loaded.cut_short:
        cut = next(remark for remark in loaded.remarks if remark.startswith("cut short"))
        found.append(Reason("cut_short", cut))
    if heard.activity.silence:
        found.append(Reason("no_speech", heard.activity.silence))
    return found


def _read(heard: Heard, prompt: Prompt, clipped_runs: int) -> Read | None:
    """What the limits are held against; None for silence."""
    if heard.activity.silence:
        return None
    loaded = heard.loaded
    rms = frame_levels(loaded.mono, loaded.sampling_rate)
    # Both heard through the same high-pass, so that rumble is neither speech nor noise.
    level = to_db(math.sqrt(float(np.mean(np.square(rms[heard.activity.active])))))
    floor = heard.activity.noise_floor_dbfs
    samples = sum(segment.span.num_samples for segment in heard.segments)
    spoken = spoken_text(prompt.text, prompt.language, prompt.id)
    letters = sum(character.isalnum() for character in spoken)
    seconds = samples / loaded.sampling_rate
    return Read(
        sampling_rate=loaded.sampling_rate,
        clipped_runs=clipped_runs,
        snr_db=None if floor is None or level is None else rounded(level - floor),
        letters_per_second=round(letters / seconds, 4),
        seconds=seconds,
        letters=letters,
    )


def _readings(heard: Heard) -> dict[str, Any]:
    samples = speech(heard.loaded.mono, heard.segments)
    return dataclasses.asdict(readings(heard.loaded, heard.activity, samples))


def _format(heard: Heard, channel: int | None) -> dict[str, Any]:
    loaded = heard.loaded
    return {
        "container": loaded.container,
        "subtype": loaded.subtype,
        "sampling_rate": loaded.sampling_rate,
        "channels": loaded.num_channels,
        "channel": channel,
        "num_samples": loaded.num_samples,
        "duration": round(loaded.duration, 6),
    }


def _remarks(heard: Heard) -> tuple[str, ...]:
    """What is no reason to reject a recording and still good to know."""
    loaded, activity = heard.loaded, heard.activity
    faults = ("extension ", "cut short")
    found = [remark for remark in loaded.remarks if not remark.startswith(faults)]
    if loaded.sampling_rate < 16000:
        half = loaded.sampling_rate / 2
        found.append(f"from {loaded.sampling_rate} Hz: holds nothing over {half:g} Hz")
    if activity.leading_samples == 0:
        found.append("speech at its very start: a first sound may be missing")
    if activity.trailing_samples == 0:
        found.append("speech at its very end: a last sound may be missing")
    if loaded.num_channels > 1 and loaded.channels.shape[1] > 1:
        found.append(f"the mean of {loaded.num_channels} channels")
    return tuple(found)


def _sound_sha256(heard: Heard) -> str:
    """Of the samples that were heard, so that a copy in another kind of file is one."""
    rate = f"{heard.loaded.sampling_rate}:".encode()
    return hashlib.sha256(rate + heard.loaded.mono.astype("<f8").tobytes()).hexdigest()
