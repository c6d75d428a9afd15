"""The list of short commands that every audited voice speaks."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from synthkit.errors import InputError, quoted
from synthkit.files import parse_json, read_text
from synthkit.resources import folder

FILE = "sentences.jsonl"

HALVES = ("all", "tune", "report")


@dataclass(frozen=True)
class Sentence:
    """A short command. ``names`` and ``numbers`` quote those of its words that are slots.

    ``half`` keeps apart what cards are tuned on (``tune``) and what is reported (``report``);
    ``syllables`` is their number in a careful American reading.
    """

    half: str
    text: str
    syllables: int
    names: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether there are no slots."""
        return not (self.names or self.numbers)


def sentences(half: str = "all", limit: int | None = None) -> tuple[Sentence, ...]:
    """Return the sentences of ``half``, plain ones first; ``limit`` takes so many of them, evenly.

    Raises :class:`InputError` for an unknown half, and for a limit under 4: each voice is compared
    with itself.
    """
    if half not in HALVES:
        raise InputError(f"sentences {quoted(half)}; allowed: {', '.join(HALVES)}")
    chosen = [s for s in _every() if half in ("all", s.half)]
    if limit is None or limit >= len(chosen):
        return tuple(chosen)
    if limit < 4:
        raise InputError(f"limit is {limit}; allowed: 4 sentences or more")
    return tuple(chosen[number * len(chosen) // limit] for number in range(limit))


@functools.cache
def _every() -> tuple[Sentence, ...]:
    path = folder("voices") / FILE
    rows: list[Any] = [
        parse_json(line, f"{FILE}, line {number}")
        for number, line in enumerate(read_text(path).splitlines(), start=1)
    ]
    return tuple(
        Sentence(
            row["half"],
            row["text"],
            row["syllables"],
            tuple(row.get("names", ())),
            tuple(row.get("numbers", ())),
        )
        for row in rows
    )
