"""Word errors of a transcript: an edit distance in which names are slots that cost nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from synthkit.errors import InputError, quoted

Normalise = Callable[[str], Sequence[str]]
Kind = Literal["word", "name", "number"]


@dataclass(frozen=True)
class Token:
    """A word of the text, or a slot: a name (masked) or a number of one or more words."""

    words: tuple[str, ...]
    kind: Kind = "word"


@dataclass(frozen=True)
class WordErrors:
    """Counts over one text or many: substitutions + deletions + insertions, and slots heard right.

    ``words`` counts all but the names.
    """

    errors: int = 0
    words: int = 0
    names: int = 0
    names_right: int = 0
    numbers: int = 0
    numbers_right: int = 0

    def __add__(self, other: WordErrors) -> WordErrors:
        return WordErrors(*(a + b for a, b in zip(self.counts, other.counts, strict=True)))

    @property
    def counts(self) -> tuple[int, ...]:
        return (
            self.errors,
            self.words,
            self.names,
            self.names_right,
            self.numbers,
            self.numbers_right,
        )

    @property
    def wer(self) -> float | None:
        """Word error rate: errors / words, names masked; None without words."""
        return self.errors / self.words if self.words else None

    @property
    def name_accuracy(self) -> float | None:
        """Share of names heard letter for letter; None without names."""
        return self.names_right / self.names if self.names else None

    @property
    def number_accuracy(self) -> float | None:
        """Share of numbers heard right, in words or digits; None without numbers."""
        return self.numbers_right / self.numbers if self.numbers else None


def tokens(
    text: str, names: Iterable[str], numbers: Iterable[str], normalise: Normalise
) -> tuple[Token, ...]:
    """Split ``text`` into normalised words and the slots that ``names`` and ``numbers`` quote.

    Each is a slot wherever it stands as whole words, but for where it is part of a longer one
    ("two" in "two hundred"). Raises :class:`InputError` for one that does not stand in the text.
    """
    slots = [place for name in names for place in _places(name, "name", text)]
    slots += [place for number in numbers for place in _places(number, "number", text)]
    found: list[Token] = []
    end = 0
    for start, slot, kind in sorted(slots, key=lambda place: (place[0], -len(place[1]))):
        if start < end:
            continue
        found += [Token((word,)) for word in normalise(text[end:start])]
        found.append(Token(tuple(normalise(slot)), kind))
        end = start + len(slot)
    found += [Token((word,)) for word in normalise(text[end:])]
    return tuple(found)


def _places(slot: str, kind: Kind, text: str) -> list[tuple[int, str, Kind]]:
    found = re.finditer(rf"(?<!\w){re.escape(slot)}(?!\w)", text)
    places = [(match.start(), slot, kind) for match in found]
    if not places:
        raise InputError(f"{kind} {quoted(slot)} does not stand in {quoted(text)}")
    return places


def align(wanted: Sequence[Token], heard: Sequence[str]) -> WordErrors:
    """Count the errors of the words ``heard`` against the text.

    Levenshtein's distance with unit costs, over words. A name stands for any 0 to m + 1 heard
    words, m being its own number of words, and costs nothing; a number costs what its words do.
    Of the alignments with the fewest errors, the one with the most names, then numbers, right
    counts.
    """
    # best[j]: (errors, names missed, numbers missed) of the tokens so far against heard[:j].
    best = [(count, 0, 0) for count in range(len(heard) + 1)]
    for token in wanted:
        longest = len(token.words) + 1 if token.kind == "name" else len(heard)
        row: list[tuple[int, int, int]] = []
        for end in range(len(heard) + 1):
            options = [
                _plus(best[start], _cost(token, heard[start:end]))
                for start in range(max(0, end - longest), end + 1)
            ]
            if row:
                options.append(_plus(row[-1], (1, 0, 0)))
            row.append(min(options))
        best = row
    errors, names_missed, numbers_missed = best[-1]
    names = sum(token.kind == "name" for token in wanted)
    numbers = sum(token.kind == "number" for token in wanted)
    return WordErrors(
        errors=errors,
        words=sum(len(token.words) for token in wanted if token.kind != "name"),
        names=names,
        names_right=names - names_missed,
        numbers=numbers,
        numbers_right=numbers - numbers_missed,
    )


def _plus(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, int, int]:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _cost(token: Token, heard: Sequence[str]) -> tuple[int, int, int]:
    missed = token.words != tuple(heard)
    if token.kind == "name":
        return 0, missed, 0
    return _distance(token.words, heard), 0, missed and token.kind == "number"


def _distance(wanted: Sequence[str], heard: Sequence[str]) -> int:
    """Levenshtein's distance over words."""
    row = list(range(len(heard) + 1))
    for count, word in enumerate(wanted, start=1):
        diagonal, row[0] = row[0], count
        for place, other in enumerate(heard, start=1):
            best = min(diagonal + (word != other), row[place] + 1, row[place - 1] + 1)
            diagonal, row[place] = row[place], best
    return row[-1]
