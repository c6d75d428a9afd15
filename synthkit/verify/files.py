"""Sound files without a manifest: whole, not silent, and whatever else is asked of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synthkit.errors import AudioError
from synthkit.levels import rms_dbfs
from synthkit.loudness import lufs
from synthkit.measure.file import Ask, Heard, hear
from synthkit.measure.found import shown
from synthkit.measure.loaded import Loaded
from synthkit.measure.readings import clipped_runs, worst_true_peak
from synthkit.measure.segments import speech
from synthkit.verify.findings import DEFAULT_DB, Fault
from synthkit.verify.soundformat import Format

SPEECH, SEGMENTS, FILE = "speech", "segments", "file"  # what a level is read over


@dataclass(frozen=True)
class Expected:
    """What is asked of each file; None asks nothing. Levels in dB, lengths in seconds.

    ``level_over`` is what ``level_dbfs`` is read over: all the speech together, each segment, or
    the whole file. ``tolerance_db`` is allowed of ``level_dbfs`` and ``lufs``.
    """

    level_dbfs: float | None = None
    level_over: str = SPEECH
    lufs: float | None = None
    tolerance_db: float = DEFAULT_DB
    max_true_peak_dbtp: float | None = None
    clipping: bool = True
    format: Format | None = None
    min_seconds: float | None = None
    max_seconds: float | None = None

    def describe(self) -> dict[str, Any]:
        """As plain JSON values."""
        return dataclasses.asdict(self) | {"format": self.format and str(self.format)}


@dataclass(frozen=True)
class FilesReport:
    """What was checked and what was found, file by file; ``faulty`` counts files."""

    files: int
    faulty: int
    faults: tuple[Fault, ...]
    expected: Expected

    @property
    def good(self) -> bool:
        """Whether something was checked and nothing was wrong."""
        return self.files > 0 and not self.faults

    def describe(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "good": self.good,
            "files": self.files,
            "good_files": self.files - self.faulty,
            "faulty_files": self.faulty,
            "expected": self.expected.describe(),
            "faults": [{"where": f.where, "what": f.what} for f in self.faults],
        }


def verify_files(
    files: Iterable[Path], ask: Ask, expected: Expected, on_file: Callable[[], None] = lambda: None
) -> FilesReport:
    """Check ``files`` one after another; every fault is reported, none is raised."""

    def checked() -> Iterator[tuple[str, list[str]]]:
        for path in files:
            yield shown(path), verify_file(path, ask, expected)
            on_file()

    return report_of(checked(), expected)


def verify_file(path: Path, ask: Ask, expected: Expected) -> list[str]:
    """What is wrong with one file, a line each; nothing is raised for what lies in it.

    Whatever is ``expected``, a file has to be readable, whole and not silent.
    """
    try:
        heard = hear(path, ask)
    except AudioError as error:
        return [str(error)]
    return list(heard_faults(heard, expected))


def report_of(
    files: Iterable[tuple[str, list[str]]], expected: Expected, others: Iterable[Fault] = ()
) -> FilesReport:
    """The report on files, by name, and what is wrong with each; ``others`` are no such files."""
    count, faulty = 0, 0
    faults: list[Fault] = []
    for name, wrong in files:
        found = [Fault(name, what) for what in wrong]
        count, faulty = count + 1, faulty + bool(found)
        faults += found
    return FilesReport(count, faulty, (*faults, *others), expected)


def heard_faults(heard: Heard, expected: Expected) -> Iterator[str]:
    """Yield where a file that was heard is cut short, silent or not as ``expected``."""
    if heard.loaded.cut_short:
        yield from (remark for remark in heard.loaded.remarks if remark.startswith("cut"))
    if heard.activity.silence:
        yield heard.activity.silence
        expected = replace(expected, level_dbfs=None, lufs=None)  # one line is enough
    yield from _asked_faults(heard, expected)


def _asked_faults(heard: Heard, expected: Expected) -> Iterator[str]:
    """Yield where a file that was heard is not as ``expected``."""
    loaded = heard.loaded
    if expected.format:
        yield from expected.format.faults(loaded)
    yield from _length_faults(loaded, expected)
    if not expected.clipping and (runs := clipped_runs(loaded.channels, loaded.fine)):
        yield f"clipped: runs of samples at its largest value: {runs}; allowed: none"
    if expected.max_true_peak_dbtp is not None:
        peak = worst_true_peak(loaded.channels)
        if peak is not None and peak > expected.max_true_peak_dbtp:
            yield f"true peak is {peak:.4f} dBTP; allowed: up to {expected.max_true_peak_dbtp:g}"
    yield from _level_faults(heard, expected)


def _length_faults(loaded: Loaded, expected: Expected) -> Iterator[str]:
    low, high = expected.min_seconds, expected.max_seconds
    if low is not None and loaded.duration < low:
        yield f"length is {loaded.duration:.6g} s; allowed: {low:g} or more"
    if high is not None and loaded.duration > high:
        yield f"length is {loaded.duration:.6g} s; allowed: up to {high:g}"


def _level_faults(heard: Heard, expected: Expected) -> Iterator[str]:
    for over, unit, found, wanted in _levels(heard, expected):
        if found is None or abs(found - wanted) > expected.tolerance_db:
            yield (
                f"level over {over} is {'none' if found is None else f'{found:.4f} {unit}'}; "
                f"allowed: {wanted:g} {unit} within {expected.tolerance_db:g} dB"
            )


def _levels(heard: Heard, expected: Expected) -> Iterator[tuple[str, str, float | None, float]]:
    """What each asked level is read over, its unit, what was found and what is wanted."""
    loaded, mono = heard.loaded, heard.loaded.mono
    if expected.level_dbfs is not None:
        stretches = {
            SPEECH: [("the speech", speech(mono, heard.segments))],
            FILE: [("the whole file", mono)],
            SEGMENTS: [
                (_called(number, heard), mono[slice(*segment.span)])
                for number, segment in enumerate(heard.segments, start=1)
            ]
            or [("the speech", mono[:0])],
        }[expected.level_over]
        for over, samples in stretches:
            yield over, "dBFS", rms_dbfs(samples), expected.level_dbfs
    if expected.lufs is not None:
        yield "the whole file", "LUFS", lufs(mono, loaded.sampling_rate), expected.lufs


def _called(number: int, heard: Heard) -> str:
    segment, rate = heard.segments[number - 1], heard.loaded.sampling_rate
    start, end = (edge / rate for edge in segment.span)
    role = f" ({segment.role})" if segment.role else ""
    return f"segment {number}{role}, {start:.3f} to {end:.3f} s,"
