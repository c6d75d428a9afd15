"""Files at the edges: strict reading of text, atomic writing, hashes."""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import threading
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from synthkit.errors import InputError, quoted

TEMPORARY_PREFIX = ".synthkit-"
MAX_DEPTH = 64
MAX_INTEGER = 2**53  # beyond it a float no longer holds every integer
MAX_TOML = 2**18  # characters of a recipe or card, far more than any that comes along


def sha256_file(path: Path) -> str:
    """SHA-256 of a file's bytes, 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_text(path: Path) -> str:
    """Read UTF-8 text, with or without a byte-order mark; one-line errors.

    Pipes and devices are refused: reading one could wait, or last, for ever.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise OSError(errno.EINVAL, "not a regular file")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8; allowed: UTF-8") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None


def inside(name: str, base: Path, folder: Path, where: str) -> Path:
    """The file that ``name`` means beside ``base``; no path in a file is trusted.

    Raises :class:`InputError` for absolute paths, for those and links that leave ``folder``,
    and for what is no file.
    """
    path = base / name
    try:
        is_file, resolved = path.is_file(), path.resolve()
    except (OSError, ValueError, RuntimeError):  # too long, a NUL, a loop of links
        raise InputError(f"{where}: {quoted(path.name)} is no file name") from None
    leaves = Path(name).is_absolute() or ".." in path.relative_to(folder).parts
    if leaves or not resolved.is_relative_to(folder.resolve()):
        raise InputError(
            f"{where}: {quoted(path.name)} leaves the card's folder; allowed: files below it"
        )
    if not is_file:
        raise InputError(f"{where}: {quoted(path.name)} is not a file")
    return path


def reason(error: Exception) -> str:
    """What went wrong, without the path that the caller names anyway."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def read_toml(path: Path) -> dict[str, object]:
    """Read a TOML file of values that other tools can read back (see :func:`check_plain`)."""
    text = read_text(path)
    if len(text) > MAX_TOML:
        raise InputError(f"{path}: {len(text)} characters; allowed: up to {MAX_TOML}")
    try:
        values = tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not TOML: {error}") from None
    check_plain(values, str(path))
    return values


def parse_json(text: str, where: str) -> object:
    """Parse strict JSON: no NaN or Infinity and no key twice (and see :func:`check_plain`)."""
    try:
        value = json.loads(
            text,
            parse_constant=lambda name: _refuse(f"{name} is not JSON"),
            object_pairs_hook=_unique,
        )
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not strict JSON: {error}") from None
    check_plain(value, where)
    return value


def check_plain(value: object, where: str, field: str = "", depth: int = 0) -> None:
    """Raise :class:`InputError` naming the field of a value that not every tool could read back.

    Allowed: what JSON has words for (TOML has dates too), finite numbers, integers that floats
    hold exactly, text that is valid Unicode, nesting up to 64 levels.
    """
    found, allowed = "", ""
    if isinstance(value, dict | list) and depth == MAX_DEPTH:
        found, allowed = "deeper nesting", f"{MAX_DEPTH} levels"
    elif isinstance(value, dict):
        for key, inner in value.items():
            check_plain(str(key), where, "a key", depth)
            check_plain(inner, where, f"{field}.{key}" if field else str(key), depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            check_plain(inner, where, f"{field}[{index}]", depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        found, allowed = str(value), "finite numbers"
    elif isinstance(value, int) and abs(value) > MAX_INTEGER:
        found, allowed = "a larger integer", f"-{MAX_INTEGER} to {MAX_INTEGER}"
    elif isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
        allowed = "valid Unicode"
    elif value is not None and not isinstance(value, dict | list | float | int | str):
        allowed = "text, numbers, true, false, arrays and tables"
    if allowed:
        raise InputError(
            f"{where}: field {field or 'top level'}: found {found or quoted(value)}; "
            f"allowed: {allowed}"
        )


def _refuse(message: str) -> object:
    raise ValueError(message)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise ValueError(f"key {quoted(twice)} stands twice")
    return found


@contextmanager
def atomic(path: Path) -> Iterator[BinaryIO]:
    """Write ``path`` through a temporary file beside it: all of it appears, or nothing."""
    if not path.name or path.is_dir():
        raise InputError(f"{str(path)!r}: cannot be written; allowed: the path of a file")
    path.parent.mkdir(parents=True, exist_ok=True)
    # Of a length that any file system takes, and with no suffix that a reader would look for.
    name = hashlib.sha256(path.name.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    writer = f"{os.getpid()}-{threading.get_ident()}"
    temporary = path.with_name(f"{TEMPORARY_PREFIX}{writer}-{name}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file atomically."""
    with atomic(path) as file:
        file.write(content)
