"""Compose: families of items into one benchmark, a row for each input that a model gets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit import grids, schemas
from synthkit.errors import InputError, quoted
from synthkit.files import below, jsonl_bytes, read_toml, reason, sha256_file, write_new
from synthkit.importing.items import ITEMS, RETAINED, read_items
from synthkit.manifest import MANIFEST, manifest_lines, parse_row

SCHEMA_VERSION = 1
SWITCH, TALK = "switch", ("side_talk", "self_talk")
FAMILIES = (SWITCH, *TALK)
PAIRS = "pair"  # the grid of speaker-switch pairs
RECORDING = "recording"  # the one condition of an item that is a recording

Row = dict[str, Any]


@dataclass(frozen=True)
class Benchmark:
    """A recipe of a benchmark: its name, and of each family the folder that holds its items."""

    name: str
    folders: Mapping[str, Path]


@dataclass(frozen=True)
class Count:
    """How many items and inputs a family has, and how many of the items are stand-ins."""

    family: str
    items: int
    inputs: int
    stand_ins: int


def read_benchmark(path: Path) -> Benchmark:
    """Read a recipe; folders are relative to it. Raises :class:`InputError`."""
    values: Any = read_toml(path)
    schemas.check(values, "benchmark", str(path))
    folders = {family: path.parent / values[family] for family in FAMILIES}
    for family, folder in folders.items():
        holds = MANIFEST if family == SWITCH else ITEMS
        if not (folder / holds).is_file():
            raise InputError(
                f"{path}: field {family}: {quoted(values[family])} holds no {holds}; allowed: "
                + ("a set that was generated" if family == SWITCH else "a folder that was imported")
            )
    return Benchmark(values["name"], folders)


def compose(benchmark: Benchmark) -> tuple[Row, ...]:
    """The rows of all families, each in the order of its own manifest.

    Of what was imported only retained items count. A row's file is relative to its family's
    folder. Raises :class:`InputError` for a file that is not there, leaves its folder or is not
    what its manifest says, for a pair that lacks a condition, for an item that is of another
    family, and for an id that stands twice, in whatever families.
    """
    rows: list[Row] = []
    seen: dict[str, str] = {}
    for family, folder in benchmark.folders.items():
        made = _switch(folder) if family == SWITCH else _talk(family, folder)
        for row in made:
            where = f"{family}: {row['id']}"
            if (first := seen.setdefault(row["id"].casefold(), family)) != family:
                raise InputError(f"{where}: {first} has that id too; allowed: ids of one family")
            _check_file(row, folder, where)
            rows.append(row)
    return tuple(rows)


def _switch(folder: Path) -> Iterator[Row]:
    """The clips of a set of pairs; every command has all conditions of a pair."""
    wanted = {condition.name for condition in grids.named(PAIRS).conditions}
    found: dict[str, set[str]] = {}
    for where, line in manifest_lines(folder / MANIFEST):
        clip = parse_row(line, where)
        conditions = found.setdefault(clip["command"], set())
        if clip["condition"] not in wanted or clip["condition"] in conditions:
            raise InputError(
                f"{SWITCH}: {where}: condition {clip['condition']} of {clip['command']}; "
                f"allowed: {', '.join(sorted(wanted))}, each once"
            )
        conditions.add(clip["condition"])
        yield _row(SWITCH, clip["command"], clip["condition"], clip)
    for command, conditions in found.items():
        if missing := sorted(wanted - conditions):
            raise InputError(
                f"{SWITCH}: {command} lacks {', '.join(missing)}; allowed: whole pairs"
            )
    if not found:
        raise InputError(f"{SWITCH}: {MANIFEST}: no rows; allowed: one or more")


def _talk(family: str, folder: Path) -> Iterator[Row]:
    """The retained recordings of an imported folder."""
    retained = [item for item in read_items(folder) if item["status"] == RETAINED]
    if not retained:
        raise InputError(f"{family}: {ITEMS}: no item is retained; allowed: one or more")
    for item in retained:
        if item["family"] != family or item["target"] is None:
            raise InputError(
                f"{family}: {item['id']}: found an item of {item['family']}; "
                f"allowed: {family}, with a target"
            )
        schemas.check(item["target"], "target", f"{family}: {item['id']}: field target")
        yield _row(family, item["item"], RECORDING, item)


def _row(family: str, item: str, condition: str, made: Mapping[str, Any]) -> Row:
    text_only = family == SWITCH and made["modality"] == "text"
    return {
        "schema_version": SCHEMA_VERSION,
        "id": made["id"],
        "family": family,
        "item": item,
        "condition": condition,
        "configuration": made.get("configuration"),
        "modality": "text" if text_only else "audio",
        "texts": made["texts"] if text_only else None,
        "file": made["file"],
        "sha256": made["sha256"],
        "target": made["target"],
        "stand_in": made.get("stand_in", False),
    }


def _check_file(row: Row, folder: Path, where: str) -> None:
    if row["modality"] == "text":
        return
    try:
        found = sha256_file(below(folder, row["file"]))
    except InputError as error:
        raise InputError(f"{where}: file {quoted(row['file'])}: {error}") from None
    except OSError as error:
        raise InputError(
            f"{where}: file {quoted(row['file'])} cannot be read ({reason(error)})"
        ) from None
    if found != row["sha256"]:
        raise InputError(
            f"{where}: file {quoted(row['file'])} has SHA-256 {found[:12]}…; "
            f"allowed: {row['sha256'][:12]}…, as in its manifest"
        )


def counts(rows: Iterable[Row]) -> tuple[Count, ...]:
    """What there is of each family."""
    found = []
    every = list(rows)
    for family in FAMILIES:
        own = [row for row in every if row["family"] == family]
        items = {row["item"] for row in own}
        stand_ins = {row["item"] for row in own if row["stand_in"]}
        found.append(Count(family, len(items), len(own), len(stand_ins)))
    return tuple(found)


def table(name: str, counted: Sequence[Count]) -> list[str]:
    """The counts as lines: each family for itself, the sums below, and what is synthetic."""
    lines = [f"{'family':10} {'items':>6} {'inputs':>7} {'stand-ins':>10}"]
    lines += [f"{c.family:10} {c.items:6,} {c.inputs:7,} {c.stand_ins:10,}" for c in counted]
    items, inputs = sum(c.items for c in counted), sum(c.inputs for c in counted)
    lines.append(f"{name}: {items:,} items, {inputs:,} inputs")
    lines += [
        f"{c.family}: {c.stand_ins:,} of {c.items:,} recordings are synthetic stand-ins: "
        "no figures about people follow from them"
        for c in counted
        if c.stand_ins
    ]
    return lines


def write_rows(rows: Iterable[Row], path: Path) -> None:
    """Write the rows as JSON lines; :class:`InputError` where another file stands."""
    write_new(path, jsonl_bytes(rows))
