"""The copy of recipe, script and own cards that a set carries: what makes it again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomli_w

from synthkit.files import write_bytes
from synthkit.plan import Plan
from synthkit.speech.engines import engine

RECIPE_FOLDER = "recipe"
RECIPE = f"{RECIPE_FOLDER}/recipe.toml"


def portable_recipe(plan: Plan) -> dict[str, Any]:
    """The recipe with all defaults, its paths those of the copies that the set carries."""
    values = json.loads(json.dumps(plan.recipe.values, sort_keys=True))
    values["scripts"] = f"commands{plan.recipe.scripts.suffix.lower()}"
    values["voices"] = [
        f"voices/{card_id}.toml" if _is_path(reference) else reference
        for reference, card_id in zip(values["voices"], plan.voices, strict=True)
    ]
    for table in (table for field in values["fields"].values() for table in field):
        if _is_path(table.get("room", "")):
            table["room"] = f"rooms/{Path(table['room']).name}"
    values["rooms"] = {n: f"rooms/{Path(p).name}" for n, p in values["rooms"].items()}
    for name, bed in values["beds"].items():
        if "path" in bed:
            bed["path"] = f"beds/{name}{Path(bed['path']).suffix}"
    return dict(values)


def copies(plan: Plan) -> Iterator[tuple[str, Path]]:
    """Yield each file to be copied: its path below the set's recipe folder, and where it lies."""
    recipe = plan.recipe
    yield f"commands{recipe.scripts.suffix.lower()}", recipe.scripts
    references = zip(recipe.values["voices"], plan.voices.items(), strict=True)
    for reference, (card_id, card) in references:
        if _is_path(reference):
            yield f"voices/{card_id}.toml", recipe.base / reference
            for file in engine(card.engine).files(card):
                yield f"voices/{card_id.partition('/')[0]}/{_below(file, card.folder)}", file
    for table in (table for field in recipe.values["fields"].values() for table in field):
        if _is_path(table.get("room", "")):
            yield f"rooms/{Path(table['room']).name}", recipe.base / table["room"]

    for path in recipe.values["rooms"].values():
        yield f"rooms/{Path(path).name}", recipe.base / path
    for name, bed in recipe.values["beds"].items():
        if "path" in bed:
            yield f"beds/{name}{Path(bed['path']).suffix}", recipe.base / bed["path"]


def recipe_files(plan: Plan) -> set[str]:
    """Paths, below the set's folder, of all that :func:`write_recipe` writes."""
    return {RECIPE, *(f"{RECIPE_FOLDER}/{name}" for name, _ in copies(plan))}


def write_recipe(plan: Plan, folder: Path) -> None:
    """Write the copy; each file atomically, so that it may be the very file that is read."""
    write_bytes(folder / RECIPE, tomli_w.dumps(portable_recipe(plan)).encode("utf-8"))
    for name, source in copies(plan):
        write_bytes(folder / RECIPE_FOLDER / name, source.read_bytes())


def _is_path(reference: str) -> bool:
    return reference.endswith(".toml")


def _below(file: Path, folder: Path) -> str:
    return file.relative_to(folder.resolve()).as_posix()
