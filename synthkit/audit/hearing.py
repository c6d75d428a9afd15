"""Hear a set with the instruments: each distinct sound once, command by command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from synthkit.audit.ears import Ears, Heard, HeardPart, listen
from synthkit.audit.findings import Comparison
from synthkit.audit.heardrows import ConditionRow, FieldRow, by_condition, by_field
from synthkit.audit.identified import ENROLMENT, Likeness, judged, likenesses
from synthkit.audit.items import Design, Item
from synthkit.audit.recognised import misheard, recognised, understood
from synthkit.audit.sources import swapped
from synthkit.audit.utterances import Utterance, near_fields, utterances

LANGUAGE = "en"  # what the recogniser knows


@dataclass(frozen=True, eq=False)
class Hearing:
    """What the instruments heard in a whole set.

    ``sounds`` is the number of distinct sounds. ``conditions`` and ``fields`` are figures by role;
    ``missed`` the triggers that are not identified, near or far. ``words_judged`` says whether the
    recogniser knows the speech well enough to judge words by it. ``comparisons`` have the faults.
    """

    sounds: int
    conditions: tuple[ConditionRow, ...]
    fields: tuple[FieldRow, ...]
    missed: tuple[Likeness, ...]
    words_judged: bool
    comparisons: tuple[Comparison, ...]

    def describe(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        return {
            "sounds": self.sounds,
            "words_judged": self.words_judged,
            "conditions": [row.describe() for row in self.conditions],
            "fields": [row.describe() for row in self.fields],
            "missed": [one.describe() for one in self.missed],
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of two tables: by condition, and who it sounds like by field."""
        rows = [row.cells() for row in self.conditions]
        yield from _table(("condition", "role", *ConditionRow.HEADS), rows)
        yield ""
        yield from _table(("field", "role", *FieldRow.HEADS), [row.cells() for row in self.fields])
        if not self.words_judged:
            yield "words are not judged: the recogniser does not understand the near speech"
        if not any(row.compared for row in self.fields):
            yield (
                f"voices are not judged: no two of one kind have {ENROLMENT} near sounds in "
                "commands other than the one compared"
            )
        for one in self.missed:
            yield f"not identified: {one.said.items[0]}: {one}"


class Listener:
    """Hears the parts that it is fed, and is asked for the whole set's figures at the end.

    It keeps what was heard, not the sounds.
    """

    def __init__(self, design: Design, ears: Ears) -> None:
        self._design, self._ears = design, ears
        self._heard: dict[str, Heard] = {}
        self._places: list[tuple[Item, str, str]] = []

    def hear(self, parts: Iterable[HeardPart]) -> None:
        """Hear some parts, such as those of a command; a sound that was heard before is not."""
        for part in parts:
            if part.sha256 not in self._heard:
                kind = self._design.kinds.get(str(part.part.voice)) or (LANGUAGE,)
                known = kind[-1].split("-")[0] == LANGUAGE
                self._heard[part.sha256] = listen(part, self._ears, transcribe=known)
            self._places.append((part.item, part.role, part.sha256))

    def hearing(self) -> Hearing:
        """The figures over all parts heard so far, and every comparison."""
        said = utterances(self._places, self._heard)
        near = near_fields(self._design, (one.field for one in said))
        words = recognised(said, self._ears.errors)
        who = likenesses(said, near, self._design.kinds)
        return Hearing(
            len(self._heard),
            by_condition(self._places, self._heard, words),
            by_field(said, words, who),
            tuple(one for one in who if one.said.role == "trigger" and not one.identified),
            understood(words, near),
            (
                *(_there(one) for one in said),
                *misheard(words, near, self._ears.errors),
                *judged(who, near),
                *swapped(said, near),
            ),
        )


def _there(said: Utterance) -> Comparison:
    """Whether an utterance could be heard at all."""
    failure = said.heard.failure
    return Comparison("heard.speech", said.items, failure and f"{said.name}: {failure}")


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Two columns to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for cells in (head, *rows):
        shown = [
            f"{cell:{'<' if place < 2 else '>'}{width}}"
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        yield "  ".join(shown).rstrip()
