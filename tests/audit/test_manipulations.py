"""Rooms as they are heard: decays of speech that are made up, near and far."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from synthkit.audit.findings import Comparison
from synthkit.audit.items import DRY, Bindings, Design, Item, Placed, Response
from synthkit.audit.manipulations import declared_rooms, manipulation_faults
from synthkit.audit.readings import Reading
from tests.audit.made import EIGHT, PAIR, Value, design, items, readings

FIELDS = [c for c in EIGHT if c["source"] == "same" and c["gap_ms"] == 0]
NEAR, FAR = 480.0, 215.0  # dB/s


class Rooms:
    """A recipe, as far as it tells the rooms of its fields: C50 by field."""

    def __init__(self, **c50: float) -> None:
        self.c50 = c50

    def alike(self, one: Placed, other: Placed) -> None:
        return None

    def response(self, field: str, bindings: Bindings) -> Response | None:
        if field not in self.c50:
            return None
        c50 = self.c50[field]
        return DRY if math.isinf(c50) else Response("0123456789abcdef", c50, -8.04)


def slow(far_in: Callable[[int], bool]) -> Value:
    """Speech in far decays more slowly in the commands that are told by their number."""

    def decay(item: Item, role: str, random: object) -> float:
        far = item.part(role).field == "far" and far_in(int(item.command[-3:]))
        return FAR if far else NEAR

    return decay


def compared(
    value: Value,
    made: Sequence[Item],
    of: Design | None = None,
    roles: Sequence[str] = ("trigger",),
) -> list[Comparison]:
    return list(manipulation_faults(readings(made, "decay", value, roles), of or design()))


def test_rooms_that_are_heard_are_compared_within_each_source_and_in_the_context() -> None:
    made = compared(slow(lambda number: True), items(8), roles=("context", "trigger"))
    assert made == [Comparison("field.decay", ("near to far",))] * 3


@pytest.mark.parametrize(("heard", "sound"), [(9, True), (8, False)])
def test_three_commands_of_four_must_have_the_steeper_decay(heard: int, sound: bool) -> None:
    (made,) = compared(slow(lambda number: number < heard), items(12, FIELDS, False))
    assert (made.fault is None) == sound


def test_a_room_that_is_not_heard_names_the_commands_it_is_not_heard_in() -> None:
    made = compared(slow(lambda number: number % 2 == 0), items(12, FIELDS, False))
    odd = tuple(f"door_{number:03}" for number in (1, 3, 5, 7, 9))
    fault = (
        "trigger, near to far: speech decays faster with less room in 50 % of 12 commands; "
        "allowed: 75 % or more"
    )
    assert made == [Comparison("field.decay", odd, fault)]


def test_equal_decays_are_no_room() -> None:
    (made,) = compared(lambda *_: NEAR, items(8, FIELDS, False))
    assert made.fault
    assert "in 0 % of 8 commands" in made.fault


def test_few_commands_say_nothing_of_a_room() -> None:
    assert compared(lambda *_: NEAR, items(7, FIELDS, False)) == []


def test_a_command_without_a_decay_is_left_out() -> None:
    made = readings(items(8, FIELDS, False), "decay", lambda *_: NEAR)
    assert len(list(manipulation_faults(made, design()))) == 1
    made[0] = replace(made[0], values={"decay": None})
    assert list(manipulation_faults(made, design())) == []


def test_a_command_counts_once_by_the_mean_over_its_gaps() -> None:
    # Of 8 commands each is heard at one gap by 30 dB/s, and at the other the wrong way by 10.
    def decay(item: Item, role: str, random: object) -> float:
        if item.field == "near":
            return NEAR
        return NEAR - 30 if item.gap_ms == 0 else NEAR + 10

    made = compared(decay, items(8))
    assert [comparison.fault for comparison in made] == [None, None]


def test_single_and_switch_are_compared_under_the_name_of_several() -> None:
    (made,) = compared(slow(lambda number: True), items(8, PAIR))
    assert made == ("several.decay", ("near same to far different",), None)


@pytest.mark.parametrize(
    ("rooms", "sound"),
    [
        (Rooms(near=math.inf, far=9.5), [True]),
        (Rooms(near=12.0, far=9.5), [True]),  # both wet, near by less
        (Rooms(near=9.5, far=12.0), [False]),  # the recipe says that near has more room
        (Rooms(near=9.5, far=9.5), []),  # two names of one room
        (Rooms(near=math.inf, far=math.inf), []),
        (Rooms(near=math.inf), []),  # nobody knows
    ],
)
def test_which_field_has_less_room_is_the_recipes_to_say(rooms: Rooms, sound: list[bool]) -> None:
    of = replace(design(FIELDS), chains=rooms)
    made = compared(slow(lambda number: True), items(8, FIELDS, False), of)
    assert [comparison.fault is None for comparison in made] == sound


def test_without_a_recipe_what_is_dry_has_less_room() -> None:
    made, wet = items(8, FIELDS, False), slow(lambda number: True)
    assert [c.fault for c in compared(wet, made, design())] == [None]
    assert compared(wet, made, replace(design(), dry=frozenset())) == []
    assert compared(wet, made, replace(design(), dry=frozenset({"near", "far"}))) == []
    (turned,) = compared(wet, made, replace(design(), dry=frozenset({"far"})))
    assert turned.fault


def test_rooms_are_declared_once_by_what_their_responses_measure() -> None:
    rooms = Rooms(near=math.inf, far=9.54)
    of = replace(design(), chains=rooms, lowpassed={"far": 4000.0})
    assert declared_rooms(items(3), of) == (
        "field near: no room",
        "field far: response 0123456789ab, C50 9.5 dB, DRR -8.0 dB, low-pass at 4000 Hz",
    )
    assert declared_rooms(items(3), design()) == ()


def test_a_room_that_goes_by_a_variable_is_declared_at_each_of_its_levels() -> None:
    made = items(1, FIELDS, False)[1]
    wet = [replace(made.part("trigger"), bindings=(("room", name),)) for name in ("hall", "den")]
    of = replace(design(), chains=Rooms(far=9.54))
    told = declared_rooms([replace(made, parts=(part,)) for part in wet], of)
    assert [line.partition(":")[0] for line in told] == [
        "field far, room hall",
        "field far, room den",
    ]


def test_readings_of_no_decay_at_all_compare_nothing() -> None:
    made = [Reading(item, "trigger", {}) for item in items(8)]
    assert list(manipulation_faults(made, design())) == []
