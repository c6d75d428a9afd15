"""Casting: which voice is the wearer's and which the bystander's, balanced as commands come."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from synthkit.keys import draw
from synthkit.scripts import Command


@dataclass(frozen=True, slots=True)
class Cast:
    """The two voices of one command, by id."""

    wearer: str
    bystander: str


def cast(commands: Iterable[Command], voices: Sequence[str], seed: int) -> Iterator[Cast]:
    """Give each command, in order, an ordered pair of ``voices``.

    Pairs come in rounds. In a round of n commands every voice is wearer once and bystander
    once, and after n - 1 rounds every ordered pair has been used once; so pairs and roles
    never differ by more than 1 (docs/design.md shows an example). Within a round each command
    takes the pair least used in its tool; ties go by a hash of seed, command and pair. A
    command's pair depends on the commands before it alone, so appending changes nothing.
    """
    shuffled = sorted(voices, key=lambda voice: draw(seed, voice, "cast voices", bits=128))
    if len(shuffled) < 2:
        yield from (Cast(shuffled[0], shuffled[0]) for _ in commands)
        return
    uses: Counter[tuple[str, ...]] = Counter()
    left: list[Cast] = []
    rounds = 0
    for command in commands:
        if not left:
            left = _round(shuffled, rounds)
            rounds += 1
        chosen = _least_used(left, command, uses, seed)
        left.remove(chosen)
        uses.update(_counted(chosen, command))
        yield chosen


def _round(voices: Sequence[str], number: int) -> list[Cast]:
    """Round ``number``: the voices in a ring, each answered by the one some steps further."""
    step = 1 + number % (len(voices) - 1)
    return [_cast(v, voices[(i + step) % len(voices)]) for i, v in enumerate(voices)]


@functools.cache
def _cast(wearer: str, bystander: str) -> Cast:
    """One object a pair, however many commands have it."""
    return Cast(wearer, bystander)


def _counted(pair: Cast, command: Command) -> list[tuple[str, ...]]:
    return [
        (command.tool, "wearer", pair.wearer),
        (command.tool, "bystander", pair.bystander),
        (command.tool, pair.wearer, pair.bystander),
    ]


def _least_used(
    pairs: Sequence[Cast], command: Command, uses: Counter[tuple[str, ...]], seed: int
) -> Cast:
    """The pair least used in the command's tool; only pairs that tie are drawn for."""
    ranks = [_rank(pair, command, uses) for pair in pairs]
    least = [pair for pair, rank in zip(pairs, ranks, strict=True) if rank == min(ranks)]
    if len(least) == 1:
        return least[0]
    return min(
        least,
        key=lambda pair: draw(seed, command.id, f"cast {pair.wearer} {pair.bystander}", bits=128),
    )


def _rank(pair: Cast, command: Command, uses: Counter[tuple[str, ...]]) -> tuple[int, int, int]:
    wearer, bystander, both = (uses[key] for key in _counted(pair, command))
    return max(wearer, bystander), wearer + bystander, both
