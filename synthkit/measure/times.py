"""Told segments: a CSV of times for files that have no manifest."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from synthkit.csvrows import csv_rows
from synthkit.errors import InputError, quoted
from synthkit.measure.file import TIMES, Told
from synthkit.measure.found import same_path
from synthkit.measure.segments import ToldSegment

COLUMNS = ("file", "start", "end")
ROLES = ("role", "label")


def read_times(path: Path, files: Collection[Path], folders: Sequence[Path]) -> Told:
    """Read the segments of ``files``.

    Columns are ``file``, ``start`` and ``end`` in seconds, and ``role`` or ``label`` if there is
    one. A file's name is relative to the CSV or to one of ``folders``. Rows of other files are
    left out. Raises :class:`InputError` for files that are not there, for times that are not in
    order or overlap, for a name that means two of ``files``, and where no row is of one of them.
    """
    wanted = {same_path(file) for file in files}
    found: dict[str, list[ToldSegment]] = {}
    for where, cells in csv_rows(path):
        if missing := [name for name in COLUMNS if name not in cells]:
            raise InputError(
                f"{where}: columns {', '.join(missing)} missing; "
                f"allowed: {', '.join(COLUMNS)} and {' or '.join(ROLES)}"
            )
        key = _file(cells["file"], [path.parent, *folders], wanted, where)
        start, end = (_seconds(cells, column, where) for column in ("start", "end"))
        if not start < end:
            raise InputError(f"{where}: {start:g} to {end:g} s; allowed: an end after the start")
        role = next((cells[name] for name in ROLES if cells.get(name)), None)
        if key is not None:
            found.setdefault(key, []).append(ToldSegment(start, end, role, where))
    if not found:
        raise InputError(f"{path}: no row is of a file that is measured")
    return Told(TIMES, {key: _ordered(told) for key, told in found.items()})


def _file(name: str, bases: Sequence[Path], wanted: Collection[str], where: str) -> str | None:
    """The file that a name means; None where it is there and nobody asked for it."""
    if not name or "\0" in name:
        raise InputError(f"{where}: file {quoted(name)}; allowed: the name of a file")
    keys = dict.fromkeys(same_path(base / name) for base in bases)
    means = [key for key in keys if key in wanted]
    if len(means) > 1:
        raise InputError(f"{where}: file {quoted(name)} may be {quoted(means[0])} or another")
    if not means and not any(_is_file(Path(key)) for key in keys):
        raise InputError(f"{where}: file {quoted(name)} is not there")
    return means[0] if means else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long
        return False


def _seconds(cells: Mapping[str, str], column: str, where: str) -> float:
    try:
        value = float(cells[column])
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise InputError(
            f"{where}: {column} is {quoted(cells[column])}; allowed: seconds, 0 or more"
        )
    return value


def _ordered(told: list[ToldSegment]) -> tuple[ToldSegment, ...]:
    ordered = sorted(told, key=lambda one: (one.start, one.end))
    for before, after in pairwise(ordered):
        if after.start < before.end:
            raise InputError(
                f"{after.where}: starts at {after.start:g} s, before the segment of "
                f"{before.where.rpartition(': ')[2]} ends; allowed: one after another"
            )
    return tuple(ordered)
