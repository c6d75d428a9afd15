"""Adopt: a manifest for sound files that have none, so that they can be verified ever after."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from synthkit import schemas
from synthkit.errors import AudioError, InputError, quoted
from synthkit.files import below, jsonl_bytes, parse_json, read_text, sha256_file, write_bytes
from synthkit.ids import check_id
from synthkit.measure.file import Measured
from synthkit.measure.segments import ToldSegment

ADOPTED = "adopted.jsonl"
KIND = "adopted"
SCHEMA_VERSION = 1
ID_LENGTH, HASH_LENGTH = 64, 16  # of ten thousand names in another script, no two may meet

Row = dict[str, Any]


def check_place(folder: Path, again: bool) -> None:
    """Refuse a folder whose ``adopted.jsonl`` would be overwritten: never somebody else's."""
    path = folder / ADOPTED
    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder; allowed: the folder of the sound files")
    if not (path.exists() or path.is_symlink()):
        return
    if path.is_symlink() or not path.is_file():
        raise InputError(f"{path}: in the way, and not a file of ours")
    try:
        rows = list(read_adopted(path))
    except InputError as error:
        raise InputError(f"{path}: in the way, and not a manifest of ours ({error})") from None
    if not again:
        raise InputError(
            f"{folder}: adopted already, {len(rows)} files; allowed: `synthkit verify`, "
            "or --again to measure all anew"
        )


def adoptable_name(folder: Path, path: Path) -> str:
    """The name that ``path`` has in the manifest of ``folder``: relative, with /.

    Raises :class:`AudioError` for links that leave the folder, and for names that JSON cannot
    hold or that mean something else on other systems.
    """
    name = path.relative_to(folder).as_posix()
    if any("\ud800" <= character <= "\udfff" for character in name):
        raise AudioError("its name is not valid Unicode; allowed: any name that is")
    if "\\" in name:
        raise AudioError("a backslash in its name parts folders on other systems")
    try:
        below(folder, name)
    except InputError as error:
        raise AudioError(str(error)) from None
    return name


def adopted_rows(folder: Path, measured: Sequence[Measured]) -> list[Row]:
    """The manifest's rows of measurements whose files are named relative to ``folder``."""
    stems = Counter(_stem(one.file).casefold() for one in measured)
    return [
        {
            "schema_version": SCHEMA_VERSION,
            "kind": KIND,
            "id": _id(one.file, stems),
            "sha256": sha256_file(folder / one.file),
            **one.describe(),
        }
        for one in measured
    ]


def write_adopted(folder: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write the manifest atomically and return its path."""
    path = folder / ADOPTED
    write_bytes(path, jsonl_bytes(rows))
    return path


def read_adopted(path: Path) -> Iterator[Row]:
    """Yield the rows of an adopted folder's manifest; :class:`InputError` for one not valid.

    A file or an id that stands twice is not.
    """
    seen: dict[tuple[str, str], str] = {}
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path.name}: row {number}"
        row = parse_json(line, where)
        schemas.check(row, "adopted", where)
        assert isinstance(row, dict)
        for field, value in (("id", row["id"].casefold()), ("file", row["file"])):
            if (first := seen.setdefault((field, value), where)) != where:
                raise InputError(f"{where}: {field} {quoted(row[field])} stands in {first} too")
        yield row
    if not seen:
        raise InputError(f"{path.name}: no rows")


def told_segments(row: Mapping[str, Any]) -> list[ToldSegment]:
    """The segments of a row as they are told of any file."""
    rate = row["sampling_rate"]
    return [
        ToldSegment(part["start"] / rate, part["end"] / rate, part["role"], f"segment {number}")
        for number, part in enumerate(row["segments"], start=1)
    ]


def _stem(file: str) -> str:
    return file.rpartition(".")[0] or file


def _id(file: str, stems: Mapping[str, int]) -> str:
    """The file's name without its ending if that is a safe id and nobody else's.

    Otherwise what is safe of it, and a hash of the whole that keeps it apart.
    """
    stem = _stem(file)
    try:
        if stems[stem.casefold()] == 1:
            return check_id(stem, file)
    except InputError:
        pass
    safe = re.sub(r"[^A-Za-z0-9_-]+", "_", stem).strip("_-") or "file"
    mark = hashlib.sha256(file.encode()).hexdigest()[:HASH_LENGTH]
    return f"{safe[: ID_LENGTH - HASH_LENGTH - 1]}-{mark}"
