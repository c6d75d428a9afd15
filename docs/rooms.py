"""Draw the pictures of docs/rooms/ and print the table of docs/rooms.md.

make rooms
"""

from __future__ import annotations

from pathlib import Path

from synthkit.audio import SAMPLING_RATE
from synthkit.rooms.cards import presets, room
from synthkit.rooms.picture import draw
from synthkit.rooms.simulate import impulse_response

HEAD = "room | size, m | place | distance | requested RT60 | T30 | EDT | C50 | DRR | direct level"


def shown(value: float | None, digits: int, unit: str) -> str:
    return "none" if value is None else f"{value:.{digits}f} {unit}"


def main() -> None:
    print(f"| {HEAD} |\n| {' | '.join(['---'] * 3 + ['---:'] * 7)} |")
    for name in presets():
        card = room(name)
        draw(card, Path(__file__).parent / "rooms" / f"{name}.png")
        size = " x ".join(f"{side:g}" for side in card.dimensions or ())
        for place in card.places:
            found = impulse_response(card, place, SAMPLING_RATE).acoustics
            row = [
                f"`{name}`",
                size,
                f"`{place}`",
                shown(card.distance(place), 2, "m"),
                shown(card.rt60, 2, "s"),
                shown(found.rt60, 2, "s"),
                shown(found.edt, 2, "s"),
                shown(found.c50, 1, "dB"),
                shown(found.drr, 1, "dB"),
                shown(found.direct_level, 1, "dB"),
            ]
            print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
