"""What walls, floor and ceiling absorb, and how that and a reverberation time go together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from synthkit.errors import InputError
from synthkit.rooms.geometry import SPEED_OF_SOUND, Point, volume_and_surface

OCTAVE_BANDS_HZ = (125.0, 250.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0)
SURFACES = ("walls", "floor", "ceiling")
MAX_REFLECTION_ORDER = 100
# T30 reads the decay down to -35 dB and wants 10 dB more below.
DECAY_NEEDED_DB = 45.0

Bands = tuple[float, ...]


@dataclass(frozen=True)
class Materials:
    """Energy absorption coefficients: one number a surface, or one for each octave band."""

    walls: Bands
    floor: Bands
    ceiling: Bands

    @classmethod
    def uniform(cls, absorption: float) -> Self:
        """The same at every surface and frequency."""
        return cls((absorption,), (absorption,), (absorption,))

    @property
    def banded(self) -> bool:
        """Whether a surface absorbs differently in different octave bands."""
        return any(len(bands) > 1 for bands in (self.walls, self.floor, self.ceiling))

    def mean(self, dimensions: Point) -> Bands:
        """Absorption averaged over the surfaces by area, for each octave band."""
        x, y, z = dimensions
        areas = 2 * z * (x + y), x * y, x * y
        columns = [
            bands * len(OCTAVE_BANDS_HZ) if len(bands) == 1 else bands
            for bands in (self.walls, self.floor, self.ceiling)
        ]
        return tuple(
            sum(area * alpha for area, alpha in zip(areas, band, strict=True)) / sum(areas)
            for band in zip(*columns, strict=True)
        )

    def describe(self) -> dict[str, list[float]]:
        return {name: list(getattr(self, name)) for name in SURFACES}


def sabine_absorption(rt60: float, dimensions: Point, where: str) -> float:
    """Absorption coefficient that Sabine's formula gives a shoebox for ``rt60`` seconds.

    alpha = 24 ln(10) V / (c S T) (Kuttruff, Room Acoustics, 5.1). Raises :class:`InputError`
    where even fully absorbing walls leave the room livelier than that, and where the decay
    would outlast the reflections that are followed.
    """
    x, y, z = dimensions
    volume, surface = volume_and_surface(dimensions)
    shortest = 24 * math.log(10) * volume / (SPEED_OF_SOUND * surface)
    longest = shortest / (1 - 10 ** (-DECAY_NEEDED_DB / (10 * MAX_REFLECTION_ORDER)))
    if not shortest <= rt60 <= longest:
        raise InputError(
            f"{where}: field rt60: found {rt60:g} s; allowed in {x:g} x {y:g} x {z:g} m: "
            f"{math.ceil(shortest * 1e4) / 1e4:g} s to {math.floor(longest * 1e4) / 1e4:g} s"
        )
    return shortest / rt60


def check_decay(materials: Materials, dimensions: Point, where: str) -> None:
    """Refuse surfaces so hard that the decay would outlast the reflections that are followed."""
    least = 1 - 10 ** (-DECAY_NEEDED_DB / (10 * MAX_REFLECTION_ORDER))
    found = min(materials.mean(dimensions))
    if found < least:
        raise InputError(
            f"{where}: mean absorption is {found:.3f}; allowed: {math.ceil(least * 1e4) / 1e4:g} "
            f"or more, as {MAX_REFLECTION_ORDER} reflections are followed"
        )


def reflection_order(absorption: float) -> int:
    """Order after which the image sources are 60 dB down, at most 100.

    An image of order n is one of a shell at about n times the mean free path 4V/S, each
    reflection taking ``1 - absorption`` of the energy.
    """
    if absorption >= 1:
        return 0
    return min(MAX_REFLECTION_ORDER, math.ceil(-60 / (10 * math.log10(1 - absorption))))
