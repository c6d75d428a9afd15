"""Which files are meant: those named, and the sound files below the folders named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from synthkit.errors import InputError
from synthkit.files import reason
from synthkit.soundfiles import EXTENSIONS

SOUND_SUFFIXES = {*EXTENSIONS, ".rf64"}


@dataclass(frozen=True)
class Found:
    """Files to hear, in order, none twice; and notes on what was not looked into."""

    files: tuple[Path, ...]
    notes: tuple[str, ...]


def find(paths: Iterable[Path]) -> Found:
    """Find the files of ``paths``; folders are searched for sound files, in order of name.

    In folders, hidden files and folders are left out, and links to folders are noted and not
    followed. Raises :class:`InputError` for a path that is not there, and where no file is found.
    """
    files: dict[str, Path] = {}
    notes: list[str] = []
    for path in paths:
        found = files_below(path, notes) if _is_folder(path) else iter([path])
        for file in found:
            files.setdefault(same_path(file), file)
    if not files:
        raise InputError(
            f"{', '.join(map(str, paths))}: no sound file; allowed in a folder: "
            f"*{', *'.join(sorted(SOUND_SUFFIXES))}"
        )
    return Found(tuple(files.values()), tuple(notes))


def is_sound(name: str) -> bool:
    """Whether a file's ending is a sound file's."""
    return Path(name).suffix.lower() in SOUND_SUFFIXES


def same_path(path: Path) -> str:
    """What two spellings of a path have in common; links are not followed."""
    return os.path.abspath(path)  # noqa: PTH100 - Path.absolute keeps `..`


def shown(path: Path) -> str:
    """A path as records hold it: with /, and what is not valid Unicode escaped."""
    return path.as_posix().encode("utf-8", "backslashreplace").decode("utf-8")


def _is_folder(path: Path) -> bool:
    try:
        there, is_folder = os.path.lexists(path), path.is_dir()
    except (OSError, ValueError) as error:  # a NUL, a name too long
        raise InputError(f"{path}: {reason(error)}") from None
    if not there:
        raise InputError(f"{path}: no such file or folder")
    return is_folder


def files_below(folder: Path, notes: list[str], any_kind: bool = False) -> Iterator[Path]:
    """Yield the sound files of a folder, or those of ``any_kind``, in order of name.

    What is hidden is left out; what cannot be looked into and links to folders go into ``notes``.
    """

    def unreadable(error: OSError) -> None:
        notes.append(f"{error.filename}: cannot be looked into ({reason(error)})")

    for at, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if (Path(at) / name).is_symlink():
                notes.append(f"{Path(at) / name}: a link to a folder, which is not followed")
        for name in sorted(files):
            if (any_kind or is_sound(name)) and not name.startswith("."):
                yield Path(at) / name
