"""What verify looks for and reports: tolerances, faults, counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

DEFAULT_DB = 0.1


@dataclass(frozen=True)
class Tolerances:
    """How far levels may lie from what was asked for, dB, and the highest true peak, dBTP."""

    level_db: float = DEFAULT_DB
    max_true_peak_dbtp: float = 0.0


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: which row or file, and what in one line."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True)
class Report:
    """What was checked and what was found; rows are good or faulty, and together all."""

    rows: int
    audio: int
    text: int
    segments: int
    gaps: int
    faulty_rows: int
    faults: tuple[Fault, ...]

    @property
    def good(self) -> bool:
        """Whether something was checked and nothing was wrong."""
        return self.rows > 0 and not self.faults

    def describe(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "good": self.good,
            "rows": self.rows,
            "good_rows": self.rows - self.faulty_rows,
            "faulty_rows": self.faulty_rows,
            "audio": self.audio,
            "text": self.text,
            "segments": self.segments,
            "gaps": self.gaps,
            # A name on the disk, or in a list of checksums, need not be Unicode; JSON is.
            "faults": [{"where": _valid(f.where), "what": _valid(f.what)} for f in self.faults],
        }


def _valid(text: str) -> str:
    """Text with halves of characters escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
