"""``synthkit scripts``: the commands of a set before any voice says them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from synthkit.cli.base import FELL_SHORT, writable
from synthkit.errors import one_line

AXES = ("command", "voice", "tool", "room", "family")


@click.group()
def scripts() -> None:
    """Check, generate, split and print the scripts of a set."""


@scripts.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--by",
    multiple=True,
    default=("command",),
    show_default=True,
    type=click.Choice(AXES),
    help="What no two parts may share; several: none of them.",
)
@click.option("--shares", default="train=4,test=1", show_default=True, help="The parts by share.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0, 2**31 - 1),
    help="Another one draws other groups.",
)
@click.option(
    "--scripts",
    "script",
    type=click.Path(path_type=Path),
    help="Of a set: the script that tells the families.",
)
@click.option(
    "--files",
    type=click.Path(path_type=Path),
    help="Of a table: the folder of its files, if not its own.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="Of a script: the same rows with `split`, JSONL. Else the ids of each part, JSON.",
)
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path), help="Write the ids; - to print."
)
def split(
    path: Path,
    by: tuple[str, ...],
    shares: str,
    seed: int,
    script: Path | None,
    files: Path | None,
    out: Path,
    json_path: Path | None,
) -> None:
    """Split FILE: a script of commands, a set (its folder or manifest), or a table of recordings.

    Whole groups fall into one part; an item whose groups fall into different parts is dropped.
    What the parts share is read again at the end and told (docs/splits.md). Exit code 1 where a
    part is empty.

    Example: synthkit scripts split out/eight --by voice --by command --out splits.json
    """
    from synthkit.files import write_bytes
    from synthkit.scripts.split_files import as_json, lines, parse_shares, split_file, write_split

    for place in (out, json_path):
        writable(place)
    axes = tuple(dict.fromkeys(by))
    made, source, unhashed = split_file(path, axes, parse_shares(shares), seed, script, files)
    write_split(made, source, out)
    if unhashed:
        click.echo(
            f"{unhashed} files have no sha256 and are not in the folder: only their paths tell "
            "which are the same",
            err=True,
        )
    if str(json_path) == "-":
        click.echo(as_json(made), nl=False)
    else:
        if json_path:
            write_bytes(json_path, as_json(made))
        for line in lines(made):
            click.echo(line)
        click.echo(one_line(f"{out}: written"))
    sys.exit(0 if made.good else FELL_SHORT)


@scripts.command("prompt-sheet")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="sheet.html or .csv.")
@click.option("--per-page", type=click.IntRange(1, 100), help="HTML: prompts a page; else as fit.")
def prompt_sheet(path: Path, out: Path, per_page: int | None) -> None:
    """Print what people read aloud when they record the script FILE: HTML for paper, or CSV.

    Each prompt has a box to tick and the name to save its recording under (docs/recordings.md).

    Example: synthkit scripts prompt-sheet talk.jsonl --out sheet.html
    """
    from synthkit.scripts.prompts import read_prompts
    from synthkit.scripts.sheet import write_sheet

    writable(out)
    prompts = read_prompts(path)
    write_sheet(prompts, path.stem, out, per_page)
    click.echo(one_line(f"{out}: {len(prompts)} prompts"))
