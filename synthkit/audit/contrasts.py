"""Two items of one command: what is declared equal must be, and what is declared to differ must.

A contrast has the name of the factor in which the two items differ; ``several`` where it is more
than one, as between single and switch. Parts are compared by what is said of them: parts of one
voice in one field are one sound, to the bit; parts of one voice in two fields are one source
through two chains; parts of two voices in one field have all but the voice in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from synthkit.audio import num_samples_of
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design, Item
from synthkit.audit.partpairs import (
    bytes_differ,
    chain,
    edges_differ,
    levels_differ,
    not_applied,
    not_lowpassed,
    one_take,
    rooms_differ,
    windows_differ,
)
from synthkit.audit.renderings import rendered_otherwise
from synthkit.audit.sounds import PartSound, Sound
from synthkit.grids import FACTORS

SEVERAL = "several"

Check = Callable[[PartSound, PartSound, Design], str | None]


class Contrasts:
    """Compares the items of one command; parts that items share are compared once."""

    def __init__(self, sounds: Mapping[str, Sound], design: Design) -> None:
        self._sounds, self._design = sounds, design
        self._known: dict[tuple[object, ...], str | None] = {}
        self.pairs = 0  # of files that were compared
        self.lags: dict[str, int] = {}  # against the dry part of the same speech, by hash

    def compare(self, items: list[Item]) -> Iterator[Comparison]:
        """Every two items that differ in one declared factor; in several, where nothing else joins.

        What holds from near to far and from there to another pause holds from near to that too.
        """
        joined = {item.id: frozenset({item.id}) for item in items}
        apart = []
        for one, other in combinations(items, 2):
            name = contrast(one, other)
            if name == SEVERAL:
                apart.append((one, other))
                continue
            yield from self._pair(name, one, other)
            if name != "modality":
                both = joined[one.id] | joined[other.id]
                joined |= dict.fromkeys(both, both)
        for one, other in apart:
            if other.id not in joined[one.id]:
                yield from self._pair(SEVERAL, one, other)

    def _pair(self, name: str, one: Item, other: Item) -> Iterator[Comparison]:
        both = (one.id, other.id)
        if any(item.tool or any(item.texts.values()) for item in (one, other)):
            yield Comparison(f"{name}.words", both, _words(one, other))
        if one.id not in self._sounds or other.id not in self._sounds:
            return
        self.pairs += 1
        if any((i.wearer, i.bystander) != (None, None) for i in (one, other)):
            yield Comparison(f"{name}.cast", both, _cast(one, other))
        if self._design.chains is not None:
            bed = None if one.bed == other.bed else "their beds are two"
            yield Comparison(f"{name}.bed", both, bed)
        if name == "gap_ms":
            yield Comparison("gap_ms.zeros", both, self._zeros(one, other))
        for role in (part.role for part in one.parts):
            for check, fault in self._parts(one, other, role):
                told = None if fault is None else f"{role}: {fault}"
                yield Comparison(f"{name}.{check}", both, told)

    def _zeros(self, one: Item, other: Item) -> str | None:
        """Two files that differ in the gap differ in length by it and by nothing else."""
        first, second = self._sounds[one.id], self._sounds[other.id]
        wanted = [num_samples_of(float(i.gap_ms or 0), first.sampling_rate) for i in (one, other)]
        found = len(second.samples) - len(first.samples)
        if found == wanted[1] - wanted[0]:
            return None
        return f"lengths differ by {found} samples; allowed: {wanted[1] - wanted[0]}"

    def _parts(self, one: Item, other: Item, role: str) -> Iterator[tuple[str, str | None]]:
        first, second = (self._sounds[item.id].parts[role] for item in (one, other))
        same_voice = (first.part.speaker, first.part.voice) == (
            second.part.speaker,
            second.part.voice,
        )
        if same_voice and chain(first.part) == chain(second.part):
            yield "bytes", self._once(bytes_differ, first, second)
            return
        if None not in (first.part.requested_dbfs, second.part.requested_dbfs):
            yield "level", self._once(levels_differ, first, second)
        if first.part.windowed and second.part.windowed:
            yield "edges", self._once(edges_differ, first, second)
        if same_voice:
            yield "window", self._once(windows_differ, first, second)
            rendering = self._once(self._rendering, first, second)  # the lag comes from here too
            if self._design.chains is not None:
                yield "rendering", rendering
            yield "applied", self._once(not_applied, first, second)
            cutoffs = [self._design.lowpassed.get(s.part.field) for s in (first, second)]
            if cutoffs[0] != cutoffs[1]:
                yield "lowpass", self._once(not_lowpassed, first, second)
        elif chain(first.part) == chain(second.part):
            if self._design.chains is not None:
                yield "room", self._once(rooms_differ, first, second)
            yield "voice", self._once(one_take, first, second)

    def _once(self, check: Check, first: PartSound, second: PartSound) -> str | None:
        key = (check.__name__, _key(first), _key(second))
        if key not in self._known:
            self._known[key] = check(first, second, self._design)
        return self._known[key]

    def _rendering(self, first: PartSound, second: PartSound, design: Design) -> str | None:
        fault, late = rendered_otherwise(first, second, design)
        if late is not None:
            wet = second if first.part.field in design.dry else first
            self.lags[wet.sha256] = late
        return fault


def contrast(one: Item, other: Item) -> str:
    """The factor in which two items differ, ``factor_NAME`` for a set's own; else ``modality``
    where one is text, or ``several``."""
    if one.is_audio != other.is_audio:
        return "modality"
    names = [name for name in one.factors if one.factors[name] != other.factors.get(name)]
    if len(names) != 1:
        return SEVERAL
    # A set may call further factors as it likes: part, design, probe.
    return names[0] if names[0] in FACTORS else f"factor_{names[0]}"


def _key(sound: PartSound) -> tuple[object, ...]:
    part = sound.part
    return sound.sha256, sound.window, part.speaker, part.voice, chain(part)


def _words(one: Item, other: Item) -> str | None:
    for role in one.texts:
        if one.texts[role] != other.texts.get(role):
            return f"{role} is not the same text"
    return None if one.tool == other.tool else f"tools are {one.tool} and {other.tool}"


def _cast(one: Item, other: Item) -> str | None:
    for role in ("wearer", "bystander"):
        first, second = getattr(one, role), getattr(other, role)
        if first != second:
            return f"{role} is {first} and {second}"
    return None
