"""Measure many files one after another: each a measurement, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from synthkit.errors import AudioError
from synthkit.measure.adopt import adoptable_name
from synthkit.measure.file import Ask, Measured, Told, measure
from synthkit.measure.found import shown
from synthkit.measure.manifests import told_by_manifests
from synthkit.measure.record import Unread
from synthkit.measure.times import read_times


def told_segments(paths: Sequence[Path], files: Sequence[Path], times: Path | None) -> Told | None:
    """Where the segments of ``files`` are told: in ``times``, or in the manifests of folders.

    Raises :class:`InputError` for times or a manifest that is not valid.
    """
    folders = [path for path in paths if path.is_dir()]
    return read_times(times, files, folders) if times else told_by_manifests(folders)


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
