"""Tables of sets that others made: a row a file, its cells read strictly."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from synthkit.csvrows import csv_rows
from synthkit.errors import InputError, quoted
from synthkit.files import parse_json, text_lines

ROLES = ("context", "trigger")
BOUNDS = tuple(f"{role}_{edge}" for role in ROLES for edge in ("start", "end"))
SPEECH = tuple(f"{role}_speech_{edge}" for role in ROLES for edge in ("start", "end"))
REQUIRED = ("file", "command", "source", "field", "gap_ms", *BOUNDS)
NAMES = ("id", "condition", "context_field", "voice", "wearer", "bystander", "target", "tool")
OPTIONAL = (*NAMES, "split", "context_text", "trigger_text", *SPEECH)
FACTOR = "factor_"  # what the columns of further factors begin with
# Names that a condition has besides its factors'.
TAKEN = {*REQUIRED, *OPTIONAL, "name", "modality", "action"}
CHOICES = {"source": ("same", "different"), "target": ("call", "mute")}
MAX_ROWS = 1_000_000
MAX_GAP_MS = 3_600_000.0
TYPES = {bool: "true or false", int: "number", float: "number", str: "text", type(None): "null"}


@dataclass(frozen=True)
class TableRow:
    """One row: ``cells`` by column, ``""`` where nothing is told; numbers apart.

    ``times`` are seconds in the file, by column; ``factors`` are the levels of further factors.
    ``where`` is the place in the table, for errors.
    """

    where: str
    cells: Mapping[str, str]
    gap_ms: float
    times: Mapping[str, float]
    factors: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


def read_rows(table: Path) -> list[TableRow]:
    """Read the rows of a CSV with a header, or of JSON lines with the same keys.

    In JSON, numbers stand for the same text, and null for nothing. Raises :class:`InputError`,
    naming the row, for columns that are unknown or missing and for cells that hold anything but
    what is allowed in their column.
    """
    suffix = table.suffix.lower()
    if suffix not in (".csv", ".jsonl"):
        raise InputError(f"{table}: a table that ends with {quoted(suffix)}; allowed: .csv, .jsonl")
    rows: list[TableRow] = []
    for where, cells in csv_rows(table) if suffix == ".csv" else _json_rows(table):
        if len(rows) == MAX_ROWS:
            raise InputError(f"{where}: more rows than {MAX_ROWS}; allowed: up to that")
        row = _row(where, cells)
        if rows and sorted(row.factors) != sorted(rows[0].factors):
            raise InputError(
                f"{where}: factors {quoted(sorted(row.factors))}; "
                f"allowed: those of the first row, {quoted(sorted(rows[0].factors))}"
            )
        rows.append(row)
    if not rows:
        raise InputError(f"{table}: no rows; allowed: a row for each file")
    return rows


def _json_rows(table: Path) -> Iterator[tuple[str, dict[str, str]]]:
    for number, line in text_lines(table):
        where = f"{table}: row {number}"
        row = parse_json(line, where)
        if not isinstance(row, dict):
            raise InputError(f"{where}: found {quoted(row)}; allowed: an object")
        yield where, {key: _text(value, f"{where}: {key}") for key, value in row.items()}


def _text(value: object, where: str) -> str:
    if type(value) not in TYPES:
        raise InputError(f"{where} is {quoted(value)}; allowed: text, a number, true, false, null")
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _row(where: str, cells: Mapping[str, str]) -> TableRow:
    _check_columns(where, cells)
    for column, text in cells.items():
        if text != text.strip() and not column.endswith("_text"):
            raise InputError(f"{where}: {column} is {quoted(text)}; allowed: no space around it")
    for column in (*REQUIRED, *(name for name in cells if name.startswith(FACTOR))):
        if not cells[column]:
            raise InputError(f"{where}: {column} is empty; allowed: {_allowed(column)}")
    for column, allowed in CHOICES.items():
        if cells.get(column) and cells[column] not in allowed:
            raise InputError(
                f"{where}: {column} is {quoted(cells[column])}; allowed: {', '.join(allowed)}"
            )
    factors = {name.removeprefix(FACTOR): cells[name] for name in cells if name.startswith(FACTOR)}
    return TableRow(
        where,
        cells,
        _number(cells, "gap_ms", where, MAX_GAP_MS),
        {name: _number(cells, name, where) for name in (*BOUNDS, *SPEECH) if cells.get(name)},
        factors,
    )


def _check_columns(where: str, cells: Mapping[str, str]) -> None:
    factors = [name for name in cells if name.startswith(FACTOR) and name != FACTOR]
    if taken := [name for name in factors if name.removeprefix(FACTOR) in TAKEN]:
        raise InputError(f"{where}: column {quoted(taken[0])}; allowed: a name that is not taken")
    known = {*REQUIRED, *OPTIONAL, *factors}
    if unknown := [name for name in cells if name not in known]:
        raise InputError(
            f"{where}: unknown column {', '.join(map(quoted, unknown[:5]))}; "
            f"allowed: {', '.join((*REQUIRED, *OPTIONAL))} and {FACTOR}NAME"
        )
    if missing := [name for name in REQUIRED if name not in cells]:
        raise InputError(
            f"{where}: columns {', '.join(missing)} missing; allowed: {', '.join(REQUIRED)}"
        )


def _allowed(column: str) -> str:
    if column in BOUNDS:
        return "seconds, 0 or more"
    return ", ".join(CHOICES.get(column, ("text" if column != "gap_ms" else "milliseconds",)))


def _number(cells: Mapping[str, str], column: str, where: str, most: float = 1e9) -> float:
    text = cells[column]
    try:
        value = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not 0 <= value <= most:
        unit = "milliseconds" if column == "gap_ms" else "seconds"
        raise InputError(f"{where}: {column} is {quoted(text)}; allowed: {unit}, 0 or more")
    return value + 0.0  # no negative zero
