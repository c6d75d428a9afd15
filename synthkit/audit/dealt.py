"""What a set deals once a command, and its rows counted by command: the unit of its statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthkit.audit.items import Item

SHOWN = 5  # items that a finding about many names


@dataclass(frozen=True)
class Dealt:
    """One command: its split, tool, words, voices and nuisances, and its audio rows by level.

    ``conditions`` and ``actions`` count audio rows. Voices are None where only text is there.
    """

    id: str
    split: str
    tool: str
    family: str | None
    texts: Mapping[str, str]
    wearer: str | None
    bystander: str | None
    nuisances: Mapping[str, Any]
    conditions: Mapping[str, int]
    actions: Mapping[str, int]

    @property
    def voices(self) -> tuple[str, ...]:
        """The voices that speak, each once."""
        return tuple(dict.fromkeys(v for v in (self.wearer, self.bystander) if v is not None))


def by_command(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Items by command, in their order."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.command, []).append(item)
    return found


def dealt(items: Iterable[Item]) -> tuple[Dealt, ...]:
    """Every command once, by its first row with sound, or its first where there is none."""
    return tuple(_dealt(rows) for rows in by_command(items).values())


def _dealt(rows: Sequence[Item]) -> Dealt:
    audio = [item for item in rows if item.is_audio]
    first = next(iter(audio), rows[0])
    return Dealt(
        id=first.command,
        split=first.split,
        tool=first.tool,
        family=first.family,
        texts=first.texts,
        wearer=first.wearer,
        bystander=first.bystander,
        nuisances=first.nuisances,
        conditions=Counter(item.condition for item in audio),
        actions=Counter(item.action for item in audio),
    )


def shown(ids: Iterable[str]) -> tuple[str, ...]:
    """The first few ids: a finding about many says in its text how many they are."""
    return tuple(dict.fromkeys(ids))[:SHOWN]
