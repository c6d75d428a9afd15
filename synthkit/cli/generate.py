"""``synthkit generate`` and ``merge``: sets made, in one run or in shards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from synthkit.cli.base import FELL_SHORT, stages, writable
from synthkit.errors import one_line

if TYPE_CHECKING:
    from synthkit.generate import Outcome

NAMED = 20  # lost commands on one line
# What workers import before there is any work; scipy would load its parts in each of them.
NEEDED = ("synthkit.generate.work", "scipy.fft", "scipy.ndimage", "scipy.signal", "soxr")


@click.command()
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the set.")
@click.option(
    "--jobs", default=1, type=click.IntRange(1, 256), help="Worker processes.", show_default=True
)
@click.option(
    "--limit", type=click.IntRange(min=1), help="The first N commands of the script only."
)
@click.option(
    "--only", multiple=True, metavar="ID", help="This command of the script only; repeatable."
)
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Another value for a field of the recipe; repeatable.",
)
@click.option("--shard", metavar="i/N", help="Part i of N, for clusters; then: merge.")
@click.option(
    "--prune",
    is_flag=True,
    help="Remove clips that the recipe no longer has; --dry-run lists them.",
)
@click.option(
    "--no-cache", is_flag=True, help="Speak everything anew; keep no speech (synthkit cache)."
)
@click.option("--dry-run", is_flag=True, help="Check and plan; write nothing.")
@click.option(
    "--plan",
    "plan_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --dry-run: write the plan's rows here, as JSONL.",
)
def generate(
    recipe: Path,
    out: Path,
    jobs: int,
    limit: int | None,
    only: tuple[str, ...],
    overrides: tuple[str, ...],
    shard: str | None,
    prune: bool,
    no_cache: bool,
    dry_run: bool,
    plan_file: Path | None,
) -> None:
    """Make the set that RECIPE describes; what an earlier run made in the folder is kept.

    RECIPE is a TOML file, or the name of an example that comes along. What cannot be made is told
    a line a clip, and the others are made; exit code 1 where there is one, 2 where the recipe is
    refused. Run the same command again to go on with a run that was cut short.

    Example: synthkit generate cue_validity_eight.toml --out out/eight --limit 4 --set seed=7
    """
    from synthkit.executors import processes

    if plan_file and not dry_run:
        raise click.UsageError("--plan is allowed with --dry-run: a set holds more in its manifest")
    writable(plan_file, recipe)
    with processes(1 if dry_run else jobs, NEEDED) as executor:
        # After the workers have been started: they import while the recipe is read.
        from synthkit.generate import Shard, check_folder
        from synthkit.generate import generate as run
        from synthkit.generate.folder import prunable
        from synthkit.plan import make_plan
        from synthkit.recipe import find_recipe, read_recipe
        from synthkit.render import CommandRenderer
        from synthkit.speech.cache import default_cache

        part = Shard.parse(shard) if shard else None
        plan = make_plan(read_recipe(find_recipe(recipe), overrides), limit, only)
        if dry_run:
            check_folder(plan, out, prune)
            for name in prunable(plan, out) if prune else ():
                click.echo(f"would remove {name}")
            plan = part.of(plan) if part else plan
            CommandRenderer(plan).check_texts()
            if plan_file:
                from synthkit.plan_rows import write_plan

                write_plan(plan, plan_file)
            click.echo(f"{plan.num_clips} clips of {len(plan.commands)} commands; nothing written")
            return
        with stages() as on_progress:
            outcome = run(
                plan,
                out,
                cache=None if no_cache else default_cache(),
                executor=executor,
                shard=part,
                prune=prune,
                on_progress=on_progress,
            )
    for name in outcome.removed:
        click.echo(f"removed {name}")
    _tell(outcome, out)
    if part and not outcome.lost:
        click.echo(f"{out}: shard {shard} is done; when all are: synthkit merge {out}")
    if outcome.changeable:
        click.echo(
            f"{out}: {', '.join(outcome.changeable)} cannot promise the same sound twice: this "
            "recipe may give other bytes on another run"
        )
    sys.exit(FELL_SHORT if outcome.failures else 0)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder of the set; needed for several FOLDERS."
)
def merge(folders: tuple[Path, ...], out: Path | None) -> None:
    """Join the shards in FOLDERS to one set, the same as one run would have made.

    FOLDERS is the one --out of all shards, or the --out of each; then name another for the set.

    Example: synthkit merge out/eight
    """
    from synthkit.generate import merge as run

    outcome = run(folders, out)
    _tell(outcome, out or folders[0])
    sys.exit(FELL_SHORT if outcome.failures else 0)


def _tell(outcome: Outcome, out: Path) -> None:
    """Each failure on a line, then the counts."""
    lost = {f"{command}__" for command in outcome.lost}
    for failure in outcome.failures:
        if not any(failure.id.startswith(command) for command in lost):
            click.echo(one_line(f"{failure.id}: {failure.reason}", limit=2**20), err=True)
    if outcome.lost:
        named = ", ".join(outcome.lost[:NAMED])
        more = f" and {len(outcome.lost) - NAMED} more" if len(outcome.lost) > NAMED else ""
        click.echo(
            f"a worker process was killed; not made: {named}{more}; run again to go on", err=True
        )
    planned = outcome.audio + outcome.text + len(outcome.failures)
    kept = f" ({outcome.kept} of them kept)" if outcome.kept else ""
    click.echo(
        f"{out}: {outcome.audio} WAVs{kept} and {outcome.text} text rows of {planned} clips; "
        f"{len(outcome.failures)} failed"
    )
