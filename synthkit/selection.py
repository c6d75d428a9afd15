"""Selection: which of the assigned commands a set has, and in which conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from synthkit.assignments import Assignment
from synthkit.errors import InputError, quoted
from synthkit.recipe import Recipe
from synthkit.slots import deal_slots


def selected(assignments: Sequence[Assignment], recipe: Recipe) -> tuple[Assignment, ...]:
    """Cut what was dealt to the splits, slots and commands that the recipe wants, in this order.

    What is left is as in the whole set. Raises :class:`InputError` for names that are not there.
    """
    kept = _slotted(_of_splits(assignments, recipe), recipe)
    return tuple(_only(kept, assignments, recipe)[: recipe.values.get("limit")])


def _of_splits(assignments: Sequence[Assignment], recipe: Recipe) -> list[Assignment]:
    known = {assignment.split for assignment in assignments}
    wanted = recipe.values.get("only_splits", known)
    for split in wanted:
        if split not in known:
            raise InputError(
                f"recipe {recipe.name}: field only_splits: found {quoted(split)}; "
                f"allowed: {', '.join(sorted(known))}"
            )
    return [assignment for assignment in assignments if assignment.split in wanted]


def _slotted(assignments: Sequence[Assignment], recipe: Recipe) -> list[Assignment]:
    slots = recipe.values.get("slots")
    if slots is None:
        return list(assignments)
    commands, where = [a.command for a in assignments], f"recipe {recipe.name}"
    dealt = deal_slots(commands, recipe.grid.conditions, slots, recipe.seed, where)
    return [
        replace(a, conditions=tuple(condition.name for condition in dealt[a.command.id]))
        for a in assignments
        if a.command.id in dealt
    ]


def _only(
    kept: Sequence[Assignment], assignments: Sequence[Assignment], recipe: Recipe
) -> list[Assignment]:
    only = recipe.values.get("only", [])
    known = {assignment.command.id for assignment in kept}
    for wanted in only:
        if wanted not in known:
            dealt = any(wanted == assignment.command.id for assignment in assignments)
            why = "the recipe leaves this command out" if dealt else "no such command in the script"
            raise InputError(f"--only {quoted(wanted)}: {why}")
    return [a for a in kept if not only or a.command.id in only]
