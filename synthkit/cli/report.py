"""``synthkit report``: a page of a set."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def report(folder: Path) -> None:
    """Write a page to look at and listen to: index.html in the set's FOLDER.

    Example: synthkit report out/eight
    """
    from synthkit.report.page import write_page

    click.echo(f"open {write_page(folder)}")
