"""A plan as rows of JSON: what is frozen, and compared, without a sample being computed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from synthkit.files import jsonl_bytes, write_bytes
from synthkit.plan import ClipPlan, Plan


def plan_rows(plan: Plan) -> Iterator[dict[str, Any]]:
    """Yield a row for each clip: all that was decided for it, but for what its fields are."""
    for clip in plan.clips():
        yield _row(clip)


def write_plan(plan: Plan, path: Path) -> None:
    """Write the rows as JSONL, atomically; the same plan gives the same bytes."""
    write_bytes(path, jsonl_bytes(plan_rows(plan)))


def _row(clip: ClipPlan) -> dict[str, Any]:
    return {
        "id": clip.id,
        "split": clip.assignment.split,
        "tool": clip.command.tool,
        "factors": clip.condition.factors,
        "nuisances": dict(clip.assignment.nuisances),
        "target": clip.target,
        "segments": [
            {
                "role": segment.role,
                "voice": segment.voice,
                "text": segment.text,
                "field": segment.field,
                "seed": segment.seed,
            }
            for segment in clip.segments
        ],
    }
