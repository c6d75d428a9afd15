"""An audit's report: what was compared, what was found, what the design itself says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from synthkit.audit.checks import check
from synthkit.audit.findings import Finding, Tally
from synthkit.audit.hearing import Hearing
from synthkit.audit.probes import Probe


@dataclass(frozen=True)
class Report:
    """Everything an audit has to tell.

    ``pairs`` is the number of pairs of files of one command that were compared; ``declared`` are
    associations that the design itself makes, a line each; ``hearing`` is what the instruments
    heard, None where they were not asked.
    """

    folder: str
    commands: int
    audio: int
    text: int
    pairs: int
    tallies: tuple[Tally, ...]
    probes: tuple[Probe, ...]
    declared: tuple[str, ...]
    hearing: Hearing | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the checks; a probe's is one too."""
        probed = (
            Finding(f"probe.{probe.meter}", probe.commands, probe.finding)
            for probe in self.probes
            if probe.finding
        )
        return (*(f for tally in self.tallies for f in tally.findings), *probed)

    @property
    def good(self) -> bool:
        """Whether conditions were compared, by their sound, and no invariant broke."""
        return self.pairs > 0 and not self.findings

    def describe(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "good": self.good,
            "commands": self.commands,
            "audio": self.audio,
            "text": self.text,
            "pairs": self.pairs,
            "checks": [tally.describe() for tally in self.tallies],
            "probes": [probe.describe() for probe in self.probes],
            "declared": list(self.declared),
            "hearing": self.hearing and self.hearing.describe(),
            "findings": [
                {
                    "check": found.check,
                    "items": list(found.items),
                    "what": found.what,
                    "remedy": check(found.check).remedy,
                }
                for found in self.findings
            ],
        }
