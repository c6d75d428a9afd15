"""Near-duplicates: texts that equal or nearly equal an earlier one, whatever their number."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from synthkit.scripts.texts import words
from synthkit.scripts.vocabulary import FILLERS

OVERLAP = 0.7  # of word trigrams, as a Jaccard index, from which on two texts are one
EDGE = ""  # stands before the first word and after the last one


def near_duplicates(texts: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    """Yield each text that is like an earlier one: its place, that one's, their overlap.

    Two texts are alike if they have the same words, case, marks and fillers aside (overlap 1), or
    if the Jaccard index of their word trigrams is :data:`OVERLAP` or more. A text that is like an
    earlier one is not compared with later ones, so one of each group stays.

    Exact, and far from comparing all with all: trigrams are taken from the rarest on, and two sets
    that overlap so much share one of the first few (prefix filtering, Bayardo, Ma and Srikant,
    "Scaling up all pairs similarity search", WWW 2007).
    """
    keys = [_key(text) for text in texts]
    sets = [_trigrams(key) for key in keys]
    counts = Counter(gram for grams in sets for gram in grams)
    first: dict[tuple[str, ...], int] = {}
    index: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, (key, grams) in enumerate(zip(keys, sets, strict=True)):
        if key in first:
            yield place, first[key], 1.0
            continue
        rarest = sorted(grams, key=lambda gram: (counts[gram], gram))
        prefix = rarest[: len(grams) - math.ceil(OVERLAP * len(grams)) + 1]
        candidates = sorted({other for gram in prefix for other in index[gram]})
        for other in candidates:
            overlap = _jaccard(grams, sets[other])
            if overlap >= OVERLAP:
                yield place, other, overlap
                break
        else:
            first[key] = place
            for gram in prefix:
                index[gram].append(place)


def _key(text: str) -> tuple[str, ...]:
    """The words that make a text what it is; all of them where it has nothing but fillers."""
    found = words(text)
    return tuple(word for word in found if word not in FILLERS) or tuple(found)


def _trigrams(key: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    padded = (EDGE, *key, EDGE)
    return frozenset(padded[at : at + 3] for at in range(len(key)))


def _jaccard(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
