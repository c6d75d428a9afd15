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
from tests.halls import hall

RATE = 16000

LIVING_ROOM = room("living_room")
PATHS = [
    (LIVING_ROOM, "wearer"),
    (LIVING_ROOM, "across"),
    (hall(0.9), "talker"),
    (hall(0.3), "talker"),
    (hall(0.3, (5.0, 2.0, 1.6)), "talker"),
]


def ids(value: object) -> str:
    return f"{value.id}-{value.materials.walls[0]}" if isinstance(value, RoomCard) else str(value)


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
    distance = card.distance(place)
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


def test_a_distance_moves_the_talker_and_nothing_else() -> None:
    far = Room("living_room", "across", distance=1.5)
    assert far.card == LIVING_ROOM
    assert far.heard.distance("across") == pytest.approx(1.5)
    assert far.parameters()["distance"] == 1.5
    assert "distance" not in Room("living_room", "across").parameters()
    click = np.zeros(4000)
    click[1234] = 1.0
    assert abs(arrival(far(Audio(click, RATE)).samples, 1.5) - 1234) <= 1


def test_a_distance_of_the_place_itself_changes_nothing_heard(speech: Audio) -> None:
    here = Room(LIVING_ROOM, "across", distance=LIVING_ROOM.distance("across"))
    np.testing.assert_allclose(
        here(speech).samples, Room(LIVING_ROOM, "across")(speech).samples, atol=1e-6
    )


def test_a_reverberation_time_changes_the_room() -> None:
    described = [Room("living_room", "across", rt60=rt60) for rt60 in (0.3, 0.6)]
    realised = [
        impulse_response(r.heard, "across", RATE).acoustics.rt60 or math.nan for r in described
    ]
    assert realised[1] > 1.5 * realised[0]
    assert [r.parameters()["rt60"] for r in described] == [0.3, 0.6]
    assert described[0].fingerprint != described[1].fingerprint


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"distance": 6.0}, r"places\.across: at distance 6 m: x is 6\.75"),
        ({"distance": 0.0}, "room: distance is 0"),
        ({"distance": math.nan}, "room: distance is nan"),
        ({"distance": "far"}, "room: distance is 'far'"),
        ({"rt60": 0.05}, r"rt60: found 0\.05 s; allowed in 5\.2 x 4\.1 x 2\.6 m: 0\.0982 s"),
        ({"rt60": -0.3}, r"room: rt60 is -0\.3"),
        ({"rt60": math.nan}, "room: rt60 is nan"),
    ],
)
def test_what_the_room_cannot_do_is_refused_at_once(asked: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Room("living_room", "across", **asked)
