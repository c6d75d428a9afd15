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
from synthkit.files import parse_json, read_text, write_bytes
from synthkit.levels import peak_dbfs, rms_dbfs, rounded
from synthkit.plan import ClipPlan, Plan, SegmentPlan
from synthkit.render import Bed, RenderedClip, Segment
from synthkit.renderers.room import Room
from synthkit.speech.text import spoken_text

SCHEMA_VERSION = 1
MANIFEST = "manifest.jsonl"

Row = dict[str, Any]


def text_row(plan: ClipPlan) -> Row:
    """The row of a condition that is text alone."""
    return _row(plan) | {
        "file": None,
        "sha256": None,
        "content_key": None,
        "sampling_rate": None,
        "num_samples": None,
        "duration": None,
        "peak_dbfs": None,
        "true_peak_dbtp": None,
        "segments": [],
        "gaps": [],
        "bed": None,
    }


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


def _segment(planned: SegmentPlan, placed: PlacedSegment, made: Segment, plan: Plan) -> Row:
    return {
        "role": planned.role,
        "speaker": planned.speaker,
        "voice": planned.voice,
        "spoken_text": spoken_text(
            planned.text, plan.voices[planned.voice].language, planned.voice
        ),
        "field": planned.field,
        "room": next(map(_room, plan.fields[planned.field, planned.variables].rooms), None),
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
    """Write the manifest of a set atomically."""
    write_bytes(folder / MANIFEST, "".join(f"{line}\n" for line in lines).encode("utf-8"))


def manifest_lines(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each line that is not blank."""
    for number, line in enumerate(read_text(folder / MANIFEST).split("\n"), start=1):
        if line.strip():
            yield f"{MANIFEST}: row {number}", line


def parse_row(line: str, where: str) -> Row:
    """Parse one line; :class:`InputError` where it is not valid by the clip schema."""
    row = parse_json(line, where)
    schemas.check(row, "clip", where)
    assert isinstance(row, dict)
    return row


def read_manifest(folder: Path) -> Iterator[Row]:
    """Yield the rows of a set's manifest; :class:`InputError` at the first that is not valid."""
    for where, line in manifest_lines(folder):
        yield parse_row(line, where)
