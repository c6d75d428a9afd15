"""The journal: the rows that runs have made so far, appended command by command, found again.

A journal is JSON Lines: a header that says what it was made with, then for each command its
manifest rows and, for clips that failed, a line with ``failed``. The lines of a command are
written at once, so a killed run leaves whole commands and at most one torn line.
"""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from synthkit.files import MAX_LINE_BYTES, TEMPORARY_PREFIX, parse_json, refuse_pipe

JOURNALS = f"{TEMPORARY_PREFIX}rows-*.jsonl"


class Block(NamedTuple):
    """Where the lines of one command stand: a file and a half-open range of its bytes."""

    path: Path
    start: int
    end: int

    def lines(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each line as it is written and as the JSON object it is; others are left out."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            content = file.read(self.end - self.start)
        for row in content.split(b"\n"):
            with contextlib.suppress(ValueError):  # not UTF-8, or not strict JSON
                text = row.decode("utf-8").rstrip()
                if isinstance(line := parse_json(text, self.path.name), dict):
                    yield text, line


Blocks = Mapping[str, Block]


def failure_line(command: str, clip: str, reason: str) -> str:
    """The line of a clip that could not be made."""
    return json.dumps({"command": command, "id": clip, "failed": reason}, ensure_ascii=False)


class JournalWriter:
    """Appends to a journal of its own, which appears with the first line."""

    def __init__(self, folder: Path, header: Mapping[str, Any]) -> None:
        # Workers of several machines may share the folder: process numbers are not enough.
        self.path = folder / JOURNALS.replace("*", uuid.uuid4().hex)
        self._header = header

    def append(self, lines: Iterable[str]) -> Block:
        """Append the lines of one command: all of them, or an :class:`OSError` and none."""
        content = "".join(f"{line}\n" for line in lines).encode("utf-8")
        # Unbuffered: what is not written now must not be written by the closing of the file.
        with self.path.open("ab", buffering=0) as file:
            if not file.tell():
                _write(file, f"{json.dumps(self._header)}\n".encode(), self.path)
            start = file.tell()
            _write(file, content, self.path)
            return Block(self.path, start, start + len(content))


def _write(file: FileIO, content: bytes, path: Path) -> None:
    """Write all of it, or take back what was written; an error names the file."""
    start, left = file.tell(), memoryview(content)
    try:
        while left:
            left = left[file.write(left) :]
    except OSError as error:
        os.truncate(path, start)
        raise OSError(error.errno, error.strerror, str(path)) from None


def header_of(path: Path) -> dict[str, Any] | None:
    """A journal's first line; None where it is no JSON object, or the path no file's."""
    try:
        refuse_pipe(path)
        with path.open("rb") as file:
            return _object(file.readline(MAX_LINE_BYTES))
    except OSError:
        return None


def find_blocks(paths: Sequence[Path]) -> dict[str, list[Block]]:
    """Every stretch of lines by command, in the order of ``paths``; torn lines are skipped."""
    found: dict[str, list[Block]] = {}
    for path in paths:
        for command, start, end in _commands(path):
            blocks = found.setdefault(command, [])
            if blocks and blocks[-1].path == path and blocks[-1].end == start:
                blocks[-1] = Block(path, blocks[-1].start, end)
            else:
                blocks.append(Block(path, start, end))
    return found


def _commands(path: Path) -> Iterator[tuple[str, int, int]]:
    """Yield each line's command, start and end."""
    with path.open("rb") as file:
        start = 0
        while text := file.readline(MAX_LINE_BYTES):
            line = _object(text)
            if line is not None and isinstance(line.get("command"), str):
                yield line["command"], start, start + len(text)
            start += len(text)


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
