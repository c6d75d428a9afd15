"""``synthkit audit``: conditions against one another."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from synthkit.cli.base import FELL_SHORT, progress, writable
from synthkit.errors import InputError, one_line

PATH = click.Path(path_type=Path)


@click.command()
@click.argument("folder", type=PATH)
@click.option("--table", type=PATH, help="CSV or JSONL of a set that others made: see the docs.")
@click.option("--dry", multiple=True, metavar="FIELD", help="With --table: a field without a room.")
@click.option("--instruments", is_flag=True, help="Hear it too: words, voices, quality.")
@click.option("--json", "json_path", type=PATH, help="Write the report here; - to print it.")
def audit(
    folder: Path,
    table: Path | None,
    dry: tuple[str, ...],
    instruments: bool,
    json_path: Path | None,
) -> None:
    """Prove that nothing but the declared cues changed between the conditions of a set.

    Reads the WAVs and compares every two conditions of a command: what is declared equal has to
    be, what is declared to differ has to. Then, over the whole set, whether level, onset, noise
    or processing tells source, field or target; who speaks where; what splits share. Exit code 1
    where an invariant breaks.

    Example: synthkit audit out/eight --json audit.json
    """
    import json

    from synthkit.audit import audit as run
    from synthkit.audit.table import lines
    from synthkit.files import write_bytes

    if dry and not table:
        raise click.UsageError("--dry is allowed with --table: a recipe says what is dry")
    writable(json_path, table)
    if json_path and json_path.exists() and json_path.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{json_path}: is there in the set; allowed: a new file, or one elsewhere")
    with progress(None, "clip") as advance:
        report = run(folder, table=table, dry=dry, ears=instruments, on_item=advance)
    text = json.dumps(report.describe(), indent=2, allow_nan=False) + "\n"
    if str(json_path) == "-":
        click.echo(text, nl=False)
    else:
        for line in lines(report):
            click.echo(one_line(line, limit=2**20))
        if json_path:
            write_bytes(json_path, text.encode())
    sys.exit(0 if report.good else FELL_SHORT)
