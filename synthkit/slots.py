"""Slots: a fixed number of rows by source, spread over conditions, commands and tools.

A set with slots is not crossed: each of its commands has some of the grid's conditions. The rule
is made for the cue-balanced control: one row of the wearer a command, so that no command has rows
of the bystander alone, and two or three of the bystander in different conditions.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from synthkit.errors import InputError
from synthkit.grids import Condition
from synthkit.keys import draw
from synthkit.scripts import Command

SAME, DIFFERENT, TEXT = "same", "different", "text"


def deal_slots(
    commands: Sequence[Command],
    conditions: Sequence[Condition],
    numbers: Mapping[str, int],
    seed: int,
    where: str,
) -> dict[str, tuple[Condition, ...]]:
    """The conditions of each command that is used, in the grid's order, by command id.

    ``numbers`` are rows by source: ``same``, ``different``, and ``text``. ``same`` commands are
    used, each once with the wearer; rows of either source fill its conditions evenly, in the
    grid's order; what is left over goes to the first ones. Raises :class:`InputError` where
    there are too few commands or conditions.
    """
    cells = _cells(conditions)
    _check(numbers, cells, len(commands), where)
    used = _spread(commands, numbers[SAME], seed, "slots")
    turns = _in_tools(used, seed)
    most = _spread(used, numbers[DIFFERENT] % len(used), seed, "slots different")
    more = {command.id for command in most}
    texts = {command.id for command in _spread(used, numbers[TEXT], seed, "slots text")}
    fewest = numbers[DIFFERENT] // len(used)
    places = {SAME: itertools.count(), DIFFERENT: itertools.count()}
    dealt: dict[str, list[Condition]] = defaultdict(list)
    for command in turns:
        num = {SAME: 1, DIFFERENT: fewest + (command.id in more)}
        for source, place in places.items():
            for index in itertools.islice(place, num[source]):
                dealt[command.id].append(cells[source][index % len(cells[source])])
        if command.id in texts:
            dealt[command.id] += cells[TEXT]
    return {id_: tuple(c for c in conditions if c in chosen) for id_, chosen in dealt.items()}


def filled(conditions: Iterable[Mapping[str, object]], numbers: Mapping[str, int]) -> Counter[str]:
    """Rows that each condition must have, by name; conditions as dataset.json describes them."""
    cells: dict[str, list[str]] = {SAME: [], DIFFERENT: [], TEXT: []}
    for condition in conditions:
        source = TEXT if condition["modality"] == "text" else str(condition["source"])
        cells[source].append(str(condition["name"]))
    return Counter(
        name
        for source, names in cells.items()
        for name in itertools.islice(itertools.cycle(names), numbers.get(source, 0))
    )


def _cells(conditions: Sequence[Condition]) -> dict[str, list[Condition]]:
    cells: dict[str, list[Condition]] = {SAME: [], DIFFERENT: [], TEXT: []}
    for condition in conditions:
        cells[TEXT if condition.modality == "text" else str(condition.source)].append(condition)
    return cells


def _check(
    numbers: Mapping[str, int], cells: Mapping[str, Sequence[Condition]], num: int, where: str
) -> None:
    used = numbers[SAME]
    if used > num:
        raise InputError(
            f"{where}: field slots.{SAME}: found {used}; allowed: up to {num} commands"
        )
    bounds = {
        SAME: used if cells[SAME] else 0,
        DIFFERENT: used * len(cells[DIFFERENT]),
        TEXT: used * len(cells[TEXT]),
    }
    for source, most in bounds.items():
        if numbers[source] > most:
            raise InputError(
                f"{where}: field slots.{source}: found {numbers[source]}; allowed: up to {most}, "
                f"with {used} commands and {len(cells[source])} such conditions in the grid"
            )


def _spread(commands: Sequence[Command], number: int, seed: int, purpose: str) -> list[Command]:
    """So many of the commands, as evenly over the tools as can be; which ones by hash."""
    first = [
        (place, draw(seed, c.tool, purpose, 128), c)
        for place, c in _ranked(commands, seed, purpose)
    ]
    return [command for *_, command in sorted(first, key=lambda rank: rank[:2])][:number]


def _ranked(commands: Sequence[Command], seed: int, purpose: str) -> Iterable[tuple[int, Command]]:
    """Each command with its place among those of its tool."""
    places: Counter[str] = Counter()
    for command in sorted(commands, key=lambda c: draw(seed, c.id, purpose, 128)):
        yield places[command.tool], command
        places[command.tool] += 1


def _in_tools(commands: Sequence[Command], seed: int) -> list[Command]:
    """Tool by tool, so that the conditions go round within each."""
    return sorted(commands, key=lambda c: (c.tool, draw(seed, c.id, "slots turn", 128)))
