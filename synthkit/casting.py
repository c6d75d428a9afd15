"""Casting: which voice is the wearer's and which the bystander's, balanced as commands come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from synthkit.keys import draw
from synthkit.scripts import Command


@dataclass(frozen=True)
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
        chosen = min(left, key=lambda pair: _rank(pair, command, uses, seed))
        left.remove(chosen)
        uses.update(_counted(chosen, command))
        yield chosen


def _round(voices: Sequence[str], number: int) -> list[Cast]:
    """Round ``number``: the voices in a ring, each answered by the one some steps further."""
    step = 1 + number % (len(voices) - 1)
    return [Cast(v, voices[(i + step) % len(voices)]) for i, v in enumerate(voices)]


def _counted(pair: Cast, command: Command) -> list[tuple[str, ...]]:
    return [
        (command.tool, "wearer", pair.wearer),
        (command.tool, "bystander", pair.bystander),
        (command.tool, pair.wearer, pair.bystander),
    ]


def _rank(
    pair: Cast, command: Command, uses: Counter[tuple[str, ...]], seed: int
) -> tuple[int, int, int, int]:
    wearer, bystander, both = (uses[key] for key in _counted(pair, command))
    tie = draw(seed, command.id, f"cast {pair.wearer} {pair.bystander}", bits=128)
    return max(wearer, bystander), wearer + bystander, both, tie
