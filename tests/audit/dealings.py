"""Whole sets made up by hand: commands dealt to voices, splits and rooms, crossed with a grid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from pathlib import Path
from typing import Any

from synthkit.audio import Span
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design, Item, Part
from synthkit.grids import named

VOICES = ("ann", "bob", "cat")
TOOLS = ("lock_door", "play_music")
KINDS = dict.fromkeys(VOICES, ("vits", "plain", "en-US"))
WHERE = Span(0, 1600), Span(320, 1280)


@dataclass(frozen=True)
class Told:
    """One command as it is dealt; words of its own unless told."""

    id: str
    tool: str
    wearer: str
    bystander: str
    split: str = "test"
    nuisances: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    family: str | None = None
    conditions: Sequence[str] | None = None  # all of the grid


def commands(number: int, **given: Callable[[int], Any]) -> list[Told]:
    """So many commands; every ordered pair of voices goes round in one tool, then in the next.

    ``given`` are other values by the name of a field, each from the command's number.
    """
    pairs = list(permutations(VOICES, 2))
    return [
        replace(
            Told(f"door_{n:03}", TOOLS[n // len(pairs) % len(TOOLS)], *pairs[n % len(pairs)]),
            **{name: value(n) for name, value in given.items()},
        )
        for n in range(number)
    ]


def design(grid: str = "pair", **values: Any) -> Design:
    """A set over a grid that comes along, whose voices are of one kind unless told."""
    conditions = tuple(named(grid).describe()["conditions"])
    given = {"conditions": conditions, "call_at": named(grid).rule, "kinds": KINDS}
    return Design(Path(), **{**given, **values})


def deal(told: Iterable[Told], grid: str = "pair") -> list[Item]:
    """The items of commands, each with a hash of its own."""
    return [
        _item(command, condition)
        for command in told
        for condition in named(grid).describe()["conditions"]
        if command.conditions is None or condition["name"] in command.conditions
    ]


def _item(command: Told, condition: Mapping[str, Any]) -> Item:
    audio, calls = condition["modality"] == "audio", condition["action"] == "call"
    id_ = f"{command.id}__{condition['name']}"
    texts = {role: command.words.get(role, f"{role} {command.id}") for role in ROLES}
    return Item(
        id=id_,
        command=command.id,
        condition=condition["name"],
        split=command.split,
        tool=command.tool,
        texts=texts,
        factors={n: condition[n] for n in ("source", "field", "gap_ms") if audio},
        action=condition["action"],
        called=command.tool if calls else None,
        wearer=command.wearer if audio else None,
        bystander=command.bystander if audio else None,
        file=f"audio/{command.id}/{condition['name']}.wav" if audio else None,
        sha256=f"{id_}: sound" if audio else None,
        parts=tuple(_parts(command, condition, texts)) if audio else (),
        family=command.family,
        params={"name": command.id} if calls else None,
        nuisances=command.nuisances if audio else {},
    )


ROLES = ("context", "trigger")


def _parts(command: Told, condition: Mapping[str, Any], texts: Mapping[str, str]) -> Iterator[Part]:
    same = condition["source"] == "same"
    speaker, voice = ("wearer", command.wearer) if same else ("bystander", command.bystander)
    near = condition["context_field"]
    yield Part("context", "wearer", command.wearer, texts["context"], near, *WHERE)
    yield Part("trigger", speaker, voice, texts["trigger"], condition["field"], *WHERE)


def changed(items: Sequence[Item], id_: str, **values: Any) -> list[Item]:
    """The same items, one of them with other values."""
    assert any(item.id == id_ for item in items)
    return [replace(item, **values) if item.id == id_ else item for item in items]


def faults(comparisons: Iterable[Comparison]) -> dict[str, list[Comparison]]:
    """What was found, by check."""
    found: dict[str, list[Comparison]] = defaultdict(list)
    for comparison in comparisons:
        if comparison.fault is not None:
            found[comparison.check].append(comparison)
    return dict(found)


def only(comparisons: Iterable[Comparison], check: str) -> Comparison:
    """The one finding there is, which is of ``check``."""
    found = faults(comparisons)
    assert list(found) == [check], found
    (one,) = found[check]
    return one
