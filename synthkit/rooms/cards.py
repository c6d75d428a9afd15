"""Room cards: geometry, surfaces and places, loaded and checked before anything is simulated."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from synthkit import schemas
from synthkit.errors import InputError
from synthkit.files import read_toml
from synthkit.ids import check_id
from synthkit.resources import folder

SPEED_OF_SOUND = 343.0  # m/s, at 20 °C
# A talker or device this close to a wall or to one another is a typing error: the image
# source method answers with absurd numbers there, not with an error.
CLEARANCE_M = 0.05
MAX_REFLECTION_ORDER = 100

Point = tuple[float, float, float]


@dataclass(frozen=True)
class RoomCard:
    """A shoebox room: ``dimensions`` and all positions in metres, from one floor corner.

    ``absorption`` is the energy absorption coefficient of every surface; ``rt60`` the design
    value it comes from, if the card asked for one. ``microphone`` is the device's position.
    """

    id: str
    name: str
    description: str
    license: str
    dimensions: Point
    absorption: float
    rt60: float | None
    microphone: Point
    places: Mapping[str, Point]

    def distance(self, place: str) -> float:
        """Metres from the talker at ``place`` to the device; :class:`InputError` if unknown."""
        return math.dist(self.position(place), self.microphone)

    def position(self, place: str) -> Point:
        """Position of ``place``; :class:`InputError` if the card has none of that name."""
        if place not in self.places:
            raise InputError(
                f"room {self.id}: no place {place!r}; allowed: {', '.join(self.places)}"
            )
        return self.places[place]

    def describe(self) -> dict[str, object]:
        """The card as plain JSON values."""
        return dataclasses.asdict(self)


def room(reference: str, base: Path | None = None) -> RoomCard:
    """Load a preset by name, or a card by its path (``*.toml``, relative to ``base``).

    Raises :class:`InputError` for a card that is malformed or geometrically impossible.
    """
    if reference.endswith(".toml"):
        return _load((base or Path()) / reference)
    path = folder("room_presets") / f"{reference}.toml"
    if reference not in presets():
        raise InputError(
            f"room {reference!r} is unknown; allowed: {', '.join(presets())}, or a .toml file"
        )
    return _load(path)


@functools.cache
def presets() -> tuple[str, ...]:
    """Names of the room presets that come with synthkit."""
    return tuple(sorted(path.stem for path in folder("room_presets").glob("*.toml")))


def _load(path: Path) -> RoomCard:
    where = f"room card {path.name}"
    values = read_toml(path)
    schemas.check(values, "room", where)
    dimensions = _point(values["dimensions"])
    rt60 = values.get("rt60")
    absorption = values.get("absorption")
    if absorption is None:
        absorption = sabine_absorption(float(str(rt60)), dimensions, where)
    places = values["places"]
    assert isinstance(places, dict)
    card = RoomCard(
        id=check_id(path.stem, where),
        name=str(values["name"]),
        description=str(values["description"]),
        license=str(values["license"]),
        dimensions=dimensions,
        absorption=float(str(absorption)),
        rt60=None if rt60 is None else float(str(rt60)),
        microphone=_point(values["microphone"]),
        places={check_id(name, where): _point(at["position"]) for name, at in places.items()},
    )
    _check_geometry(card, where)
    return card


def sabine_absorption(rt60: float, dimensions: Point, where: str) -> float:
    """Absorption coefficient that Sabine's formula gives a shoebox for ``rt60`` seconds.

    alpha = 24 ln(10) V / (c S T) (Kuttruff, Room Acoustics, 5.1). Raises :class:`InputError`
    where even fully absorbing walls leave the room livelier than that.
    """
    x, y, z = dimensions
    volume, surface = x * y * z, 2 * (x * y + x * z + y * z)
    shortest = 24 * math.log(10) * volume / (SPEED_OF_SOUND * surface)
    if not shortest <= rt60 < math.inf:
        raise InputError(
            f"{where}: field rt60: found {rt60:g} s; allowed in {x:g} x {y:g} x {z:g} m: "
            f"{math.ceil(shortest * 1e4) / 1e4:g} s or more"
        )
    return shortest / rt60


def _check_geometry(card: RoomCard, where: str) -> None:
    points = {"microphone": card.microphone} | {f"places.{n}": p for n, p in card.places.items()}
    for name, point in points.items():
        for axis, at, size in zip("xyz", point, card.dimensions, strict=True):
            if not CLEARANCE_M <= at <= size - CLEARANCE_M:
                raise InputError(
                    f"{where}: field {name}: {axis} is {at:g} m; allowed: {CLEARANCE_M:g} to "
                    f"{size - CLEARANCE_M:g} m, inside the room and off its walls"
                )
    for name in card.places:
        if card.distance(name) < CLEARANCE_M:
            raise InputError(
                f"{where}: field places.{name}: {card.distance(name):g} m from the microphone; "
                f"allowed: {CLEARANCE_M:g} m or more"
            )


def _point(value: object) -> Point:
    assert isinstance(value, list)
    x, y, z = (float(v) for v in value)
    return x, y, z
