"""Balance: voices, their kinds and rooms tell nothing of tool, split, condition or target.

The unit is the command: its rows share voices and rooms, so counting rows would count it often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthkit.audit.chance import (
    ALPHA,
    Coded,
    Verdict,
    coded,
    corrected,
    cramers_v,
    evenly,
    swapped,
    together,
)
from synthkit.audit.dealt import SHOWN, Dealt, dealt, shown
from synthkit.audit.even import even_faults
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design, Item

Pair = tuple[str, str]
Labels = Callable[[Dealt], Iterable[str]]

KINDS = ("checkpoint", "processing", "language")


class Factor(NamedTuple):
    """What may go with something else: its name, and its labels of a command."""

    name: str
    labels: Labels


SPEAKERS = (
    Factor("wearer", lambda command: command.voices[:1]),
    Factor("bystander", lambda command: command.voices[1:]),
)
VOICES = (*SPEAKERS, Factor("voice", lambda command: command.voices))
# By what checks call it. What is listed together is tested together, by one deal of the commands.
COLUMNS: Mapping[str, tuple[Factor, ...]] = {
    "tool": (Factor("tool", lambda command: (command.tool,)),),
    "split": (Factor("split", lambda command: (command.split,)),),
    "condition": (Factor("condition", lambda command: Counter(command.conditions).elements()),),
    "target": (Factor("target", lambda command: Counter(command.actions).elements()),),
    "voice": SPEAKERS,
}


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
    yield from even_faults(dealt(items), design)
    two = [command for command in commands if len(command.voices) == 2]
    tests = [*_associations(commands, design), *(_sides(two) if two else ()), *_pairs(two)]
    for test, p in zip(tests, corrected([test.verdict for test in tests]), strict=True):
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
    everything = dealt(items)
    lines += _shared_voices(everything, design)
    commands = [command for command in everything if len(command.voices) > 1]
    for split in dict.fromkeys(command.split for command in commands):
        uses = _pair_uses([command for command in commands if command.split == split])
        few, many = min(uses.values()), max(uses.values())
        lines.append(
            f"split {split}: {len(uses)} ordered pairs of voices, {few} to {many} uses each"
        )
    return tuple(lines)


def _shared_voices(commands: Sequence[Dealt], design: Design) -> Iterator[str]:
    """How many voices splits share, where nobody says that each has its own."""
    if "voices" in held_out(design):
        return
    of = {command.split: set[str]() for command in commands}
    for command in commands:
        of[command.split].update(command.voices)
    for one, other in combinations(of, 2):
        shared = len(of[one] & of[other])
        yield f"splits {one} and {other}: {shared} of {len(of[one] | of[other])} voices in both"


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


def _rows(
    commands: Sequence[Dealt], design: Design
) -> Iterator[tuple[str, str, tuple[Factor, ...]]]:
    """What is dealt to a command: what checks and what splits call it, and its factors."""
    yield "voice", "voices", VOICES
    kinds = tuple(
        Factor(name, partial(_kinds, kinds=design.kinds, index=index))
        for index, name in enumerate(KINDS)
        if len({kind[index : index + 1] for kind in design.kinds.values()}) > 1
    )
    if kinds:
        yield "kind", "voices", kinds
    for name in dict.fromkeys(name for command in commands for name in command.nuisances):
        yield "nuisance", name, (Factor(name, partial(_level, name=name)),)


def _kinds(command: Dealt, kinds: Mapping[str, tuple[str, ...]], index: int) -> Iterable[str]:
    return {part for voice in command.voices for part in kinds.get(voice, ())[index : index + 1]}


def _level(command: Dealt, name: str) -> Iterable[str]:
    return (str(command.nuisances.get(name)),)


def _associations(commands: Sequence[Dealt], design: Design) -> Iterator[Tested]:
    held = held_out(design)
    strata = [command.split if held else "" for command in commands]
    rows = [(row, own, _coded(given, commands)) for row, own, given in _rows(commands, design)]
    for column, column_factors in COLUMNS.items():
        right = _coded(column_factors, commands)
        for row, own, left in rows:
            if column == "voice" and row != "nuisance":  # pairs have tests of their own
                continue
            if column == "split" and own in held:
                continue
            if min(len(left.levels), len(right.levels)) < 2:
                continue
            within = [""] * len(commands) if column == "split" else strata
            verdict = together(left.counts, right.counts, within)
            told = partial(_told, verdict, left, right, commands)
            yield Tested(f"balance.{row}_{column}", (own, column), verdict, told)


def _coded(factors: Sequence[Factor], commands: Sequence[Dealt]) -> Coded:
    """All factors side by side, each level with its factor's name before it."""
    return coded(
        [f"{factor.name} {label}" for factor in factors for label in factor.labels(command)]
        for command in commands
    )


def _told(
    verdict: Verdict, left: Coded, right: Coded, commands: Sequence[Dealt]
) -> tuple[tuple[str, ...], str]:
    """The commands of the cell that stands out, and its figures."""
    i, j = verdict.cell
    (row, one), (column, other) = _of(left, i), _of(right, j)
    has, other_has = left.counts[:, i], right.counts[:, j]
    both, total = int(has @ other_has), int(has @ other.sum(axis=1))
    chance = float(has.sum() * other_has.sum() / len(commands))
    named = has * other_has if verdict.z > 0 else has
    table = (one.T @ other).astype(np.int64)
    return shown(command.id for command, there in zip(commands, named, strict=True) if there), (
        f"{left.levels[i]} has {right.levels[j]} {both} times of {total}, where chance gives "
        f"{chance:.1f}; Cramer's V over all {row} and {column} is {cramers_v(table):.2f}"
    )


def _of(found: Coded, place: int) -> tuple[str, NDArray[np.float64]]:
    """The factor of a level, and the counts of all its levels."""
    name = found.levels[place].partition(" ")[0]
    own = [level.partition(" ")[0] == name for level in found.levels]
    return name, found.counts[:, own]


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
