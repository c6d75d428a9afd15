"""Run all checks over a generated set, row by row and command by command."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from synthkit import dataset, manifest
from synthkit.audio import Pcm16
from synthkit.errors import SynthkitError
from synthkit.files import reason
from synthkit.manifest import Row
from synthkit.recipe import Recipe
from synthkit.soundfiles import read_bytes
from synthkit.verify.contrasts import contrast_faults
from synthkit.verify.findings import Fault, Report, Tolerances
from synthkit.verify.folder import (
    description_faults,
    file_faults,
    own_recipe,
    script_rows,
    slot_faults,
)
from synthkit.verify.rows import bed_level, row_faults
from synthkit.verify.samples import Readings, bed_faults, sample_faults
from synthkit.wav import pcm16_of

DEFAULT = Tolerances()


@dataclass
class _Seen:
    """What is counted and collected over the rows."""

    counts: dict[str, int]
    faulty: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    files: dict[str, str | None] = field(default_factory=dict)  # path -> sha256 found
    conditions: Counter[str] = field(default_factory=Counter)
    folders: dict[Path, bool] = field(default_factory=dict)

    def holds(self, inner: Path, folder: Path) -> bool:
        """Whether a folder that rows name lies in the set's; looked at once."""
        if inner not in self.folders:
            self.folders[inner] = inner.resolve().is_relative_to(folder.resolve())
        return self.folders[inner]


def verify(
    folder: Path,
    tolerances: Tolerances = DEFAULT,
    on_row: Callable[[], None] = lambda: None,
    manifest_file: Path | None = None,
) -> Report:
    """Check a generated set; every fault is reported, none is raised.

    Checked are each row (schema, target by the rule, voices, rooms, structure), its file (path,
    hash, format, length, levels, peaks, gap, segment hashes), the rows of a command against one
    another (all conditions there; texts, voices, bytes and windows equal where they should be),
    and the folder (counts, checksums, missing and extra files, the recipe and script it carries).
    The rows are those of ``manifest_file``, if that is not the folder's own.
    """
    faults: list[Fault] = []
    seen = _Seen(dict.fromkeys(("rows", "audio", "text", "segments", "gaps"), 0))
    description = _described(folder, faults)
    recipe = own_recipe(folder, faults)
    script = script_rows(recipe, faults)
    commands: set[str] = set()
    parsed = _rows(manifest_file or folder / manifest.MANIFEST, seen, faults, on_row)
    for command, group in groupby(parsed, key=lambda row: str(row["command"])):
        rows, readings = list(group), Readings()
        found = [Fault(command, "its rows stand apart")] if command in commands else []
        commands.add(command)
        for row in rows:
            level = bed_level(row, description) if description else None
            wrong = list(_faults_of(row, folder, seen, tolerances, level, readings))
            if description:
                wrong += row_faults(row, description)
            found += [Fault(row["id"], what) for what in wrong]
        if description:
            found += [Fault(*f) for f in contrast_faults(rows, description, script.get(command))]
        if script and command not in script:
            found.append(Fault(command, "no such command in the script"))
        seen.faulty |= {fault.where for fault in found} & {row["id"] for row in rows}
        faults += found
    faults += _whole_faults(description, recipe, seen)
    faults += file_faults(folder, seen.files)
    return Report(**seen.counts, faulty_rows=len(seen.faulty), faults=tuple(faults))


def _described(folder: Path, faults: list[Fault]) -> Mapping[str, Any] | None:
    try:
        return dataset.read_dataset(folder)
    except SynthkitError as error:
        faults.append(Fault(dataset.DATASET, str(error).removeprefix(f"{dataset.DATASET}: ")))
        return None


def _rows(
    path: Path, seen: _Seen, faults: list[Fault], on_row: Callable[[], None]
) -> Iterator[Row]:
    """Yield the rows that are rows; the others are faults."""
    try:
        for where, line in manifest.manifest_lines(path):
            seen.counts["rows"] += 1
            try:
                row = manifest.parse_row(line, where)
            except SynthkitError as error:
                faults.append(Fault(where, str(error).removeprefix(f"{where}: ")))
                seen.faulty.add(where)
            else:
                yield row
            on_row()
    except SynthkitError as error:
        faults.append(Fault(manifest.MANIFEST, str(error)))


def _faults_of(
    row: Row,
    folder: Path,
    seen: _Seen,
    tolerances: Tolerances,
    bed_dbfs: float | None,
    readings: Readings,
) -> Iterator[str]:
    """What is wrong with one row and its files; ``bed_dbfs`` is the level its bed should have."""
    seen.counts[row["modality"]] += 1
    seen.counts["segments"] += len(row["segments"])
    seen.counts["gaps"] += len(row["gaps"])
    seen.conditions[row["condition"]] += 1
    if row["id"].casefold() in seen.ids:
        yield "id stands twice"
    seen.ids.add(row["id"].casefold())
    if row["modality"] == "audio":
        try:
            yield from _file_faults(row, folder, seen, tolerances, bed_dbfs, readings)
        except (OSError, ValueError, RuntimeError) as error:  # no name for a file, a loop of links
            yield f"file cannot be read ({reason(error)})"


def _file_faults(
    row: Row,
    folder: Path,
    seen: _Seen,
    tolerances: Tolerances,
    bed_dbfs: float | None,
    readings: Readings,
) -> Iterator[str]:
    if row["file"] in seen.files:
        yield f"file {row['file']} is another row's too"
    found: list[str] = []
    opened = _opened(row, folder, seen, found)
    bed = _opened(row["bed"], folder, seen, found) if row["bed"] else None
    yield from found
    if bed:
        yield from bed_faults(*bed, row["sampling_rate"], bed_dbfs, tolerances)
    if opened and (bed or not row["bed"]):
        pcm, sampling_rate = opened
        yield from sample_faults(row, pcm, bed and bed[0], sampling_rate, tolerances, readings)


def _opened(file: Row, folder: Path, seen: _Seen, faults: list[str]) -> tuple[Pcm16, int] | None:
    """The samples and rate of a file that a row names, and their faults; None where it has none."""
    name, path = file["file"], folder / file["file"]
    seen.files.setdefault(name, None)
    if path.is_symlink() or not seen.holds(path.parent, folder):
        faults.append(f"file {name} leaves the set's folder or is a link")
        return None
    if not path.is_file():
        faults.append(f"file {name} is missing")
        return None
    try:
        content = read_bytes(path)
        found = seen.files[name] = hashlib.sha256(content).hexdigest()
        if found != file["sha256"]:
            faults.append(f"sha256 is {found[:12]}…; manifest: {file['sha256'][:12]}…")
        return pcm16_of(content, path.name)
    except SynthkitError as error:
        faults.append(str(error))
        return None


def _whole_faults(
    description: Mapping[str, Any] | None, recipe: Recipe | None, seen: _Seen
) -> Iterator[Fault]:
    if not seen.counts["rows"]:
        yield Fault(manifest.MANIFEST, "no rows: nothing was checked")
    if description is None:
        return
    for modality in ("audio", "text"):
        told, found = description["clips"][modality], seen.counts[modality]
        if told != found:
            yield Fault(dataset.DATASET, f"counts {told} {modality} rows; manifest: {found}")
    for failure in description["failed"]:
        yield Fault(failure["id"], f"was not made: {failure['reason']}")
        seen.conditions[failure["id"].rpartition("__")[2]] += 1
    yield from slot_faults(description, seen.conditions)
    yield from description_faults(description, recipe)
