"""The summary of a check: rows good and refused, tools, families, triggers that tell details."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from synthkit.instruments.slots import names, numbers
from synthkit.scripts.check import Finding
from synthkit.scripts.commands import Command


@dataclass(frozen=True)
class Summary:
    """What :func:`~synthkit.scripts.check.check_commands` came to over all rows of a script.

    ``tools`` counts rows by tool, ``with_family`` those that name a template family of the
    ``families`` that there are, ``with_name_or_number`` those whose trigger says one.
    """

    rows: int
    refused_rows: int
    tools: dict[str, int]
    families: int
    with_family: int
    with_name_or_number: int
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        """Whether no row is refused."""
        return not self.refused_rows

    def describe(self) -> dict[str, Any]:
        """The summary as a report in JSON."""
        return {"good": self.good, "good_rows": self.rows - self.refused_rows, **asdict(self)}

    def line(self) -> str:
        """The summary on one line."""
        tools = ", ".join(f"{name} {count}" for name, count in self.tools.items())
        return (
            f"{self.rows} rows, {self.rows - self.refused_rows} good, {self.refused_rows} refused; "
            f"{self.families} families over {self.with_family} rows; "
            f"{len(self.tools)} tools ({tools}); "
            f"{100 * self.with_name_or_number / self.rows:.0f} % of triggers with a name or number"
        )


def summarise(commands: Sequence[Command], findings: Sequence[Finding]) -> Summary:
    """Sum up ``findings``, which are those on ``commands``, one row or more."""
    families = [command.family for command in commands if command.family is not None]
    return Summary(
        rows=len(commands),
        refused_rows=len({finding.id for finding in findings}),
        tools=dict(sorted(Counter(command.tool for command in commands).items())),
        families=len(set(families)),
        with_family=len(families),
        with_name_or_number=sum(
            bool(names(command.trigger) or numbers(command.trigger)) for command in commands
        ),
        findings=tuple(findings),
    )
