"""What an audit yields: comparisons made, each with what was wrong or nothing; and their tally."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple


class Comparison(NamedTuple):
    """One thing that was compared, under the name of its check; ``fault`` is None where it held.

    ``items`` are ids, of two clips, of one, or of whatever the check is about.
    """

    check: str
    items: tuple[str, ...]
    fault: str | None = None


@dataclass(frozen=True)
class Finding:
    """One invariant that broke: its check, the items, and what was found and is allowed."""

    check: str
    items: tuple[str, ...]
    what: str

    def __str__(self) -> str:
        return f"{self.check}: {' and '.join(self.items)}: {self.what}"


@dataclass(frozen=True)
class Tally:
    """A check over the whole set: how often it was made, and what it found."""

    check: str
    compared: int
    findings: tuple[Finding, ...]

    def describe(self) -> dict[str, Any]:
        return {"check": self.check, "compared": self.compared, "findings": len(self.findings)}


def tallied(comparisons: Iterable[Comparison]) -> tuple[Tally, ...]:
    """Comparisons by check, in the order in which checks first came."""
    counts: dict[str, int] = {}
    found: dict[str, list[Finding]] = {}
    for check, items, fault in comparisons:
        counts[check] = counts.get(check, 0) + 1
        if fault is not None:
            found.setdefault(check, []).append(Finding(check, items, fault))
    return tuple(Tally(name, n, tuple(found.get(name, ()))) for name, n in counts.items())
