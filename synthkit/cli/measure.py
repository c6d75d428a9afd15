"""``synthkit measure``: what meters read in anybody's recordings."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from synthkit.cli.base import FELL_SHORT, Number, is_terminal, progress, same_file, writable
from synthkit.errors import InputError, one_line


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--channel", type=click.IntRange(min=0), help="This channel, from 0; else the mean.")
@click.option(
    "--times",
    type=click.Path(path_type=Path),
    help="CSV of where speech lies: file, start, end in seconds, role.",
)
@click.option(
    "--min-gap-ms",
    type=Number(0, 60000),
    default=200,
    show_default=True,
    help="The shortest pause that parts two segments.",
)
@click.option("--adopt", is_flag=True, help="Write a manifest into the folder, for `verify`.")
@click.option("--again", is_flag=True, help="With --adopt: replace the manifest there is.")
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path), help="Write JSON; - to print."
)
@click.option("--csv", "csv_path", type=click.Path(path_type=Path), help="Write CSV; - to print.")
def measure(
    paths: tuple[Path, ...],
    channel: int | None,
    times: Path | None,
    min_gap_ms: float,
    adopt: bool,
    again: bool,
    json_path: Path | None,
    csv_path: Path | None,
) -> None:
    """Measure sound files, and those in folders: levels, peaks, silences, segments, format.

    Segments are those of a manifest, of --times, or found by energy; the levels are told in
    docs/measure.md. Exit code 1 where a file cannot be read; the others are measured.

    Example: synthkit measure recordings --csv levels.csv
    """
    from synthkit.measure.adopt import adopted_rows, write_adopted
    from synthkit.measure.file import Ask
    from synthkit.measure.found import find
    from synthkit.measure.record import Unread, as_csv, as_json
    from synthkit.measure.run import check_adoptable, measure_all, told_segments
    from synthkit.measure.table import head, last_line, lines, width_of

    if str(json_path) == str(csv_path) == "-":
        raise InputError("--json - and --csv -: allowed: one of them on standard output")
    for path in (json_path, csv_path):
        writable(path, *paths, times)
    if json_path and csv_path and same_file(json_path, csv_path):
        raise InputError(f"--csv {csv_path}: is --json too; allowed: another file")
    folder = _adopting(paths, adopt, again)
    if folder:
        check_adoptable(folder, again)
    found = find(paths)
    for note in found.notes:
        click.echo(one_line(note), err=True)
    ask = Ask(channel, min_gap_ms, told_segments(paths, found.files, times, adopt))
    printing = "-" not in (str(json_path), str(csv_path))
    width = width_of(found.files)
    measured, unread = [], []
    for line in head(width) if printing else ():
        click.echo(line)
    # Lines that scroll past show progress enough, and a bar would break them.
    with progress(len(found.files), "file", not (printing and is_terminal(sys.stdout))) as advance:
        for one in measure_all(found.files, ask, folder):
            advance()
            if isinstance(one, Unread):
                unread.append(one)
                click.echo(one_line(f"{one.file}: {one.reason}"), err=True)
                continue
            measured.append(one)
            for line in lines(one, width) if printing else ():
                click.echo(line)
    if json_path:
        _write(json_path, as_json(measured, unread, ask))
    if csv_path:
        _write(csv_path, as_csv(measured, unread))
    if printing:
        click.echo(last_line(measured, unread, ask))
    if folder and measured:
        written = write_adopted(folder, adopted_rows(folder, measured))
        line = f"{written}: {len(measured)} files; check them with `synthkit verify {folder}`"
        click.echo(one_line(line), err=not printing)
    sys.exit(FELL_SHORT if unread else 0)


def _write(path: Path, content: bytes) -> None:
    from synthkit.files import write_bytes

    if str(path) == "-":
        click.echo(content, nl=False)
    else:
        write_bytes(path, content)


def _adopting(paths: tuple[Path, ...], adopt: bool, again: bool) -> Path | None:
    """The folder to adopt, if any."""
    if again and not adopt:
        raise InputError("--again: allowed with --adopt")
    if adopt and len(paths) != 1:
        raise InputError(f"--adopt: found {len(paths)} paths; allowed: one folder")
    return paths[0] if adopt else None
