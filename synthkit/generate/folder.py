"""The set's folder: whose it is, who may write there now, and what is cleared before and after."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import filelock

from synthkit import dataset, manifest
from synthkit.errors import InputError, SynthkitError
from synthkit.files import TEMPORARY_PREFIX, atomic, read_toml, reason, sha256_file
from synthkit.generate import shards
from synthkit.generate.journal import JOURNALS, header_of
from synthkit.generate.shards import Shard
from synthkit.plan import Plan
from synthkit.recipe_copy import RECIPE, RECIPE_FOLDER, portable_recipe, recipe_files, write_recipe
from synthkit.sums import SUMS, read_sums

# Held while a run writes; left in the folder, it also says that the folder is a set's.
LOCK = f"{TEMPORARY_PREFIX}lock"
SELECTION = ("limit", "only")
PARTS = ("audio", "beds", RECIPE_FOLDER)
# How long a shard waits while its neighbours look whether a whole run is writing, s.
TURN = 15.0
# The last run's manifest, while the next one takes what it can from it.
LAST = JOURNALS.replace("*", "last")


def check_folder(plan: Plan, folder: Path, prune: bool = False) -> None:
    """Refuse a folder with files that are not this plan's: none is ever deleted or mixed in.

    With ``prune`` what synthkit made there for an earlier form of the recipe is no reason.
    """
    where = f"--out {folder}"
    if prune and any(plan.recipe.values.get(name) for name in SELECTION):
        raise InputError(
            "--prune with --limit or --only: would remove the clips of all other commands; "
            "allowed: --prune by itself"
        )
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{where}: is a file; allowed: a new or empty folder")
    if any(folder.iterdir()) and not _is_set(folder):
        raise InputError(f"{where}: holds other files; allowed: a new or empty folder")
    if (folder / RECIPE).is_file():
        found, wanted = read_toml(folder / RECIPE), portable_recipe(plan)
        if found.get("name") != wanted["name"] or not (
            prune or _without_selection(found) == _without_selection(wanted)
        ):
            raise InputError(
                f"{where}: holds the set of another recipe; allowed: a new folder"
                + (", or --prune" if found.get("name") == wanted["name"] else "")
            )
    _check_links(folder, where)
    made = made_files(folder) if prune else {}
    for name in strays(plan, folder):
        if name not in made:
            raise InputError(
                f"{where}: holds {name}, which this run would not write; allowed: a new folder, "
                "or one whose clips this run makes again"
                + ("" if prune else ", or --prune, which removes what a recipe no longer has")
            )


def strays(plan: Plan, folder: Path) -> Iterator[str]:
    """Files in the set's own folders that the plan does not name, by path below the set's."""
    clips = {a.command.id: a for a in plan.commands}
    recipe = recipe_files(plan)
    for part in ("audio", RECIPE_FOLDER):
        for path in sorted((folder / part).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.name.startswith(TEMPORARY_PREFIX) or not path.is_file() or name in recipe:
                continue
            command = clips.get(path.parent.name)
            if command and any(clip.file == name for clip in plan.clips_of(command)):
                continue
            yield name


def _check_links(folder: Path, where: str) -> None:
    """Refuse links in the set's own folders: what is written there could end up elsewhere."""
    for part in (folder / name for name in (*PARTS, shards.FOLDER)):
        for path in (part, *sorted(part.rglob("*"))):
            if path.is_symlink():
                name = path.relative_to(folder).as_posix()
                raise InputError(f"{where}: {name} is a link, which could lead out of the folder")


def made_files(folder: Path) -> dict[str, str]:
    """Files that the last run made and nobody has changed since: hash by path below the set's."""
    try:
        sums = read_sums(folder / SUMS)
    except SynthkitError:
        return {}
    return {name: sha256 for name, sha256 in sums.items() if _is_own(folder, name, sha256)}


def _is_own(folder: Path, name: str, sha256: str) -> bool:
    """Whether ``name`` lies in one of the set's own folders and is as it was made."""
    path = folder / name
    inside = name.partition("/")[0] in PARTS and ".." not in Path(name).parts
    try:
        if not inside or path.is_symlink() or not path.is_file():
            return False
        return path.resolve().is_relative_to(folder.resolve()) and sha256_file(path) == sha256
    except (OSError, ValueError):
        return False


def prunable(plan: Plan, folder: Path) -> list[str]:
    """What the last run made and the plan no longer has, by path below the set's folder."""
    made = made_files(folder)
    return [name for name in strays(plan, folder) if name in made]


def remove(folder: Path, names: Iterable[str]) -> None:
    """Remove files, and their folders where they are empty then."""
    for name in names:
        (folder / name).unlink(missing_ok=True)  # another shard may have been quicker
        for parent in list((folder / name).parents)[: name.count("/")]:
            with contextlib.suppress(OSError):  # not empty
                parent.rmdir()


def _is_set(folder: Path) -> bool:
    """Whether synthkit made the folder, in a whole run or a broken one."""
    try:
        return any(folder.glob(f"{LOCK}*")) or bool(dataset.read_dataset(folder))
    except InputError:
        return False


def _without_selection(recipe: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in recipe.items() if key not in SELECTION}


@contextmanager
def locked(folder: Path, shard: Shard | None = None) -> Iterator[None]:
    """Hold the folder, or a shard's part of it; who comes second is refused at once.

    A shard holds a lock of its own and looks whether a whole run holds the folder; a whole run
    holds the folder and looks whether a shard is at work.
    """
    taken = InputError(f"--out {folder}: another run is writing there")
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if shard:
                held.enter_context(filelock.FileLock(folder / f"{LOCK}-{shard.name}", timeout=0))
                with filelock.FileLock(folder / LOCK, timeout=TURN):
                    pass
            else:
                held.enter_context(filelock.FileLock(folder / LOCK, timeout=0))
                for path in folder.glob(f"{LOCK}-*"):
                    with filelock.FileLock(path, timeout=0):
                        pass
        except filelock.Timeout:
            raise taken from None
        except OSError as error:
            raise InputError(f"--out {folder}: cannot be written ({reason(error)})") from None
        yield


def begin(plan: Plan, folder: Path, shard: Shard | None = None) -> None:
    """Clear what would no longer be true, keep its rows for :func:`earlier`; write the recipe."""
    try:
        if not shard:
            _unlink(folder.rglob(f"{TEMPORARY_PREFIX}*.tmp"))
            _keep_manifest(folder)
            (folder / dataset.DATASET).unlink(missing_ok=True)
        write_recipe(plan, folder)
        (folder / "audio").mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be written ({reason(error)})") from None


def _unlink(paths: Iterable[Path]) -> None:
    """Unlink files under our own prefix; a folder of such a name is not ours."""
    for path in paths:
        if path.is_symlink() or not path.is_dir():
            path.unlink()


def _keep_manifest(folder: Path) -> None:
    """Make the manifest a journal, if it is as it was made, here and with the same libraries.

    It joins what a run before it left there: one that was cut short may list less than that.
    """
    path, header = folder / manifest.MANIFEST, {"made_with": dataset.made_with()}
    if _is_as_made(folder):
        with atomic(folder / LAST) as journal:
            if header_of(folder / LAST) == header:
                journal.write((folder / LAST).read_bytes())
            else:
                journal.write(f"{json.dumps(header)}\n".encode())
            with path.open("rb") as rows:
                shutil.copyfileobj(rows, journal)
    path.unlink(missing_ok=True)


def _is_as_made(folder: Path) -> bool:
    try:
        sums, described = read_sums(folder / SUMS), dataset.read_dataset(folder)
        return (
            dataset.made_with(described) == dataset.made_with()
            and sums[manifest.MANIFEST] == sha256_file(folder / manifest.MANIFEST)
            and sums[dataset.DATASET] == sha256_file(folder / dataset.DATASET)
        )
    except (SynthkitError, OSError, KeyError):
        return False


def earlier(folder: Path) -> list[Path]:
    """Where rows of earlier runs in this environment may be found, killed ones among them."""
    here, found = dataset.made_with(), list[Path]()
    if _is_as_made(folder):
        found.append(folder / manifest.MANIFEST)
    others = [*folder.glob(JOURNALS), *(folder / shards.FOLDER).glob("*.jsonl")]
    for path in sorted(others):
        header = header_of(path)
        if header and header.get("made_with") == here:
            found.append(path)
    return found


def end(folder: Path, beds: Container[str]) -> None:
    """Remove what the set no longer needs: journals, shards, and ``beds`` that no row names.

    A bed is named after its content, so one that is not is somebody else's file.
    """
    _unlink(folder.glob(JOURNALS))
    ours = [p for p in (folder / shards.FOLDER).glob("*.jsonl") if "shard" in (header_of(p) or {})]
    names = [path.relative_to(folder).as_posix() for path in ours]
    for path in (folder / "beds").glob("*.wav"):
        name = path.relative_to(folder).as_posix()
        if name not in beds and _is_own(folder, name, path.stem):
            names.append(name)
    remove(folder, names)
