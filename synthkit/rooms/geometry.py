"""Positions and directions in a shoebox room: metres from one floor corner, degrees."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from synthkit.errors import InputError

SPEED_OF_SOUND = 343.0  # m/s, at 20 °C
# A talker or device this close to a wall or to one another is a typing error: the image
# source method answers with absurd numbers there, not with an error.
CLEARANCE_M = 0.05

Point = tuple[float, float, float]


class Direction(NamedTuple):
    """Where somebody faces, in degrees: ``azimuth`` from x towards y, ``elevation`` upwards."""

    azimuth: float
    elevation: float

    @property
    def vector(self) -> Point:
        """The unit vector that points there."""
        azimuth, elevation = math.radians(self.azimuth), math.radians(self.elevation)
        flat = math.cos(elevation)
        return flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)


def direction(start: Point, end: Point) -> Direction:
    """The direction from ``start`` to ``end``, rounded to 0.0001 degrees."""
    x, y, z = (b - a for a, b in zip(start, end, strict=True))
    azimuth, elevation = math.atan2(y, x), math.atan2(z, math.hypot(x, y))
    # Adding zero leaves no negative zero, which would look like another direction.
    return Direction(round(math.degrees(azimuth), 4) + 0.0, round(math.degrees(elevation), 4) + 0.0)


def along(start: Point, through: Point, distance: float) -> Point:
    """The point ``distance`` metres from ``start`` on the straight line through another point."""
    scale = distance / math.dist(start, through)
    x, y, z = (a + scale * (b - a) for a, b in zip(start, through, strict=True))
    return x, y, z


def outside(at: Point, dimensions: Point) -> Iterator[str]:
    """Yield, for each axis on which ``at`` is outside the room or on a wall, what is wrong."""
    for axis, found, size in zip("xyz", at, dimensions, strict=True):
        if not CLEARANCE_M <= found <= size - CLEARANCE_M:  # false for NaN too
            yield (
                f"{axis} is {found:g} m; allowed: {CLEARANCE_M:g} to {size - CLEARANCE_M:g} m, "
                "inside the room and off its walls"
            )


def check_position(at: Point, dimensions: Point, where: str) -> None:
    """Raise :class:`InputError` naming ``where`` and the axis on which ``at`` is impossible."""
    for wrong in outside(at, dimensions):
        raise InputError(f"{where}: {wrong}")


def check_apart(at: Point, microphone: Point, where: str) -> None:
    """Raise :class:`InputError` for a talker at the microphone."""
    if not math.dist(at, microphone) >= CLEARANCE_M:
        raise InputError(
            f"{where}: {math.dist(at, microphone):g} m from the microphone; "
            f"allowed: {CLEARANCE_M:g} m or more"
        )


def volume_and_surface(dimensions: Point) -> tuple[float, float]:
    """Volume in cubic metres and surface in square metres."""
    x, y, z = dimensions
    return x * y * z, 2 * (x * y + x * z + y * z)
