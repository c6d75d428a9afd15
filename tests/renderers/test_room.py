"""A room adds its echo and moves nothing."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.errors import InputError
from synthkit.renderers.room import Room
from synthkit.rooms.cards import RoomCard, room
from synthkit.rooms.simulate import impulse_response

RATE = 16000


def hall(absorption: float, source: tuple[float, float, float] = (2.0, 3.0, 1.5)) -> RoomCard:
    """8 x 6 x 3 m; from the talker to the device 3.43 m, which sound takes 10 ms for."""
    return RoomCard(
        id="hall",
        name="Hall",
        description="",
        license="Apache-2.0",
        dimensions=(8.0, 6.0, 3.0),
        absorption=absorption,
        rt60=None,
        microphone=(5.43, 3.0, 1.5),
        places={"talker": source},
    )


LIVING_ROOM = room("living_room")
PATHS = [
    (LIVING_ROOM, "wearer"),
    (LIVING_ROOM, "across"),
    (hall(0.9), "talker"),
    (hall(0.3), "talker"),
    (hall(0.3, (5.0, 2.0, 1.6)), "talker"),
]


def ids(value: object) -> str:
    return f"{value.id}-{value.absorption}" if isinstance(value, RoomCard) else str(value)


def arrival(samples: np.ndarray, distance: float) -> int:
    """First sample of half the direct sound's amplitude, which is 1 / r by spherical spreading.

    Not the largest sample: reflections that arrive together outdo the direct sound.
    """
    return int(np.argmax(np.abs(samples) >= 0.5 / distance))


@pytest.mark.parametrize(("card", "place"), PATHS, ids=ids)
@pytest.mark.parametrize("at", [0, 1234])
def test_a_click_arrives_where_it_was(card: RoomCard, place: str, at: int) -> None:
    click = np.zeros(4000)
    click[at] = 1.0
    wet = Room(card, place)(Audio(click, RATE)).samples
    distance = math.dist(card.microphone, card.places[place])
    assert abs(arrival(wet, distance) - at) <= 1


# Not in the lively hall with everybody on its axis: there mirror images arrive in pairs and
# fours, and whatever looks for the largest correlation finds them before the direct sound.
@pytest.mark.parametrize(("card", "place"), [*PATHS[:3], PATHS[4]], ids=ids)
def test_speech_is_not_moved(
    card: RoomCard, place: str, speech: Audio, lag: Callable[..., int]
) -> None:
    wet = Room(card, place)(speech)
    assert lag(speech.samples, wet.samples) == 0
    assert wet.speech == speech.speech


def test_near_and_far_speech_are_aligned(speech: Audio, lag: Callable[..., int]) -> None:
    near, far = (Room("living_room", place)(speech) for place in ("wearer", "across"))
    assert lag(near.samples, far.samples) == 0


def test_the_room_adds_its_decay(speech: Audio) -> None:
    wet = Room("living_room", "across")(speech)
    assert wet.num_samples > speech.num_samples + RATE // 5
    assert np.abs(wet.samples[speech.window.end : speech.window.end + 800]).max() > 0.001


def test_the_room_is_linear(speech: Audio) -> None:
    far = Room("living_room", "across")
    double = far(speech.with_samples(2 * speech.samples))
    np.testing.assert_allclose(double.samples, 2 * far(speech).samples, atol=1e-12)


def test_a_preset_by_name_is_the_preset_as_a_card(speech: Audio) -> None:
    named, carded = Room("living_room", "across"), Room(LIVING_ROOM, "across")
    assert named.fingerprint == carded.fingerprint
    np.testing.assert_array_equal(named(speech).samples, carded(speech).samples)


def test_what_determines_the_sound_is_in_the_description() -> None:
    described = Room("living_room", "across").describe()
    rir = impulse_response(LIVING_ROOM, "across", RATE)
    assert described == {
        "renderer": "room",
        "room": "living_room",
        "place": "across",
        "rir_sha256": rir.sha256,
    }
    assert Room(hall(0.3), "talker").fingerprint != Room(hall(0.31), "talker").fingerprint


def test_an_unknown_place_is_refused_at_once_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"living_room: no place 'attic'; allowed: .*across"):
        Room("living_room", "attic")


def test_an_unknown_room_is_refused_at_once() -> None:
    with pytest.raises(InputError, match=r"room 'igloo' is unknown; allowed: .*living_room"):
        Room("igloo", "across")
