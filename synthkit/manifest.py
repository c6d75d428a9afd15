"""The manifest: one JSON line a clip, built from what was rendered, read back strictly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from synthkit import schemas
from synthkit.audio import Audio, Span, from_pcm16
from synthkit.clip import PlacedGap, PlacedSegment
from synthkit.files import atomic, parse_json, text_lines
from synthkit.levels import peak_dbfs, rms_dbfs, rounded
from synthkit.plan import ClipPlan, Plan, SegmentPlan
from synthkit.rendered import Bed, RenderedClip, Segment
from synthkit.renderers.room import Room
from synthkit.speech.text import spoken_text

SCHEMA_VERSION = 1
MANIFEST = "manifest.jsonl"

Row = dict[str, Any]

# Of a clip's row, what its audio decides; of a segment's, what the plan does.
MADE = (
    "file",
    "sha256",
    "content_key",
    "sampling_rate",
    "num_samples",
    "duration",
    "peak_dbfs",
    "true_peak_dbtp",
    "segments",
    "gaps",
    "bed",
)
PLANNED = ("role", "speaker", "voice", "spoken_text", "field", "room")


def text_row(plan: ClipPlan) -> Row:
    """The row of a condition that is text alone."""
    empty: Row = dict.fromkeys(MADE)
    return _row(plan) | empty | {"segments": [], "gaps": []}


def audio_row(rendered: RenderedClip, wav: bytes, plan: Plan) -> Row:
    """The row of a rendered clip whose file holds the bytes ``wav``."""
    clip = rendered.clip
    rows = zip(rendered.plan.segments, clip.segments, rendered.segments, strict=True)
    return _row(rendered.plan) | {
        "file": rendered.plan.file,
        "sha256": hashlib.sha256(wav).hexdigest(),
        "content_key": rendered.content_key,
        "sampling_rate": clip.sampling_rate,
        "num_samples": len(clip.pcm),
        # A sample at 16 kHz is 0.0000625 s: with fewer digits parts would end after their clip.
        "duration": round(len(clip.pcm) / clip.sampling_rate, 7),
        "peak_dbfs": rounded(peak_dbfs(from_pcm16(rendered.pcm))),
        "true_peak_dbtp": rendered.true_peak_dbtp,
        "segments": [_segment(*row, plan) for row in rows],
        "gaps": [_gap(gap, clip.segments, clip.sampling_rate) for gap in clip.gaps],
        "bed": rendered.bed and _bed(rendered.bed, len(clip.pcm)),
    }


def _row(plan: ClipPlan) -> Row:
    assignment, command, condition = plan.assignment, plan.command, plan.condition
    audio = condition.modality == "audio"
    return {
        "schema_version": SCHEMA_VERSION,
        "id": plan.id,
        "command": command.id,
        "condition": condition.name,
        "modality": condition.modality,
        "split": assignment.split,
        "tool": command.tool,
        "language": command.language,
        "texts": {"context": command.context, "trigger": command.trigger},
        "factors": condition.factors,
        "target": dict(plan.target),
        "nuisances": dict(assignment.nuisances) if audio else {},
        "wearer": assignment.cast.wearer if audio else None,
        "bystander": assignment.cast.bystander if audio else None,
    }


def is_row_of(row: Row, planned: ClipPlan) -> bool:
    """Whether a row, valid by its schema, is one of ``planned``: its file, its parts, its bed."""
    return (
        (row["id"], row["file"]) == (planned.id, planned.file)
        and len(row["segments"]) == len(planned.segments)
        and (row["bed"] is None) == (planned.bed is None)
    )


def kept_row(planned: ClipPlan, kept: Row, plan: Plan) -> Row:
    """The row of a clip that an earlier run made: what is planned anew, what was read as it was.

    ``kept`` is a row of ``planned`` (:func:`is_row_of`) with its content key.
    """
    segments = zip(planned.segments, kept["segments"], strict=True)
    row = _row(planned) | {name: kept[name] for name in MADE}
    row["segments"] = [
        _planned(segment, plan) | {k: v for k, v in made.items() if k not in PLANNED}
        for segment, made in segments
    ]
    if planned.bed:
        row["bed"] = {**kept["bed"], "name": planned.bed.name}
    return row


def _planned(planned: SegmentPlan, plan: Plan) -> Row:
    return {
        "role": planned.role,
        "speaker": planned.speaker,
        "voice": planned.voice,
        "spoken_text": spoken_text(
            planned.text, plan.voices[planned.voice].language, planned.voice
        ),
        "field": planned.field,
        "room": next(map(_room, plan.fields[planned.field, planned.variables].rooms), None),
    }


def _segment(planned: SegmentPlan, placed: PlacedSegment, made: Segment, plan: Plan) -> Row:
    return _planned(planned, plan) | {
        "start": placed.span.start,
        "end": placed.span.end,
        "speech_start": placed.speech.start,
        "speech_end": placed.speech.end,
        "pcm_sha256": placed.pcm_sha256,
        "level": {
            **(_noted(made.audio, "level") or {}),
            "source_gain_db": (_noted(made.audio, "sourcelevel") or {}).get("gain_db"),
        },
        "lufs": made.lufs,
        "true_peak_dbtp": made.true_peak_dbtp,
        "trim": _noted(made.audio, "trim"),
        "crest_control": _noted(made.audio, "crestcontrol"),
        "source_key": made.source_key,
        "segment_key": made.key,
    }


def _bed(bed: Bed, num_samples: int) -> Row:
    """The bed, and its level over the stretch that lies under this clip."""
    return {
        "name": bed.name,
        "file": bed.file,
        "sha256": bed.sha256,
        "level_dbfs": rounded(rms_dbfs(from_pcm16(bed.pcm[:num_samples]))),
    }


def _room(room: Room) -> Row:
    found = room.parameters()
    return {"id": found["room"], "place": found["place"], "rir_sha256": found["rir_sha256"]}


def _noted(audio: Audio, renderer: str) -> Row | None:
    values = audio.note(renderer)
    return None if values is None else dict(values)


def _gap(gap: PlacedGap, segments: Iterable[PlacedSegment], sampling_rate: int) -> Row:
    before, after = _neighbours(gap.span, segments)
    pause = after.speech.start - before.speech.end
    return {
        "requested_ms": gap.requested_ms,
        "start": gap.span.start,
        "end": gap.span.end,
        "num_samples": gap.span.num_samples,
        "pause_samples": pause,
        "pause_ms": round(1000 * pause / sampling_rate, 4),
    }


def _neighbours(
    gap: Span, segments: Iterable[PlacedSegment]
) -> tuple[PlacedSegment, PlacedSegment]:
    """The segments that end and start where the gap starts and ends."""
    placed = list(segments)
    before = next(s for s in placed if s.span.end == gap.start)
    return before, next(s for s in placed if s.span.start == gap.end and s is not before)


def row_line(row: Mapping[str, Any]) -> str:
    """A row as its line, without the line end; no NaN or Infinity gets through."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False)


def write_manifest(folder: Path, lines: Iterable[str]) -> None:
    """Write the manifest of a set atomically, line by line."""
    with atomic(folder / MANIFEST, durable=True) as file:
        for line in lines:
            file.write(f"{line}\n".encode())


def manifest_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each line of a manifest that is not blank, one by one."""
    for number, line in text_lines(path):
        yield f"{path.name}: row {number}", line


def parse_row(line: str, where: str) -> Row:
    """Parse one line; :class:`InputError` where it is not valid by the clip schema."""
    return checked_row(parse_json(line, where), where)


def checked_row(value: object, where: str) -> Row:
    """Return a parsed line; :class:`InputError` where it is not valid by the clip schema."""
    schemas.check(value, "clip", where)
    assert isinstance(value, dict)
    return value


def read_manifest(folder: Path) -> Iterator[Row]:
    """Yield the rows of a set's manifest; :class:`InputError` at the first that is not valid."""
    for where, line in manifest_lines(folder / MANIFEST):
        yield parse_row(line, where)
