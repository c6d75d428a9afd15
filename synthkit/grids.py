"""Grids and rules as data: factors, the conditions they span, and which of them call the tool."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synthkit import schemas
from synthkit.errors import InputError, quoted
from synthkit.files import read_toml
from synthkit.ids import check_id
from synthkit.resources import folder
from synthkit.scripts import Command

FACTORS = ("source", "field", "gap_ms")
MAX_CONDITIONS = 1000  # a command
Level = str | float

# The factor levels at which the tool is called; at every other level it stays silent.
RULES: Mapping[str, Mapping[str, tuple[Level, ...]]] = {
    "proximity": {"source": ("same",), "field": ("near", "near_in_room")},
    "source": {"source": ("same",)},
}


@dataclass(frozen=True)
class Condition:
    """One combination of factor levels. A text condition has no factors and no audio.

    ``source`` is same or different (who says the trigger), ``field`` the trigger's field,
    ``context_field`` the context's; ``extra`` holds the levels of a recipe's further factors.
    """

    name: str
    modality: str
    source: str | None = None
    field: str | None = None
    context_field: str | None = None
    gap_ms: float | None = None
    extra: tuple[tuple[str, Level], ...] = ()

    @property
    def factors(self) -> dict[str, Level | None]:
        """Level by factor."""
        own = {"source": self.source, "field": self.field, "gap_ms": self.gap_ms}
        return {**own, **dict(self.extra)}


@dataclass(frozen=True)
class Grid:
    """Conditions and the rule that gives each its target."""

    name: str
    description: str
    rule_name: str
    rule: Mapping[str, tuple[Level, ...]]
    conditions: tuple[Condition, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields that some segment is rendered in."""
        used = itertools.chain.from_iterable((c.context_field, c.field) for c in self.conditions)
        return tuple(dict.fromkeys(name for name in used if name))

    def calls(self, condition: Condition) -> bool:
        """Whether the rule calls the tool; the words as text always do."""
        return condition.modality == "text" or calls(self.rule, condition.factors)

    def target(self, condition: Condition, command: Command) -> dict[str, object]:
        """The action that the rule demands of ``command`` in ``condition``."""
        if self.calls(condition):
            return {"action": "call", "name": command.tool, "params": dict(command.params)}
        return {"action": "mute"}

    def describe(self) -> dict[str, Any]:
        """Grid, rule and each condition's action, as plain JSON values."""
        return {
            "name": self.name,
            "description": self.description,
            "rule": {"name": self.rule_name, "call_at": {k: list(v) for k, v in self.rule.items()}},
            "conditions": [
                {
                    "name": c.name,
                    "modality": c.modality,
                    **c.factors,
                    "context_field": c.context_field,
                    "action": "call" if self.calls(c) else "mute",
                }
                for c in self.conditions
            ],
        }


def calls(rule: Mapping[str, Any], factors: Mapping[str, Any]) -> bool:
    """Whether ``factors`` has one of the levels that ``rule`` names for each of its factors."""
    return all(factors.get(factor) in levels for factor, levels in rule.items())


@functools.cache
def names() -> tuple[str, ...]:
    """Names of the grids that come with synthkit."""
    return tuple(sorted(path.stem for path in folder("grids").glob("*.toml")))


def named(name: str, where: str = "grid") -> Grid:
    """Load a grid that comes with synthkit; ``where`` names who asks."""
    if name not in names():
        raise InputError(
            f"{where}: field grid: found {quoted(name)}; allowed: {', '.join(names())}, or a table"
        )
    path = folder("grids") / f"{name}.toml"
    return grid_from(read_toml(path), name, f"grid {name}")


def grid_from(values: Mapping[str, Any], name: str, where: str) -> Grid:
    """Build a grid from its table: either conditions one by one, or factors to be crossed."""
    schemas.check(values, "grid", where)
    rule = values["rule"]
    if "factors" in values:
        levels = [values["factors"][factor] for factor in FACTORS]
        _check_number(levels, 1, where)
        rows = [dict(zip(FACTORS, row, strict=True)) for row in itertools.product(*levels)]
    else:
        rows = values["conditions"]
    scene = "context" in values["field_applies_to"]
    context_field = None if scene else values.get("context_field", "near")
    conditions = tuple(_condition(row, context_field, where) for row in rows)
    _check_unique(conditions, where)
    return Grid(
        name=name,
        description=values.get("description", ""),
        rule_name=rule if isinstance(rule, str) else "own",
        rule=RULES[rule] if isinstance(rule, str) else {k: tuple(v) for k, v in rule.items()},
        conditions=conditions,
    )


def crossed(grid: Grid, factors: Mapping[str, Sequence[Level]], where: str) -> Grid:
    """Cross the audio conditions of ``grid`` with further ``factors``, and check its rule.

    A condition's name gets the levels as endings: ``same_near_0_office``.
    """
    _check_number(factors.values(), len(grid.conditions), where)
    rows = [
        tuple(zip(factors, levels, strict=True)) for levels in itertools.product(*factors.values())
    ]
    conditions = []
    for condition in grid.conditions:
        if condition.modality == "text" or not factors:
            conditions.append(condition)
            continue
        for extra in rows:
            name = "_".join([condition.name, *(_token(level) for _, level in extra)])
            conditions.append(replace(condition, name=check_id(name, where), extra=extra))
    _check_unique(tuple(conditions), where)
    whole = replace(grid, conditions=tuple(conditions))
    _check_rule(whole, where)
    return whole


def _condition(row: Mapping[str, Any], context_field: str | None, where: str) -> Condition:
    if row.get("modality") == "text":
        return Condition(check_id(row["name"], where), "text")
    name = check_id(row.get("name", "_".join(_token(row[factor]) for factor in FACTORS)), where)
    return Condition(
        name=name,
        modality="audio",
        source=row["source"],
        field=row["field"],
        context_field=context_field or row["field"],
        gap_ms=row["gap_ms"],
    )


def _check_number(factors: Iterable[Sequence[Level]], times: int, where: str) -> None:
    """Refuse, before any is made, more conditions than a command can have."""
    number = times * math.prod(map(len, factors))
    if number > MAX_CONDITIONS:
        raise InputError(f"{where}: {number} conditions a command; allowed: up to {MAX_CONDITIONS}")


def _token(level: Level) -> str:
    """A level as a part of a name."""
    text = level if isinstance(level, str) else f"{level:g}"
    return re.sub(r"[^A-Za-z0-9_-]", "-", text)


def _check_unique(conditions: tuple[Condition, ...], where: str) -> None:
    seen: set[str] = set()
    for condition in conditions:
        if condition.name.casefold() in seen:
            raise InputError(f"{where}: condition {condition.name!r} stands twice")
        seen.add(condition.name.casefold())


def _check_rule(grid: Grid, where: str) -> None:
    """Refuse a rule that names a level no condition has, or that never calls: a typing error."""
    audio = [condition for condition in grid.conditions if condition.modality == "audio"]
    for factor, levels in grid.rule.items() if grid.rule_name == "own" else ():
        known = {condition.factors.get(factor) for condition in audio}
        for level in levels:
            if level not in known:
                raise InputError(
                    f"{where}: field rule.{factor}: found {quoted(level)}; allowed: "
                    f"{', '.join(sorted(map(str, known)))}"
                )
    if audio and not any(grid.calls(condition) for condition in audio):
        raise InputError(
            f"{where}: field rule: {grid.rule_name} calls the tool in no condition; it calls at "
            + ", ".join(f"{k} {' or '.join(map(str, v))}" for k, v in grid.rule.items())
        )
