"""Recipes: one TOML file that makes one set, read, overridden, checked and completed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synthkit import grids, schemas
from synthkit.errors import InputError, quoted
from synthkit.files import MAX_DEPTH, check_plain, read_toml
from synthkit.grids import Grid
from synthkit.resources import folder
from synthkit.variables import check_variables

DEFAULTS: Mapping[str, Any] = {
    "description": "",
    "level": {"at": "after_room", "peak": "limit"},
    "factors": {},
    "nuisances": {},
    "splits": {},
    "rooms": {},
    "beds": {},
    "bed": "none",
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
        """The level that sources are conditioned for; of a loudness, the same number."""
        level = self.values["level"]
        return float(level.get("dbfs", level.get("lufs")))

    def selecting(self, limit: int | None, only: Sequence[str]) -> Recipe:
        """The same recipe cut to a number of commands or to some by id."""
        selection = {"limit": limit, "only": list(only)}
        chosen = {key: value for key, value in selection.items() if value}
        return replace(self, values={**self.values, **chosen})


def read_recipe(path: Path, overrides: Sequence[str] = ()) -> Recipe:
    """Read a recipe; ``overrides`` are ``key=value`` with dots in keys and TOML in values.

    Raises :class:`InputError` naming the field, what was found and what is allowed.
    """
    values: dict[str, Any] = read_toml(path)
    where = f"recipe {path.name}"
    for override in overrides:
        values = _overridden(values, override)
    schemas.check(values, "recipe", where)
    values = {**DEFAULTS, **values, "level": _level(values.get("level", {}), where)}
    check_variables(values, where)
    grid = values["grid"]
    own = isinstance(grid, dict)
    grid = grids.grid_from(grid, "own", f"{where}: grid") if own else grids.named(grid, where)
    whole = grids.crossed(grid, values["factors"], f"{where}: grid")
    return Recipe(values=values, grid=whole, base=path.parent)


def _level(level: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The level policy with its defaults: -20 dBFS after the room."""
    whole = {**DEFAULTS["level"], **level}
    if "lufs" not in whole:
        whole.setdefault("dbfs", -20)
    if whole["at"] == "before_room":
        whole.setdefault("reference_m", 0.2)
        if "lufs" in whole:
            raise InputError(f"{where}: field level.lufs: allowed after the room alone; use dbfs")
    elif "reference_m" in whole:
        raise InputError(f'{where}: field level.reference_m: allowed with at = "before_room" alone')
    return whole


def find_recipe(name: Path) -> Path:
    """Return ``name`` if it is a file, else the example of that file name that comes along."""
    if name.is_file():
        return name
    example = folder("examples") / name.name
    if name.parent in (Path(), Path("examples")) and name.suffix and example.is_file():
        return example
    raise InputError(f"recipe {str(name)!r} is not a file; examples: {', '.join(_examples())}")


def _examples() -> list[str]:
    paths = folder("examples").glob("*.toml")
    return sorted(path.name for path in paths if "grid" in read_toml(path))


def _overridden(values: Mapping[str, Any], override: str) -> dict[str, Any]:
    key, equals, text = override.partition("=")
    keys = [part.strip() for part in key.split(".")]
    if not equals or not all(keys) or len(keys) > MAX_DEPTH:
        raise InputError(
            f"--set {quoted(override)}: allowed: KEY=VALUE, such as seed=7 or level.dbfs=-23"
        )
    return _with(values, keys, _toml_value(text.strip(), key), key)


def _with(values: Mapping[str, Any], keys: Sequence[str], value: Any, whole: str) -> dict[str, Any]:
    first, *rest = keys
    if rest:
        inner = values.get(first, {})
        if not isinstance(inner, dict):
            raise InputError(f"--set {quoted(whole)}: {first!r} is a value, not a table")
        value = _with(inner, rest, value, whole)
    return {**values, first: value}


def _toml_value(text: str, key: str) -> Any:
    """The TOML value that ``text`` is, or the text itself: quotes may be left out."""
    try:
        parsed: Any = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        parsed = {}
    except (ValueError, RecursionError) as error:  # thousands of digits or brackets
        raise InputError(f"--set {quoted(key)}: not TOML: {error}") from None
    value = parsed["value"] if len(parsed) == 1 else text
    check_plain(value, "--set", key)
    return value
