"""The room that tests of simulation and rendering share."""

from __future__ import annotations

from synthkit.rooms.cards import Place, RoomCard
from synthkit.rooms.geometry import Point
from synthkit.rooms.materials import Materials


def hall(
    absorption: float, talker: Point = (2.0, 3.0, 1.5), microphone: Point = (5.43, 3.0, 1.5)
) -> RoomCard:
    """8 x 6 x 3 m; from the talker to the device 3.43 m, which sound takes 10 ms for."""
    return RoomCard(
        id="hall",
        name="Hall",
        description="",
        license="Apache-2.0",
        dimensions=(8.0, 6.0, 3.0),
        materials=Materials.uniform(absorption),
        rt60=None,
        microphone=microphone,
        places={"talker": Place(position=talker)},
    )
