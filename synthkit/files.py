"""Files at the edges: strict reading of text, atomic writing, hashes."""

from __future__ import annotations

import codecs
import errno
import hashlib
import json
import math
import os
import re
import threading
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from synthkit.errors import InputError, quoted

TEMPORARY_PREFIX = ".synthkit-"
MAX_DEPTH = 64
MAX_LINE_BYTES = 2**24  # of a row; the longest that synthkit writes has some ten thousand
MAX_INTEGER = 2**53  # beyond it a float no longer holds every integer
_SURROGATE = re.compile("[\\ud800-\\udfff]")
# In JSON, what may be more than check_plain allows: integers of 16 digits, exponents of three, and
# escapes of half a character. A row without any need not be walked through, which takes longer
# than to parse it.
_DOUBTFUL = re.compile(
    r"(?<![0-9A-Za-z.\"])(?:[0-9]{16}|[0-9]+(?:\.[0-9]+)?[eE]\+?[0-9]{3})|\\u[dD][89a-fA-F]"
)
MAX_TOML = 2**18  # characters of a recipe or card, far more than any that comes along


def sha256_file(path: Path) -> str:
    """SHA-256 of a file's bytes, 64 hex digits; :class:`OSError` for pipes and devices too."""
    refuse_pipe(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_text(path: Path) -> str:
    """Read UTF-8 text, with or without a byte-order mark; one-line errors.

    Pipes and devices are refused: reading one could wait, or last, for ever.
    """
    try:
        refuse_pipe(path)
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8; allowed: UTF-8") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None


def refuse_pipe(path: Path) -> None:
    """Raise :class:`OSError` for pipes and devices: reading one could wait, or last, for ever."""
    if not path.is_file() and not path.is_dir() and path.exists():
        raise OSError(errno.EINVAL, "not a regular file", str(path))


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield number, from 1, and text of each line of UTF-8 that is not blank; one in memory.

    Lines end at ``\\n`` only: a JSON string may hold other characters that look like line ends.
    Raises :class:`InputError` as :func:`read_text` does, and for a line that no row is as long as.
    """
    try:
        refuse_pipe(path)
        with path.open("rb") as file:
            number, start = 0, 0
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    raise InputError(
                        f"{path}: row {number} is longer than {MAX_LINE_BYTES} bytes; "
                        "allowed: up to that"
                    )
                line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                text = _decoded(line, start, path)
                start += len(line)
                if text.strip():
                    yield number, text.removesuffix("\n")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None


def _decoded(line: bytes, start: int, path: Path) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: byte {start + error.start} is not UTF-8; allowed: UTF-8"
        ) from None


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


def below(folder: Path, name: str) -> Path:
    """The path of ``name`` in ``folder``, there or not; no path in a file is trusted.

    Raises :class:`InputError`, without the name, for absolute paths, for those with ``..`` and for
    links that leave the folder.
    """
    inner = Path(name)
    if inner.drive or inner.root or ".." in inner.parts:
        raise InputError("an unsafe path; allowed: relative ones without '..'")
    try:
        stays = (folder / inner).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # too long, a NUL, a loop of links
        raise InputError("no name of a file") from None
    if not stays:
        raise InputError("a link that leaves the folder, which is not followed")
    return folder / inner


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
    if text.count("{") + text.count("[") > MAX_DEPTH or _DOUBTFUL.search(text):
        check_plain(value, where)
    return value


def check_plain(value: object, where: str, field: str = "", depth: int = 0) -> None:
    """Raise :class:`InputError` naming the field of a value that not every tool could read back.

    Allowed: what JSON has words for (TOML has dates too), finite numbers, integers that floats
    hold exactly, text that is valid Unicode, nesting up to 64 levels.
    """
    if not _is_plain(value, depth):
        _refuse_unplain(value, where, field, depth)


def _is_plain(value: object, depth: int) -> bool:
    """Whether :func:`check_plain` has nothing to say; a value has no name yet, which takes time."""
    if isinstance(value, str):
        return value.isascii() or not _SURROGATE.search(value)
    if isinstance(value, dict):
        return depth < MAX_DEPTH and all(
            _is_plain(str(key), 0) and _is_plain(inner, depth + 1) for key, inner in value.items()
        )
    if isinstance(value, list):
        return depth < MAX_DEPTH and all(_is_plain(inner, depth + 1) for inner in value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return abs(value) <= MAX_INTEGER
    return value is None


def _refuse_unplain(value: object, where: str, field: str, depth: int) -> None:
    if isinstance(value, dict | list) and depth == MAX_DEPTH:
        found, allowed = "deeper nesting", f"{MAX_DEPTH} levels"
    elif isinstance(value, dict):
        for key, inner in value.items():
            _refuse_unplain(str(key), where, "a key", depth)
            _refuse_unplain(inner, where, f"{field}.{key}" if field else str(key), depth + 1)
        return
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _refuse_unplain(inner, where, f"{field}[{index}]", depth + 1)
        return
    elif isinstance(value, float) and not math.isfinite(value):
        found, allowed = str(value), "finite numbers"
    elif isinstance(value, int) and abs(value) > MAX_INTEGER:
        found, allowed = "a larger integer", f"-{MAX_INTEGER} to {MAX_INTEGER}"
    elif isinstance(value, str) and _SURROGATE.search(value):
        found, allowed = quoted(value), "valid Unicode"
    elif value is not None and not isinstance(value, dict | list | float | int | str):
        found, allowed = quoted(value), "text, numbers, true, false, arrays and tables"
    else:
        return
    raise InputError(f"{where}: field {field or 'top level'}: found {found}; allowed: {allowed}")


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
def atomic(path: Path, durable: bool = False) -> Iterator[BinaryIO]:
    """Write ``path`` through a temporary file beside it: all of it appears, or nothing.

    ``durable`` has it survive a loss of power too, which takes some milliseconds.
    """
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
            if durable:
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file atomically."""
    with atomic(path) as file:
        file.write(content)


def jsonl_bytes(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """The rows as JSON lines in UTF-8; strict, so that what is not finite cannot be written."""
    lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode()


def write_new(path: Path, content: bytes) -> None:
    """Write a whole file atomically where there is none yet, or one that holds the same.

    Raises :class:`InputError` for any other file: it may be somebody's work.
    """
    try:
        is_there = path.exists()
        if is_there and path.is_file() and path.read_bytes() == content:
            return
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None
    if is_there:
        raise InputError(f"{path}: is there already and differs; allowed: a new file")
    write_bytes(path, content)
