"""Measure many files one after another: each a measurement, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from synthkit.errors import AudioError, InputError
from synthkit.measure.adopt import adoptable_name, check_place
from synthkit.measure.file import Ask, Measured, Told, measure
from synthkit.measure.found import shown
from synthkit.measure.manifests import is_set, told_by_manifests
from synthkit.measure.record import Unread
from synthkit.measure.times import read_times


def check_adoptable(folder: Path, again: bool) -> None:
    """Refuse to adopt a set, and what :func:`synthkit.measure.adopt.check_place` refuses."""
    if is_set(folder):
        raise InputError(f"{folder}: a set, which has a manifest; allowed: `synthkit verify`")
    check_place(folder, again)


def told_segments(
    paths: Sequence[Path], files: Sequence[Path], times: Path | None, anew: bool = False
) -> Told | None:
    """Where the segments of ``files`` are told: in ``times``, or in the manifests of folders.

    ``anew`` leaves manifests out. Raises :class:`InputError` for times or a manifest that is not
    valid.
    """
    folders = [path for path in paths if path.is_dir()]
    if times:
        return read_times(times, files, folders)
    return None if anew else told_by_manifests(folders)


def measure_all(
    files: Sequence[Path], ask: Ask, adopting: Path | None = None
) -> Iterator[Measured | Unread]:
    """Yield what each file measures; named relative to the folder that is ``adopting`` them."""
    for path in files:
        name = shown(path)
        try:
            if adopting:
                name = adoptable_name(adopting, path)
            yield measure(path, name, ask)
        except AudioError as error:
            yield Unread(name, str(error))
