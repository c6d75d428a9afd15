"""The copy of recipe, script and own cards that a set carries: what makes it again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import tomli_w

from synthkit.files import write_bytes
from synthkit.plan import Plan
from synthkit.rooms.cards import room
from synthkit.speech.engines import engine

RECIPE_FOLDER = "recipe"
RECIPE = f"{RECIPE_FOLDER}/recipe.toml"
EXECUTABLE = 0o111  # the bits of a file's mode


def portable_recipe(plan: Plan) -> dict[str, Any]:
    """The recipe with all defaults, its paths those of the copies that the set carries."""
    # The order of factors and splits counts and is kept; that of the fields of a recipe does not.
    values = json.loads(json.dumps({k: plan.recipe.values[k] for k in sorted(plan.recipe.values)}))
    values["scripts"] = _script(plan)
    for index, card_id in enumerate(plan.voices):
        if _is_path(values["voices"][index]):
            values["voices"][index] = _voice(index, card_id)
    for table in (table for field in values["fields"].values() for table in field):
        if _is_path(table.get("room", "")):
            table["room"] = _room(table["room"])
    values["rooms"] = {name: _room(path) for name, path in values["rooms"].items()}
    for name, bed in values["beds"].items():
        if "path" in bed:
            bed["path"] = _bed(name, bed["path"])
    return dict(values)


def copies(plan: Plan) -> Iterator[tuple[str, Path]]:
    """Yield each file to be copied: its path below the set's recipe folder, and where it lies."""
    values, base = plan.recipe.values, plan.recipe.base
    yield _script(plan), plan.recipe.scripts
    for index, (card_id, card) in enumerate(plan.voices.items()):
        if _is_path(values["voices"][index]):
            copy = _voice(index, card_id)
            yield copy, base / values["voices"][index]
            yield from _beside(copy, card.folder, engine(card.engine).files(card))
    tables = (table for field in values["fields"].values() for table in field)
    paths = [table["room"] for table in tables if _is_path(table.get("room", ""))]
    for path in dict.fromkeys((*paths, *values["rooms"].values())):
        yield _room(path), base / path
        found = room(path, base)
        yield from _beside(_room(path), found.folder, found.files)
    for name, bed in values["beds"].items():
        if "path" in bed:
            yield _bed(name, bed["path"]), base / bed["path"]


def references(values: Mapping[str, Any]) -> Iterator[str]:
    """Every path in a recipe: its script, its cards, its beds' recordings."""
    yield str(values["scripts"])
    tables = [table for field in values["fields"].values() for table in field]
    named = [*values["voices"], *(str(table.get("room", "")) for table in tables)]
    yield from filter(_is_path, named)
    yield from values["rooms"].values()
    yield from (str(bed["path"]) for bed in values["beds"].values() if "path" in bed)


def recipe_files(plan: Plan) -> set[str]:
    """Paths, below the set's folder, of all that :func:`write_recipe` writes."""
    return {RECIPE, *(f"{RECIPE_FOLDER}/{name}" for name, _ in copies(plan))}


def write_recipe(plan: Plan, folder: Path) -> None:
    """Write the copy; each file atomically, so that it may be the very file that is read."""
    write_bytes(folder / RECIPE, tomli_w.dumps(portable_recipe(plan)).encode("utf-8"))
    for name, source in copies(plan):
        copy, runs = folder / RECIPE_FOLDER / name, source.stat().st_mode & EXECUTABLE
        write_bytes(copy, source.read_bytes())
        if runs:  # a voice's program stays one
            copy.chmod(copy.stat().st_mode | runs)


def _is_path(reference: str) -> bool:
    return reference.endswith(".toml")


def _script(plan: Plan) -> str:
    return f"commands{plan.recipe.scripts.suffix.lower()}"


# Each card gets a folder of its own, as the files beside two cards may have the same name.


def _voice(index: int, card_id: str) -> str:
    return f"voices/{index}/{card_id}.toml"


def _room(path: str) -> str:
    return f"rooms/{Path(path).stem}/{Path(path).name}"


def _bed(name: str, path: str) -> str:
    return f"beds/{name}{Path(path).suffix}"


def _beside(copy: str, folder: Path, files: tuple[Path, ...]) -> Iterator[tuple[str, Path]]:
    """The files that a card needs, as far below its copy as they lie below the card."""
    home = PurePosixPath(copy).parent
    for file in files:
        yield str(home / file.relative_to(folder).as_posix()), file
