"""Who it sounds like: voices enrolled from a set's own near speech, and each sound among them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthkit.audit.findings import Comparison
from synthkit.audit.utterances import Utterance

ENROLMENT = 3  # sounds of a voice in other commands, at least
IDENTIFIED = 0.95  # share of near triggers
# A near sound is clearly another voice's where that is closer by this. The closest that a near
# sound of the cast that comes along gets to another's voice is 0.04 short of being as close.
CLEARLY = 0.05
# What a coin does once in so many sets: far triggers say nothing one by one, for a room takes most
# of the voice away, but what it leaves is not the other voice of the command.
ONCE_IN = 1000

Kinds: TypeAlias = Mapping[str, tuple[str, ...]]
Vector: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Likeness:
    """An utterance's cosines with the mean embeddings of all voices of its kind that are enrolled.

    Each voice is enrolled from its near sounds in commands other than the utterance's.
    """

    said: Utterance
    cosines: Mapping[str, float]

    @property
    def own(self) -> float:
        return self.cosines[str(self.said.voice)]

    @property
    def others(self) -> float:
        """The mean cosine with all voices but its own."""
        known = [cosine for voice, cosine in self.cosines.items() if voice != self.said.voice]
        return sum(known) / len(known)

    @property
    def closest_other(self) -> str:
        others = (voice for voice in self.cosines if voice != self.said.voice)
        return max(others, key=lambda voice: self.cosines[voice])

    @property
    def margin(self) -> float:
        """By how much its own voice is closer than any other; negative where one is closer."""
        return self.own - self.cosines[self.closest_other]

    @property
    def identified(self) -> bool:
        return self.margin > 0

    def __str__(self) -> str:
        other = self.closest_other
        return (
            f"{self.said.name} sounds like {other} (cosine {self.cosines[other]:.2f}, "
            f"its own voice {self.own:.2f})"
        )

    def describe(self) -> dict[str, Any]:
        said = self.said
        own = {"items": list(said.items), "role": said.role, "field": said.field}
        cosines = {voice: round(cosine, 4) for voice, cosine in self.cosines.items()}
        return {**own, "voice": said.voice, "closest_other": self.closest_other, "cosines": cosines}


def likenesses(
    said: Sequence[Utterance], near: Collection[str], kinds: Kinds
) -> tuple[Likeness, ...]:
    """Compare each utterance of a known voice with the voices of its kind.

    Left out are those of a voice with fewer than three near sounds in other commands, and those
    without any other voice of their kind that has three.
    """
    sums: dict[str, Vector] = {}
    counts: dict[str, int] = {}
    own: dict[tuple[str, str], list[Vector]] = {}
    for one in said:
        if one.voice and one.field in near and one.heard.embedding is not None:
            vector = one.heard.embedding.astype(np.float64)
            sums[one.voice] = sums.get(one.voice, np.zeros_like(vector)) + vector
            counts[one.voice] = counts.get(one.voice, 0) + 1
            own.setdefault((one.voice, one.command), []).append(vector)
    found = []
    for one in said:
        if not one.voice or one.heard.embedding is None:
            continue
        cosines = {}
        for voice, total in sums.items():
            left_out = own.get((voice, one.command), [])
            enrolled = counts[voice] - len(left_out) >= ENROLMENT
            if not enrolled or kinds.get(voice) != kinds.get(one.voice):
                continue
            centre = total - sum(left_out, np.zeros_like(total))
            cosines[voice] = float(one.heard.embedding @ centre / np.linalg.norm(centre))
        if one.voice in cosines and len(cosines) > 1:
            found.append(Likeness(one, cosines))
    return tuple(found)


def judged(found: Iterable[Likeness], near: Collection[str]) -> Iterator[Comparison]:
    """Compare sounds with their voices: near ones one by one, triggers by the share identified.

    A near sound is a finding where another voice is closer by 0.05; near triggers that are no
    closer to their own voice than to any other are, where they are more than 5 %; far ones that
    are closer to the command's other voice, where they are more than chance makes of half.
    """
    found = tuple(found)
    close = [one for one in found if one.said.field in near]
    for one in close:
        clearly = one.margin < -CLEARLY
        yield Comparison("heard.voice", one.said.items, f"{one}" if clearly else None)
    triggers = [one for one in close if one.said.role == "trigger"]
    share = sum(one.identified for one in triggers) / max(len(triggers), 1)
    for one in triggers:
        missed = not one.identified and share < IDENTIFIED
        fault = f"{one}; {100 * share:.1f} % of near triggers are identified; allowed: 95 % or more"
        yield Comparison("heard.identified", one.said.items, fault if missed else None)
    cast = {(one.said.command, one.said.speaker): str(one.said.voice) for one in found}
    far = [one for one in found if one.said.field not in near and one.said.role == "trigger"]
    for field in dict.fromkeys(one.said.field for one in far):
        there = [one for one in far if one.said.field == field]
        for speaker, other in (("wearer", "bystander"), ("bystander", "wearer")):
            others = {command: voice for (command, who), voice in cast.items() if who == other}
            yield from _far([one for one in there if one.said.speaker == speaker], others)


def _far(far: Sequence[Likeness], others: Mapping[str, str]) -> Iterator[Comparison]:
    """Compare one speaker's triggers in a far field with the other voice of their command.

    A room makes all voices sound like some one: the mean cosine of all with a voice is taken out.
    """
    pull = _means(one.cosines for one in far)
    pairs: list[tuple[Likeness, float]] = []
    for one in far:
        own, other = str(one.said.voice), others.get(one.said.command, "")
        if other in one.cosines:
            pairs.append((one, one.cosines[other] - pull[other] - one.own + pull[own]))
    closer = sum(by > 0 for _, by in pairs)
    chance = sum(comb(len(pairs), count) for count in range(closer, len(pairs) + 1))
    many = chance * ONCE_IN < 2 ** len(pairs)
    for one, by in pairs:
        fault = (
            f"{one.said.name} is closer to the command's other voice (by {by:.2f}, the room's part "
            f"taken out), as are {closer} of the {one.said.speaker}'s {len(pairs)}; allowed: half"
        )
        yield Comparison("heard.identified", one.said.items, fault if many and by > 0 else None)


def _means(cosines: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean by voice, over those that have it."""
    by_voice: dict[str, list[float]] = {}
    for one in cosines:
        for voice, cosine in one.items():
            by_voice.setdefault(voice, []).append(cosine)
    return {voice: sum(values) / len(values) for voice, values in by_voice.items()}
