"""Recipes: one TOML file that makes one set, read, overridden, checked and completed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit import grids, schemas
from synthkit.errors import InputError
from synthkit.files import check_finite, read_toml
from synthkit.grids import Grid
from synthkit.resources import folder

DEFAULTS: Mapping[str, Any] = {
    "description": "",
    "level": {"dbfs": -20, "peak": "limit"},
    "post_ms": 200,
    "fade_ms": 5,
}


@dataclass(frozen=True)
class Recipe:
    """A recipe with every default filled in; ``values`` is its table, ``base`` its folder."""

    values: Mapping[str, Any]
    grid: Grid
    base: Path

    @property
    def name(self) -> str:
        return str(self.values["name"])

    @property
    def seed(self) -> int:
        return int(self.values["seed"])

    @property
    def scripts(self) -> Path:
        return self.base / str(self.values["scripts"])

    @property
    def dbfs(self) -> float:
        return float(self.values["level"]["dbfs"])


def read_recipe(path: Path, overrides: Sequence[str] = ()) -> Recipe:
    """Read a recipe; ``overrides`` are ``key=value`` with dots in keys and TOML in values.

    Raises :class:`InputError` naming the field, what was found and what is allowed.
    """
    values: dict[str, Any] = read_toml(path)
    where = f"recipe {path.name}"
    for override in overrides:
        values = _overridden(values, override)
    check_finite(values, where)
    schemas.check(values, "recipe", where)
    values = {**DEFAULTS, **values, "level": {**DEFAULTS["level"], **values.get("level", {})}}
    grid = values["grid"]
    return Recipe(
        values=values,
        grid=grids.named(grid)
        if isinstance(grid, str)
        else grids.grid_from(grid, "own", f"{where}: grid"),
        base=path.parent,
    )


def find_recipe(name: Path) -> Path:
    """Return ``name`` if it is a file, else the example of that file name that comes along."""
    if name.is_file():
        return name
    example = folder("examples") / name.name
    if name.parent in (Path(), Path("examples")) and name.suffix and example.is_file():
        return example
    raise InputError(f"recipe {str(name)!r} is not a file; examples: {', '.join(_examples())}")


def _examples() -> list[str]:
    return sorted(path.name for path in folder("examples").glob("*.toml"))


def _overridden(values: Mapping[str, Any], override: str) -> dict[str, Any]:
    key, equals, text = override.partition("=")
    if not equals or not key.strip():
        raise InputError(
            f"--set {override!r}: allowed: KEY=VALUE, such as seed=7 or level.dbfs=-23"
        )
    return _with(values, [part.strip() for part in key.split(".")], _toml_value(text.strip()), key)


def _with(values: Mapping[str, Any], keys: Sequence[str], value: Any, whole: str) -> dict[str, Any]:
    first, *rest = keys
    if rest:
        inner = values.get(first, {})
        if not isinstance(inner, dict):
            raise InputError(f"--set {whole}: {first!r} is a value, not a table")
        value = _with(inner, rest, value, whole)
    return {**values, first: value}


def _toml_value(text: str) -> Any:
    """The TOML value that ``text`` is, or the text itself: quotes may be left out."""
    try:
        parsed = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return parsed["value"] if len(parsed) == 1 else text
