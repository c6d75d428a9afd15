"""Measurements as text: a line a file, and where its speech and pauses lie."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from synthkit.errors import one_line
from synthkit.measure.file import ENERGY, Ask, Measured
from synthkit.measure.found import shown
from synthkit.measure.record import Unread

Column = tuple[str, str, int, Callable[[Measured], str]]

LONGEST_NAME = 40


def _shown(value: float | None, decimals: int = 2) -> str:
    return "-" if value is None else f"{round(value, decimals) + 0.0:.{decimals}f}"


COLUMNS: tuple[Column, ...] = (
    ("length", "s", 9, lambda m: f"{m.duration:.3f}"),
    ("rate", "Hz", 7, lambda m: str(m.sampling_rate)),
    ("ch", "", 3, lambda m: str(m.channels)),
    ("format", "", 16, lambda m: f"{m.container}/{m.subtype}"),
    ("RMS", "dBFS", 8, lambda m: _shown(m.readings.rms_dbfs)),
    ("speech", "dBFS", 8, lambda m: _shown(m.readings.speech_dbfs)),
    ("peak", "dBFS", 8, lambda m: _shown(m.readings.peak_dbfs)),
    ("true", "dBTP", 8, lambda m: _shown(m.readings.true_peak_dbtp)),
    ("LUFS", "", 8, lambda m: _shown(m.readings.lufs)),
    ("crest", "dB", 7, lambda m: _shown(m.readings.crest_db)),
    ("floor", "dBFS", 8, lambda m: _shown(m.readings.noise_floor_dbfs)),
    ("DC", "%", 8, lambda m: _shown(_percent(m.readings.dc_offset), 3)),
    ("clip", "runs", 5, lambda m: str(m.readings.clipped_runs)),
    ("lead", "ms", 6, lambda m: _shown(m.readings.leading_silence_ms, 0)),
    ("trail", "ms", 6, lambda m: _shown(m.readings.trailing_silence_ms, 0)),
    ("segm.", "", 6, lambda m: str(len(m.segments))),
)


def width_of(files: Iterable[Path]) -> int:
    """Width of the column of file names; a longer name stands on a line of its own."""
    return max(min(len(one_line(shown(file))), LONGEST_NAME) for file in files) + 1


def head(width: int) -> Iterator[str]:
    """Yield the names of the columns and their units."""
    yield f"{'file':{width}}" + "".join(f"{name:>{room}}" for name, _, room, _ in COLUMNS)
    units = f"{'':{width}}" + "".join(f"{unit:>{room}}" for _, unit, room, _ in COLUMNS)
    yield units.rstrip()


def lines(measured: Measured, width: int) -> Iterator[str]:
    """Yield a file's line; under it its segments and gaps, if there are several, and remarks."""
    name = one_line(measured.file)
    if len(name) > width - 1:
        yield name
        name = ""
    yield f"{name:{width}}" + "".join(f"{show(measured):>{room}}" for _, _, room, show in COLUMNS)
    if len(measured.segments) > 1 or measured.segments_from != ENERGY:
        yield from _parts(measured)
    for remark in measured.remarks:
        yield f"  {one_line(remark)}"


def last_line(measured: Sequence[Measured], unread: Sequence[Unread], ask: Ask) -> str:
    """What was measured, and where its segments are from."""
    origins = dict.fromkeys(one.segments_from for one in measured)
    found = f"segments from {' and '.join(origins)}, " if origins else ""
    return f"{len(measured)} files; {found}gaps of {ask.min_gap_ms:g} ms or more" + (
        f"; {len(unread)} could not be measured" if unread else ""
    )


def _parts(measured: Measured) -> Iterator[str]:
    parts = [(part, False) for part in measured.segments] + [(gap, True) for gap in measured.gaps]
    for part, is_gap in sorted(parts, key=lambda pair: int(pair[0]["start"])):
        start, end = (part[edge] / measured.sampling_rate for edge in ("start", "end"))
        called = "gap" if is_gap else one_line(part["role"] or "speech", 20)
        level = _shown(part["rms_dbfs"])
        yield f"  {start:9.3f} to {end:9.3f} s  {called:20} {level:>8} dBFS"


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
