"""SHA256SUMS: the checksums of a set's files, in the format of ``sha256sum``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from synthkit.errors import InputError
from synthkit.files import read_text, sha256_file, write_bytes

SUMS = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")


def write_sums(folder: Path, known: Mapping[str, str], others: Iterable[str]) -> None:
    """Write checksums atomically: ``known`` ones by relative path, ``others`` read here."""
    sums = {**known, **{name: sha256_file(folder / name) for name in others}}
    lines = (f"{sums[name]}  {name}\n" for name in sorted(sums))
    write_bytes(folder / SUMS, "".join(lines).encode("utf-8"))


def read_sums(folder: Path) -> dict[str, str]:
    """Return hash by relative path; :class:`InputError` for a line in another form."""
    sums: dict[str, str] = {}
    for number, line in enumerate(read_text(folder / SUMS).rstrip("\n").split("\n"), start=1):
        match = _LINE.fullmatch(line)
        if not match or match[2] in sums:
            raise InputError(
                f"{SUMS}: row {number}: allowed: 64 hex digits, two spaces, a path not named before"
            )
        sums[match[2]] = match[1]
    return sums
