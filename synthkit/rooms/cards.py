"""Room cards: geometry, surfaces and places, loaded and checked before anything is simulated."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synthkit import schemas
from synthkit.errors import InputError, quoted
from synthkit.files import read_toml
from synthkit.ids import check_id
from synthkit.resources import folder
from synthkit.rooms.geometry import (
    Direction,
    Point,
    along,
    check_apart,
    check_position,
    direction,
)
from synthkit.rooms.materials import (
    OCTAVE_BANDS_HZ,
    SURFACES,
    Materials,
    check_decay,
    sabine_absorption,
)
from synthkit.rooms.measured import Recording, recording

GEOMETRY = ("dimensions", "microphone")
SURFACE_FIELDS = ("absorption", "rt60", "materials")


@dataclass(frozen=True)
class Place:
    """Where a talker is: at a ``position`` that faces somewhere, or in a ``recording``.

    ``directivity`` is the talker's pattern. A recording has no position; its ``distance_m`` is
    what the card says, if it says anything.
    """

    description: str = ""
    position: Point | None = None
    facing: Direction | None = None
    directivity: str = "omni"
    recording: Recording | None = None
    distance_m: float | None = None


@dataclass(frozen=True)
class RoomCard:
    """A shoebox room, measured impulse responses, or both.

    ``dimensions`` and all positions are in metres, from one floor corner; ``microphone`` is the
    device's. ``rt60`` is the design value that the materials come from, if the card asked for
    one. A card whose places are all recordings has none of these. ``folder`` is where it lies.
    """

    id: str
    name: str
    description: str
    license: str
    dimensions: Point | None
    materials: Materials | None
    rt60: float | None
    microphone: Point | None
    places: Mapping[str, Place]
    folder: Path = field(default=Path(), compare=False, repr=False)

    def at(self, place: str) -> Place:
        """The place of that name; :class:`InputError` if the card has none."""
        if place not in self.places:
            raise InputError(
                f"room {self.id}: no place {place!r}; allowed: {', '.join(self.places)}"
            )
        return self.places[place]

    def distance(self, place: str) -> float | None:
        """Metres from the talker at ``place`` to the device; None where nobody measured it."""
        found = self.at(place)
        if found.position is None or self.microphone is None:
            return found.distance_m
        return math.dist(found.position, self.microphone)

    @property
    def files(self) -> tuple[Path, ...]:
        """Absolute paths of the impulse responses that the card needs, in or below its folder."""
        names = {p.recording.file: None for p in self.places.values() if p.recording}
        return tuple(self.folder / name for name in names)

    def with_rt60(self, rt60: float) -> RoomCard:
        """The same room, its absorption that of ``rt60`` seconds by Sabine's formula.

        Raises :class:`InputError` where the room cannot have it, or is none to simulate.
        """
        if self.dimensions is None:
            raise InputError(f"room {self.id}: field rt60: allowed where a room is simulated")
        absorption = sabine_absorption(rt60, self.dimensions, f"room {self.id}")
        return dataclasses.replace(self, rt60=rt60, materials=Materials.uniform(absorption))

    def with_distance(self, place: str, distance: float) -> RoomCard:
        """The same room, the talker at ``place`` moved to ``distance`` metres from the device.

        The talker moves on the straight line from the device and faces where it did. Raises
        :class:`InputError` where that is outside the room, and for recordings.
        """
        found, where = self.at(place), f"room {self.id}: field places.{place}"
        if found.position is None or self.microphone is None or self.dimensions is None:
            raise InputError(f"{where}: distance {distance:g} m; a recording cannot be moved")
        position = along(self.microphone, found.position, distance)
        at = f"{where}: at distance {distance:g} m"
        check_position(position, self.dimensions, at)
        check_apart(position, self.microphone, at)
        moved = dataclasses.replace(found, position=position)
        return dataclasses.replace(self, places={**self.places, place: moved})

    def describe(self) -> dict[str, Any]:
        """The card as plain JSON values."""
        plain = {
            f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "folder"
        }
        plain["materials"] = self.materials and self.materials.describe()
        plain["places"] = {name: _described(place) for name, place in self.places.items()}
        for name in GEOMETRY:
            plain[name] = plain[name] and list(plain[name])
        return plain


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
    values: dict[str, Any] = read_toml(path)
    schemas.check(values, "room", where)
    _check_fields(values, where)
    dimensions = _point(values["dimensions"]) if "dimensions" in values else None
    microphone = _point(values["microphone"]) if "microphone" in values else None
    if dimensions and microphone:
        check_position(microphone, dimensions, f"{where}: field microphone")
    return RoomCard(
        id=check_id(path.stem, where),
        name=values["name"],
        description=values["description"],
        license=values["license"],
        dimensions=dimensions,
        materials=_materials(values, dimensions, where) if dimensions else None,
        rt60=float(values["rt60"]) if "rt60" in values else None,
        microphone=microphone,
        places={
            check_id(name, where): _place(
                table,
                values.get("directivity", "omni"),
                dimensions,
                microphone,
                path.parent,
                f"{where}: field places.{name}",
            )
            for name, table in values["places"].items()
        },
        folder=path.parent.absolute(),
    )


def _check_fields(values: Mapping[str, Any], where: str) -> None:
    """A room to simulate has geometry and surfaces; recordings have neither."""
    simulated = any("rir" not in table for table in values["places"].values())
    surfaces = [name for name in SURFACE_FIELDS if name in values]
    if simulated:
        missing = [name for name in GEOMETRY if name not in values]
        if missing:
            raise InputError(f"{where}: field (top level): {', '.join(missing)} missing")
        if len(surfaces) != 1:
            raise InputError(
                f"{where}: field (top level): found {' and '.join(surfaces) or 'no surfaces'}; "
                f"allowed: one of {', '.join(SURFACE_FIELDS)}"
            )
    elif extra := [name for name in (*GEOMETRY, *surfaces, "directivity") if name in values]:
        raise InputError(
            f"{where}: field {extra[0]}: allowed where a place has a position; all are recordings"
        )


def _materials(values: Mapping[str, Any], dimensions: Point, where: str) -> Materials:
    if "rt60" in values:
        return Materials.uniform(sabine_absorption(float(values["rt60"]), dimensions, where))
    if "absorption" in values:
        materials = Materials.uniform(float(values["absorption"]))
    else:
        materials = Materials(**{name: _bands(values["materials"][name]) for name in SURFACES})
    check_decay(materials, dimensions, where)
    return materials


def _bands(value: Any) -> tuple[float, ...]:
    bands = tuple(map(float, value)) if isinstance(value, list) else (float(value),)
    assert len(bands) in (1, len(OCTAVE_BANDS_HZ))  # the schema's rule
    return bands


def _place(
    table: Mapping[str, Any],
    directivity: str,
    dimensions: Point | None,
    microphone: Point | None,
    base: Path,
    where: str,
) -> Place:
    description = table.get("description", "")
    if "rir" in table:
        for name in ("position", "facing", "directivity"):
            if name in table:
                raise InputError(f"{where}: field {name}: allowed where there is no rir")
        return Place(
            description=description,
            recording=recording(table["rir"], table.get("channel"), base, f"{where}.rir"),
            distance_m=float(table["distance_m"]) if "distance_m" in table else None,
        )
    for name in ("channel", "distance_m"):
        if name in table:
            raise InputError(f"{where}: field {name}: allowed beside rir alone")
    assert dimensions is not None
    assert microphone is not None
    position = _point(table["position"])
    check_position(position, dimensions, where)
    check_apart(position, microphone, where)
    return Place(
        description=description,
        position=position,
        facing=_facing(table.get("facing", "device"), position, microphone, where),
        directivity=table.get("directivity", directivity),
    )


def _facing(value: Any, position: Point, microphone: Point, where: str) -> Direction:
    if value == "device":
        return direction(position, microphone)
    if "azimuth" in value:
        return Direction(float(value["azimuth"]), float(value.get("elevation", 0)))
    point = _point(value["point"])
    if point == position:
        raise InputError(f"{where}.facing: found {quoted(point)}; allowed: not the talker's own")
    return direction(position, point)


def _described(place: Place) -> dict[str, Any]:
    plain = dataclasses.asdict(place)
    plain["position"] = place.position and list(place.position)
    plain["facing"] = place.facing and place.facing._asdict()
    return plain


def _point(value: Any) -> Point:
    x, y, z = (float(v) for v in value)
    return x, y, z
