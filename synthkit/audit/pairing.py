"""Pairs of items that differ in one declared factor, and in nothing else that is declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby
from typing import Any, NamedTuple

from synthkit.audit.items import NO_FACTORS, Design, Item

GAP = "gap_ms"


class Pair(NamedTuple):
    """Two items of one command; ``first`` has the level that the grid names first."""

    first: Item
    second: Item


class Contrast(NamedTuple):
    """What two sides of a set differ in, and where: pairs of the same levels and stratum.

    ``factors`` are those that differ, ("target",) for the action; ``levels`` the two sides'
    names; ``at`` is what holds for both sides, by factor; ``role`` the part that is read.
    """

    factors: tuple[str, ...]
    levels: tuple[str, str]
    at: tuple[tuple[str, Any], ...]
    role: str
    pairs: tuple[Pair, ...]

    @property
    def is_of_source(self) -> bool:
        """Whether two voices are compared."""
        return "source" in self.factors


def contrasts(items: Iterable[Item], design: Design) -> Iterator[Contrast]:
    """Every contrast that a set's items allow.

    Pairs lie within a command and differ in exactly one factor, nuisances and gap being equal;
    gaps may differ where the grid has no pair of equal ones (no gap changes a part's samples).
    A grid that moves factors only together, as single and switch do, is compared over
    them together. Source is read in the trigger, within each field; a field in the trigger
    within each source, and in the context where that is rendered too; other factors likewise
    within each field. The target is compared where it varies within source and field.
    """
    order = _order(design)
    by_factors: dict[tuple[str, ...], list[Pair]] = {}
    of_target: list[Pair] = []
    ranked = sorted(items, key=lambda item: item.command)
    for _, group in groupby(ranked, key=lambda item: item.command):
        for pair in combinations([item for item in group if item.is_audio], 2):
            factors = _differing(*pair)
            if factors is None:
                continue
            by_factors.setdefault(factors, []).append(_ordered(Pair(*pair), factors, order))
            first, second = pair
            if first.action != second.action and _same_scene(first, second):
                turned = first.action > second.action
                of_target.append(Pair(second, first) if turned else Pair(first, second))
    for factors, pairs in _exact(by_factors).items():
        yield from _strata(factors, pairs)
    yield from _target_strata(of_target)


def _differing(first: Item, second: Item) -> tuple[str, ...] | None:
    """Names of the factors in which two items differ; None where a nuisance does."""
    if first.nuisances != second.nuisances:
        return None
    names = sorted({*first.factors, *second.factors})
    return tuple(n for n in names if first.factors.get(n) != second.factors.get(n))


def _exact(by_factors: dict[tuple[str, ...], list[Pair]]) -> dict[tuple[str, ...], list[Pair]]:
    """Pairs by the factors besides the gap: of one factor, or of several that never part."""
    chosen: dict[tuple[str, ...], list[Pair]] = {}
    for factors in sorted(by_factors, key=lambda names: (len(names), names)):
        named = tuple(name for name in factors if name != GAP)
        covered = {name for names in chosen for name in names}
        if named and not covered & set(named):
            chosen[named] = by_factors[factors]
    return chosen


def _order(design: Design) -> dict[str, list[Any]]:
    """The levels of each factor, in the order in which the grid's conditions name them."""
    order: dict[str, list[Any]] = {}
    for condition in design.conditions:
        for name, level in condition.items():
            if name not in NO_FACTORS and level not in order.setdefault(name, []):
                order[name].append(level)
    return order


def _ordered(pair: Pair, factors: tuple[str, ...], order: dict[str, list[Any]]) -> Pair:
    def place(item: Item) -> list[Any]:
        levels = [(order.get(name, []), item.factors.get(name)) for name in factors]
        # A level that no condition names comes last, by its name.
        return [
            (known.index(level), "") if level in known else (len(known), str(level))
            for known, level in levels
        ]

    return Pair(*sorted(pair, key=place))


def _strata(factors: tuple[str, ...], pairs: Sequence[Pair]) -> Iterator[Contrast]:
    within = [name for name in ("source", "field") if name not in factors]
    yield from _split(factors, pairs, tuple(within), "trigger")
    moved = [pair for pair in pairs if _context_moves(pair)]
    if "source" not in factors and moved:
        # Context is the wearer's whoever says the trigger: the same part again.
        yield from _split(factors, moved, tuple(n for n in within if n != "source"), "context")


def _target_strata(pairs: Sequence[Pair]) -> Iterator[Contrast]:
    return _split(("target",), pairs, ("source", "field"), "trigger")


def _split(
    factors: tuple[str, ...], pairs: Sequence[Pair], within: tuple[str, ...], role: str
) -> Iterator[Contrast]:
    groups: dict[tuple[Any, ...], list[Pair]] = {}
    for pair in pairs:
        levels = _sides(factors, pair)
        at = tuple((n, pair.first.factors[n]) for n in within if n in pair.first.factors)
        groups.setdefault((levels, at), []).append(pair)
    for (levels, at), held in groups.items():
        yield Contrast(factors, levels, at, role, tuple(held))


def _sides(factors: tuple[str, ...], pair: Pair) -> tuple[str, str]:
    if factors == ("target",):
        return pair.first.action, pair.second.action
    first, second = (" ".join(str(item.factors.get(name)) for name in factors) for item in pair)
    return first, second


def _same_scene(first: Item, second: Item) -> bool:
    return (first.source, first.field) == (second.source, second.field)


def _context_moves(pair: Pair) -> bool:
    parts = [[part for part in item.parts if part.role == "context"] for item in pair]
    if not all(parts):
        return False
    (first, *_), (second, *_) = parts
    return (first.field, first.bindings) != (second.field, second.bindings)
