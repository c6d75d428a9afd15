"""Merge: shards of one set, in one folder or several, to the set that one run would make."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from synthkit import manifest
from synthkit.errors import InputError, quoted
from synthkit.files import below, parse_json, sha256_file, write_bytes
from synthkit.generate.finish import Outcome, finish
from synthkit.generate.folder import check_folder, end, locked
from synthkit.generate.journal import Block, find_blocks, header_of
from synthkit.generate.shards import FOLDER, MAX_SHARDS, plan_key
from synthkit.plan import ClipPlan, Plan, make_plan
from synthkit.recipe import read_recipe
from synthkit.recipe_copy import RECIPE, write_recipe


class _Part(NamedTuple):
    """A shard's file, and its header."""

    path: Path
    header: dict[str, Any]


def merge(folders: Sequence[Path], out: Path | None = None) -> Outcome:
    """Join the shards in ``folders`` to one set in ``out``; by default in the one folder given.

    Nothing is rendered: all shards must be there, of one plan and one environment. WAVs of other
    folders are copied, their hashes checked. Raises :class:`InputError` for what is missing or
    does not belong together.
    """
    if out is None:
        if len(folders) != 1:
            raise InputError(f"merge: {len(folders)} folders; allowed: one, or --out DIR")
        out = folders[0]
    for folder in folders:
        if not (folder / FOLDER).is_dir():
            raise _no_shards(folder)
    plan = make_plan(read_recipe(folders[0] / RECIPE))
    parts = _complete([part for folder in folders for part in _parts(folder, plan)])
    if not (len(folders) == 1 and out.resolve() == folders[0].resolve()):
        check_folder(plan, out)
    with locked(out):
        write_recipe(plan, out)
        found = find_blocks([part.path for part in parts])
        blocks = {command: places[-1] for command, places in found.items()}
        for assignment in plan.commands:
            block = blocks.get(assignment.command.id)
            if block is None:
                raise InputError(f"{out}: command {assignment.command.id} is in no shard")
            _check(block, plan.clips_of(assignment), block.path.parent.parent, out)
        outcome = Outcome()
        end(out, finish(plan, out, blocks, outcome))
    return outcome


def _parts(folder: Path, plan: Plan) -> list[_Part]:
    """The shards in a folder; :class:`InputError` for one of another plan."""
    parts = []
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        header = header_of(path) or {}
        if header.get("plan") != plan_key(plan):
            raise InputError(f"{path}: is a shard of another recipe or script; run it again")
        numbers = header.get("shard")
        if not _are_numbers(numbers):
            raise InputError(
                f"{path}: row 1: shard {quoted(numbers)}; allowed: a shard's; run it again"
            )
        parts.append(_Part(path, header))
    if not parts:
        raise _no_shards(folder)
    return parts


def _no_shards(folder: Path) -> InputError:
    return InputError(
        f"{folder}: no shards; allowed: a folder in which `generate --shard i/N` has run"
    )


def _are_numbers(found: object) -> bool:
    """Whether a header's numbers are those of a shard."""
    if not (isinstance(found, list) and [type(number) for number in found] == [int, int]):
        return False
    return bool(1 <= found[0] <= found[1] <= MAX_SHARDS)


def _complete(parts: Sequence[_Part]) -> list[_Part]:
    """All shards, each once; :class:`InputError` where some are missing or do not agree."""
    first, found = parts[0], dict[tuple[int, int], _Part]()
    for part in parts:
        if part.header.get("made_with") != first.header.get("made_with"):
            raise InputError(
                f"{part.path}: made with other versions than {first.path}; allowed: one environment"
            )
        index, count = part.header["shard"]
        if found.setdefault((index, count), part) != part:
            raise InputError(
                f"{part.path}: shard {index}/{count} is also {found[index, count].path}"
            )
    count = first.header["shard"][1]
    if others := sorted({other for _, other in found} - {count}):
        raise InputError(
            f"{first.path.parent}: shards of {count} and of {', '.join(map(str, others))}; "
            "allowed: all of one number, or a run of the whole set, which takes what shards made"
        )
    if missing := [i for i in range(1, count + 1) if (i, count) not in found]:
        raise InputError(
            f"{first.path.parent}: not there: {', '.join(f'{i}/{count}' for i in missing)}; "
            "run `generate --shard` for each, then merge"
        )
    return [found[i, count] for i in range(1, count + 1)]


def _check(block: Block, clips: Sequence[ClipPlan], home: Path, out: Path) -> None:
    """Check a command's rows, and bring its files to ``out`` where they lie elsewhere."""
    lines = list(block.lines())
    ids, planned = [line.get("id") for _, line in lines], [clip.id for clip in clips]
    if ids != planned:
        raise InputError(
            f"{block.path}: command {clips[0].command.id}: its rows are not those of its "
            f"{len(clips)} clips, {clips[0].id} first; run its shard again"
        )
    for clip, (text, line) in zip(clips, lines, strict=True):
        where = f"{block.path}: {clip.id}"
        value = parse_json(text, where)
        if "failed" in line:
            if not isinstance(line["failed"], str):
                raise InputError(f"{where}: found failed {quoted(line['failed'])}; allowed: text")
            continue
        row = manifest.checked_row(value, where)
        if not manifest.is_row_of(row, clip):
            raise InputError(f"{where}: file, parts or bed are not the clip's; run its shard again")
        for file in (row, row["bed"] or {}):
            if file.get("file"):
                _bring(file["file"], file["sha256"], home, out, where)


def _bring(name: str, sha256: str, home: Path, out: Path, where: str) -> None:
    try:
        path = below(home, name)
    except InputError as error:
        raise InputError(f"{where}: file {quoted(name)} is {error}") from None
    if path.is_symlink() or not path.is_file():
        raise InputError(f"{where}: {name} is not there; run its shard again")
    if home.resolve() == out.resolve():
        return
    write_bytes(out / name, path.read_bytes())
    if sha256_file(out / name) != sha256:
        raise InputError(f"{where}: {name} is not the file that was made; run its shard again")
