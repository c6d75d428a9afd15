"""One item by itself: its file, its gap, and the shape, level and speech window of its parts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from synthkit.audio import FULL_SCALE, Span, num_samples_of
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design, Item, Part, Response
from synthkit.audit.sounds import PartSound, Sound
from synthkit.errors import SilenceError
from synthkit.levels import rms_dbfs
from synthkit.renderers.activity import FRAME_MS, active_frames, frame_levels
from synthkit.renderers.trim import Trim

LEVEL_DB = 0.1
UNSURE_DB = 6.0  # around the threshold of trimming: twice or half the amplitude


def item_faults(item: Item, sound: Sound, design: Design) -> Iterator[Comparison]:
    """Compare one item's file with what is declared of it."""
    here, slack = (item.id,), design.slack(sound.sampling_rate)
    if item.sha256 is not None:
        other = item.sha256 != sound.file_sha256
        yield Comparison("file.hash", here, "sha256 is not the manifest's" if other else None)
    for before, after in pairwise(sound.parts.values()):
        yield Comparison("gap.length", here, _gap_length(item, before, after, slack))
        yield Comparison("gap.silence", here, _gap_silence(sound, before, after, slack))
    yield Comparison("file.parts", here, _outside(sound, slack))
    for role, part in sound.parts.items():
        level = _level(role, part)
        if level or part.part.requested_dbfs is not None:
            yield Comparison("part.level", here, level)
        yield Comparison("part.clipped", here, _clipped(role, part))
        if design.chains is not None:
            wanted = design.chains.response(part.part.field, part.part.bindings)
            yield Comparison("part.room", here, _room(role, part.part, wanted))
        if design.post_samples is not None:
            yield Comparison("part.end", here, _end(role, part, design.post_samples))


def _gap_length(item: Item, before: PartSound, after: PartSound, slack: int) -> str | None:
    if item.gap_ms is None:
        return None
    found = after.part.span.start - before.part.span.end
    wanted = num_samples_of(float(item.gap_ms), before.sampling_rate)
    if abs(found - wanted) <= slack:
        return None
    told = f"{wanted} for {item.gap_ms:g} ms" + (f", within {slack}" if slack else "")
    return f"gap is {found} samples; allowed: {told}"


def _gap_silence(sound: Sound, before: PartSound, after: PartSound, slack: int) -> str | None:
    gap = sound.samples[before.part.span.end + slack : max(0, after.part.span.start - slack)]
    loud = int(np.count_nonzero(gap))
    if not loud:
        return None
    most = float(np.abs(gap).max()) * FULL_SCALE
    return f"gap has {loud} samples that are not zero, up to {most:g} steps; allowed: none"


def _outside(sound: Sound, slack: int) -> str | None:
    """Whatever lies before the first part or after the last one is nobody's."""
    spans = [part.part.span for part in sound.parts.values()]
    before, after = spans[0].start, len(sound.samples) - spans[-1].end
    if max(before, after) <= slack:
        return None
    return f"{before + after} samples are in no part; allowed: none"


def _level(role: str, part: PartSound) -> str | None:
    """None where the level asked for is not an RMS level over the speech window."""
    found, wanted = rms_dbfs(part.samples[slice(*part.window)]), part.part.requested_dbfs
    if found is None:
        return f"{role}: is silent"
    if wanted is None or abs(found - wanted) <= LEVEL_DB:
        return None
    return f"{role}: level is {found:.2f} dBFS; allowed: {wanted:g} within {LEVEL_DB:g} dB"


def _clipped(role: str, part: PartSound) -> str | None:
    """A sound that is cut off stays where it was cut, sample after sample."""
    tops = np.abs(part.heard)
    full = tops >= 1 - 1 / FULL_SCALE
    flat = full[:-1] & full[1:] & (part.heard[:-1] == part.heard[1:])
    number = int(np.count_nonzero(flat[:-1] & flat[1:]))
    if not number:
        return None
    return f"{role}: stays at full scale in {number} places; allowed: nowhere"


def _room(role: str, part: Part, wanted: Response | None) -> str | None:
    """The response that is named is the one that the field's chain has."""
    if wanted is None:
        at = "".join(f", {name} {level}" for name, level in part.bindings)
        return f"{role}: field {part.field}{at} is none of the recipe's"
    if part.rir_sha256 == wanted.sha256:
        return None
    names = [(sha256 or "no room")[:12] for sha256 in (part.rir_sha256, wanted.sha256)]
    return f"{role}: response is {names[0]}; allowed: {names[1]}, that of field {part.field}"


def _end(role: str, part: PartSound, post_samples: int) -> str | None:
    found = len(part.samples) - part.window.end
    if found == post_samples:
        return None
    return f"{role}: ends {found} samples after its speech; allowed: {post_samples}"


def speech_faults(item: Item, part: PartSound, design: Design) -> Iterator[Comparison]:
    """Whether dry speech starts and ends where its window does, within a frame of 10 ms.

    In a room speech has no sharp end, and there is nothing to hold the window against; the part
    is compared with its dry one instead.
    """
    if part.part.field in design.dry and part.part.windowed:
        told = _speech(part)
        role = part.part.role
        yield Comparison("part.speech", (item.id,), told and f"{role}: {told}")


def _speech(part: PartSound) -> str | None:
    """Speech that is clearly there lies in the window, and what is hardly there reaches its ends.

    A quiet first or last sound may lie on the threshold by which speech was trimmed, and be found
    or not; so it is looked for above the threshold, and below.
    """
    rms = frame_levels(part.samples, part.sampling_rate)
    threshold, noise = Trim().threshold_db, part.part.over_noise_db
    frame = num_samples_of(FRAME_MS, part.sampling_rate)
    try:
        loud = _reach(active_frames(rms, threshold - UNSURE_DB, noise), frame)
        all_ = _reach(active_frames(rms, threshold + UNSURE_DB, noise), frame)
    except SilenceError as error:
        return str(error)
    start, end = part.window
    if not all_.start - frame <= start <= loud.start + frame:
        return f"speech starts at {loud.start}; its window: at {start}, within {frame} samples"
    if not loud.end - frame <= end <= all_.end + frame:
        return f"speech ends at {loud.end}; its window: at {end}, within {frame} samples"
    return None


def _reach(active: NDArray[np.bool_], frame: int) -> Span:
    found = np.flatnonzero(active)
    return Span(int(found[0]) * frame, (int(found[-1]) + 1) * frame)
