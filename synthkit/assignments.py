"""Assignments: each command's split, its two voices, its level of every nuisance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthkit.casting import Cast, cast
from synthkit.dealing import deal_levels, deal_splits
from synthkit.errors import InputError, quoted
from synthkit.recipe import Recipe
from synthkit.scripts import Command
from synthkit.variables import Bindings

SPLIT = "test"  # of a recipe that does not split


@dataclass(frozen=True, slots=True)
class Assignment:
    """What is decided once for a command: its two voices, its split, a level of each nuisance.

    ``conditions`` are those that it has, by name; None for all of the grid that its split has.
    """

    command: Command
    cast: Cast
    split: str
    nuisances: Bindings = ()
    conditions: tuple[str, ...] | None = None

    def voice(self, speaker: str) -> str:
        """The voice of ``speaker``, wearer or bystander."""
        return self.cast.wearer if speaker == "wearer" else self.cast.bystander


def assign(commands: Sequence[Command], voices: Sequence[str], recipe: Recipe) -> list[Assignment]:
    """Deal splits, then voices and nuisances within each split, from what it may use.

    Where the script has put its commands into splits, these are taken. Raises
    :class:`InputError` where it has done so for some alone, or with names the recipe lacks.
    """
    splits, dealt = _splits(commands, recipe)
    assigned: dict[str, Assignment] = {}
    known: dict[Bindings, Bindings] = {}  # one object, however many commands have it
    for split, table in splits.items():
        own = [command for command, name in zip(commands, dealt, strict=True) if name == split]
        pool = _pool(split, table, voices, recipe)
        casts = list(cast(own, pool, recipe.seed))
        nuisances = {
            name: deal_levels(own, casts, table.get(name, levels), recipe.seed, name)
            for name, levels in recipe.values["nuisances"].items()
        }
        for command, pair, *levels in zip(own, casts, *nuisances.values(), strict=True):
            bindings = tuple(zip(nuisances, levels, strict=True))
            bindings = known.setdefault(bindings, bindings)
            assigned[command.id] = Assignment(command, pair, split, bindings)
    return [assigned[command.id] for command in commands]


def _splits(
    commands: Sequence[Command], recipe: Recipe
) -> tuple[Mapping[str, Mapping[str, Any]], list[str]]:
    """The splits, each with its table, and each command's: by the script, else by shares."""
    splits: Mapping[str, Mapping[str, Any]] = recipe.values["splits"]
    told = [command.split for command in commands if command.split is not None]
    where = f"recipe {recipe.name}: {recipe.scripts.name}"
    if not told:
        splits = splits or {SPLIT: {"share": 1}}
        shares = {name: int(table["share"]) for name, table in splits.items()}
        return splits, deal_splits(commands, shares, recipe.seed)
    if len(told) < len(commands):
        lacking = next(command.id for command in commands if command.split is None)
        raise InputError(f"{where}: command {lacking} has no split; allowed: all have one, or none")
    found = dict.fromkeys(told)
    if splits and found.keys() != splits.keys():
        raise InputError(
            f"{where}: field split: found {', '.join(found)}; "
            f"allowed: all that the recipe's splits name, which are {', '.join(splits)}"
        )
    return splits or {name: {} for name in found}, told


def _pool(split: str, table: Mapping[str, Any], voices: Sequence[str], recipe: Recipe) -> list[str]:
    """The voices that a split may use; :class:`InputError` where they are not enough."""
    pool = list(table.get("voices", voices))
    for voice in pool:
        if voice not in voices:
            raise InputError(
                f"recipe {recipe.name}: field splits.{split}.voices: found {quoted(voice)}; "
                f"allowed: {', '.join(voices)}"
            )
    if len(pool) < 2 and any(c.source == "different" for c in recipe.grid.conditions):
        raise InputError(
            f"recipe {recipe.name}: split {split} has {len(pool)} voice; allowed: 2 or more, "
            "as the grid has another speaker"
        )
    return pool
