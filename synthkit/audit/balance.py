"""Balance: voices, their kinds and rooms tell nothing of tool, split, condition or target.

The unit is the command: its rows share voices and rooms, so counting rows would count it often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthkit.audit.chance import (
    ALPHA,
    Coded,
    Verdict,
    coded,
    cramers_v,
    evenly,
    swapped,
    together,
)
from synthkit.audit.dealt import SHOWN, Dealt, dealt, shown
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design, Item
from synthkit.audit.statistics import holm

Pair = tuple[str, str]
Labels = Callable[[Dealt], Iterable[str]]

KINDS = ("checkpoint", "processing", "language")


class Factor(NamedTuple):
    """What may go with something else: its name, what checks call its group, its labels."""

    group: str
    name: str
    labels: Labels


COLUMNS = (
    Factor("tool", "tool", lambda command: (command.tool,)),
    Factor("split", "split", lambda command: (command.split,)),
    Factor("condition", "condition", lambda command: Counter(command.conditions).elements()),
    Factor("target", "target", lambda command: Counter(command.actions).elements()),
)
SPEAKERS = (
    Factor("voice", "wearer", lambda command: command.voices[:1]),
    Factor("voice", "bystander", lambda command: command.voices[1:]),
)


class Tested(NamedTuple):
    """One test: its check, what it is about, its verdict, and what to say of its worst cell."""

    check: str
    about: tuple[str, ...]
    verdict: Verdict
    told: Callable[[], tuple[tuple[str, ...], str]]


def balance_faults(items: Sequence[Item], design: Design) -> Iterator[Comparison]:
    """Yield every comparison over the set; a fault where chance hardly explains what is found.

    p values are corrected for the number of tests. What the recipe's splits hold out (voices,
    levels) is not tested against the split, and the rest is tested within splits.
    """
    commands = [command for command in dealt(items) if command.voices]
    yield from _kind_faults(commands, design)
    yield from _pool_faults(commands, design)
    two = [command for command in commands if len(command.voices) == 2]
    tests = [*_associations(commands, design), *(_sides(two) if two else ()), *_pairs(two)]
    corrected = holm([test.verdict.p for test in tests])
    for test, p in zip(tests, corrected, strict=True):
        if p > ALPHA:
            yield Comparison(test.check, test.about)
            continue
        ids, what = test.told()
        yield Comparison(test.check, ids, f"{what} (p {p:.1g}, corrected); allowed: p over {ALPHA}")


def declared_balance(items: Sequence[Item], design: Design) -> tuple[str, ...]:
    """What goes together because the recipe says so, and how often ordered pairs are used."""
    lines = [
        f"split {split}: {name} of its own: {', '.join(map(str, table[name]))}"
        for split, table in design.splits.items()
        for name in table
        if name != "share"
    ]
    commands = [command for command in dealt(items) if len(command.voices) > 1]
    for split in dict.fromkeys(command.split for command in commands):
        uses = _pair_uses([command for command in commands if command.split == split])
        few, many = min(uses.values()), max(uses.values())
        lines.append(
            f"split {split}: {len(uses)} ordered pairs of voices, {few} to {many} uses each"
        )
    return tuple(lines)


def held_out(design: Design) -> frozenset[str]:
    """Names of what some split of the recipe has of its own: voices, a factor, a nuisance."""
    return frozenset(name for table in design.splits.values() for name in table) - {"share"}


def _kind_faults(commands: Sequence[Dealt], design: Design) -> Iterator[Comparison]:
    """The two voices of a command are of one kind: else the kind tells who speaks."""
    for command in commands:
        kinds = [design.kinds.get(voice, ()) for voice in command.voices]
        fault = None
        if len(kinds) > 1 and kinds[0] != kinds[1]:
            parts = [
                f"{name} {one} against {other}"
                for name, one, other in zip(KINDS, *kinds, strict=False)
                if one != other
            ]
            wearer, bystander = command.voices
            fault = (
                f"wearer {wearer} and bystander {bystander} differ in kind: "
                f"{', '.join(parts) or 'that of one is not known'}; allowed: voices of one kind"
            )
        yield Comparison("balance.kind", (command.id,), fault)


def _pool_faults(commands: Sequence[Dealt], design: Design) -> Iterator[Comparison]:
    """A split that declares its voices, or levels of a nuisance, has no others."""
    for command in commands:
        table = design.splits.get(command.split, {})
        used = {"voices": command.voices}
        used |= {name: (level,) for name, level in command.nuisances.items()}
        for name, levels in used.items():
            if name in table:
                odd = ", ".join(str(level) for level in levels if level not in table[name])
                allowed = ", ".join(map(str, table[name]))
                fault = f"{name} {odd} in split {command.split}; allowed: {allowed}"
                yield Comparison("balance.held_out", (command.id,), fault if odd else None)


def _rows(commands: Sequence[Dealt], design: Design) -> Iterator[Factor]:
    """What is dealt to a command: its voices, their kinds where they differ, its nuisances."""
    yield from (*SPEAKERS, Factor("voice", "voice", lambda command: command.voices))
    for index, name in enumerate(KINDS):
        if len({kind[index : index + 1] for kind in design.kinds.values()}) > 1:
            yield Factor("kind", name, partial(_kinds, kinds=design.kinds, index=index))
    for name in dict.fromkeys(name for command in commands for name in command.nuisances):
        yield Factor("nuisance", name, partial(_level, name=name))


def _kinds(command: Dealt, kinds: Mapping[str, tuple[str, ...]], index: int) -> Iterable[str]:
    return {part for voice in command.voices for part in kinds.get(voice, ())[index : index + 1]}


def _level(command: Dealt, name: str) -> Iterable[str]:
    return (str(command.nuisances.get(name)),)


def _associations(commands: Sequence[Dealt], design: Design) -> Iterator[Tested]:
    held = held_out(design)
    strata = [command.split if held else "" for command in commands]
    rows = [(row, coded(map(row.labels, commands))) for row in _rows(commands, design)]
    for column in (*COLUMNS, *SPEAKERS):
        right = coded(map(column.labels, commands))
        for row, left in rows:
            if column.group == "voice" and row.group != "nuisance":  # pairs have their own test
                continue
            own = row.name if row.group == "nuisance" else "voices"
            if column.group == "split" and own in held:
                continue
            if min(len(left.levels), len(right.levels)) < 2:
                continue
            within = [""] * len(commands) if column.group == "split" else strata
            verdict = together(left.counts, right.counts, within)
            told = partial(_told, verdict, (row.name, left), (column.name, right), commands)
            check = f"balance.{row.group}_{column.group}"
            yield Tested(check, (row.name, column.name), verdict, told)


def _told(
    verdict: Verdict, one: tuple[str, Coded], other: tuple[str, Coded], commands: Sequence[Dealt]
) -> tuple[tuple[str, ...], str]:
    """The commands of the cell that stands out, and its figures."""
    (row, left), (column, right) = one, other
    i, j = verdict.cell
    has, other_has = left.counts[:, i], right.counts[:, j]
    both, total = int(has @ other_has), int(has @ right.counts.sum(axis=1))
    chance = float(has.sum() * other_has.sum() / len(commands))
    named = has * other_has if verdict.z > 0 else has
    table = (left.counts.T @ right.counts).astype(np.int64)
    return shown(command.id for command, there in zip(commands, named, strict=True) if there), (
        f"{row} {left.levels[i]} has {column} {right.levels[j]} {both} times of {total}, "
        f"where chance gives {chance:.1f}; Cramer's V over all {row} and {column} is "
        f"{cramers_v(table):.2f}"
    )


def _sides(commands: Sequence[Dealt]) -> Iterator[Tested]:
    """Each voice is wearer as often as bystander, and (a, b) a pair as often as (b, a)."""
    wearer = coded(command.voices for command in commands)
    signs = [dict(zip(command.voices, (1, -1), strict=True)) for command in commands]
    roles = np.array([[sign.get(name, 0) for name in wearer.levels] for sign in signs])
    told = "{} is wearer {} times and bystander {} times"
    yield _side("balance.role", wearer.levels, roles, commands, told)
    pair = coded([" and ".join(sorted(command.voices))] for command in commands)
    forward = [1 if command.voices == tuple(sorted(command.voices)) else -1 for command in commands]
    order = pair.counts * np.array(forward)[:, None]
    told = "{} are wearer and bystander {} times, the other way round {} times"
    yield _side("balance.pair_order", pair.levels, order, commands, told)


def _side(
    check: str,
    names: tuple[str, ...],
    signs: NDArray[np.float64],
    commands: Sequence[Dealt],
    text: str,
) -> Tested:
    verdict = swapped(signs)

    def told() -> tuple[tuple[str, ...], str]:
        column = signs[:, verdict.cell[0]]
        ids = [command.id for command, sign in zip(commands, column, strict=True) if sign]
        ahead, behind = int((column > 0).sum()), int((column < 0).sum())
        return shown(ids), text.format(names[verdict.cell[0]], ahead, behind)

    return Tested(check, names[:SHOWN], verdict, told)


def _pairs(commands: Sequence[Dealt]) -> Iterator[Tested]:
    """Within a split, all ordered pairs of its voices are used alike."""
    for split in dict.fromkeys(command.split for command in commands):
        own = [command for command in commands if command.split == split]
        uses = _pair_uses(own)
        verdict = evenly(np.array(list(uses.values()), dtype=np.float64))
        yield Tested(
            "balance.pair_uses", (split,), verdict, partial(_told_of_pair, verdict, uses, own)
        )


def _told_of_pair(
    verdict: Verdict, uses: Mapping[Pair, int], commands: Sequence[Dealt]
) -> tuple[tuple[str, ...], str]:
    pair, number = list(uses)[verdict.cell[0]], len(commands)
    ids = [command.id for command in commands if command.voices == pair or not uses[pair]]
    return shown(ids), (
        f"wearer {pair[0]} with bystander {pair[1]} {uses[pair]} times of {number}, "
        f"where an even share of {len(uses)} pairs is {number / len(uses):.1f}"
    )


def _pair_uses(commands: Sequence[Dealt]) -> Counter[Pair]:
    """How often each ordered pair of the voices that speak is used, with those that never are."""
    voices = sorted({voice for command in commands for voice in command.voices})
    uses = Counter(dict.fromkeys(permutations(voices, 2), 0))
    uses.update((command.voices[0], command.voices[1]) for command in commands)
    return uses
