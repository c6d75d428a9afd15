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
    if len(shares) == 1:
        return slots[:1] * len(commands)
    seen: Counter[str] = Counter()
    drawn: dict[str, list[int]] = {}  # by tool, of its last block
    dealt = []
    for command in commands:
        tool = command.tool
        block, place = divmod(seen[tool], len(slots))
        seen[tool] += 1
        if place == 0:
            drawn[tool] = _shuffled(len(slots), seed, tool, block)
        dealt.append(slots[drawn[tool][place]])
    return dealt


def _shuffled(num_slots: int, seed: int, tool: str, block: int) -> list[int]:
    return sorted(range(num_slots), key=lambda i: draw(seed, tool, f"split {block} {i}", 128))


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
            ranked.append((max(excess), sum(excess), level))
        least = min(rank[:2] for rank in ranked)
        tied = [level for *rank, level in ranked if tuple(rank) == least]
        # Only levels that tie are drawn for.
        chosen = min(
            tied,
            key=lambda level: draw(seed, command.id, f"{name} {level}", 128) if tied[1:] else 0,
        )
        left.remove(chosen)
        uses.update((*kind, chosen) for kind in kinds)
        yield chosen
