"""Measure one file: what it is, its readings, its segments and its gaps."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit.audio import Span, num_samples_of
from synthkit.errors import AudioError
from synthkit.levels import peak_dbfs, rms_dbfs, rounded
from synthkit.measure.activity import Activity, activity
from synthkit.measure.found import same_path
from synthkit.measure.loaded import Loaded, load
from synthkit.measure.readings import Readings, ms, readings
from synthkit.measure.segments import (
    MIN_GAP_MS,
    Segment,
    ToldSegment,
    by_energy,
    by_times,
    gaps,
    speech,
)

MANIFEST, TIMES, ENERGY = "manifest", "times", "energy"  # where segments come from


@dataclass(frozen=True)
class Told:
    """Where the segments come from, ``manifest`` or ``times``, and those of each file.

    Times tell of all files, or a file without any fails. A manifest may leave some to be found by
    energy, such as the beds of a set.
    """

    origin: str
    by_file: Mapping[str, Sequence[ToldSegment]]


@dataclass(frozen=True)
class Ask:
    """How files are heard: a channel from 0 or their mean, the shortest gap, told segments."""

    channel: int | None = None
    min_gap_ms: float = MIN_GAP_MS
    told: Told | None = None


@dataclass(frozen=True, eq=False)
class Heard:
    """A file, read and cut into segments; ``segments_from`` is manifest, times or energy."""

    loaded: Loaded
    activity: Activity
    segments_from: str
    segments: tuple[Segment, ...]
    gaps: tuple[Span, ...]


@dataclass(frozen=True)
class Measured:
    """All that is said about a file, as plain values; positions in samples, half-open."""

    file: str
    container: str
    subtype: str
    sampling_rate: int
    channels: int
    channel: int | None
    num_samples: int
    duration: float
    readings: Readings
    segments_from: str
    segments: tuple[Mapping[str, Any], ...]
    gaps: tuple[Mapping[str, Any], ...]
    remarks: tuple[str, ...]

    def describe(self) -> dict[str, Any]:
        """The measurement as one flat row of JSON values."""
        row: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Readings):
                row |= dataclasses.asdict(value)
            else:
                row[field.name] = list(value) if isinstance(value, tuple) else value
        return row


def hear(path: Path, ask: Ask) -> Heard:
    """Read a file and find its segments; :class:`AudioError`, without its name, where it can't."""
    loaded = load(path, ask.channel)
    found = activity(loaded.mono, loaded.sampling_rate)
    min_gap = num_samples_of(ask.min_gap_ms, loaded.sampling_rate)
    told = ask.told.by_file.get(same_path(path)) if ask.told else None
    if ask.told and told is not None:
        origin = ask.told.origin
        segments = by_times(told, loaded.num_samples, loaded.sampling_rate)
    elif ask.told and ask.told.origin == TIMES:
        raise AudioError("no times are given for it")
    else:
        origin, segments = ENERGY, by_energy(found, min_gap)
    return Heard(loaded, found, origin, segments, gaps(segments, min_gap))


def measure(path: Path, name: str, ask: Ask) -> Measured:
    """Measure a file; it is called ``name`` in the result. Raises as :func:`hear` does."""
    heard = hear(path, ask)
    loaded, rate = heard.loaded, heard.loaded.sampling_rate
    return Measured(
        file=name,
        container=loaded.container,
        subtype=loaded.subtype,
        sampling_rate=rate,
        channels=loaded.num_channels,
        channel=ask.channel,
        num_samples=loaded.num_samples,
        duration=round(loaded.duration, 6),
        readings=readings(loaded, heard.activity, speech(loaded.mono, heard.segments)),
        segments_from=heard.segments_from,
        segments=tuple(_segment(segment, loaded) for segment in heard.segments),
        gaps=tuple(_gap(gap, loaded) for gap in heard.gaps),
        remarks=_remarks(heard),
    )


def _segment(segment: Segment, loaded: Loaded) -> dict[str, Any]:
    return {
        "role": segment.role,
        "start": segment.span.start,
        "end": segment.span.end,
        "rms_dbfs": rounded(rms_dbfs(loaded.mono[slice(*segment.span)])),
    }


def _gap(gap: Span, loaded: Loaded) -> dict[str, Any]:
    return {
        "start": gap.start,
        "end": gap.end,
        "ms": ms(gap.num_samples, loaded.sampling_rate),
        "rms_dbfs": rounded(rms_dbfs(loaded.mono[slice(*gap)])),
    }


def _remarks(heard: Heard) -> tuple[str, ...]:
    loaded, found = heard.loaded, list(heard.loaded.remarks)
    if heard.activity.silence:
        found.append(heard.activity.silence)
    peak = peak_dbfs(loaded.channels)
    if peak is not None and peak > 0:
        found.append(f"{int((abs(loaded.channels) > 1).any(axis=1).sum())} samples over full scale")
    if loaded.channels.shape[1] > 1:
        found.append(f"levels are of the mean of {loaded.num_channels} channels")
    return tuple(found)
