"""The command line: arguments in, one call, one line out; no logic of its own."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from synthkit import __version__
from synthkit.errors import InputError, SynthkitError, one_line

FELL_SHORT, REFUSED = 1, 2
# What the heavy imports would print or raise belongs to the commands, so each imports its own.


class OneLineErrors(click.Group):
    """Every error is one line on standard error: exit code 2 for a refusal, 1 for the system's."""

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            # A terminal that lacks a character gets it escaped, not a traceback.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except SynthkitError as error:
            fail(str(error))
        except OSError as error:
            fail(f"{error.filename or 'file system'}: {error.strerror or error}", FELL_SHORT)


def fail(message: str, code: int = REFUSED) -> NoReturn:
    """Say what is wrong on one line and leave."""
    click.echo(f"synthkit: {one_line(message)}", err=True)
    sys.exit(code)


@contextmanager
def progress(total: int | None, unit: str) -> Iterator[Callable[[], None]]:
    """A tqdm bar on a terminal, nothing in a pipe; yields what advances it."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=unit, leave=False) as bar:

        def advance() -> None:
            bar.update()

        yield advance


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """Make acoustic counterfactual speech data, and prove that only the cue changed.

    Example: synthkit generate cue_validity_eight.toml --out out/eight
    """


@main.command()
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the set.")
@click.option("--limit", type=click.IntRange(min=1), help="The first N commands only.")
@click.option("--only", multiple=True, metavar="ID", help="This command only; repeatable.")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Override the recipe.")
@click.option("--dry-run", is_flag=True, help="Check and plan; write nothing.")
def generate(
    recipe: Path,
    out: Path,
    limit: int | None,
    only: tuple[str, ...],
    overrides: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Make the set that RECIPE describes.

    RECIPE is a TOML file, or the name of an example that comes along.

    Example: synthkit generate cue_validity_eight.toml --out out/eight --limit 4 --set seed=7
    """
    from synthkit.generate import check_folder
    from synthkit.generate import generate as run
    from synthkit.plan import make_plan
    from synthkit.recipe import find_recipe, read_recipe
    from synthkit.render import CommandRenderer

    plan = make_plan(read_recipe(find_recipe(recipe), overrides), limit, only)
    if dry_run:
        check_folder(plan, out)
        CommandRenderer(plan)
        click.echo(f"{plan.num_clips} clips of {len(plan.commands)} commands; nothing written")
        return
    with progress(plan.num_clips, "clip") as advance:
        outcome = run(plan, out, lambda clip: advance())
    for failure in outcome.failures:
        click.echo(f"{failure.plan.id}: {failure.reason}", err=True)
    made = f"{outcome.audio} WAVs and {outcome.text} text rows of {plan.num_clips} clips"
    click.echo(f"{out}: {made}; {len(outcome.failures)} failed")
    sys.exit(FELL_SHORT if outcome.failures else 0)


@main.command()
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


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
def report(folder: Path) -> None:
    """Write a page to look at and listen to: index.html in the set's FOLDER.

    Example: synthkit report out/eight
    """
    from synthkit.report.page import write_page

    click.echo(f"open {write_page(folder)}")


@main.group()
def voices() -> None:
    """List voices, hear and measure them."""


@voices.command("list")
def voices_list() -> None:
    """List the voices that come along.

    Example: synthkit voices list
    """
    from synthkit.speech.cards import voice_card
    from synthkit.speech.cards import voices as known

    for card in map(voice_card, known()):
        click.echo(f"{card.id:22} {card.language}  {card.engine:8} {card.description}")


@voices.command("say")
@click.argument("voice")
@click.argument("text")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="WAV file to write.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0))
def voices_say(voice: str, text: str, out: Path, seed: int) -> None:
    """Say TEXT in VOICE, as dry and levelled as a near segment.

    Example: synthkit voices say heart/mom "Unlock the front door." --out mom.wav
    """
    import synthkit as sk

    finish = sk.chain(sk.PostWindow(), sk.Fade(), sk.Level())
    clip = sk.join(finish(sk.voice(voice).say(text, seed)))
    clip.write(out)
    click.echo(f"{out}: {len(clip.pcm) / clip.sampling_rate:.2f} s")


@voices.command("audit")
@click.argument("cast", nargs=-1, required=True)
@click.option(
    "--sentences",
    "half",
    type=click.Choice(["all", "tune", "report"]),
    default="report",
    show_default=True,
    help="Cards that come along were tuned on the first half.",
)
@click.option("--limit", type=click.IntRange(min=4), help="So many sentences of these only.")
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="Write the figures.")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Draw them.")
def voices_audit(
    cast: tuple[str, ...], half: str, limit: int | None, json_path: Path | None, png: Path | None
) -> None:
    """Measure whether the voices of CAST sound like different people, clear and natural.

    CAST is a cast's name, a voice's, a folder of voice cards or a card; several may be given. Each
    voice says short commands, which recognition, speaker embeddings, DNSMOS and meters then hear.
    Exit code 1 where a voice or pair passes a limit. Needs the extra `instruments`.

    Example: synthkit voices audit heart --json heart.json --png heart.png
    """
    from synthkit.audit.casts import find_voices
    from synthkit.audit.limits import shortfalls
    from synthkit.audit.record import write_record
    from synthkit.audit.sentences import sentences
    from synthkit.audit.table import lines
    from synthkit.audit.voices import audit

    if png:
        from synthkit.audit.picture import draw, require_matplotlib

        require_matplotlib()
    spoken = sentences(half, limit)
    found = find_voices(cast, spoken)
    with progress(len(found) * len(spoken), "sentence") as advance:
        result = audit(found, spoken, advance)
    for line in lines(result):
        click.echo(line)
    if json_path:
        write_record(result, json_path)
    if png:
        draw(result, png)
    sys.exit(FELL_SHORT if shortfalls(result) else 0)


@main.group()
def rooms() -> None:
    """List rooms and their measured acoustics."""


@rooms.command("list")
def rooms_list() -> None:
    """List the room presets.

    Example: synthkit rooms list
    """
    from synthkit.rooms.cards import presets, room

    for card in map(room, presets()):
        click.echo(f"{card.id:16} places: {', '.join(card.places):20} {card.description}")


@rooms.command("show")
@click.argument("room")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Draw it as well.")
def rooms_show(room: str, png: Path | None) -> None:
    """Show ROOM's geometry and, for each place, what its impulse response measures.

    ROOM is a preset's name or a card's path. --png writes a picture: plan, impulse response,
    energy decay.

    Example: synthkit rooms show living_room --png living_room.png
    """
    from synthkit.rooms.cards import room as load
    from synthkit.rooms.table import lines

    card = load(room)
    if png:
        from synthkit.rooms.picture import draw

        draw(card, png)
    for line in lines(card):
        click.echo(line)


@rooms.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def rooms_check(file: Path) -> None:
    """Check an own room card, FILE, before anything is simulated; show what a good one measures.

    Refused with the field: talkers and devices outside the room, on a wall or at one another, a
    reverberation time that the room cannot have, unknown fields, recordings that are silent.

    Example: synthkit rooms check my_room.toml
    """
    from synthkit.rooms.cards import room
    from synthkit.rooms.table import lines

    if file.suffix != ".toml":
        raise InputError(f"{file}: allowed: a room card, *.toml")
    for line in lines(room(str(file))):
        click.echo(line)
