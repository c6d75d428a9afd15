"""Items: what a split deals with, whether commands, clips of a set or rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit import schemas
from synthkit.csvrows import csv_rows
from synthkit.errors import InputError, quoted
from synthkit.files import parse_json, sha256_file, text_lines
from synthkit.manifest import manifest_lines, parse_row
from synthkit.scripts.commands import Command
from synthkit.scripts.paths import fold_path
from synthkit.scripts.texts import fold_text

AXES = ("command", "voice", "tool", "room", "family")


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that goes into a part or is dropped.

    ``values`` are its groups by axis, none where it has nothing there (a dry clip has no room).
    ``text`` is what is commanded, or all that is said, folded; ``context`` what is said before.
    ``audio`` tells its recording from others: the file's path and hash.
    """

    id: str
    values: Mapping[str, frozenset[str]]
    text: str | None = None
    context: str | None = None
    audio: frozenset[str] = frozenset()


def of_commands(commands: Iterable[Command], by: Sequence[str]) -> tuple[Item, ...]:
    """The commands of a script; they have no voice and no room yet."""
    for axis in by:
        if axis not in ("command", "tool", "family"):
            raise InputError(f"--by {axis}: allowed for a script: command, tool, family")
    items = []
    for command in commands:
        if "family" in by and command.family is None:
            raise InputError(f"--by family: command {command.id} has no family; allowed: all have")
        told = {"command": command.id, "tool": command.tool, "family": command.family}
        items.append(
            Item(
                command.id,
                {axis: frozenset([value]) for axis, value in told.items() if value},
                fold_text(command.trigger),
                fold_text(command.context),
            )
        )
    return tuple(items)


def of_set(path: Path, by: Sequence[str], commands: Sequence[Command] = ()) -> tuple[Item, ...]:
    """The rows of a set's manifest, clips and text rows; families are those of ``commands``.

    Raises :class:`InputError` for a row that is not valid, an id that stands twice, and a
    command whose family is asked for and not told.
    """
    families = {command.id: command.family for command in commands}
    items = []
    for where, line in manifest_lines(path):
        row = parse_row(line, where)
        family = families.get(row["command"])
        if "family" in by and family is None:
            raise InputError(
                f"{where}: command {quoted(row['command'])}: no family is told; "
                "allowed: --scripts with a script that tells it"
            )
        items.append(_clip(row, family))
    return _distinct(items, path)


def _clip(row: Mapping[str, Any], family: str | None) -> Item:
    segments = row["segments"]
    values = {
        "command": {row["command"]},
        "tool": {row["tool"]},
        "family": {family} - {None},
        "voice": {segment["voice"] for segment in segments},
        "room": {segment["room"]["id"] for segment in segments if segment["room"]},
    }
    return Item(
        row["id"],
        {axis: frozenset(map(str, found)) for axis, found in values.items() if found},
        fold_text(row["texts"]["trigger"]),
        fold_text(row["texts"]["context"]),
        frozenset({f"file {row['file']}", f"sha256 {row['sha256']}"} if row["file"] else ()),
    )


def of_table(path: Path, by: Sequence[str], files: Path) -> tuple[tuple[Item, ...], int]:
    """The rows of a JSONL or CSV table of recordings, and of how many no hash is known.

    A row has ``file`` or ``id``, and what is asked for: ``voice``, ``tool``, ``room``,
    ``family``; for the axis command ``text``, ``command`` or both. ``sha256``, where it is not
    told, is read from files in the folder ``files``, to which paths are relative.
    Raises :class:`InputError` naming row and field.
    """
    root = Path(fold_path(files, "."))
    items, unhashed = [], 0
    for where, row in _rows(path):
        schemas.check(row, "split-item", where)
        assert isinstance(row, dict)
        values = {axis: _names(row[axis]) for axis in AXES if axis in row}
        text = fold_text(row["text"]) if "text" in row else None
        for axis in by:
            if axis not in values and not (axis == "command" and text):
                needed = "text or command" if axis == "command" else axis
                raise InputError(f"{where}: field {needed}: nothing found; needed by --by {axis}")
        audio = {f"sha256 {row['sha256'].lower()}"} if "sha256" in row else set()
        if "file" in row:
            whole = Path(fold_path(files, row["file"]))
            if not audio and whole.is_relative_to(root) and _is_file(whole):
                audio.add(f"sha256 {sha256_file(whole)}")
            unhashed += not audio
            audio.add(f"file {whole}")
        items.append(
            Item(row["id"] if "id" in row else row["file"], values, text, None, frozenset(audio))
        )
    return _distinct(items, path), unhashed


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, a NUL
        return False


def _names(value: str | list[str]) -> frozenset[str]:
    return frozenset(name.strip() for name in ([value] if isinstance(value, str) else value))


def _rows(path: Path) -> Iterator[tuple[str, object]]:
    if path.suffix.lower() == ".csv":
        for where, cells in csv_rows(path):
            yield where, {name: cell for name, cell in cells.items() if cell}
        return
    for number, line in text_lines(path):
        where = f"{path}: row {number}"
        yield where, parse_json(line, where)


def _distinct(items: Sequence[Item], path: Path) -> tuple[Item, ...]:
    seen = set()
    for item in items:
        if item.id in seen:
            raise InputError(f"{path}: id {quoted(item.id)} stands twice; allowed: once")
        seen.add(item.id)
    if not items:
        raise InputError(f"{path}: no rows; allowed: one or more")
    return tuple(items)


def kind_of(path: Path) -> tuple[str, Path]:
    """Whether a file is a ``script``, a ``set``'s manifest or a ``table``, and its path.

    A folder stands for the manifest in it. Raises :class:`InputError` for talk, which has one
    speaker a script and no such axes, and for a folder without a manifest.
    """
    if path.is_dir():
        path = path / "manifest.jsonl"
        if not path.is_file():
            raise InputError(f"{path}: not there; allowed: a set that `synthkit generate` made")
    if path.suffix.lower() == ".csv":
        first: object = next((cells for _, cells in csv_rows(path)), None)
    else:
        first = next((row for _, row in _rows(path)), None)
    columns = first.keys() if isinstance(first, dict) else set()
    if "utterances" in columns:
        raise InputError(f"{path}: a script of talk; allowed: a script of commands, a set, a table")
    if {"condition", "segments"} <= columns:
        return "set", path
    return ("script" if {"context", "trigger"} <= columns else "table"), path
