"""A set of ours told as others would tell theirs: a table of its sound files, times in seconds."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from synthkit.audio import SAMPLING_RATE
from synthkit.audit.items import Item

DIGITS = 6  # of a second: far less than half a sample


def write_table(path: Path, items: Iterable[Item], digits: int = DIGITS) -> Path:
    """Write the items that have a file, with all that a table can say of them."""
    rows = [_row(item, digits) for item in items if item.is_audio]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def _row(item: Item, digits: int) -> dict[str, object]:
    context, trigger = item.parts
    times = {
        f"{part.role}_{edge}": f"{sample / SAMPLING_RATE:.{digits}f}"
        for part in item.parts
        for edge, sample in (
            ("start", part.span.start),
            ("end", part.span.end),
            ("speech_start", part.speech.start),
            ("speech_end", part.speech.end),
        )
    }
    return {
        "file": item.file,
        "id": item.id,
        "command": item.command,
        "condition": item.condition,
        "source": item.source,
        "field": item.field,
        "gap_ms": item.gap_ms,
        **times,
        "context_field": context.field,
        "wearer": item.wearer,
        "bystander": item.bystander,
        "voice": trigger.voice,
        "context_text": context.text,
        "trigger_text": trigger.text,
        "target": item.action,
        "tool": item.tool,
        "split": item.split,
    }
