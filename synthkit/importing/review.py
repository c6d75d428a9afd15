"""Review: what annotators decided about each item, and how far they agree."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from synthkit.csvrows import csv_rows
from synthkit.errors import InputError, quoted

COLUMNS = ("id", "decision", "reason", "annotator")
KEEP, REJECT = DECISIONS = ("keep", "reject")


@dataclass(frozen=True)
class Decision:
    """One annotator's decision about one item."""

    id: str
    keep: bool
    reason: str
    annotator: str


@dataclass(frozen=True)
class Agreement:
    """Two annotators over the items that both decided: how many each way, and Cohen's kappa.

    ``kappa`` is None where both gave one answer throughout, as chance alone would agree too.
    """

    annotators: tuple[str, str]
    both_keep: int
    both_reject: int
    differ: int
    kappa: float | None

    def describe(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "annotators": list(self.annotators),
            "both_keep": self.both_keep,
            "both_reject": self.both_reject,
            "differ": self.differ,
            "kappa": self.kappa,
        }


def read_review(path: Path, ids: Collection[str]) -> tuple[Decision, ...]:
    """Read decisions about the items ``ids``: columns id, decision, reason and annotator.

    Raises :class:`InputError` naming the row for an id that no prompt has, for a decision that is
    neither keep nor reject, for a rejection without a reason, and for an annotator who decides
    about an item twice.
    """
    known = {id_.casefold(): id_ for id_ in ids}
    decisions: dict[tuple[str, str], Decision] = {}
    for where, cells in csv_rows(path):
        if missing := [name for name in COLUMNS if name not in cells]:
            raise InputError(
                f"{where}: columns {', '.join(missing)} missing; allowed: {', '.join(COLUMNS)}"
            )
        said = {name: " ".join(cells[name].split()) for name in COLUMNS}
        id_ = known.get(said["id"].casefold())
        if id_ is None:
            raise InputError(f"{where}: id {quoted(cells['id'])}; allowed: a prompt of the script")
        if said["decision"] not in DECISIONS:
            raise InputError(
                f"{where}: decision {quoted(cells['decision'])}; allowed: {', '.join(DECISIONS)}"
            )
        if not said["annotator"]:
            raise InputError(f"{where}: annotator is empty; allowed: a name")
        keep = said["decision"] == KEEP
        if not keep and not said["reason"]:
            raise InputError(f"{where}: rejected without a reason; allowed: one")
        decision = Decision(id_, keep, said["reason"], said["annotator"])
        if decisions.setdefault((id_, decision.annotator), decision) is not decision:
            raise InputError(
                f"{where}: {quoted(decision.annotator)} decides about {id_} twice; allowed: once"
            )
    return tuple(decisions.values())


def agreements(decisions: Sequence[Decision]) -> tuple[Agreement, ...]:
    """How far any two annotators agree who decided about the same items."""
    by_annotator: dict[str, dict[str, bool]] = {}
    for one in decisions:
        by_annotator.setdefault(one.annotator, {})[one.id] = one.keep
    found = []
    for first, second in combinations(sorted(by_annotator), 2):
        mine, yours = by_annotator[first], by_annotator[second]
        pairs = [(mine[id_], yours[id_]) for id_ in mine if id_ in yours]
        if pairs:
            found.append(_agreement((first, second), pairs))
    return tuple(found)


def _agreement(who: tuple[str, str], pairs: Sequence[tuple[bool, bool]]) -> Agreement:
    """Cohen (1960): observed agreement beyond that of two who answer at random at their rates."""
    count = len(pairs)
    both_keep = sum(a and b for a, b in pairs)
    both_reject = sum(not a and not b for a, b in pairs)
    first, second = (sum(pair[i] for pair in pairs) / count for i in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    observed = (both_keep + both_reject) / count
    kappa = None if chance == 1 else round((observed - chance) / (1 - chance), 4) + 0.0
    return Agreement(who, both_keep, both_reject, count - both_keep - both_reject, kappa)
