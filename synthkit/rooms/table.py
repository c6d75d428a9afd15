"""A room as text: geometry, requested and realised acoustics, a line a place."""

from __future__ import annotations

from collections.abc import Iterator

from synthkit.audio import SAMPLING_RATE
from synthkit.rooms.cards import RoomCard
from synthkit.rooms.simulate import impulse_response


def lines(card: RoomCard) -> Iterator[str]:
    """Yield the lines that describe ``card``; simulates each of its places."""
    x, y, z = card.dimensions
    asked = "none" if card.rt60 is None else f"{card.rt60:g} s"
    yield f"{card.id}: {card.name}. {card.description}"
    yield f"{x:g} x {y:g} x {z:g} m, absorption {card.absorption:.3f}, requested RT60 {asked}"
    yield f"{'place':12} {'distance':>8} {'RT60':>7} {'EDT':>7} {'C50':>8} {'DRR':>8}"
    for place in card.places:
        measured = impulse_response(card, place, SAMPLING_RATE).acoustics
        yield (
            f"{place:12} {card.distance(place):6.2f} m {_value(measured.rt60, 's')} "
            f"{_value(measured.edt, 's')} {_value(measured.c50, 'dB')} {_value(measured.drr, 'dB')}"
        )


def _value(value: float | None, unit: str) -> str:
    """Five wide: seconds to the hundredth, decibels to the tenth."""
    digits = 2 if unit == "s" else 1
    return f"{'-':>5} {unit}" if value is None else f"{value:5.{digits}f} {unit}"
