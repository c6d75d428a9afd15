"""Dealing: which split a command belongs to, and which level of each nuisance it gets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from synthkit.casting import Cast
from synthkit.grids import Level
from synthkit.keys import draw
from synthkit.scripts import Command


def deal_splits(commands: Sequence[Command], shares: Mapping[str, int], seed: int) -> list[str]:
    """Give each command a split, tool by tool in blocks of the shares' sum.

    Each full block of a tool's commands is shared out exactly (4 to 1: four of every five),
    in an order drawn for the block. Appending commands changes nothing before them.
    """
    slots = [name for name, share in shares.items() for _ in range(share)]
    seen: Counter[str] = Counter()
    dealt = []
    for command in commands:
        block, place = divmod(seen[command.tool], len(slots))
        seen[command.tool] += 1
        drawn = sorted(
            range(len(slots)), key=lambda i: draw(seed, command.tool, f"split {block} {i}", 128)
        )
        dealt.append(slots[drawn[place]])
    return dealt


def deal_levels(
    commands: Sequence[Command],
    casts: Sequence[Cast],
    levels: Sequence[Level],
    seed: int,
    name: str,
) -> Iterator[Level]:
    """Give each command one of ``levels``, balanced over tools, wearers and bystanders.

    Levels come in rounds, each once a round, so their uses never differ by more than 1. Within
    a round a command takes the level that has been used least too often with its tool, its
    wearer and its bystander, the worst of the three first; ties go by a hash. Appending commands
    changes nothing before them.
    """
    uses: Counter[tuple[str, str, Level]] = Counter()
    left: list[Level] = []
    for command, cast in zip(commands, casts, strict=True):
        left = left or list(levels)
        kinds = (("tool", command.tool), ("wearer", cast.wearer), ("bystander", cast.bystander))
        fewest = {kind: min(uses[(*kind, level)] for level in levels) for kind in kinds}
        ranked = []
        for level in left:
            excess = [uses[(*kind, level)] - fewest[kind] for kind in kinds]
            tie = draw(seed, command.id, f"{name} {level}", 128)
            ranked.append((max(excess), sum(excess), tie, level))
        chosen = min(ranked, key=lambda rank: rank[:3])[3]
        left.remove(chosen)
        uses.update((*kind, chosen) for kind in kinds)
        yield chosen
