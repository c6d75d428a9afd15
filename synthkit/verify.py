"""Verify: a set's files against its manifest; nothing is taken from the run that made it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synthkit import dataset, manifest
from synthkit.checks import Tolerances, audio_faults
from synthkit.errors import SynthkitError
from synthkit.files import sha256_file
from synthkit.grids import calls
from synthkit.manifest import Row
from synthkit.recipe_copy import RECIPE_FOLDER
from synthkit.sums import SUMS, data_files, read_sums
from synthkit.wav import read_pcm16

SOUND_SUFFIXES = {".wav", ".flac", ".ogg", ".mp3", ".aiff", ".aif", ".opus", ".w64", ".rf64"}


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: which row or file, and what in one line."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True)
class Report:
    """What was checked and what was found; rows are good or faulty, and together all."""

    rows: int
    audio: int
    text: int
    segments: int
    gaps: int
    faulty_rows: int
    faults: tuple[Fault, ...]

    @property
    def good(self) -> bool:
        """Whether something was checked and nothing was wrong."""
        return self.rows > 0 and not self.faults

    def describe(self) -> dict[str, Any]:
        return {
            "good": self.good,
            "rows": self.rows,
            "good_rows": self.rows - self.faulty_rows,
            "faulty_rows": self.faulty_rows,
            "audio": self.audio,
            "text": self.text,
            "segments": self.segments,
            "gaps": self.gaps,
            "faults": [{"where": f.where, "what": f.what} for f in self.faults],
        }


@dataclass
class _Seen:
    """What rows have to agree on with one another."""

    ids: set[str] = field(default_factory=set)
    files: dict[str, str] = field(default_factory=dict)  # path -> sha256 found
    segments: dict[str, str] = field(default_factory=dict)  # segment key -> pcm_sha256


def verify(
    folder: Path,
    tolerances: Tolerances = Tolerances(),  # noqa: B008 (frozen)
    on_row: Callable[[], None] = lambda: None,
) -> Report:
    """Check a generated set; every fault is reported, none is raised.

    Checked: both schemas, ids, targets by the rule, paths, hashes, format, length, speech
    level, peaks, gaps (digital silence at the recorded places), segment hashes, equal
    segments where keys are equal, counts, checksums, missing and extra files.
    """
    faults: list[Fault] = []
    counts = dict.fromkeys(("rows", "audio", "text", "segments", "gaps", "faulty_rows"), 0)
    description = _described(folder, faults)
    seen = _Seen()
    for where, line in _lines(folder, faults):
        counts["rows"] += 1
        found = _row_faults(line, where, folder, description, seen, tolerances, counts)
        counts["faulty_rows"] += bool(found)
        faults += found
        on_row()
    faults += _set_faults(folder, description, counts, seen)
    if not counts["rows"]:
        faults.append(Fault(manifest.MANIFEST, "no rows: nothing was checked"))
    return Report(**counts, faults=tuple(faults))


def _described(folder: Path, faults: list[Fault]) -> Mapping[str, Any] | None:
    try:
        return dataset.read_dataset(folder)
    except SynthkitError as error:
        faults.append(Fault(dataset.DATASET, str(error).removeprefix(f"{dataset.DATASET}: ")))
        return None


def _lines(folder: Path, faults: list[Fault]) -> Iterator[tuple[str, str]]:
    try:
        yield from manifest.manifest_lines(folder)
    except SynthkitError as error:
        faults.append(Fault(manifest.MANIFEST, str(error)))


def _row_faults(
    line: str,
    where: str,
    folder: Path,
    description: Mapping[str, Any] | None,
    seen: _Seen,
    tolerances: Tolerances,
    counts: dict[str, int],
) -> list[Fault]:
    try:
        row = manifest.parse_row(line, where)
    except SynthkitError as error:
        return [Fault(where, str(error).removeprefix(f"{where}: "))]
    counts[row["modality"]] += 1
    counts["segments"] += len(row["segments"])
    counts["gaps"] += len(row["gaps"])
    what = [*_identity_faults(row, seen), *_rule_faults(row, description)]
    if row["modality"] == "audio":
        what += _file_faults(row, folder, seen, tolerances)
    return [Fault(row["id"], fault) for fault in what]


def _identity_faults(row: Row, seen: _Seen) -> Iterator[str]:
    if row["id"] != f"{row['command']}__{row['condition']}":
        yield f"id is not {row['command']}__{row['condition']}"
    if row["id"].casefold() in seen.ids:
        yield "id stands twice"
    seen.ids.add(row["id"].casefold())


def _rule_faults(row: Row, description: Mapping[str, Any] | None) -> Iterator[str]:
    """Whether condition, factors and target are the grid's and the rule's."""
    if description is None:
        return
    grid = description["grid"]
    condition = next((c for c in grid["conditions"] if c["name"] == row["condition"]), None)
    if condition is None:
        yield f"condition {row['condition']} is not one of the grid"
        return
    for name, level in row["factors"].items():
        if level != condition[name]:
            yield f"factor {name} is {level}; allowed in this condition: {condition[name]}"
    text = row["modality"] == "text"
    call = text or calls(grid["rule"]["call_at"], row["factors"])
    wanted = "call" if call else "mute"
    if row["target"]["action"] != wanted:
        yield f"target is {row['target']['action']}; allowed by the rule: {wanted}"
    elif call and row["target"]["name"] != row["tool"]:
        yield f"target calls {row['target']['name']}; allowed: {row['tool']}"
    for segment in row["segments"]:
        other = row["factors"]["source"] == "different" and segment["role"] == "trigger"
        speaker = "bystander" if other else "wearer"
        of_field = condition["field" if segment["role"] == "trigger" else "context_field"]
        found = segment["speaker"], segment["voice"], segment["field"]
        if found != (speaker, row[speaker], of_field):
            yield f"{segment['role']} is {found}; allowed: {(speaker, row[speaker], of_field)}"


def _file_faults(row: Row, folder: Path, seen: _Seen, tolerances: Tolerances) -> Iterator[str]:
    path = folder / row["file"]
    if row["file"] in seen.files:
        yield f"file {row['file']} is another row's too"
    seen.files[row["file"]] = ""
    if not path.resolve().is_relative_to(folder.resolve()) or path.is_symlink():
        yield f"file {row['file']} leaves the set's folder or is a link"
        return
    if not path.is_file():
        yield f"file {row['file']} is missing"
        return
    seen.files[row["file"]] = sha256_file(path)
    if seen.files[row["file"]] != row["sha256"]:
        yield f"sha256 is {seen.files[row['file']][:12]}…; manifest: {row['sha256'][:12]}…"
    try:
        pcm, sampling_rate = read_pcm16(path)
    except SynthkitError as error:
        yield str(error)
        return
    yield from audio_faults(row, pcm, sampling_rate, tolerances)
    for segment in row["segments"]:
        same = seen.segments.setdefault(segment["segment_key"], segment["pcm_sha256"])
        if same != segment["pcm_sha256"]:
            yield f"{segment['role']} differs from another with the same segment_key"


def _set_faults(
    folder: Path, description: Mapping[str, Any] | None, counts: Mapping[str, int], seen: _Seen
) -> Iterator[Fault]:
    """What is wrong with the set as a whole."""
    if description is not None:
        told = description["clips"]
        for modality in ("audio", "text"):
            if told[modality] != counts[modality]:
                what = f"counts {told[modality]} {modality} rows; manifest: {counts[modality]}"
                yield Fault(dataset.DATASET, what)
        if told["planned"] != told["audio"] + told["text"] + told["failed"]:
            yield Fault(dataset.DATASET, "planned clips are not audio + text + failed")
        for failure in description["failed"]:
            yield Fault(failure["id"], f"was not made: {failure['reason']}")
    for name in data_files(folder):
        sound = Path(name).suffix.lower() in SOUND_SUFFIXES or name.startswith("audio/")
        if sound and name not in seen.files and not name.startswith(RECIPE_FOLDER):
            yield Fault(name, "extra file: no row names it")
    yield from _sum_faults(folder, seen)


def _sum_faults(folder: Path, seen: _Seen) -> Iterator[Fault]:
    try:
        sums = read_sums(folder)
    except SynthkitError as error:
        yield Fault(SUMS, str(error).removeprefix(f"{SUMS}: "))
        return
    present = set(data_files(folder))
    for name, wanted in sums.items():
        if name not in present:
            yield Fault(name, f"missing, which {SUMS} lists")
        elif (seen.files.get(name) or sha256_file(folder / name)) != wanted:
            yield Fault(name, f"sha256 differs from {SUMS}")
    for name in sorted(set(seen.files) - set(sums)):
        yield Fault(name, f"not listed in {SUMS}")
