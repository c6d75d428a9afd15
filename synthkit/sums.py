"""SHA256SUMS: checksums of files, in the format of GNU ``sha256sum``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from synthkit.errors import InputError
from synthkit.files import reason, refuse_pipe, sha256_file, write_bytes

SUMS = "SHA256SUMS"
# Hash, then the mark of text or binary mode, then the name; a backslash first: it is escaped.
_LINE = re.compile(r"(\\?)([0-9a-fA-F]{64}) [ *]([^\0]+)", re.DOTALL)
_ESCAPES = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}
_ESCAPED = re.compile(r"\\(.?)", re.DOTALL)


def write_sums(folder: Path, known: Mapping[str, str], others: Iterable[str]) -> None:
    """Write checksums atomically: ``known`` ones by relative path, ``others`` read here."""
    sums = {**known, **{name: sha256_file(folder / name) for name in others}}
    lines = (_line(name, sums[name]) for name in sorted(sums))
    write_bytes(folder / SUMS, "".join(lines).encode("utf-8"))


def read_sums(path: Path) -> dict[str, str]:
    """Return hash by path as written; :class:`InputError` for a line in another form.

    Lines may end with CRLF and start after a byte-order mark. Bytes that are not UTF-8 become
    surrogates, as in all file names.
    """
    try:
        refuse_pipe(path)
        text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None
    sums: dict[str, str] = {}
    for number, line in enumerate(text.rstrip("\r\n").split("\n"), start=1):
        match = _LINE.fullmatch(line.removesuffix("\r"))
        name = _unescaped(match[3]) if match and match[1] else match and match[3]
        if not match or name is None or name in sums:
            raise InputError(
                f"{path.name}: row {number}: "
                "allowed: 64 hex digits, two spaces, a path not named before"
            )
        sums[name] = match[2].lower()
    return sums


def _line(name: str, found: str) -> str:
    escaped = name
    for escape, character in _ESCAPES.items():
        escaped = escaped.replace(character, escape)
    return f"{'' if escaped == name else chr(92)}{found}  {escaped}\n"


def _unescaped(name: str) -> str | None:
    """A name as GNU tools escape it; None for an escape they never write."""
    if not all(match[0] in _ESCAPES for match in _ESCAPED.finditer(name)):
        return None
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], name)
