"""Splits of files: a script, a set or a table in; marked rows or ids, and lines that tell, out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synthkit.errors import InputError, one_line, quoted
from synthkit.files import jsonl_bytes, write_new
from synthkit.scripts.commands import Command, read_scripts
from synthkit.scripts.items import kind_of, of_set, of_table
from synthkit.scripts.split import DROPPED, Split, split_commands, split_items

MOST_PARTS, MOST_SHARE = 20, 100  # as in a recipe
_PART = re.compile(r"[a-z][a-z0-9_]{0,31}")
_SHARE = re.compile(r"[0-9]{1,3}")


def parse_shares(text: str) -> dict[str, int]:
    """``train=4,test=1`` as shares by part; :class:`InputError` for what is none."""
    shares: dict[str, int] = {}
    for told in text.split(","):
        part, _, share = (piece.strip() for piece in told.partition("="))
        good = _PART.fullmatch(part) and _SHARE.fullmatch(share)
        if not good or not 1 <= int(share) <= MOST_SHARE or part in (*shares, DROPPED, "all"):
            raise InputError(
                f"--shares: found {quoted(told)}; allowed: NAME=SHARE, each name once, of a-z 0-9 "
                f"_, not {DROPPED} or all; shares 1 to {MOST_SHARE}"
            )
        shares[part] = int(share)
    if not 2 <= len(shares) <= MOST_PARTS:
        raise InputError(
            f"--shares: found {len(shares)} parts; allowed: 2 to {MOST_PARTS}, "
            "such as train=4,test=1"
        )
    return shares


@dataclass(frozen=True)
class Source:
    """What is split: its kind, script, set or table; its file; a script's commands."""

    kind: str
    path: Path
    commands: tuple[Command, ...] = ()


def split_file(
    path: Path,
    by: Sequence[str],
    shares: Mapping[str, int],
    seed: int,
    script: Path | None = None,
    files: Path | None = None,
) -> tuple[Split, Source, int]:
    """Split any file that can be split; of how many recordings no hash is known comes last.

    ``script`` tells the families of a set, ``files`` is the folder of a table's files, its own
    for None. Raises :class:`InputError` as the readers do, and where either has no use.
    """
    kind, path = kind_of(path)
    for option, value, use in (("--scripts", script, "set"), ("--files", files, "table")):
        if value and kind != use:
            raise InputError(f"{option}: {path} is a {kind}; allowed: with a {use}")
    if kind == "script":
        commands = read_scripts(path)
        return split_commands(commands, by, shares, seed), Source(kind, path, commands), 0
    if kind == "set":
        items = of_set(path, by, read_scripts(script) if script else ())
        return split_items(items, by, shares, seed), Source(kind, path), 0
    if files and not files.is_dir():
        raise InputError(f"--files {files}: not a folder; allowed: the folder of the files")
    rows, unhashed = of_table(path, by, files or path.parent)
    return split_items(rows, by, shares, seed), Source(kind, path), unhashed


def write_split(split: Split, source: Source, out: Path) -> None:
    """Write ``out``: of a script the rows that are not dropped with ``split`` set, else the ids.

    Raises :class:`InputError` where another file stands, and for rows in a file that would be
    read as CSV.
    """
    if source.kind != "script":
        write_new(out, as_json(split))
        return
    if out.suffix.lower() == ".csv":
        raise InputError(f"--out {out}: rows are written as JSONL; allowed: a name in .jsonl")
    placed = zip(source.commands, split.placed, strict=True)
    rows = ({**command.describe(), "split": part} for command, part in placed if part is not None)
    write_new(out, jsonl_bytes(rows))


def as_json(split: Split) -> bytes:
    """The split as one JSON object, that of ``splits.json``."""
    text = json.dumps(split.describe(), ensure_ascii=False, allow_nan=False, indent=1)
    return f"{text}\n".encode()


def lines(split: Split) -> Iterator[str]:
    """Yield what was put where and what the parts share, line by line."""
    counts: Mapping[str, int] = split.describe()["counts"]
    groups = {axis: split.groups(axis) for axis in split.by}
    width = max(map(len, counts))
    for part in split.shares:
        held = ", ".join(_counted(groups[axis][part], axis) for axis in split.by)
        yield f"{part:{width}}  {counts[part]:7} items: {held}"
    yield f"{DROPPED:{width}}  {counts[DROPPED]:7} items" + (
        ", whose groups fell into different parts" if counts[DROPPED] else ""
    )
    yield f"{'all':{width}}  {counts['all']:7} items"
    yield f"shared between parts: {_told(split, split.promised)}"
    others = [kind for kind in split.shared if kind not in split.promised]
    if any(split.shared[kind] is not None for kind in others):
        yield f"not held apart: {_told(split, others)}"
    for part in split.shares:
        if not counts[part]:
            yield one_line(f"{part} is empty")


def _counted(number: int, axis: str) -> str:
    many = "families" if axis == "family" else f"{axis}s"
    return f"{number} {axis if number == 1 else many}"


def _told(split: Split, kinds: Sequence[str]) -> str:
    return ", ".join(
        f"{kind} {split.shared[kind]}" for kind in kinds if split.shared[kind] is not None
    )
