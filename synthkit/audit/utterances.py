"""Utterances: what a set says is said in each distinct sound, beside what was heard there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from synthkit.audit.ears import Heard
from synthkit.audit.items import Design, Item

NEAR = "near"  # what is near where a set does not say which field is dry


@dataclass(frozen=True, eq=False)
class Utterance:
    """A sound as a set declares it, once for all the ``items`` (ids) that declare the same."""

    items: tuple[str, ...]
    command: str
    role: str
    speaker: str
    voice: str | None
    text: str
    field: str
    sha256: str
    heard: Heard

    @property
    def name(self) -> str:
        """What faults call it."""
        return f"{self.role} ({self.field}{f', {self.voice}' if self.voice else ''})"


def utterances(
    places: Iterable[tuple[Item, str, str]], heard: Mapping[str, Heard]
) -> tuple[Utterance, ...]:
    """Gather items, roles and hashes of sounds; ``heard`` is by hash."""
    found: dict[tuple[object, ...], Utterance] = {}
    items: dict[tuple[object, ...], list[str]] = {}
    for item, role, sha256 in places:
        part = item.part(role)
        declared = (item.command, role, part.speaker, part.voice, part.text, part.field)
        key = (sha256, *declared)
        items.setdefault(key, []).append(item.id)
        if key not in found:
            found[key] = Utterance((), *declared, sha256, heard[sha256])
    return tuple(replace(one, items=tuple(items[key])) for key, one in found.items())


def near_fields(design: Design, fields: Iterable[str]) -> frozenset[str]:
    """The fields of untouched speech: those said to be dry, else the one called near."""
    return design.dry or frozenset({NEAR} & set(fields))
