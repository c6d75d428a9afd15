"""A room as text: geometry, requested and realised acoustics, a line a place."""

from __future__ import annotations

from collections.abc import Iterator

from synthkit.audio import SAMPLING_RATE
from synthkit.rooms.cards import RoomCard
from synthkit.rooms.materials import SURFACES, Materials
from synthkit.rooms.simulate import impulse_response


def lines(card: RoomCard) -> Iterator[str]:
    """Yield the lines that describe ``card``; simulates each of its places."""
    asked = "none" if card.rt60 is None else f"{card.rt60:g} s"
    yield f"{card.id}: {card.name}. {card.description}"
    if card.dimensions and card.materials:
        x, y, z = card.dimensions
        yield f"{x:g} x {y:g} x {z:g} m, {_absorbed(card.materials)}, requested RT60 {asked}"
    else:
        yield "measured impulse responses"
    yield from figures(card)


def figures(card: RoomCard) -> Iterator[str]:
    """Yield the head of the table and a line for each place; simulates them."""
    yield (
        f"{'place':12} {'distance':>8} {'RT60':>7} {'EDT':>7} {'C50':>8} {'DRR':>8} {'direct':>8}"
    )
    for place in card.places:
        found = impulse_response(card, place, SAMPLING_RATE).acoustics
        distance = card.distance(place)
        metres = f"{'-':>6}" if distance is None else f"{distance:6.2f}"
        yield (
            f"{place:12} {metres} m {_value(found.rt60, 's')} {_value(found.edt, 's')} "
            f"{_value(found.c50, 'dB')} {_value(found.drr, 'dB')} "
            f"{_value(found.direct_level, 'dB')}"
        )


def _absorbed(materials: Materials) -> str:
    """One number, or one a surface; bands from 125 Hz to 8 kHz are separated by slashes."""
    each = {name: getattr(materials, name) for name in SURFACES}
    if len(set(each.values())) == 1 and not materials.banded:
        return f"absorption {materials.walls[0]:.3f}"
    texts = (f"{name} {'/'.join(f'{a:g}' for a in bands)}" for name, bands in each.items())
    return f"absorption {', '.join(texts)}"


def _value(value: float | None, unit: str) -> str:
    """Five wide: seconds to the hundredth, decibels to the tenth."""
    digits = 2 if unit == "s" else 1
    return f"{'-':>5} {unit}" if value is None else f"{value:5.{digits}f} {unit}"
