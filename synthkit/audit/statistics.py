"""Whether two sides of a set can be told apart by one number: AUC, concordance, permutation."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

import numpy as np
import scipy  # which loads its parts when they are first used
from numpy.typing import NDArray

Values = NDArray[np.float64]

FOLDS = 5
EXACT_COMMANDS = 200  # above, the normal approximation is within a few percent of exact
DIGITS = 9  # differences that agree so far are ties; what is finer is rounding


def auc(low: Values, high: Values) -> float:
    """Chance that one of ``high`` is more than one of ``low``, ties half (Mann-Whitney's U)."""
    ranks = scipy.stats.rankdata(np.concatenate([low, high]))[len(low) :]
    u = ranks.sum() - len(high) * (len(high) + 1) / 2
    return float(u / (len(low) * len(high)))


def cross_validated_auc(low: Values, high: Values, commands: Sequence[str]) -> float | None:
    """AUC on commands other than those from which the direction was learned.

    ``low[i]`` and ``high[i]`` are the two sides of ``commands[i]``. A command's fold is a hash
    of its id; each fold's AUC is taken in the direction that the other folds have, and folds
    are averaged by their commands. Less than 0.5 says that the direction did not hold. None
    where all commands fall into one fold.
    """
    folds = np.array([fold_of(command) for command in commands])
    total = 0.0
    for fold in np.unique(folds):
        held = folds == fold
        if held.all():
            return None
        there = auc(low[held], high[held])
        total += (there if auc(low[~held], high[~held]) >= 0.5 else 1 - there) * held.sum()
    return total / len(folds)


def fold_of(command: str) -> int:
    """The fold of a command: the same in every set and on every machine."""
    digest = hashlib.sha256(command.encode()).digest()
    return int.from_bytes(digest[:8], "big") % FOLDS


def concordance(differences: Values) -> float:
    """Share of differences above 0, those of 0 counted half."""
    return float(np.mean(np.where(differences == 0, 0.5, differences > 0)))


def sign_flip_p(differences: Values) -> float:
    """Two-sided p of the commands' differences, against sides that are swapped at random.

    ``differences`` holds one number per command. Each command's two sides are swapped or not,
    all its pairs together, which flips the sign of its difference; the statistic is Wilcoxon's
    signed-rank sum, so that no outlier decides. Up to 200 commands *every* way to swap is
    counted, by adding up the sum's distribution rank by rank, so nothing is drawn and nothing
    depends on a seed; above, the sum is taken as normal.
    """
    differences = _rounded(differences)
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    ranks = np.rint(2 * scipy.stats.rankdata(np.abs(differences))).astype(np.int64)
    observed = abs(int(np.sum(np.sign(differences) * ranks)))
    if len(ranks) > EXACT_COMMANDS:
        return math.erfc(observed / math.sqrt(2 * float(np.sum(np.square(ranks)))))
    total = int(ranks.sum())
    chances = np.zeros(total + 1)  # of each sum of the ranks that count as positive
    chances[0] = 1.0
    for rank in ranks:
        moved = np.zeros_like(chances)
        moved[rank:] = chances[: total + 1 - rank]
        chances = (chances + moved) / 2
    signed = np.abs(2 * np.arange(total + 1) - total)
    return min(1.0, float(chances[signed >= observed - 1e-9 * total].sum()))


def least_p(num_commands: int) -> float:
    """The smallest p that so many commands can give."""
    return min(1.0, 2.0 ** (1 - num_commands))


def holm(ps: Sequence[float]) -> list[float]:
    """p values corrected for their number by Holm's step-down method (Holm 1979)."""
    corrected = [0.0] * len(ps)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[index]))
        corrected[index] = largest
    return corrected


def _rounded(values: Values) -> Values:
    """Values to nine digits of the largest."""
    largest = float(np.abs(values).max(initial=0.0))
    if not largest:
        return values
    return np.round(values / largest, DIGITS)
