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


@scripts.command("generate")
@click.option("--per-tool", type=click.IntRange(1, 10000), default=30, show_default=True)
@click.option("--seed", type=click.IntRange(0), required=True, help="Fixes every draw.")
@click.option(
    "--tools", type=PATH, help="The inventory of tools; the ten of synthkit unless given."
)
@click.option("--templates", type=PATH, help="A folder of own templates, one file a tool.")
@click.option("--avoid", type=PATH, help="A script whose commands nothing may be like.")
@click.option("--out", type=PATH, help="Write the script here, as JSONL; printed unless given.")
def generate_commands(
    per_tool: int,
    seed: int,
    tools: Path | None,
    templates: Path | None,
    avoid: Path | None,
    out: Path | None,
) -> None:
    """Generate commands for every tool from templates, each of them checked.

    A higher --per-tool keeps the commands of a lower one; another --seed gives others. What
    templates are: docs/scripts_generate.md.

    Example: synthkit scripts generate --per-tool 30 --seed 2026 --out generated.jsonl
    """
    from synthkit.files import write_bytes
    from synthkit.scripts.commands import jsonl_bytes, read_scripts
    from synthkit.scripts.generator import generate
    from synthkit.scripts.inventory import read_inventory
    from synthkit.scripts.templates import read_templates

    writable(out)
    before = read_scripts(avoid) if avoid else ()
    made = generate(read_inventory(tools), read_templates(templates), per_tool, seed, before)
    content = jsonl_bytes(made)
    if out is None or str(out) == "-":
        click.echo(content.decode(), nl=False)
        return
    write_bytes(out, content)
    families = len({command.family for command in made})
    click.echo(one_line(f"{out}: {len(made)} commands of {families} families"))
