"""The set's folder: what lies in it, its checksums, and the recipe that it carries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from synthkit import dataset, manifest
from synthkit.errors import SynthkitError
from synthkit.files import TEMPORARY_PREFIX, inside, sha256_file
from synthkit.grids import RULES
from synthkit.measure.found import SOUND_SUFFIXES
from synthkit.recipe import Recipe, read_recipe
from synthkit.recipe_copy import RECIPE, RECIPE_FOLDER, references
from synthkit.scripts import read_scripts
from synthkit.slots import filled
from synthkit.sums import SUMS, read_sums
from synthkit.verify.findings import Fault


def own_recipe(folder: Path, faults: list[Fault]) -> Recipe | None:
    """The recipe that the set carries, with all that it names.

    None, and a fault, where it cannot be read or names what the set does not hold.
    """
    try:
        recipe = read_recipe(folder / RECIPE)
        for name in references(recipe.values):
            inside(name, recipe.base, recipe.base, f"{RECIPE_FOLDER}/{name}")
    except SynthkitError as error:
        faults.append(Fault(RECIPE, str(error)))
        return None
    return recipe


def script_rows(recipe: Recipe | None, faults: list[Fault]) -> dict[str, Mapping[str, Any]]:
    """The commands of the set's own script by id; empty, and a fault, where it cannot be read."""
    if recipe is None:
        return {}
    try:
        return {command.id: command.describe() for command in read_scripts(recipe.scripts)}
    except SynthkitError as error:
        faults.append(Fault(f"{RECIPE_FOLDER}/{recipe.scripts.name}", str(error)))
        return {}


def description_faults(description: Mapping[str, Any], recipe: Recipe | None) -> Iterator[Fault]:
    """dataset.json against the recipe beside it, and against itself."""
    where, told = dataset.DATASET, description["clips"]
    if told["planned"] != told["audio"] + told["text"] + told["failed"]:
        yield Fault(where, "planned clips are not audio + text + failed")
    rule = description["grid"]["rule"]
    named = RULES.get(rule["name"])
    if named is not None and {k: list(v) for k, v in named.items()} != rule["call_at"]:
        yield Fault(where, f"rule {rule['name']} is not as it is defined")
    if recipe is None:
        return
    if description["recipe"] != recipe.values:
        yield Fault(where, f"recipe is not {RECIPE}")
    for key in ("rule", "conditions"):
        if description["grid"][key] != recipe.grid.describe()[key]:
            yield Fault(where, f"grid: {key} are not the recipe's")
    if recipe.scripts.is_file() and description["scripts_sha256"] != sha256_file(recipe.scripts):
        yield Fault(where, f"scripts_sha256 is not that of {recipe.scripts.name}")


def slot_faults(description: Mapping[str, Any], found: Mapping[str, int]) -> Iterator[Fault]:
    """Whether the slots of a whole set are filled evenly; ``found`` are rows by condition."""
    recipe = description["recipe"]
    if "slots" not in recipe or "limit" in recipe or "only" in recipe:
        return
    wanted = filled(description["grid"]["conditions"], recipe["slots"])
    for name in sorted({*wanted, *found}):
        if wanted[name] != found.get(name, 0):
            told = f"{found.get(name, 0)} rows of condition {name}"
            yield Fault(dataset.DATASET, f"{told}; allowed by the slots: {wanted[name]}")


def file_faults(folder: Path, rows: Mapping[str, str | None]) -> Iterator[Fault]:
    """Files that no row names, and checksums; ``rows`` is what was hashed, by relative path."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    links = {name for name, path in found.items() if path.is_symlink()}
    for name in sorted(links):
        yield Fault(name, "is a link; allowed: files of the set's own")
    files = {name for name, path in found.items() if name not in links and path.is_file()}
    for name in sorted(set(found) - links - files):
        if not found[name].is_dir():
            yield Fault(name, "is a pipe or a device; allowed: files of the set's own")
    present = files - {SUMS, dataset.PAGE}
    own = {n for n in present if n.startswith(f"{RECIPE_FOLDER}/")}
    for name in sorted(present - set(rows) - own):
        if Path(name).name.startswith(TEMPORARY_PREFIX) and not name.endswith(".tmp"):
            continue  # the lock
        if name.startswith(("audio/", "beds/")) or Path(name).suffix.lower() in SOUND_SUFFIXES:
            yield Fault(name, "extra file: no row names it")
    required = {manifest.MANIFEST, dataset.DATASET, RECIPE} | set(rows) | own
    yield from _sum_faults(folder, rows, present, required)


def _sum_faults(
    folder: Path, rows: Mapping[str, str | None], present: set[str], required: set[str]
) -> Iterator[Fault]:
    try:
        sums = read_sums(folder / SUMS)
    except SynthkitError as error:
        yield Fault(SUMS, str(error).removeprefix(f"{SUMS}: "))
        return
    for name, wanted in sums.items():
        if name not in present:
            yield Fault(name, f"missing, which {SUMS} lists")
        elif (rows.get(name) or sha256_file(folder / name)) != wanted:
            yield Fault(name, f"sha256 differs from {SUMS}")
    for name in sorted(required - set(sums)):
        yield Fault(name, f"not listed in {SUMS}")
