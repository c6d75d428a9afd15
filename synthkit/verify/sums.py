"""Checksums alone: the files of a folder against a list in the format of ``sha256sum``."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit.errors import InputError, one_line
from synthkit.files import TEMPORARY_PREFIX, below, reason, sha256_file
from synthkit.sums import read_sums
from synthkit.verify.findings import Fault


@dataclass(frozen=True)
class SumsReport:
    """How many files are listed, what is wrong with them, and files that are not listed."""

    listed: int
    faults: tuple[Fault, ...]
    extra: tuple[str, ...]

    @property
    def good(self) -> bool:
        """Whether all that is listed, something at least, is there; extra files are no fault."""
        return self.listed > 0 and not self.faults

    def describe(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "good": self.good,
            "files": self.listed,
            "good_files": self.listed - len(self.faults),
            "faulty_files": len(self.faults),
            "faults": [{"where": one_line(f.where), "what": f.what} for f in self.faults],
            "extra": [one_line(name) for name in self.extra],
        }


def verify_sums(sums: Path, folder: Path, on_file: Callable[[], None] = lambda: None) -> SumsReport:
    """Hash every file that ``sums`` lists, by its path in ``folder``.

    Paths that are absolute, hold ``..`` or leave the folder by a link are faults and not
    followed. Raises :class:`InputError` for a list in another form.
    """
    listed = read_sums(sums)
    faults = []
    for name, wanted in listed.items():
        if what := _fault(folder, name, wanted):
            faults.append(Fault(name, what))
        on_file()
    present = {
        (Path(at) / name).relative_to(folder).as_posix()
        for at, _, names in os.walk(folder)
        for name in names
        if not name.startswith(TEMPORARY_PREFIX)
    }
    if sums.resolve().is_relative_to(folder.resolve()):
        present.discard(sums.resolve().relative_to(folder.resolve()).as_posix())
    known = {Path(name).as_posix() for name in listed}
    return SumsReport(len(listed), tuple(faults), tuple(sorted(present - known)))


def _fault(folder: Path, name: str, wanted: str) -> str | None:
    try:
        path = below(folder, name)
        if not path.exists():
            return "missing"
        if not path.is_file():
            return "is not a file"
        found = sha256_file(path)
    except InputError as error:
        return str(error)
    except OSError as error:
        return f"cannot be read ({reason(error)})"
    return None if found == wanted else f"sha256 is {found[:12]}…; listed: {wanted[:12]}…"
