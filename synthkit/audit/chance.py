"""Chance: whether labels of commands go together more than they would if dealt anew.

Permutation tests by Monte Carlo (Good, *Permutation, Parametric and Bootstrap Tests of
Hypotheses*, 2005): the same labels are dealt to the commands in a new order, some thousand times.
They hold for few commands too, where the chi-squared distribution does not. The draws are seeded
by what is tested, so the same set always gets the same figures.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats.contingency import association

from synthkit.audit.statistics import holm

ALPHA = 0.01  # chance of any finding where all is dealt by chance, of what Holm corrects together
FIRST_DRAWS, DRAWS = 499, 19_999
SETTLED = 10  # draws of the first ones that reach what was found: no small p, so no need of more
AT_ONCE = 4_000_000  # numbers held in memory

Numbers = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Numbers]  # z values of so many draws, (draws, cells)


class Verdict(NamedTuple):
    """``p`` for all cells together; the cell that stands out most, and how it deviates (z)."""

    p: float
    cell: tuple[int, ...]
    z: float


class Coded(NamedTuple):
    """Labels as counts: ``counts`` has a row for each command and a column for each level."""

    levels: tuple[str, ...]
    counts: Numbers


NOTHING = Verdict(1.0, (), 0.0)


def coded(labels: Iterable[Iterable[str]]) -> Coded:
    """Code the labels of each command, which may have none, several, or one more than once."""
    listed = [list(row) for row in labels]
    levels = tuple(sorted({label for row in listed for label in row}))
    place = {level: index for index, level in enumerate(levels)}
    counts = np.zeros((len(listed), len(levels)))
    for number, row in enumerate(listed):
        for label in row:
            counts[number, place[label]] += 1
    return Coded(levels, counts)


def together(one: Numbers, other: Numbers, strata: Sequence[str]) -> Verdict:
    """Whether two codings of the same commands go together, dealt anew within each stratum.

    ``one`` is (commands, levels), ``other`` too; a cell is a level of each. Where nothing varies
    there is nothing to find: p is 1.
    """
    groups = [np.flatnonzero(np.array(strata) == name) for name in dict.fromkeys(strata)]
    groups = [group for group in groups if len(group) > 1]
    shape = (one.shape[1], other.shape[1])
    expected, variance = np.zeros(shape), np.zeros(shape)
    for group in groups:
        sums = one[group].sum(axis=0), other[group].sum(axis=0)
        spread = [len(group) * part[group].var(axis=0) for part in (one, other)]
        expected += np.outer(*sums) / len(group)
        variance += np.outer(*spread) / (len(group) - 1)
    varies = variance > 1e-9
    if not varies.any():
        return NOTHING
    scale = np.sqrt(variance[varies])

    def z(tables: Numbers) -> Numbers:
        return np.asarray((tables - expected)[..., varies] / scale)

    def anew(rng: np.random.Generator, draws: int) -> Numbers:
        tables = np.zeros((draws, *shape))
        for group in groups:
            order = rng.permuted(np.tile(group, (draws, 1)), axis=1).T
            side_by_side = other[order].reshape(len(group), -1)  # one product instead of many
            found = (one[group].T @ side_by_side).reshape(len(one.T), draws, -1)
            tables += found.transpose(1, 0, 2)
        return z(tables)

    found = z(sum((one[group].T @ other[group] for group in groups), np.zeros(shape)))
    cells = [(int(i), int(j)) for i, j in np.argwhere(varies)]
    return _verdict(found, cells, anew, one.shape[0] * shape[1], [one, other])


def swapped(signs: Numbers) -> Verdict:
    """Whether the two sides of each command are even: dealt anew, its sides may be swapped.

    ``signs`` is (commands, cells): 1 where a cell is on the one side, -1 on the other, else 0.
    """
    uses = (signs**2).sum(axis=0)
    if not uses.any():
        return NOTHING
    scale = np.sqrt(np.where(uses, uses, 1))

    def anew(rng: np.random.Generator, draws: int) -> Numbers:
        return np.asarray(rng.choice((-1.0, 1.0), (draws, len(signs))) @ signs / scale)

    cells = [(index,) for index in range(signs.shape[1])]
    return _verdict(signs.sum(axis=0) / scale, cells, anew, len(signs), [signs])


def evenly(counts: Numbers) -> Verdict:
    """Whether cells are used evenly; ``counts`` is (cells,), each use dealt to any of them."""
    total, share = int(counts.sum()), 1 / max(len(counts), 1)
    if total == 0 or len(counts) < 2:
        return NOTHING
    scale = np.sqrt(total * share * (1 - share))

    def anew(rng: np.random.Generator, draws: int) -> Numbers:
        dealt = rng.multinomial(total, np.full(len(counts), share), size=draws)
        return np.asarray((dealt - total * share) / scale)

    cells = [(index,) for index in range(len(counts))]
    return _verdict((counts - total * share) / scale, cells, anew, len(counts), [counts])


def corrected(verdicts: Sequence[Verdict]) -> list[float]:
    """p values corrected for the number of tests, less those in which nothing varies.

    These have p 1 whatever is dealt, so that they add nothing to the chance of a finding.
    """
    found = [verdict.p for verdict in verdicts if verdict.cell]
    left = iter(holm(found))
    return [next(left) if verdict.cell else 1.0 for verdict in verdicts]


def cramers_v(table: NDArray[np.int64]) -> float:
    """Cramer's V of a table of counts, 0 (independent) to 1; 0 where a factor has one level."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    return float(association(table, method="cramer")) if min(table.shape) > 1 else 0.0


def _verdict(
    found: Numbers, cells: Sequence[tuple[int, ...]], anew: Draw, size: int, seed: Sequence[Numbers]
) -> Verdict:
    """The smaller p of two questions, doubled: the largest deviation, and all of them together."""
    measured = np.abs(found).max(), (found**2).sum()
    rng = np.random.default_rng(_seed(seed))
    reached, drawn = np.zeros(2), 0
    for wanted in (FIRST_DRAWS, DRAWS):
        while drawn < wanted:
            draws = min(wanted - drawn, max(AT_ONCE // size, 1))
            z = np.abs(anew(rng, draws))
            for place, value in enumerate((z.max(axis=1), (z**2).sum(axis=1))):
                reached[place] += np.count_nonzero(value >= measured[place] - 1e-9)
            drawn += draws
        if reached.min() >= SETTLED:
            break
    ties = np.flatnonzero(np.abs(found) >= measured[0] - 1e-9)
    at = int(ties[found[ties].argmax()])  # too often says more than too seldom
    p = min(1.0, 2 * float((reached.min() + 1) / (drawn + 1)))
    return Verdict(p, cells[at], float(found[at]))


def _seed(tested: Sequence[Numbers]) -> int:
    """The same for the same numbers, on every machine."""
    digest = hashlib.sha256()
    for part in tested:
        digest.update(str(part.shape).encode())
        digest.update(part.astype("<f8").tobytes())
    return int.from_bytes(digest.digest()[:8], "big")
