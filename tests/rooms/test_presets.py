"""The room presets: as many, as different and as true to distance as they claim to be."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.renderers.room import Room
from synthkit.rooms.cards import RoomCard, presets, room
from synthkit.rooms.simulate import impulse_response
from tests.conftest import ROOT

RATE = 16000
PATTERNS = {"omni": 1.0, "subcardioid": 0.75, "cardioid": 0.5}


def bystanders(card: RoomCard) -> list[str]:
    """Places but the wearer's, the nearest first."""
    return sorted(set(card.places) - {"wearer"}, key=lambda name: card.distance(name) or 0)


def direct(card: RoomCard, name: str) -> float:
    """Amplitude of the direct sound by hand: spherical spreading, p + (1 - p) cos."""
    place = card.at(name)
    assert place.position is not None
    assert place.facing is not None
    assert card.microphone is not None
    way = np.subtract(card.microphone, place.position)
    metres = float(np.linalg.norm(way))
    azimuth, elevation = np.radians(place.facing)
    axis = [
        math.cos(elevation) * math.cos(azimuth),
        math.cos(elevation) * math.sin(azimuth),
        math.sin(elevation),
    ]
    p = PATTERNS[place.directivity]
    return (p + (1 - p) * float(np.dot(axis, way)) / metres) / metres


def test_there_are_ten_of_different_use_and_size() -> None:
    wanted = "car office kitchen living_room bedroom bathroom classroom corridor cafe outdoors"
    assert set(wanted.split()) <= set(presets())
    assert len({room(name).dimensions for name in presets()}) == len(presets())


@pytest.mark.parametrize("name", presets())
def test_the_device_is_at_the_wearer_and_others_are_farther(name: str) -> None:
    card = room(name)
    metres = card.distance("wearer")
    assert metres is not None
    assert 0.05 <= metres <= 0.25
    assert len(bystanders(card)) >= 2
    for place in bystanders(card):
        assert 0.7 <= (card.distance(place) or 0) <= 5


def test_reverberation_times_span_what_rooms_have() -> None:
    realised = {}
    for name in presets():
        card = room(name)
        times = [impulse_response(card, place, RATE).acoustics.rt60 for place in card.places]
        if name == "outdoors":
            assert times == [None] * len(times)  # ground alone: nothing decays
            continue
        assert all(time is not None and 0.2 <= time <= 0.9 for time in times), (name, times)
        realised[name] = times[-1]
    assert min(realised.values()) <= 0.3
    assert max(realised.values()) >= 0.8


def at_height(card: RoomCard, name: str, distance: float) -> RoomCard:
    """The talker of a place moved level with it, to that distance from the device."""
    place, device = card.at(name), card.microphone
    assert place.position is not None
    assert device is not None
    x, y, z = place.position
    level = math.sqrt(distance**2 - (z - device[2]) ** 2) / math.hypot(x - device[0], y - device[1])
    moved = (device[0] + level * (x - device[0]), device[1] + level * (y - device[1]), z)
    return dataclasses.replace(card, places={name: dataclasses.replace(place, position=moved)})


def drr(card: RoomCard, name: str) -> float:
    value = impulse_response(card, name, RATE).acoustics.drr
    assert value is not None
    return value


@pytest.mark.parametrize("name", presets())
def test_direct_to_reverberant_ratio_falls_with_distance(name: str) -> None:
    # From the device through the farthest place. A wall within 0.43 m of talker or device gives
    # an echo within 2.5 ms, which counts as direct: no farther than the place that is there.
    card = room(name)
    place = bystanders(card)[-1]
    farthest = card.distance(place) or 0
    ratios = [
        drr(Room(card, place, distance=metres).heard, place)
        for metres in np.geomspace(0.3, farthest, 8)
    ]
    assert ratios == sorted(set(ratios), reverse=True)


@pytest.mark.parametrize("name", presets())
def test_it_falls_at_the_same_height_too(name: str) -> None:
    card = room(name)
    place = bystanders(card)[-1]
    position, device = card.at(place).position, card.microphone
    assert position is not None
    assert device is not None
    nearest = max(0.3, 1.3 * abs(position[2] - device[2]))
    distances = np.geomspace(nearest, card.distance(place) or 0, 4)
    ratios = [drr(at_height(card, place, metres), place) for metres in distances]
    assert ratios == sorted(set(ratios), reverse=True)


@pytest.mark.parametrize("which", [0, -1], ids=["nearest", "farthest"])
@pytest.mark.parametrize("name", presets())
def test_a_click_arrives_where_it_was(name: str, which: int) -> None:
    card = room(name)
    place = ["wearer", *bystanders(card)][which]
    click = np.zeros(4000)
    click[1234] = 1.0
    wet = Room(card, place)(Audio(click, RATE)).samples
    arrival = int(np.argmax(np.abs(wet) >= 0.5 * direct(card, place)))
    assert abs(arrival - 1234) <= 1


@pytest.mark.parametrize("name", presets())
def test_the_direct_level_at_the_wearer_is_distance_and_direction(name: str) -> None:
    card = room(name)
    found = impulse_response(card, "wearer", RATE).acoustics.direct_level
    assert found == pytest.approx(20 * math.log10(direct(card, "wearer")), abs=0.5)


def test_talkers_face_the_device_unless_told() -> None:
    card = room("living_room")
    assert card.at("wearer").facing == (0.0, 0.0)
    # From (4.027, 2.8, 1.6) to (1.3, 1.6, 1.25): atan2(-1.2, -2.727), atan2(-0.35, 2.9793).
    assert card.at("across").facing == pytest.approx((-156.2487, -6.7002), abs=1e-3)


@pytest.mark.parametrize("name", presets())
def test_every_preset_stands_in_the_docs_with_what_it_measures(name: str) -> None:
    card = room(name)
    text = (ROOT / "docs" / "rooms.md").read_text(encoding="utf-8")
    assert f"](rooms/{name}.png)" in text
    assert (ROOT / "docs" / "rooms" / f"{name}.png").stat().st_size < 80_000
    for place in card.places:
        found = impulse_response(card, place, RATE).acoustics
        (line,) = (
            x for x in text.splitlines() if x.startswith(f"| `{name}` |") and f"`{place}`" in x
        )
        cells = [cell.strip() for cell in line.split("|")][4:-1]
        assert cells[0] == f"{card.distance(place):.2f} m"
        realised = (found.rt60, found.edt, found.c50, found.drr, found.direct_level)
        for cell, value in zip(cells[2:], realised, strict=True):
            assert (cell == "none") == (value is None)
            if value is not None:
                assert float(cell.split()[0]) == pytest.approx(value, abs=0.06)
