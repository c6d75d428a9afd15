"""An adopted folder: its sound files against the manifest that `synthkit measure --adopt` wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from synthkit.errors import AudioError, InputError
from synthkit.files import below, reason, sha256_file
from synthkit.levels import peak_dbfs, rms_dbfs, rounded
from synthkit.loudness import lufs
from synthkit.measure.adopt import Row, read_adopted, told_segments
from synthkit.measure.file import MANIFEST, Ask, Heard, hear
from synthkit.measure.found import find, same_path, shown
from synthkit.measure.readings import worst_true_peak
from synthkit.measure.segments import by_times, speech
from synthkit.verify.files import Expected, FilesReport, heard_faults, report_of
from synthkit.verify.findings import Fault


def verify_adopted(
    folder: Path, manifest: Path, expected: Expected, on_file: Callable[[], None] = lambda: None
) -> FilesReport:
    """Check every file that ``manifest`` names in ``folder``, and that it names every sound file.

    Checked are hash, format, length and levels, which are read anew over the segments that the
    manifest tells, within ``expected.tolerance_db``; that it is whole and not silent, which being
    adopted does not mend; then all that else is ``expected``. Raises :class:`InputError` for a
    manifest that is not valid.
    """
    rows = list(read_adopted(manifest))

    def checked() -> Iterator[tuple[str, list[str]]]:
        for row in rows:
            yield row["file"], list(_faults(row, folder, expected))
            on_file()

    return report_of(checked(), expected, _extra(rows, folder))


def _extra(rows: list[Row], folder: Path) -> Iterator[Fault]:
    known = {same_path(folder / row["file"]) for row in rows}
    try:
        found = find([folder]).files
    except InputError:  # none there at all: each row has said so
        return
    for path in found:
        if same_path(path) not in known:
            yield Fault(
                shown(path.relative_to(folder)), "extra file: the manifest does not name it"
            )


def _faults(row: Row, folder: Path, expected: Expected) -> Iterator[str]:
    try:
        path = below(folder, row["file"])
        if not path.is_file():
            yield "is not a file" if path.exists() else "missing"
            return
        sha256 = sha256_file(path)
        if sha256 != row["sha256"]:
            yield f"sha256 is {sha256[:12]}…; manifest: {row['sha256'][:12]}…"
        heard = hear(path, Ask(channel=row["channel"]))
        if wrong := list(_format_faults(row, heard)):
            yield from wrong  # places in the row mean nothing now
            return
        loaded = heard.loaded
        segments = by_times(told_segments(row), loaded.num_samples, loaded.sampling_rate)
    except (AudioError, InputError) as error:
        yield str(error)
        return
    except OSError as error:
        yield f"cannot be read ({reason(error)})"
        return
    heard = replace(heard, segments_from=MANIFEST, segments=segments)
    yield from _reading_faults(row, heard, expected.tolerance_db)
    yield from heard_faults(heard, expected)


def _format_faults(row: Row, heard: Heard) -> Iterator[str]:
    loaded = heard.loaded
    found = {
        "container": loaded.container,
        "subtype": loaded.subtype,
        "sampling_rate": loaded.sampling_rate,
        "channels": loaded.num_channels,
        "num_samples": loaded.num_samples,
    }
    for name, value in found.items():
        if value != row[name]:
            yield f"{name} is {value}; manifest: {row[name]}"


def _reading_faults(row: Row, heard: Heard, tolerance_db: float) -> Iterator[str]:
    loaded, mono = heard.loaded, heard.loaded.mono
    read = {
        "rms_dbfs": rms_dbfs(mono),
        "speech_dbfs": rms_dbfs(speech(mono, heard.segments)),
        "peak_dbfs": peak_dbfs(loaded.channels),
        "true_peak_dbtp": worst_true_peak(loaded.channels),
        "lufs": lufs(mono, loaded.sampling_rate),
    }
    pairs = [(name, value, row[name]) for name, value in read.items()]
    for number, (segment, told) in enumerate(
        zip(heard.segments, row["segments"], strict=True), start=1
    ):
        found = rms_dbfs(mono[slice(*segment.span)])
        pairs.append((f"segment {number}: rms_dbfs", found, told["rms_dbfs"]))
    for name, value, recorded in pairs:
        if value is None or recorded is None:
            agree = value is recorded
        else:
            agree = abs(value - recorded) <= tolerance_db
        if not agree:
            yield f"{name} is {rounded(value)}; manifest: {recorded}"
