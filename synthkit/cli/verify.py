"""``synthkit verify``: sets, adopted folders, any sound files, checksums."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synthkit.cli.base import FELL_SHORT, Number, progress, writable
from synthkit.errors import InputError, one_line

if TYPE_CHECKING:
    from synthkit.verify.files import Expected

PATH = click.Path(path_type=Path)
LEVEL, SECONDS = Number(-200, 100), Number(0, 1e6)

# Options that say what is expected of a file; the first ones as verify.files.Expected calls them.
SAME_NAME = ("level_dbfs", "level_over", "lufs", "tolerance_db", "min_seconds", "max_seconds")
EXTRA_SHOWN = 10
EXPECTED = (*SAME_NAME, "max_true_peak", "no_clipping", "form")


@click.command()
@click.argument("paths", nargs=-1, type=PATH)
@click.option("--manifest", type=PATH, help="A manifest that lies elsewhere.")
@click.option("--sums", type=PATH, help="Check the hashes of this list alone (a SHA256SUMS file).")
@click.option("--level-dbfs", type=LEVEL, help="RMS level, dB re full scale (a sine is -3.01).")
@click.option(
    "--level-over",
    type=click.Choice(["speech", "segments", "file"]),
    help="What --level-dbfs is read over: all speech of a file (default), each segment, the file.",
)
@click.option("--lufs", type=LEVEL, help="Loudness by ITU-R BS.1770.")
@click.option(
    "--tolerance-db", type=Number(0, 100), help="How far levels may be off; 0.1 unless given."
)
@click.option(
    "--max-true-peak", type=LEVEL, help="Highest true peak, dBTP; in sets 0 unless given."
)
@click.option(
    "--no-clipping", is_flag=True, help="No runs of 3 samples or more at the largest value."
)
@click.option(
    "--format",
    "form",
    metavar="ENCODING/RATE/CHANNELS",
    help="Such as pcm16/16000/1; any for what does not matter.",
)
@click.option("--min-seconds", type=SECONDS, help="Shortest file.")
@click.option("--max-seconds", type=SECONDS, help="Longest file.")
@click.option("--channel", type=click.IntRange(min=0), help="This channel, from 0; else the mean.")
@click.option("--times", type=PATH, help="CSV of the segments: file, start, end in seconds, role.")
@click.option(
    "--min-gap-ms", type=Number(0, 60000), help="Shortest gap between segments; 200 unless given."
)
@click.option("--json", "json_path", type=PATH, help="Write the report here; - to print it.")
def verify(paths: tuple[Path, ...], json_path: Path | None, **asked: Any) -> None:
    """Check a set against its manifest, or any sound files against what is asked of them.

    A folder that holds a set, or that `synthkit measure --adopt` has adopted, is checked against
    its manifest. Of other files and folders every sound file has to be readable, whole, not
    silent and as the options say. --sums checks hashes alone. A line for each fault; exit code 1
    where there is one.

    Example: synthkit verify recordings --level-dbfs -20 --max-true-peak 0 --format pcm16/16000/1
    """
    import json

    from synthkit.files import write_bytes

    writable(json_path, *paths, *(asked[name] for name in ("manifest", "sums", "times")))
    options = {k: v for k, v in asked.items() if v is not None and v is not False}
    report, last_line = _checked(paths, options)
    text = json.dumps(report.describe(), indent=2) + "\n"
    if str(json_path) == "-":
        click.echo(text, nl=False)
    else:
        for line in report.faults:
            click.echo(one_line(line))
        click.echo(one_line(last_line, limit=2**20))  # the verdict, at its end, is never cut off
        if json_path:
            write_bytes(json_path, text.encode())
    sys.exit(0 if report.good else FELL_SHORT)


def _checked(paths: tuple[Path, ...], options: dict[str, Any]) -> tuple[Any, str]:
    """The report on what ``paths`` are, and its last line."""
    from synthkit.measure.adopt import ADOPTED
    from synthkit.measure.manifests import is_adopted, is_set, is_unfinished

    if "sums" in options:
        return _sums(paths, options)
    manifest = options.pop("manifest", None)
    told = [path for path in paths if is_set(path) or (path / ADOPTED).is_file()]
    if len(paths) > 1 and (told or manifest):
        raise InputError(f"{manifest or told[0]}: found {len(paths)} paths; allowed: one folder")
    if begun := [path for path in paths if not manifest and is_unfinished(path)]:
        raise InputError(
            f"{begun[0]}: a set without its manifest yet; allowed: after `synthkit generate` has "
            "been run again to its end or, of shards, after `synthkit merge`"
        )
    if not manifest and not told:
        return _files(paths, options)
    folder = paths[0] if paths else manifest.parent
    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder; allowed: that of the manifest's files")
    if is_adopted(manifest) if manifest else not is_set(folder):
        return _adopted(folder, manifest or folder / ADOPTED, options)
    return _set(folder, manifest, options)


def _set(folder: Path, manifest: Path | None, options: dict[str, Any]) -> tuple[Any, str]:
    from synthkit.verify import verify as run
    from synthkit.verify.findings import Tolerances

    _refuse_others(options, f"{folder}: a set", ("tolerance_db", "max_true_peak"))
    asked = {"level_db": "tolerance_db", "max_true_peak_dbtp": "max_true_peak"}
    tolerances = {name: options[option] for name, option in asked.items() if option in options}
    with progress(None, "clip") as advance:
        report = run(folder, Tolerances(**tolerances), advance, manifest)
    facts = report.describe()
    return report, (
        f"{folder}: {facts['rows']} rows ({facts['audio']} audio, {facts['text']} text), "
        f"{facts['good_rows']} good, {facts['faulty_rows']} faulty; "
        f"{facts['segments']} segments and {facts['gaps']} gaps; {_ending(report)}"
    )


def _adopted(folder: Path, manifest: Path, options: dict[str, Any]) -> tuple[Any, str]:
    from synthkit.verify.adopted import verify_adopted

    _refuse_others(options, f"{folder}: adopted", EXPECTED)
    expected = _expected(options)
    with progress(None, "file") as advance:
        report = verify_adopted(folder, manifest, expected, advance)
    return report, f"{folder}: {_counted(report)}, as they were adopted; {_ending(report)}"


def _files(paths: tuple[Path, ...], options: dict[str, Any]) -> tuple[Any, str]:
    from synthkit.measure.file import Ask
    from synthkit.measure.found import find
    from synthkit.measure.manifests import told_below
    from synthkit.measure.run import told_segments
    from synthkit.verify.files import FILE, verify_files

    if not paths:
        raise InputError("nothing to check; allowed: files, folders, --manifest or --sums")
    _refuse_alone(options, "tolerance_db", ("level_dbfs", "lufs"))
    for option in ("level_over", "times", "min_gap_ms"):
        _refuse_alone(options, option, ("level_dbfs",))
    if options.get("level_over") == FILE:
        _refuse_others(options, "--level-over file", (*EXPECTED, "channel"))
    expected = _expected(options)
    found = find(paths)
    times = options.get("times")
    told = told_segments(paths, found.files, times) if times else None
    kept = {name: options[name] for name in ("channel", "min_gap_ms") if name in options}
    with progress(len(found.files), "file") as advance:
        report = verify_files(found.files, Ask(**kept, told=told), expected, advance)
    below = told_below(paths, found.files)
    asks = (
        f"{path}: checked as plain files; against its manifest by `synthkit verify {path}`"
        for path in below
    )
    for note in (*found.notes, *asks):
        click.echo(one_line(note), err=True)
    return report, f"{_counted(report)}, without a manifest; {_ending(report)}"


def _sums(paths: tuple[Path, ...], options: dict[str, Any]) -> tuple[Any, str]:
    from synthkit.verify.sums import verify_sums

    _refuse_others(options, "--sums", ("sums",))
    sums = options["sums"]
    folder = paths[0] if paths else sums.parent
    if len(paths) > 1 or not folder.is_dir():
        raise InputError(f"--sums: found {', '.join(map(str, paths))}; allowed: one folder")
    with progress(None, "file") as advance:
        report = verify_sums(sums, folder, advance)
    shown = [*report.extra[:EXTRA_SHOWN], *(["…"] if len(report.extra) > EXTRA_SHOWN else [])]
    extra = f"{len(report.extra)} not listed ({', '.join(shown)}); " if shown else ""
    return report, f"{folder}: {report.listed} files listed; {extra}{_ending(report)}"


def _expected(options: dict[str, Any]) -> Expected:
    from synthkit.verify.files import Expected
    from synthkit.verify.soundformat import Format

    low, high = options.get("min_seconds"), options.get("max_seconds")
    if low is not None and high is not None and low > high:
        raise InputError(f"--min-seconds {low:g} --max-seconds {high:g}: no length is allowed")
    _refuse_alone(options, "level_over", ("level_dbfs",))
    asked = {name: options[name] for name in SAME_NAME if name in options}
    return Expected(
        **asked,
        max_true_peak_dbtp=options.get("max_true_peak"),
        clipping="no_clipping" not in options,
        format=Format.parse(options["form"]) if "form" in options else None,
    )


def _refuse_alone(options: dict[str, Any], option: str, needs: tuple[str, ...]) -> None:
    if option in options and not set(needs) & set(options):
        raise InputError(f"{_flag(option)}: allowed with {' or '.join(map(_flag, needs))}")


def _refuse_others(options: dict[str, Any], where: str, allowed: tuple[str, ...]) -> None:
    others = [_flag(option) for option in options if option not in allowed]
    if others:
        raise InputError(
            f"{where}: found {', '.join(others)}; allowed: {', '.join(map(_flag, allowed))}"
        )


def _flag(option: str) -> str:
    return "--format" if option == "form" else f"--{option.replace('_', '-')}"


def _counted(report: Any) -> str:
    facts = report.describe()
    return f"{facts['files']} files, {facts['good_files']} good, {facts['faulty_files']} faulty"


def _ending(report: Any) -> str:
    return f"{len(report.faults)} faults: {'all good' if report.good else 'NOT GOOD'}"
