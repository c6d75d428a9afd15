"""``synthkit scripts``: the commands of a set before any voice says them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from synthkit.cli.base import FELL_SHORT, writable
from synthkit.errors import one_line

PATH = click.Path(path_type=Path)


@click.group()
def scripts() -> None:
    """Check, generate, split and print the scripts of a set."""


@scripts.command()
@click.argument("path", metavar="FILE", type=PATH)
@click.option(
    "--tools", type=PATH, help="The inventory of tools; the ten of synthkit unless given."
)
@click.option("--need-family", is_flag=True, help="Refuse rows that name no template family.")
@click.option("--json", "json_path", type=PATH, help="Write the report here; - to print it.")
def check(path: Path, tools: Path | None, need_family: bool, json_path: Path | None) -> None:
    """Check the commands of FILE: what they say, what they call, and that no two are alike.

    A context has to be a statement that asks for nothing, a trigger an imperative that names all
    parameters of a call that its tool allows; docs/scripts.md has all of it. A line for each
    reason to refuse a row; exit code 1 where there is one.

    Example: synthkit scripts check commands.jsonl --tools tools.json
    """
    import json

    from synthkit.files import write_bytes
    from synthkit.scripts import read_scripts
    from synthkit.scripts.check import check_commands
    from synthkit.scripts.inventory import read_inventory
    from synthkit.scripts.summary import summarise

    writable(json_path)
    inventory = read_inventory(tools)
    commands = read_scripts(path)
    summary = summarise(commands, check_commands(commands, inventory, need_family))
    text = json.dumps(summary.describe(), indent=2) + "\n"
    if str(json_path) == "-":
        click.echo(text, nl=False)
    else:
        for finding in summary.findings:
            click.echo(one_line(f"{finding.id}: {finding.field}: {finding.reason}"))
        ending = "all good" if summary.good else "NOT GOOD"
        click.echo(one_line(f"{path}: {summary.line()}: {ending}", limit=2**20))
        if json_path:
            write_bytes(json_path, text.encode())
    sys.exit(0 if summary.good else FELL_SHORT)
