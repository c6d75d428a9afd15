"""``synthkit rooms``: what there is, and what it measures."""

from __future__ import annotations

from pathlib import Path

import click

from synthkit.cli.base import writable
from synthkit.errors import InputError


@click.group()
def rooms() -> None:
    """List rooms and their measured acoustics."""


@rooms.command("list")
def rooms_list() -> None:
    """List the room presets and the places in each.

    Example: synthkit rooms list
    """
    from synthkit.rooms.cards import presets, room

    for card in map(room, presets()):
        click.echo(f"{card.id:12} {card.description}")
        click.echo(f"{'':12} places: {', '.join(card.places)}")


@rooms.command("show")
@click.argument("room")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Draw it as well.")
def rooms_show(room: str, png: Path | None) -> None:
    """Show ROOM's geometry and, for each place, what its impulse response measures.

    ROOM is a preset's name or a card's path. RT60 and EDT are decay times; C50, DRR (direct to
    reverberant) and the direct sound's level are in dB: docs/rooms.md. --png writes a picture:
    plan, impulse response, energy decay.

    Example: synthkit rooms show living_room --png living_room.png
    """
    from synthkit.rooms.cards import room as load
    from synthkit.rooms.table import lines

    writable(png, Path(room))
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
