"""Two items of one command: what is declared equal must be, and what is declared to differ must.

A contrast has the name of the factor in which the two items differ; ``several`` where it is more
than one, as between single and switch. Parts are compared by what is said of them: parts of one
voice in one field are one sound, to the bit; parts of one voice in two fields are one source
through two chains; parts of two voices in one field have all but the voice in common.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

from synthkit.audio import num_samples_of
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design, Item, Part, Placed
from synthkit.audit.likeness import above_db, difference, lag, residual_db
from synthkit.audit.parts import LEVEL_DB
from synthkit.audit.sounds import PartSound, Sound
from synthkit.levels import rms_dbfs

SEVERAL = "several"
# What may be left of a part without what its chain makes of the other. Rounding to 16 bits leaves
# -73 dB at -20 dBFS; a sample's delay -14 dB, another room 0 dB.
RESIDUAL_DB = -60.0
# Rounding's own level, and by how much the gains of a chain and of levelling may have raised it.
ROUNDING_DBFS, RAISED_DB = -101.0, 12.0
# The same where neither part is dry and a limiter has acted on one: chains no longer change places.
LIMITED_DB = -20.0
SAME_TAKE_DB = -20.0
UNHEARD_DB = -60.0  # re speech: what is above a cutoff, and less than rounding to 16 bits leaves


Check = Callable[[PartSound, PartSound], str | None]


class Contrasts:
    """Compares the items of one command; parts that items share are compared once."""

    def __init__(self, sounds: Mapping[str, Sound], design: Design) -> None:
        self._sounds, self._design = sounds, design
        self._known: dict[tuple[Any, ...], str | None] = {}
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
        yield Comparison(f"{name}.words", both, _words(one, other))
        if one.id not in self._sounds or other.id not in self._sounds:
            return
        yield Comparison(f"{name}.cast", both, _cast(one, other))
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
            yield "bytes", self._once(_differing, first, second)
            return
        yield "level", self._once(_level, first, second)
        yield "edges", self._edges(first, second)
        if same_voice:
            yield "window", _window(first, second)
            if not self._through_dry(first, second):
                yield "rendering", self._once(self._rendering, first, second)
            yield "applied", self._once(_applied, first, second)
            cutoffs = [self._design.lowpassed.get(s.part.field) for s in (first, second)]
            if cutoffs[0] != cutoffs[1]:
                yield "lowpass", self._once(self._lowpass, first, second)
        elif chain(first.part) == chain(second.part):
            yield "room", _room(first.part, second.part)
            yield "voice", self._once(_other_take, first, second)

    def _edges(self, first: PartSound, second: PartSound) -> str | None:
        """As much before the speech, and after it, in both; a decay may last, if it is kept."""
        before = [sound.window.start for sound in (first, second)]
        if before[0] != before[1]:
            return f"speech starts after {before[0]} and {before[1]} samples; allowed: the same"
        kept = self._design.chains is not None and self._design.post_samples is None
        after = [len(sound.samples) - sound.window.end for sound in (first, second)]
        if after[0] == after[1] or (kept and chain(first.part) != chain(second.part)):
            return None
        return f"ends {after[0]} and {after[1]} samples after its speech; allowed: the same"

    def _once(self, check: Check, first: PartSound, second: PartSound) -> str | None:
        key = (check.__name__, _key(first), _key(second))
        if key not in self._known:
            self._known[key] = check(first, second)
        return self._known[key]

    def _rendering(self, first: PartSound, second: PartSound) -> str | None:
        dry = self._design.dry
        if second.part.field in dry and first.part.field not in dry:
            first, second = second, first
        chains = self._design.chains
        alike = chains and chains.alike(_placed(first), _placed(second))
        if not alike:  # of a set of others: one take, as late in one room as in the other
            self._late(first, second, lag(first.samples, second.samples, whitened=True))
            return None
        left, gain = residual_db(*alike)
        wet = first.part.field not in dry
        limited = first.part.limited or second.part.limited
        rounding = ROUNDING_DBFS + RAISED_DB - (rms_dbfs(alike[1]) or 0.0)
        allowed = LIMITED_DB if wet and limited else max(RESIDUAL_DB, rounding)
        late = lag(*alike) if left > allowed else 0
        self._late(first, second, late)
        if left <= allowed and gain > 0:
            return None
        said = [
            f"field {second.part.field} is not what its chain makes of field {first.part.field}: "
            f"{left:.1f} dB differ; allowed: {allowed:.0f}"
        ]
        if late:
            said.append(f"{abs(late)} samples {'late' if late > 0 else 'early'}")
        if gain < 0:
            said.append("polarity is inverted")
        return "; ".join(said)

    def _through_dry(self, first: PartSound, second: PartSound) -> bool:
        """Whether two parts in rooms are both held against the dry part of their speech."""
        dry = self._design.dry
        if first.part.field in dry or second.part.field in dry:
            return False
        return any(
            part.part.field in dry
            and (part.part.role, part.part.speaker) == (first.part.role, first.part.speaker)
            for sound in self._sounds.values()
            for part in sound.parts.values()
        )

    def _late(self, first: PartSound, second: PartSound, late: int) -> None:
        if first.part.field in self._design.dry:
            self.lags[second.sha256] = late

    def _lowpass(self, first: PartSound, second: PartSound) -> str | None:
        """Where one of two fields is low-passed, it has less above the cutoff."""
        cutoffs = self._design.lowpassed
        both = sorted((first, second), key=lambda s: cutoffs.get(s.part.field, math.inf))
        cutoff = cutoffs[both[0].part.field]
        dull, bright = (
            above_db(s.samples[slice(*s.window)], s.sampling_rate, cutoff) for s in both
        )
        if dull < bright or dull <= UNHEARD_DB:
            return None
        return (
            f"field {both[0].part.field} has {dull:.1f} dB above {cutoff:g} Hz re all, "
            f"{both[1].part.field} {bright:.1f} dB; allowed: less"
        )


def contrast(one: Item, other: Item) -> str:
    """The factor in which two items differ; ``modality`` where one is text."""
    if one.is_audio != other.is_audio:
        return "modality"
    names = [name for name in one.factors if one.factors[name] != other.factors.get(name)]
    return names[0] if len(names) == 1 else SEVERAL


def chain(part: Part) -> tuple[object, ...]:
    """What was done to a part's source."""
    return part.field, part.bindings


def _key(sound: PartSound) -> tuple[object, ...]:
    part = sound.part
    return sound.sha256, sound.window, part.speaker, part.voice, chain(part)


def _placed(sound: PartSound) -> Placed:
    return Placed(sound.samples, sound.window, sound.part.field, sound.part.bindings)


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


def _differing(first: PartSound, second: PartSound) -> str | None:
    same = first.sha256 == second.sha256
    return None if same else difference(first.samples, second.samples)


def _level(first: PartSound, second: PartSound) -> str | None:
    """Levels of two parts of which the recipe asks one level over the speech window."""
    if None in (first.part.requested_dbfs, second.part.requested_dbfs):
        return None
    levels = [rms_dbfs(s.samples[slice(*s.window)]) for s in (first, second)]
    if levels[0] is None or levels[1] is None or abs(levels[1] - levels[0]) > LEVEL_DB:
        told = " and ".join("silence" if x is None else f"{x:.2f} dBFS" for x in levels)
        return f"levels are {told}; allowed: within {LEVEL_DB:g} dB"
    return None


def _window(first: PartSound, second: PartSound) -> str | None:
    if first.window == second.window:
        return None
    return f"speech lies at {tuple(first.window)} and {tuple(second.window)}; allowed: the same"


def _room(first: Part, second: Part) -> str | None:
    return None if first.rir_sha256 == second.rir_sha256 else "their rooms have two responses"


def _applied(first: PartSound, second: PartSound) -> str | None:
    left, _ = residual_db(first.samples, second.samples)
    if left > RESIDUAL_DB:
        return None
    return (
        f"fields {first.part.field} and {second.part.field} hold one sound ({left:.1f} dB differ); "
        f"allowed: more than {RESIDUAL_DB:g} dB"
    )


def _other_take(first: PartSound, second: PartSound) -> str | None:
    """Two people never say the same samples, whatever gain or delay is taken out."""
    late = lag(first.samples, second.samples)
    one, other = first.samples[max(0, -late) :], second.samples[max(0, late) :]
    left, _ = residual_db(one, other)
    if left > SAME_TAKE_DB:
        return None
    return f"both voices are one take ({left:.1f} dB differ); allowed: two voices"
