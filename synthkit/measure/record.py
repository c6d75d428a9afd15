"""Measurements as files: JSON with all there is, CSV with a row a file."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from synthkit.errors import one_line
from synthkit.measure.file import Ask, Measured
from synthkit.measure.readings import Readings

SCHEMA_VERSION = 1
COUNTED = ("segments", "gaps")  # lists, of which a table has the number


@dataclasses.dataclass(frozen=True)
class Unread:
    """A file that could not be measured, and why."""

    file: str
    reason: str


def as_json(measured: Sequence[Measured], unread: Sequence[Unread], ask: Ask) -> bytes:
    """All measurements as a JSON object, valid UTF-8, never a number that is not finite."""
    values = {
        "schema_version": SCHEMA_VERSION,
        "channel": ask.channel,
        "min_gap_ms": ask.min_gap_ms,
        "files": [one.describe() for one in measured],
        "unread": [dataclasses.asdict(one) for one in unread],
    }
    return f"{json.dumps(values, ensure_ascii=False, allow_nan=False, indent=1)}\n".encode()


def as_csv(measured: Iterable[Measured], unread: Iterable[Unread]) -> bytes:
    """A row a file, those that could not be measured last; empty where there is no value."""
    columns = list(_columns())
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for one in measured:
        row = one.describe()
        writer.writerow({column: _cell(column, row[column]) for column in columns[:-1]})
    for failed in unread:
        writer.writerow({"file": failed.file, "unread": failed.reason})
    return text.getvalue().encode()


def _columns() -> Iterable[str]:
    for field in dataclasses.fields(Measured):
        if field.name == "readings":
            yield from (inner.name for inner in dataclasses.fields(Readings))
        else:
            yield field.name
    yield "unread"


def _cell(column: str, value: Any) -> Any:
    if column in COUNTED:
        return len(value)
    if column == "remarks":
        return one_line("; ".join(value))
    return "" if value is None else value
