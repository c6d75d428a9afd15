"""Files at the edges: strict reading of text, atomic writing, hashes."""

from __future__ import annotations

import hashlib
import json
import math
import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from synthkit.errors import InputError

TEMPORARY_PREFIX = ".synthkit-"


def sha256_file(path: Path) -> str:
    """SHA-256 of a file's bytes, 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_text(path: Path) -> str:
    """Read UTF-8 text, with or without a byte-order mark; one-line errors."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8; allowed: UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def read_toml(path: Path) -> dict[str, object]:
    """Read a TOML file."""
    try:
        values = tomllib.loads(read_text(path).replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path}: not TOML: {error}") from None
    check_finite(values, str(path))
    return values


def check_finite(value: object, where: str, field: str = "") -> None:
    """Raise :class:`InputError` naming the field of a number in ``value`` that is nan or inf."""
    if isinstance(value, dict):
        for key, inner in value.items():
            check_finite(inner, where, f"{field}.{key}" if field else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            check_finite(inner, where, f"{field}[{index}]")
    elif isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{where}: field {field}: found {value}; allowed: finite numbers")


def parse_json(text: str, where: str) -> object:
    """Parse strict JSON: no NaN or Infinity, no number beyond a float's range, no key twice."""
    try:
        return json.loads(
            text,
            parse_constant=lambda name: _refuse(f"{name} is not JSON"),
            parse_float=_finite,
            object_pairs_hook=_unique,
        )
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not strict JSON: {error}") from None


def _refuse(message: str) -> object:
    raise ValueError(message)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"number {text} is not finite")
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(k for i, (k, _) in enumerate(pairs) if k in dict(pairs[:i]))
        raise ValueError(f"key {twice!r} stands twice")
    return found


@contextmanager
def atomic(path: Path) -> Iterator[BinaryIO]:
    """Write ``path`` through a temporary file beside it: all of it appears, or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{TEMPORARY_PREFIX}{os.getpid()}-{path.name}")
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
