"""Scripts: the commands of a set, read from JSONL or CSV and checked row by row."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from synthkit import schemas
from synthkit.csvrows import csv_rows
from synthkit.errors import InputError, quoted
from synthkit.files import jsonl_bytes, parse_json, text_lines
from synthkit.ids import check_command_id
from synthkit.speech.text import check_text

DEFAULT_LANGUAGE = "en-US"
TEXT_FIELDS = ("context", "trigger")
INTERNED = {"tool", "language", "family", "split"}


@dataclass(frozen=True, slots=True)
class Command:
    """One script: what is said before, what is commanded, and the tool call it stands for.

    ``family`` is the template that it was generated from, ``split`` the part it was put in.
    """

    id: str
    tool: str
    context: str
    trigger: str
    params: Mapping[str, object] = field(default_factory=dict)
    language: str = DEFAULT_LANGUAGE
    family: str | None = None
    split: str | None = None

    def text(self, role: str) -> str:
        """The words of ``role``, context or trigger."""
        return self.context if role == "context" else self.trigger

    def describe(self) -> dict[str, object]:
        """The command as one row of a script, without what it does not have."""
        row = dataclasses.asdict(self)
        return {name: value for name, value in row.items() if value is not None}


def read_scripts(path: Path) -> tuple[Command, ...]:
    """Read a ``.jsonl`` or ``.csv`` script.

    A byte-order mark, CRLF and blank lines are accepted. Raises :class:`InputError` naming
    file, row, field, what was found and what is allowed; no row is dropped or renamed.
    """
    commands: list[Command] = []
    seen: set[str] = set()
    for where, row in _rows(path):
        schemas.check(row, "command", where)
        assert isinstance(row, dict)
        # Of names that come again and again, one string is kept.
        for name in INTERNED & row.keys():
            row[name] = sys.intern(row[name])
        command = Command(**row)
        check_command_id(command.id, where)
        for name in TEXT_FIELDS:
            check_text(row[name], command.language, f"{where}: field {name}")
        if command.id.casefold() in seen:
            raise InputError(
                f"{where}: field id: found {quoted(command.id)}, which "
                f"{_first_of(command.id, path)} has too; allowed: ids that differ in more than case"
            )
        seen.add(command.id.casefold())
        commands.append(command)
    if not commands:
        raise InputError(f"{path}: no commands; allowed: one row or more")
    return tuple(commands)


def script_bytes(commands: Iterable[Command]) -> bytes:
    """The commands as a script in JSONL, which :func:`read_scripts` reads back."""
    return jsonl_bytes(command.describe() for command in commands)


def _rows(path: Path) -> Iterator[tuple[str, object]]:
    return _csv_rows(path) if path.suffix.lower() == ".csv" else _jsonl_rows(path)


def _first_of(id_: str, path: Path) -> str:
    """The place of the first row with an id like this: looked for where it is asked for."""
    return next(
        where
        for where, row in _rows(path)
        if isinstance(row, dict) and str(row["id"]).casefold() == id_.casefold()
    )


def _jsonl_rows(path: Path) -> Iterator[tuple[str, object]]:
    for number, line in text_lines(path):
        where = f"{path}: row {number}"
        yield where, parse_json(line, where)


def _csv_rows(path: Path) -> Iterator[tuple[str, object]]:
    for where, cells in csv_rows(path):
        yield where, _from_cells(cells, where)


def _from_cells(values: Mapping[str, str], where: str) -> dict[str, object]:
    """A row's cells, every one text as written; ``params`` holds JSON, empty options are absent."""
    row: dict[str, object] = {k: v for k, v in values.items() if v or k in ("id", *TEXT_FIELDS)}
    if "params" in row:
        row["params"] = parse_json(values["params"], f"{where}: field params")
    return row
