"""The manifests that a folder may hold, and the segments that they tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from synthkit.dataset import DATASET
from synthkit.files import TEMPORARY_PREFIX, parse_json, read_text
from synthkit.manifest import MANIFEST as SET_MANIFEST
from synthkit.manifest import Row, read_manifest
from synthkit.measure.adopt import ADOPTED, KIND, read_adopted, told_segments
from synthkit.measure.file import MANIFEST, Told
from synthkit.measure.found import same_path
from synthkit.measure.segments import ToldSegment
from synthkit.recipe_copy import RECIPE


def is_set(folder: Path) -> bool:
    """Whether a folder is a generated set's: it holds two of manifest, description and recipe.

    A set that lost one of them is a set with a fault; other people have files of these names.
    """
    return sum((folder / name).is_file() for name in (SET_MANIFEST, DATASET, RECIPE)) >= 2


def is_unfinished(folder: Path) -> bool:
    """Whether a set was begun in a folder and has no manifest: cut short, or shards not merged."""
    marks = (folder.glob(f"{TEMPORARY_PREFIX}*"), folder.glob("shards/*.jsonl"))
    return (
        (folder / RECIPE).is_file()
        and not (folder / SET_MANIFEST).is_file()
        and any(any(found) for found in marks)
    )


def told_below(tops: Sequence[Path], files: Iterable[Path]) -> list[Path]:
    """The folders below ``tops`` that hold ``files`` and have a manifest, or will have one."""
    folders = {parent for file in files for parent in file.parents}
    below = sorted(folder for folder in folders if any(top in folder.parents for top in tops))
    return [f for f in below if is_set(f) or is_unfinished(f) or (f / ADOPTED).is_file()]


def is_adopted(path: Path) -> bool:
    """Whether a manifest is that of an adopted folder, by its first row.

    Raises :class:`InputError` for a file that cannot be read or whose first row is not JSON.
    """
    first = next((line for line in read_text(path).split("\n") if line.strip()), "{}")
    row = parse_json(first, f"{path}: row 1")
    return isinstance(row, dict) and row.get("kind") == KIND


def told_by_manifests(folders: Iterable[Path]) -> Told | None:
    """The segments of all files of those ``folders`` that have a manifest; None where none has.

    In a set a segment is its speech window. Raises :class:`InputError` for a manifest that is not
    valid.
    """
    by_file: dict[str, Sequence[ToldSegment]] = {}
    for folder in folders:
        if is_set(folder):
            for row in read_manifest(folder):
                if row["file"]:
                    by_file[same_path(folder / row["file"])] = _speech(row)
        elif (folder / ADOPTED).is_file():
            for row in read_adopted(folder / ADOPTED):
                by_file[same_path(folder / row["file"])] = told_segments(row)
    return Told(MANIFEST, by_file) if by_file else None


def _speech(row: Row) -> list[ToldSegment]:
    """The speech windows of a set's row."""
    rate = row["sampling_rate"]
    return [
        ToldSegment(
            segment["speech_start"] / rate,
            segment["speech_end"] / rate,
            segment["role"],
            f"{SET_MANIFEST}: {row['id']}",
        )
        for segment in row["segments"]
    ]
