"""``synthkit scripts``: the commands of a set before any voice says them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from synthkit.cli.base import FELL_SHORT, progress, same_file, writable
from synthkit.errors import InputError, one_line

PATH = click.Path(path_type=Path)
# As in scripts.items, which loads more than --help needs; a test holds the two together.
AXES = ("command", "voice", "tool", "room", "family")


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

    writable(json_path, path, tools)
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
@click.option(
    "--llm",
    metavar="URL",
    help="Ask a chat server of OpenAI's form instead; its key is in SYNTHKIT_LLM_KEY.",
)
@click.option("--model", help="Of the server: which model.")
@click.option("--out", type=PATH, help="Write the script here, as JSONL; printed unless given.")
def generate_commands(
    per_tool: int,
    seed: int,
    tools: Path | None,
    templates: Path | None,
    avoid: Path | None,
    llm: str | None,
    model: str | None,
    out: Path | None,
) -> None:
    """Generate commands for every tool from templates, each of them checked.

    A higher --per-tool keeps the commands of a lower one; another --seed gives others. What
    templates are: docs/scripts_generate.md.

    Example: synthkit scripts generate --per-tool 30 --seed 2026 --out generated.jsonl
    """
    from synthkit.files import write_new
    from synthkit.scripts.commands import read_scripts, script_bytes
    from synthkit.scripts.generator import generate
    from synthkit.scripts.inventory import read_inventory
    from synthkit.scripts.templates import read_templates

    if (llm is None) != (model is None) or model == "" or (llm is not None and templates):
        raise click.UsageError("--llm is allowed with a --model, and without --templates")
    writable(out, avoid, tools)
    if llm is not None and out and out.exists():  # what a server answers is never what is there
        raise InputError(f"--out {out}: is there already; allowed: a new file")
    before, inventory = read_scripts(avoid) if avoid else (), read_inventory(tools)
    if llm is not None and model:
        from synthkit.scripts.llm import KEY, ask, server_at

        made = ask(inventory, server_at(llm, os.environ.get(KEY)), model, per_tool, seed, before)
    else:
        made = generate(inventory, read_templates(templates), per_tool, seed, before)
    content = script_bytes(made)
    if out is None or str(out) == "-":
        click.echo(content.decode(), nl=False)
        return
    write_new(out, content)
    families = len({command.family for command in made})
    click.echo(one_line(f"{out}: {len(made)} commands of {families} families"))


@scripts.command()
@click.argument("path", metavar="FILE", type=PATH)
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
    type=PATH,
    help="Of a set: the script that tells the families.",
)
@click.option(
    "--files",
    type=PATH,
    help="Of a table: the folder of its files, if not its own.",
)
@click.option(
    "--out",
    required=True,
    type=PATH,
    help="Of a script: the same rows with `split`, JSONL. Else the ids of each part, JSON.",
)
@click.option("--json", "json_path", type=PATH, help="Write the ids; - to print.")
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
        writable(place, path, script)
    if json_path and same_file(json_path, out):
        raise InputError(f"--json {json_path}: is --out too; allowed: another file")
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
@click.argument("path", metavar="FILE", type=PATH)
@click.option("--out", required=True, type=PATH, help="sheet.html or .csv.")
@click.option("--per-page", type=click.IntRange(1, 100), help="HTML: prompts a page; else as fit.")
def prompt_sheet(path: Path, out: Path, per_page: int | None) -> None:
    """Print what people read aloud when they record the script FILE: HTML for paper, or CSV.

    Each prompt has a box to tick and the name to save its recording under (docs/recordings.md).

    Example: synthkit scripts prompt-sheet talk.jsonl --out sheet.html
    """
    from synthkit.measure.found import shown
    from synthkit.scripts.prompts import read_prompts
    from synthkit.scripts.sheet import write_sheet

    writable(out, path)
    prompts = read_prompts(path)
    write_sheet(prompts, shown(Path(path.stem)), out, per_page)
    click.echo(one_line(f"{out}: {len(prompts)} prompts"))


@scripts.command("side-talk")
@click.option("--seed", default=2026, show_default=True, type=click.IntRange(0, 2**31 - 1))
@click.option("--out", required=True, type=PATH, help="JSONL file to write.")
def side_talk(seed: int, out: Path) -> None:
    """Write 400 scripts of side-talk: one speaker to the assistant and to a person nearby.

    Example: synthkit scripts side-talk --seed 2026 --out side_talk.jsonl
    """
    from synthkit.scripts.side_talk import build
    from synthkit.scripts.talk import write_talk

    rows = build(seed)
    write_talk(rows, out)
    click.echo(f"{out}: {len(rows)} scripts")


@scripts.command("self-talk")
@click.option("--seed", default=2026, show_default=True, type=click.IntRange(0, 2**31 - 1))
@click.option("--out", required=True, type=PATH, help="JSONL file to write.")
def self_talk(seed: int, out: Path) -> None:
    """Write 280 scripts of self-talk: words of a command that commands nothing.

    Example: synthkit scripts self-talk --seed 2026 --out self_talk.jsonl
    """
    from synthkit.scripts.self_talk import build
    from synthkit.scripts.talk import write_talk

    rows = build(seed)
    write_talk(rows, out)
    click.echo(f"{out}: {len(rows)} scripts")


@scripts.command("speak")
@click.argument("script", type=PATH)
@click.option("--voices", required=True, help="Voices to deal prompts to, with commas between.")
@click.option("--out", required=True, type=PATH, help="New or empty folder for the WAVs.")
@click.option("--limit", type=click.IntRange(min=1), help="The first N prompts of the script only.")
def speak(script: Path, voices: str, out: Path, limit: int | None) -> None:
    """Speak the prompts of SCRIPT as stand-ins for recordings, marked so in stand_ins.json.

    Exit code 1 where some prompts failed; the others are done.

    Example: synthkit scripts speak side_talk.jsonl --voices heart/mom,heart/dad --out stand_ins
    """
    from synthkit import stand_ins
    from synthkit.scripts.prompts import read_prompts
    from synthkit.speech.cache import default_cache
    from synthkit.speech.voice import voice

    cache = default_cache()
    cast = [voice(name.strip(), cache=cache) for name in voices.split(",")]
    dealt = stand_ins.deal_voices(read_prompts(script)[:limit], cast)
    with progress(len(dealt), "prompt") as advance:
        spoken = stand_ins.speak(dealt, out, advance)
    click.echo(f"{out}: {len(spoken.files)} synthetic stand-ins, marked in {stand_ins.RECORD}")
    for name, why in spoken.failures.items():
        click.echo(f"synthkit: prompt {name}: {one_line(why)}", err=True)
    sys.exit(FELL_SHORT if spoken.failures else 0)
