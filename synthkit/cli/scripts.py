"""``synthkit scripts``: the commands of a set before any voice says them."""

from __future__ import annotations

import click


@click.group()
def scripts() -> None:
    """Check, generate, split and print the scripts of a set."""
