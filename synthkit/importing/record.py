"""Record: an item's row, the adopted manifest beside it, and the description of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from synthkit import __version__
from synthkit.audio import SAMPLING_RATE
from synthkit.clip import Clip
from synthkit.dataset import library_versions
from synthkit.importing.items import (
    MISSING,
    REJECTED,
    RETAINED,
    SCHEMA_VERSION,
    WRITTEN,
    Row,
)
from synthkit.importing.take import Settings, Take
from synthkit.loudness import LUFS_FILTER
from synthkit.measure.adopt import adopted_rows
from synthkit.measure.file import MANIFEST, Ask, Measured, Told, measure
from synthkit.measure.found import same_path
from synthkit.measure.segments import ToldSegment
from synthkit.render import RENDER_VERSION
from synthkit.scripts.prompts import Prompt

FORMAT = {"container": "WAV", "subtype": "PCM_16", "sampling_rate": SAMPLING_RATE, "channels": 1}


def measured(folder: Path, name: str, prompt: Prompt, clip: Clip) -> Measured:
    """What meters read in the WAV ``name`` in ``folder``, whose speech window is known."""
    start, end = (at / clip.sampling_rate for at in clip.segments[0].speech)
    role = "+".join(dict.fromkeys(role for role, _ in prompt.lines))
    path = folder / name
    told = Told(MANIFEST, {same_path(path): [ToldSegment(start, end, role, prompt.id)]})
    return measure(path, name, Ask(told=told))


def adopted_row(folder: Path, prompt: Prompt, found: Measured) -> Row:
    """The row by which ``synthkit verify`` checks a WAV ever after; its id is the prompt's."""
    (row,) = adopted_rows(folder, [found])
    return row | {"id": prompt.id}


def written_row(taken: Take, adopted: Mapping[str, Any], level_dbfs: float) -> Row:
    """What is known of a written file, read back from it."""
    assert taken.clip
    (segment,) = adopted["segments"]
    return {
        "file": adopted["file"],
        "sha256": adopted["sha256"],
        "pcm_sha256": taken.clip.segments[0].pcm_sha256,
        "sampling_rate": adopted["sampling_rate"],
        "num_samples": adopted["num_samples"],
        "duration": adopted["duration"],
        "speech_start": segment["start"],
        "speech_end": segment["end"],
        "requested_dbfs": level_dbfs,
        "realised_dbfs": segment["rms_dbfs"],
        "peak_dbfs": adopted["peak_dbfs"],
        "true_peak_dbtp": adopted["true_peak_dbtp"],
        "lufs": adopted["lufs"],
        "noise_floor_dbfs": adopted["noise_floor_dbfs"],
        "reduction_db": taken.reduction_db,
    }


def item_row(
    prompt: Prompt,
    inputs: Sequence[str],
    taken: Take,
    written: Mapping[str, Any] | None = None,
    stand_in: bool = False,
    heard: tuple[str, float | None] | None = None,
) -> Row:
    """An item's row; retained is what has a ``written`` file, missing what has no ``inputs``.

    ``heard`` is the transcript and its word error rate, None without recognition.
    """
    transcript, wer = heard or (None, None)
    return {
        "schema_version": SCHEMA_VERSION,
        "id": prompt.id,
        "item": prompt.item,
        "language": prompt.language,
        "lines": [{"role": role, "text": text} for role, text in prompt.lines],
        "text": prompt.text,
        "family": prompt.family,
        "configuration": prompt.configuration,
        "tool": prompt.tool,
        "target": prompt.target,
        "status": RETAINED if written else REJECTED if inputs else MISSING,
        "reasons": [reason.describe() for reason in taken.reasons],
        "remarks": list(taken.remarks),
        "stand_in": stand_in,
        "inputs": list(inputs),
        "source": taken.source,
        **(written or dict.fromkeys(WRITTEN)),
        "transcript": transcript,
        "wer": None if wer is None else round(wer, 4),
    }


def describe(
    rows: Sequence[Row],
    settings: Settings,
    told: Mapping[str, Any],
    unmatched: Sequence[str],
    notes: Sequence[str],
) -> dict[str, Any]:
    """The whole import as plain JSON values; nothing depends on time, host or folder.

    ``told`` is what the rows do not know: script, table, review, recogniser and agreement.
    """
    statuses = Counter(row["status"] for row in rows)
    checks = Counter(
        check
        for row in rows
        if row["status"] == REJECTED
        for check in {reason["check"] for reason in row["reasons"]}
    )
    inputs = {name for row in rows for name in row["inputs"]}
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "import",
        "render_version": RENDER_VERSION,
        "synthkit_version": __version__,
        "library_versions": library_versions(),
        "format": FORMAT,
        "lufs_filter": LUFS_FILTER,
        "settings": settings.describe(),
        **told,
        "stand_ins": sum(row["stand_in"] for row in rows),
        "counts": {
            "prompts": len(rows),
            **{status: statuses[status] for status in (RETAINED, REJECTED, MISSING)},
            "files": len(inputs) + len(unmatched),
            "unmatched": len(unmatched),
        },
        "rejected_by": {check: checks[check] for check in sorted(checks)},
        "unmatched": list(unmatched),
        "notes": list(notes),
    }
