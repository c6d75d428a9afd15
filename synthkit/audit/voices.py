"""Voices taken out: what is left of a meter when what each voice has of its own is off."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from synthkit.audit.statistics import Values

Matrix = NDArray[np.float64]


class Voices:
    """How much of each command's two sides each voice says; (num_commands, num_voices) each."""

    def __init__(self, first: Matrix, second: Matrix) -> None:
        self._first, self._second = first, second
        self._against: Matrix = second - first

    @staticmethod
    def of(
        first: Sequence[str | None], second: Sequence[str | None], commands: Sequence[int]
    ) -> Voices | None:
        """The voices of pairs, where every voice stands on both sides somewhere; else None.

        ``commands`` numbers each pair's command, from 0. Without both sides nothing parts a voice
        from its side: values stay as they are, and a probe that finds the sides apart may
        have found no more than that their voices differ, which is a fault of its own: who
        speaks tells the source.
        """
        return _of(tuple(first), tuple(second), tuple(commands))

    def taken_out(self, first: Values, second: Values) -> tuple[Values, Values]:
        """Both sides' values, one a command, less what their voices have more than others.

        That is taken from the commands' differences, by least squares beside a difference of the
        sides: both say the same words, so that what belongs to the words stays out of it, and
        what belongs to the side stays, however often a voice stands there.
        """
        apart, against = second - first, self._against
        own, *_ = np.linalg.lstsq(against - against.mean(axis=0), apart - apart.mean())
        return first - self._first @ own, second - self._second @ own

    def evidence(self, differences: Values) -> Values:
        """What the differences tell of the sides alone: fewer numbers, with no voice in them.

        Each voice but one costs a number. What is left is uncorrelated where the differences
        were, and a difference of the sides is in all of them alike, so that signs may be flipped
        (Theil 1965, residuals with a scalar covariance matrix; Huh and Jhun 2001, permutation of
        such).
        """
        return self._left.T @ differences

    @cached_property
    def _left(self) -> Matrix:
        """An orthonormal basis, by columns, of what voices leave; sides weigh alike on each."""
        num_commands = len(self._against)
        free = np.eye(num_commands) - self._against @ np.linalg.pinv(self._against)
        kept = np.setdiff1d(np.arange(num_commands), _independent(self._against))
        if not len(kept):
            return np.zeros((num_commands, 0))
        values, vectors = np.linalg.eigh(free[np.ix_(kept, kept)])
        # The root that is symmetric: it alone does not depend on how a library turns a basis.
        basis = free[:, kept] @ (vectors / np.sqrt(values)) @ vectors.T
        sides = basis.sum(axis=0)
        mirror = sides / np.linalg.norm(sides) - 1 / np.sqrt(len(kept))
        length = float(mirror @ mirror)
        if length > 1e-12:
            basis -= np.outer(basis @ mirror, 2 / length * mirror)
        left: Matrix = basis
        return left


@lru_cache(maxsize=4)  # all meters of a contrast have the same
def _of(
    first: tuple[str | None, ...], second: tuple[str | None, ...], commands: tuple[int, ...]
) -> Voices | None:
    known = sorted({str(voice) for voice in first})
    if None in (*first, *second) or known != sorted(set(map(str, second))):
        return None
    number = {voice: at for at, voice in enumerate(known)}
    counts = np.bincount(commands)
    sides = np.zeros((2, len(counts), len(known)))
    for side, voices in zip(sides, (first, second), strict=True):
        for command, voice in zip(commands, voices, strict=True):
            side[command, number[str(voice)]] += 1 / counts[command]
    return Voices(sides[0], sides[1])


def _independent(rows: Matrix) -> list[int]:
    """The first rows from which all others follow."""
    found: list[int] = []
    for place in range(len(rows)):
        if np.linalg.matrix_rank(rows[[*found, place]]) > len(found):
            found.append(place)
    return found
