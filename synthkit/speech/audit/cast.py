"""A cast's voices against one another: how far apart in sound, how alike in timing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthkit.instruments.timing import pace_correlation, warp_ms
from synthkit.speech.audit.hear import Heard

Vectors: TypeAlias = NDArray[np.float32]
Matrix: TypeAlias = tuple[tuple[float | None, ...], ...]
Kind: TypeAlias = tuple[str, str, str]

DIGITS = 4  # of figures in reports; below lies what another processor may change


@dataclass(frozen=True)
class Pair:
    """Two voices' ids and the figure they share."""

    voices: tuple[str, str]
    value: float


@dataclass(frozen=True)
class CastFigures:
    """Figures of all voices heard, in the order of ``ids``.

    ``cosines``: between the voices' mean embeddings, (n, n). ``closest_pair``: the highest of them
    among voices of one kind, which alone can meet in a set; ``closest_of_all``: among all.
    ``closest_halves``: the highest cosine of half of one voice's sentences with half of another's
    of its kind; ``loosest_own_halves``: the lowest of a voice's two halves. ``identified``: share
    of a voice's sentences nearest to its own centre among those of its kind, each left out of that
    centre; None for a voice alone. ``paces``: correlations of seconds per syllable, (n, n).
    ``warps``: mean deviation from a constant factor of speed within a sentence in ms, (n, n).
    ``closest_timing``: the pair of one kind with the smallest.
    """

    ids: tuple[str, ...]
    cosines: Matrix
    closest_pair: Pair | None
    closest_of_all: Pair | None
    closest_halves: Pair | None
    loosest_own_halves: Pair
    identified: tuple[float | None, ...]
    paces: Matrix
    warps: Matrix
    closest_timing: Pair | None

    def describe(self) -> dict[str, object]:
        """The figures as plain JSON values."""
        return asdict(self)


def compare(heard: Sequence[Heard]) -> CastFigures:
    """Compare the voices ``heard`` with one another."""
    ids = tuple(one.voice.card.id for one in heard)
    kinds = [one.voice.card.kind for one in heard]
    own = [one.embeddings for one in heard]
    centres = unit(np.stack([vectors.mean(axis=0) for vectors in own]))
    halves = [unit(np.stack([v[0::2].mean(axis=0), v[1::2].mean(axis=0)])) for v in own]
    every = list(combinations(range(len(ids)), 2))
    fair = [(a, b) for a, b in every if kinds[a] == kinds[b]]

    def cosine(a: int, b: int) -> float:
        return float(centres[a] @ centres[b])

    def half_cosine(a: int, b: int) -> float:
        return float((halves[a] @ halves[b].T).max())

    def pace(a: int, b: int) -> float | None:
        first, second = (1 / heard[index].syllables_per_second for index in (a, b))
        return pace_correlation(first, second)

    def warp(a: int, b: int) -> float:
        contours = zip(heard[a].contours, heard[b].contours, strict=True)
        return float(np.mean([warp_ms(one, other) for one, other in contours]))

    warps = _matrix(len(ids), warp, same=0.0)
    own_cosines = [float(first @ second) for first, second in halves]
    loosest = int(np.argmin(own_cosines))
    return CastFigures(
        ids=ids,
        cosines=_matrix(len(ids), cosine, same=1.0),
        closest_pair=_extreme(ids, fair, cosine),
        closest_of_all=_extreme(ids, every, cosine),
        closest_halves=_extreme(ids, fair, half_cosine),
        loosest_own_halves=Pair((ids[loosest], ids[loosest]), round(own_cosines[loosest], DIGITS)),
        identified=tuple(_identified_among_kind(i, own, kinds) for i in range(len(ids))),
        paces=_matrix(len(ids), pace, same=1.0),
        warps=warps,
        closest_timing=_extreme(ids, fair, lambda a, b: -float(warps[a][b] or 0.0), sign=-1),
    )


def unit(vectors: Vectors) -> Vectors:
    """Scale (…, d) vectors to length 1."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


def identified(index: int, own: Sequence[Vectors]) -> float:
    """Share of a voice's (num_sentences, d) vectors that lie nearest to its own centre.

    Each is left out of its own centre; the others' centres hold all of theirs.
    """
    centres = unit(np.stack([vectors.mean(axis=0) for vectors in own]))
    hits = 0
    for left_out, vector in enumerate(own[index]):
        others = centres.copy()
        others[index] = unit(np.delete(own[index], left_out, axis=0).mean(axis=0))
        hits += int(np.argmax(others @ vector)) == index
    return hits / len(own[index])


def _identified_among_kind(
    index: int, own: Sequence[Vectors], kinds: Sequence[Kind]
) -> float | None:
    kin = [i for i, kind in enumerate(kinds) if kind == kinds[index]]
    if len(kin) < 2:
        return None
    return round(identified(kin.index(index), [own[i] for i in kin]), DIGITS)


def _matrix(size: int, figure: Callable[[int, int], float | None], same: float) -> Matrix:
    """A symmetric matrix with ``same`` on its diagonal."""
    found: list[list[float | None]] = [[same] * size for _ in range(size)]
    for a, b in combinations(range(size), 2):
        value = figure(a, b)
        found[a][b] = found[b][a] = None if value is None else round(value, DIGITS)
    return tuple(map(tuple, found))


def _extreme(
    ids: Sequence[str],
    pairs: Iterable[tuple[int, int]],
    figure: Callable[[int, int], float],
    sign: int = 1,
) -> Pair | None:
    """The pair of the highest figure; ``sign`` -1 shows a negated one as it was."""
    found = [(figure(a, b), ids[a], ids[b]) for a, b in pairs]
    if not found:
        return None
    value, first, second = max(found, key=lambda entry: entry[0])
    return Pair((first, second), round(sign * value, DIGITS))
