"""Match: which recording is of which prompt, by name or by a table; nothing is guessed."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synthkit.csvrows import csv_rows
from synthkit.errors import InputError, quoted
from synthkit.files import below
from synthkit.measure.found import files_below, is_sound, same_path, shown
from synthkit.scripts.prompts import Prompt

COLUMNS = ("file", "id")


@dataclass(frozen=True)
class Matches:
    """The files of each prompt, by id: none, one, or several of which nobody can tell which is it.

    ``unmatched`` are the files that are of no prompt; ``notes`` tell what was not looked into.
    """

    by_id: Mapping[str, tuple[Path, ...]]
    unmatched: tuple[Path, ...]
    notes: tuple[str, ...]


def match(
    folder: Path, prompts: Sequence[Prompt], table: Path | None, beside: Iterable[Path]
) -> Matches:
    """Match the files of ``folder`` to ``prompts``.

    A prompt is that of the file the ``table`` says. Of any other, a file that no row names is its
    recording if the name without its ending is the prompt's id, upper or lower case. Files whose
    ending is no sound file's are looked at where there is no other. ``beside`` are files that may
    lie there and are no recordings, such as the table itself.
    """
    notes: list[str] = []
    others = {same_path(path) for path in beside}
    files = [f for f in files_below(folder, notes, any_kind=True) if same_path(f) not in others]
    told = read_table(table, folder, prompts) if table else {}
    named = {same_path(path) for path in told.values()}
    by_name: dict[str, list[Path]] = {}
    for path in files:
        if same_path(path) not in named:
            by_name.setdefault(path.stem.casefold(), []).append(path)
    by_id: dict[str, tuple[Path, ...]] = {}
    for prompt in prompts:
        if prompt.id in told:
            by_id[prompt.id] = (told[prompt.id],)
            continue
        found = by_name.get(prompt.id.casefold(), [])
        sounds = [path for path in found if is_sound(path.name)]
        by_id[prompt.id] = tuple(sounds or found)
    used = {same_path(path) for paths in by_id.values() for path in paths}
    unmatched = tuple(path for path in files if same_path(path) not in used)
    return Matches(by_id, unmatched, tuple(note_below(folder, note) for note in notes))


def note_below(folder: Path, note: str) -> str:
    """A note without the place of the folder, which is no fact about the recordings."""
    return shown(Path(note.replace(f"{folder}{os.sep}", "")))


def read_table(table: Path, folder: Path, prompts: Sequence[Prompt]) -> dict[str, Path]:
    """Read which file is of which prompt: columns ``file`` and ``id``, others are left out.

    A file's name is relative to the table or to ``folder``. Raises :class:`InputError` naming the
    row for a file that is not there or not in ``folder``, for one that may be another, for an id
    that no prompt has, and for a file or an id that stands twice.
    """
    ids = {prompt.id.casefold(): prompt.id for prompt in prompts}
    found: dict[str, Path] = {}
    rows: dict[tuple[str, str], str] = {}
    for where, cells in csv_rows(table):
        if missing := [name for name in COLUMNS if name not in cells]:
            raise InputError(
                f"{where}: columns {', '.join(missing)} missing; allowed: {', '.join(COLUMNS)}"
            )
        id_ = ids.get(cells["id"].casefold())
        if id_ is None:
            raise InputError(f"{where}: id {quoted(cells['id'])}; allowed: a prompt of the script")
        path = _file(cells["file"], dict.fromkeys((table.parent, folder)), folder, where)
        for column, key in (("id", id_), ("file", same_path(path))):
            if (first := rows.setdefault((column, key), where)) != where:
                raise InputError(
                    f"{where}: {column} {quoted(cells[column])} stands in "
                    f"{first.rpartition(': ')[2]} too; allowed: once"
                )
        found[id_] = path
    if not found:
        raise InputError(f"{table}: no rows; allowed: one or more")
    return found


def _file(name: str, bases: Collection[Path], folder: Path, where: str) -> Path:
    """The file of ``folder`` that a name in a table means; no path in a file is trusted."""
    if not name or "\0" in name or Path(name).is_absolute():
        raise InputError(f"{where}: file {quoted(name)}; allowed: a path relative to the folder")
    paths = {same_path(base / name): base / name for base in bases}
    there = {key: path for key, path in paths.items() if _is_file(path)}
    if not there:
        raise InputError(f"{where}: file {quoted(name)} is not there")
    top = Path(same_path(folder))
    inner = [Path(key) for key in there if Path(key).is_relative_to(top)]
    if not inner:
        raise InputError(
            f"{where}: file {quoted(name)} leaves the folder of the recordings; "
            "allowed: files below it"
        )
    if len(inner) > 1:
        raise InputError(f"{where}: file {quoted(name)} is there twice, beside the table too")
    try:
        return below(folder, inner[0].relative_to(top).as_posix())
    except InputError as error:
        raise InputError(f"{where}: file {quoted(name)}: {error}") from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long
        return False
