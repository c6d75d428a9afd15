"""Items and readings made up for the tests of an audit: no files, no audio."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from synthkit.audio import Span
from synthkit.audit.items import Bindings, Design, Item, Part, Placed
from synthkit.audit.readings import Reading

VOICES = ("ann", "bob", "cleo")
EIGHT = [
    {"source": source, "field": field, "gap_ms": gap}
    for source, field, gap in product(("same", "different"), ("near", "far"), (0, 600))
]
SIX = [c for c in EIGHT if (c["field"], c["gap_ms"]) != ("far", 0)]
PAIR = [EIGHT[0], EIGHT[7]]

Value = Callable[[Item, str, np.random.Generator], float | None]


class NoChains:
    """A recipe of ours that has none of the fields that are asked for."""

    def alike(self, one: Placed, other: Placed) -> None:
        return None

    def response(self, field: str, bindings: Bindings) -> None:
        return None


def design(conditions: Sequence[Mapping[str, Any]] = EIGHT, post: int | None = 3200) -> Design:
    return Design(Path(), conditions=conditions, dry=frozenset({"near"}), post_samples=post)


def items(
    num_commands: int,
    conditions: Sequence[Mapping[str, Any]] = EIGHT,
    context_moves: bool = True,
    voices: Sequence[tuple[str, str]] | None = None,
    **over: Any,
) -> list[Item]:
    """Commands crossed with conditions; wearer and bystander go round, (a, b) like (b, a)."""
    dealt = voices or [(a, b) for a in VOICES for b in VOICES if a != b]
    return [
        _item(f"door_{number:03}", dealt[number % len(dealt)], condition, context_moves, over)
        for number in range(num_commands)
        for condition in conditions
    ]


def _item(
    command: str,
    dealt: tuple[str, str],
    factors: Mapping[str, Any],
    context_moves: bool,
    over: Mapping[str, Any],
) -> Item:
    wearer, bystander = dealt
    condition = "_".join(str(level) for level in factors.values())
    same, field = factors["source"] == "same", str(factors["field"])
    spans = Span(0, 20000), Span(320, 16800)
    context = Part("context", "wearer", wearer, "Hi.", field if context_moves else "near", *spans)
    speaker = ("wearer", wearer) if same else ("bystander", bystander)
    trigger = Part("trigger", *speaker, "Open.", field, *spans, requested_dbfs=-20.0)
    values = {
        "id": f"{command}__{condition}",
        "command": command,
        "condition": condition,
        "split": "test",
        "tool": "open_door",
        "texts": {"context": "Hi.", "trigger": "Open."},
        "factors": factors,
        "action": "call" if same and field == "near" else "mute",
        "called": "open_door" if same and field == "near" else None,
        "wearer": wearer,
        "bystander": bystander,
        "file": f"audio/{command}/{condition}.wav",
        "parts": (context, trigger),
    }
    return Item(**{**values, **over})


def readings(
    made: Sequence[Item], meter: str, value: Value, roles: Sequence[str] = ("trigger",)
) -> list[Reading]:
    """One meter's values; what is random is the part's own: the same part reads the same."""
    return [
        Reading(item, role, {meter: value(item, role, _generator(item, role))})
        for item in made
        for role in roles
    ]


def _generator(item: Item, role: str) -> np.random.Generator:
    part = item.part(role)
    named = f"{item.command} {role} {part.voice} {part.field}"
    return np.random.default_rng(list(hashlib.sha256(named.encode()).digest()))
