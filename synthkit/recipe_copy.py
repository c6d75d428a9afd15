"""The copy of recipe, script and own cards that a set carries: what makes it again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import tomli_w

from synthkit.files import write_bytes
from synthkit.plan import Plan

RECIPE_FOLDER = "recipe"
RECIPE = f"{RECIPE_FOLDER}/recipe.toml"


def portable_recipe(plan: Plan) -> dict[str, Any]:
    """The recipe with all defaults, its paths those of the copies that the set carries."""
    values = json.loads(json.dumps(plan.recipe.values))
    values["scripts"] = f"commands{plan.recipe.scripts.suffix.lower()}"
    values["voices"] = [
        f"voices/{card_id}.toml" if reference.endswith(".toml") else reference
        for reference, card_id in zip(values["voices"], plan.voices, strict=True)
    ]
    for table in (t for field in values["fields"].values() for t in field):
        if table.get("room", "").endswith(".toml"):
            table["room"] = f"rooms/{Path(table['room']).name}"
    return dict(values)


def write_recipe(plan: Plan, folder: Path) -> None:
    """Copy recipe, script and own cards into the set, so that it says how to make it again."""
    recipe, home = plan.recipe, folder / RECIPE_FOLDER
    portable = portable_recipe(plan)
    write_bytes(folder / RECIPE, tomli_w.dumps(portable).encode("utf-8"))
    copies = {recipe.base / recipe.values["scripts"]: home / portable["scripts"]}
    for old, new in zip(recipe.values["voices"], portable["voices"], strict=True):
        if old.endswith(".toml"):
            copies[recipe.base / old] = home / new
    for name, tables in recipe.values["fields"].items():
        for old_table, new_table in zip(tables, portable["fields"][name], strict=True):
            if old_table.get("room", "").endswith(".toml"):
                copies[recipe.base / old_table["room"]] = home / new_table["room"]
    for source, copy in copies.items():
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not (copy.exists() and copy.samefile(source)):
            shutil.copyfile(source, copy)
