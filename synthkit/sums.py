"""SHA256SUMS: the checksums of a set's files, in the format of ``sha256sum``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from synthkit.errors import InputError
from synthkit.files import TEMPORARY_PREFIX, read_text, sha256_file, write_bytes

SUMS = "SHA256SUMS"
# Written later, from the set; the set is whole without it.
PAGE = "index.html"
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")


def data_files(folder: Path) -> Iterator[str]:
    """Yield the files of a set below ``folder`` that checksums cover, as sorted relative paths."""
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder).as_posix()
        if path.is_file() and relative not in (SUMS, PAGE):
            yield relative


def write_sums(folder: Path) -> None:
    """Write the checksums of all data files atomically."""
    names = (n for n in data_files(folder) if not Path(n).name.startswith(TEMPORARY_PREFIX))
    lines = (f"{sha256_file(folder / name)}  {name}\n" for name in names)
    write_bytes(folder / SUMS, "".join(lines).encode("utf-8"))


def read_sums(folder: Path) -> dict[str, str]:
    """Return hash by relative path; :class:`InputError` for a line in another form."""
    sums: dict[str, str] = {}
    for number, line in enumerate(read_text(folder / SUMS).splitlines(), start=1):
        match = _LINE.fullmatch(line)
        if not match:
            raise InputError(f"{SUMS}: row {number}: allowed: 64 hex digits, two spaces, a path")
        sums[match[2]] = match[1]
    return sums
