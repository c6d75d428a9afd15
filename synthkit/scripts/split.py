"""Split: items dealt to parts so that whole groups, such as voices, fall on one side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthkit.dealing import deal_splits
from synthkit.errors import InputError
from synthkit.keys import draw
from synthkit.scripts.commands import Command
from synthkit.scripts.items import AXES, Item, of_commands

SCHEMA_VERSION = 1
DROPPED = "dropped"
Groups = Mapping[str, frozenset[str]]  # by axis


@dataclass(frozen=True)
class Split:
    """Where each item is: the part of each, in their order; None for what is dropped.

    ``shared`` is how many recordings, texts, voices and so on stand in more than one part, read
    from the parts once they are made; None where the items do not tell.
    """

    by: tuple[str, ...]
    shares: Mapping[str, int]
    seed: int
    items: tuple[Item, ...]
    placed: tuple[str | None, ...]
    shared: Mapping[str, int | None]

    @property
    def promised(self) -> tuple[str, ...]:
        """What no two parts may share."""
        return ("audio", *(("text",) if "command" in self.by else ()), *self.by)

    @property
    def good(self) -> bool:
        """Whether every part has items, and what was promised is so."""
        return set(self.shares) <= set(self.placed) and not any(
            self.shared[kind] for kind in self.promised
        )

    def ids(self, part: str | None) -> list[str]:
        """The ids of a part, of what is dropped for None, in the items' order."""
        return [i.id for i, place in zip(self.items, self.placed, strict=True) if place == part]

    def groups(self, axis: str) -> dict[str, int]:
        """How many groups of an axis each part has; where no command is told, of texts."""
        found: dict[str, set[str]] = {part: set() for part in self.shares}
        for item, place in zip(self.items, self.placed, strict=True):
            if place is not None:
                text = _told(item, "text") if axis == "command" else ()
                found[place].update(item.values.get(axis) or text)
        return {part: len(groups) for part, groups in found.items()}

    def describe(self) -> dict[str, Any]:
        """The split as ``splits.json`` holds it."""
        parts = {part: self.ids(part) for part in self.shares}
        dropped = self.ids(None)
        return {
            "schema_version": SCHEMA_VERSION,
            "by": list(self.by),
            "shares": dict(self.shares),
            "seed": self.seed,
            "parts": parts,
            "dropped": dropped,
            "counts": {part: len(ids) for part, ids in parts.items()}
            | {DROPPED: len(dropped), "all": len(self.items)},
            "groups": {axis: self.groups(axis) for axis in self.by},
            "promised": list(self.promised),
            "shared": dict(self.shared),
        }


def split_commands(
    commands: Sequence[Command], by: Sequence[str], shares: Mapping[str, int], seed: int
) -> Split:
    """Split a script. By command alone as recipes do, so that appending changes nothing before.

    A command whose trigger has been said before, in whatever spelling, goes where that one is.
    Raises :class:`InputError` as :func:`split_items` does.
    """
    items = of_commands(commands, by)
    if tuple(by) != ("command",):
        return split_items(items, by, shares, seed)
    first: dict[str | None, Command] = {}
    for command, item in zip(commands, items, strict=True):
        first.setdefault(item.text, command)
    dealt = dict(zip(first, deal_splits(list(first.values()), shares, seed), strict=True))
    return _made(items, by, shares, seed, [dealt[item.text] for item in items])


def split_items(
    items: Sequence[Item], by: Sequence[str], shares: Mapping[str, int], seed: int
) -> Split:
    """Deal each axis' groups to the parts; an item is where all its groups are, else dropped.

    An axis whose groups each lie within one group of another is not dealt but follows it. Items
    of one recording stay together. An item with no group on any of the axes goes with its command.
    The order of items has no say. Raises :class:`InputError` where a part would get no group.
    """
    commands = _command_groups(items)
    units = _units(items, commands)
    dealt_to = {
        axis: _deal(axis, {g for groups in units for g in groups.get(axis, ())}, shares, seed)
        for axis in _leading(units, by)
    }

    def places(groups: Groups) -> set[str]:
        return {part[g] for axis, part in dealt_to.items() for g in groups.get(axis, ())}

    found = list(map(places, units))
    beside: dict[frozenset[str], set[str]] = defaultdict(set)
    for command, there in zip(commands, found, strict=True):
        beside[command] |= there if command else set()
    placed = []
    for command, there in zip(commands, found, strict=True):
        parts = there or beside[command]
        placed.append(min(parts) if len(parts) == 1 else None)
    return _made(items, by, shares, seed, placed)


def _made(
    items: Sequence[Item],
    by: Sequence[str],
    shares: Mapping[str, int],
    seed: int,
    placed: Sequence[str | None],
) -> Split:
    shared = _shared(items, placed)
    return Split(tuple(by), dict(shares), seed, tuple(items), tuple(placed), shared)


def _deal(axis: str, groups: Iterable[str], shares: Mapping[str, int], seed: int) -> dict[str, str]:
    """The part of each group: exact numbers, in an order drawn by the groups' names."""
    order = sorted(groups, key=lambda group: (draw(seed, group, f"split by {axis}", 128), group))
    sizes = share_out(len(order), shares)
    if not all(sizes.values()):
        told = ",".join(f"{part}={share}" for part, share in shares.items())
        none = next(part for part, size in sizes.items() if not size)
        raise InputError(
            f"--by {axis}: {len(order)} different, shared {told}, leave none for {none}; "
            "allowed: shares that give each part one or more"
        )
    parts = [part for part, size in sizes.items() for _ in range(size)]
    return dict(zip(order, parts, strict=True))


def share_out(number: int, shares: Mapping[str, int]) -> dict[str, int]:
    """``number`` by shares: rounded down, then one more each for the largest remainders."""
    total = sum(shares.values())
    sizes = {part: number * share // total for part, share in shares.items()}
    remainders = sorted(shares, key=lambda part: -(number * shares[part] % total))  # ties: in order
    for part in remainders[: number - sum(sizes.values())]:
        sizes[part] += 1
    return sizes


def _command_groups(items: Sequence[Item]) -> list[frozenset[str]]:
    """Each item's group on the axis command: those of one command, text or recording are one."""
    keys = [
        [f"command {value}" for value in item.values.get("command", ())]
        + ([f"text {item.text}"] if item.text is not None else [])
        for item in items
    ]
    roots = _united([own + sorted(i.audio) for own, i in zip(keys, items, strict=True)])
    # A group is named by what it holds and not by paths, which differ from machine to machine.
    names: dict[int, str] = {}
    for root, own in zip(roots, keys, strict=True):
        for key in own:
            names[root] = min(names.get(root, key), key)
    return [frozenset([names[root]]) if root in names else frozenset() for root in roots]


def _units(items: Sequence[Item], commands: Sequence[frozenset[str]]) -> list[Groups]:
    """Each item's groups by axis, together with those of all that are the same recording."""
    roots = _united([sorted(item.audio) for item in items])
    united: dict[int, dict[str, frozenset[str]]] = defaultdict(dict)
    for root, item, command in zip(roots, items, commands, strict=True):
        for axis, groups in {**item.values, "command": command}.items():
            united[root][axis] = united[root].get(axis, frozenset()) | groups
    return [united[root] for root in roots]


def _united(keys: Sequence[Sequence[str]]) -> list[int]:
    """For each list of keys a number, the same for those that a chain of equal keys joins."""
    parent = list(range(len(keys)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    first: dict[str, int] = {}
    for index, own in enumerate(keys):
        for key in own:
            parent[root(index)] = root(first.setdefault(key, index))
    return [root(index) for index in range(len(keys))]


def _leading(units: Sequence[Groups], by: Sequence[str]) -> list[str]:
    """The axes that are dealt: all but those that follow from another one."""
    leading = list(by)
    for axis in by:
        if any(_follows(units, axis, other) for other in leading if other != axis):
            leading.remove(axis)
    return leading


def _follows(units: Sequence[Groups], axis: str, other: str) -> bool:
    """Whether all items of each group of ``axis`` are in one and the same group of ``other``."""
    found: dict[str, frozenset[str]] = {}
    for groups in units:
        above = groups.get(other, frozenset())
        for group in groups.get(axis, ()):
            if len(above) != 1 or found.setdefault(group, above) != above:
                return False
    return True


def _shared(items: Sequence[Item], placed: Sequence[str | None]) -> dict[str, int | None]:
    """How many recordings, texts and groups stand in more than one part, from the parts alone."""
    shared: dict[str, int | None] = {}
    for kind in ("audio", "text", "context", *AXES):
        places: dict[str, set[str]] = defaultdict(set)
        for item, place in zip(items, placed, strict=True):
            for value in _told(item, kind):
                places[value].update([place] if place else [])
        shared[kind] = sum(len(parts) > 1 for parts in places.values()) if places else None
    return shared


def _told(item: Item, kind: str) -> Iterable[str]:
    if kind == "audio":
        return item.audio
    if kind in AXES:
        return item.values.get(kind, ())
    said = item.text if kind == "text" else item.context
    return () if said is None else (said,)
