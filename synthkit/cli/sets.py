"""``synthkit verify`` and ``report``: sets checked and shown."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from synthkit.cli.base import FELL_SHORT, progress
from synthkit.errors import InputError, one_line


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="Write the report here.")
def verify(folder: Path, json_path: Path | None) -> None:
    """Check the set in FOLDER against its manifest; a line for each fault.

    Example: synthkit verify out/eight --json report.json
    """
    import json

    from synthkit.files import write_bytes
    from synthkit.verify import verify as run

    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder; allowed: the folder of a generated set")
    with progress(None, "clip") as advance:
        report = run(folder, on_row=advance)
    for fault in report.faults:
        click.echo(one_line(fault))
    if json_path:
        write_bytes(json_path, f"{json.dumps(report.describe(), indent=2)}\n".encode())
    facts = report.describe()
    click.echo(
        f"{folder}: {facts['rows']} rows ({facts['audio']} audio, {facts['text']} text), "
        f"{facts['good_rows']} good, {facts['faulty_rows']} faulty; "
        f"{facts['segments']} segments and {facts['gaps']} gaps; "
        f"{len(report.faults)} faults: {'all good' if report.good else 'NOT GOOD'}"
    )
    sys.exit(0 if report.good else FELL_SHORT)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def report(folder: Path) -> None:
    """Write a page to look at and listen to: index.html in the set's FOLDER.

    Example: synthkit report out/eight
    """
    from synthkit.report.page import write_page

    click.echo(f"open {write_page(folder)}")
