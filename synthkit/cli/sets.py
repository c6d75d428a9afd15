"""``synthkit generate`` and ``report``: sets made and shown."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from synthkit.cli.base import FELL_SHORT, progress


@click.command()
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the set.")
@click.option("--limit", type=click.IntRange(min=1), help="The first N commands only.")
@click.option("--only", multiple=True, metavar="ID", help="This command only; repeatable.")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Override the recipe.")
@click.option("--no-cache", is_flag=True, help="Speak everything anew; keep no speech.")
@click.option("--dry-run", is_flag=True, help="Check and plan; write nothing.")
def generate(
    recipe: Path,
    out: Path,
    limit: int | None,
    only: tuple[str, ...],
    overrides: tuple[str, ...],
    no_cache: bool,
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
    from synthkit.speech.cache import default_cache

    plan = make_plan(read_recipe(find_recipe(recipe), overrides), limit, only)
    if dry_run:
        check_folder(plan, out)
        CommandRenderer(plan)
        click.echo(f"{plan.num_clips} clips of {len(plan.commands)} commands; nothing written")
        return
    with progress(plan.num_clips, "clip") as advance:
        outcome = run(plan, out, lambda clip: advance(), None if no_cache else default_cache())
    for failure in outcome.failures:
        click.echo(f"{failure.plan.id}: {failure.reason}", err=True)
    made = f"{outcome.audio} WAVs and {outcome.text} text rows of {plan.num_clips} clips"
    click.echo(f"{out}: {made}; {len(outcome.failures)} failed")
    if outcome.changeable:
        click.echo(
            f"{out}: {', '.join(outcome.changeable)} cannot promise the same sound twice: this "
            "recipe may give other bytes on another run"
        )
    sys.exit(FELL_SHORT if outcome.failures else 0)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def report(folder: Path) -> None:
    """Write a page to look at and listen to: index.html in the set's FOLDER.

    Example: synthkit report out/eight
    """
    from synthkit.report.page import write_page

    click.echo(f"open {write_page(folder)}")
