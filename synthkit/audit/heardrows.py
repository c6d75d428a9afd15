"""What was heard, as figures: by condition and role, and by field and role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from synthkit.audit.ears import Heard, cosine
from synthkit.audit.identified import Likeness
from synthkit.audit.items import Item
from synthkit.audit.recognised import Recognised, word_error_rate
from synthkit.audit.utterances import Utterance

DIGITS = 4
Place = tuple[Item, str, str]  # an item, a role, the hash of its sound


@dataclass(frozen=True)
class ConditionRow:
    """Means over the parts of a role in a condition; None where nothing was heard.

    ``wer`` is errors / words; ``ovrl`` to ``p808`` DNSMOS, 1 to 5; ``like_context`` the cosine of
    the embeddings of a trigger and its context.
    """

    HEADS: ClassVar = ("parts", "WER %", "DNSMOS", "sig", "bak", "p808", "like context")

    condition: str
    role: str
    parts: int
    wer: float | None
    ovrl: float | None
    sig: float | None
    bak: float | None
    p808: float | None
    like_context: float | None

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    def cells(self) -> tuple[str, ...]:
        opinions = (self.ovrl, self.sig, self.bak, self.p808)
        return (
            self.condition,
            self.role,
            str(self.parts),
            _percent(self.wer),
            *(_number(value) for value in (*opinions, self.like_context)),
        )


@dataclass(frozen=True)
class FieldRow:
    """Who distinct sounds of a role in a field sound like, among their cast enrolled near.

    ``compared`` sounds of known voices: ``identified`` is the share that is closest to its own
    voice, ``own`` the mean cosine with it, ``others`` with all other voices, ``least_margin`` the
    least by which the own voice is closer than any other. ``wer`` is of all ``sounds``.
    """

    HEADS: ClassVar = (
        "sounds", "WER %", "compared", "identified %", "own", "others", "least margin",
    )  # fmt: skip

    field: str
    role: str
    sounds: int
    wer: float | None
    compared: int
    identified: float | None
    own: float | None
    others: float | None
    least_margin: float | None

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    def cells(self) -> tuple[str, ...]:
        cosines = (self.own, self.others, self.least_margin)
        return (
            self.field,
            self.role,
            str(self.sounds),
            _percent(self.wer),
            str(self.compared),
            _percent(self.identified),
            *map(_number, cosines),
        )


def by_condition(
    places: Sequence[Place], heard: Mapping[str, Heard], words: Iterable[Recognised]
) -> tuple[ConditionRow, ...]:
    """Rows of all conditions, in the order in which they first come."""
    known = {(row.said.sha256, row.said.text): row for row in words}
    contexts = {item.id: heard[sha256] for item, role, sha256 in places if role == "context"}
    groups: dict[tuple[str, str], list[Place]] = {}
    for place in places:
        groups.setdefault((place[0].condition, place[1]), []).append(place)
    return tuple(
        _condition_row(name, role, group, heard, known, contexts)
        for (name, role), group in groups.items()
    )


def _condition_row(
    condition: str,
    role: str,
    group: Sequence[Place],
    heard: Mapping[str, Heard],
    known: Mapping[tuple[str, str], Recognised],
    contexts: Mapping[str, Heard],
) -> ConditionRow:
    keys = [(sha256, item.part(role).text) for item, _, sha256 in group]
    scores = [one.mos for _, _, sha256 in group if (one := heard[sha256]).mos is not None]
    opinions = {
        name: _mean([getattr(score, name) for score in scores])
        for name in ("ovrl", "sig", "bak", "p808")
    }
    own = group if role == "trigger" else ()
    cosines = [cosine(heard[sha256], contexts.get(item.id, Heard())) for item, _, sha256 in own]
    return ConditionRow(
        condition,
        role,
        len(group),
        _rounded(word_error_rate(known[key] for key in keys if key in known)),
        **opinions,
        like_context=_mean([value for value in cosines if value is not None]),
    )


def by_field(
    said: Iterable[Utterance], words: Iterable[Recognised], who: Iterable[Likeness]
) -> tuple[FieldRow, ...]:
    """Rows of all fields, in the order in which they first come."""
    transcribed: dict[tuple[str, str], list[Recognised]] = {}
    for row in words:
        transcribed.setdefault((row.said.field, row.said.role), []).append(row)
    compared: dict[tuple[str, str], list[Likeness]] = {}
    for one in who:
        compared.setdefault((one.said.field, one.said.role), []).append(one)
    sounds: dict[tuple[str, str], int] = {}
    for utterance in said:
        key = utterance.field, utterance.role
        sounds[key] = sounds.get(key, 0) + 1
    return tuple(
        _field_row(*key, count, transcribed.get(key, []), compared.get(key, []))
        for key, count in sounds.items()
    )


def _field_row(
    field: str, role: str, sounds: int, words: list[Recognised], found: list[Likeness]
) -> FieldRow:
    return FieldRow(
        field,
        role,
        sounds,
        _rounded(word_error_rate(words)),
        len(found),
        _mean([float(one.identified) for one in found]),
        _mean([one.own for one in found]),
        _mean([one.others for one in found]),
        _rounded(min((one.margin for one in found), default=None)),
    )


def _mean(values: Sequence[float]) -> float | None:
    return _rounded(float(np.mean(values))) if values else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
