"""items.jsonl: a row for each prompt, whatever became of its recording."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit import schemas
from synthkit.errors import InputError, quoted
from synthkit.files import below, parse_json, text_lines

ITEMS = "items.jsonl"
SCHEMA_VERSION = 1
RETAINED, REJECTED, MISSING = "retained", "rejected", "missing"

# What a written file is known by; null where none is written.
WRITTEN = (
    "file",
    "sha256",
    "pcm_sha256",
    "sampling_rate",
    "num_samples",
    "duration",
    "speech_start",
    "speech_end",
    "requested_dbfs",
    "realised_dbfs",
    "peak_dbfs",
    "true_peak_dbtp",
    "lufs",
    "noise_floor_dbfs",
    "reduction_db",
)

Row = dict[str, Any]


@dataclass(frozen=True)
class Reason:
    """Why a recording is not retained: the check, and in one line what it found and allows."""

    check: str
    what: str

    def describe(self) -> dict[str, str]:
        """As plain JSON values."""
        return {"check": self.check, "what": self.what}


def rejected(row: Row, reason: Reason) -> Row:
    """A row of a recording that is not retained, for one more ``reason``."""
    reasons = [*row["reasons"], reason.describe()]
    return row | dict.fromkeys(WRITTEN) | {"status": REJECTED, "reasons": reasons}


def read_items(folder: Path) -> tuple[Row, ...]:
    """Read the items of an imported folder: retained, rejected and missing ones, in script order.

    Raises :class:`InputError` for a row that is not valid, an id that stands twice, and a
    retained item whose file leaves the folder or is not there.
    """
    path = folder / ITEMS
    rows: list[Row] = []
    seen: set[str] = set()
    for number, line in text_lines(path):
        where = f"{path}: row {number}"
        row = parse_json(line, where)
        schemas.check(row, "item", where)
        assert isinstance(row, dict)
        if row["id"].casefold() in seen:
            raise InputError(f"{where}: id {quoted(row['id'])} stands twice; allowed: once")
        seen.add(row["id"].casefold())
        _check_written(row, folder, where)
        rows.append(row)
    if not rows:
        raise InputError(f"{path}: no rows; allowed: one or more")
    return tuple(rows)


def _check_written(row: Row, folder: Path, where: str) -> None:
    """Refuse a row that is retained without a file, or has a file and is not retained."""
    # Silence has no levels, and no silence is retained: all but the loudness of short speech is
    # known of a file, and nothing of any other row.
    known = [row[name] is not None for name in WRITTEN if name not in ("lufs", "noise_floor_dbfs")]
    if (row["status"] == RETAINED) != all(known) or any(known) != all(known):
        raise InputError(
            f"{where}: status {row['status']} and "
            f"{'a file' if row['file'] else 'no file'} described; allowed: a file if retained"
        )
    if row["file"] is None:
        return
    try:
        path = below(folder, row["file"])
    except InputError as error:
        raise InputError(f"{where}: file {quoted(row['file'])}: {error}") from None
    if not path.is_file():
        raise InputError(f"{where}: file {quoted(row['file'])} is not there")
    start, end, samples = row["speech_start"], row["speech_end"], row["num_samples"]
    if not start < end <= samples:
        raise InputError(
            f"{where}: speech from {start} to {end}; allowed: in order, up to {samples}"
        )
