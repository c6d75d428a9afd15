"""Faults between near and far: more than the room differs, or less."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from tests.audit.fault import NONE, Fault
from tests.audit.planting import ROLES, Change, PlantedSet
from tests.audit.signals import (
    chopped,
    clipped,
    fitted,
    in_room,
    inverted,
    louder,
    lowpassed,
    shifted,
    spoken,
    warped,
    with_click,
    with_offset,
    with_tone,
)

ALL = 24
SOURCES = ("same", "different")
BYSTANDERS = {"sources": ("different",), "roles": ("trigger",)}
CUTOFF = 4000.0  # of the eight


def _far(change: Change, one: bool = False) -> Callable[[PlantedSet], None]:
    """All that is far, of one command or of all, put through ``change``."""

    def plant(planted: PlantedSet) -> None:
        rows = planted.of(planted.commands[1:2] if one else None, field="far")
        roles = [s["role"] for s in rows[0]["segments"] if s["field"] == "far"]
        planted.change(rows, roles, change)

    return plant


def _from_near(
    room: str,
    place: str,
    cutoff: float | None = CUTOFF,
    one: bool = False,
    sources: Sequence[str] = SOURCES,
    roles: Sequence[str] = ROLES,
) -> Callable[[PlantedSet], None]:
    """Far made again from near, heard elsewhere."""

    def plant(planted: PlantedSet) -> None:
        commands = planted.commands[1:2] if one else planted.commands
        for command, source, role in itertools.product(commands, sources, roles):
            near = planted.of(command, field="near", source=source)[0]
            heard = in_room(planted.piece(near, role), room, place, cutoff)
            planted.put(planted.of(command, field="far", source=source), role, heard)

    return plant


def _near_lowpassed(planted: PlantedSet) -> None:
    planted.change(planted.of(field="near"), ROLES, lambda piece: lowpassed(piece, 3000))


def _far_says_other_words(planted: PlantedSet) -> None:
    here, there = planted.commands[1:3]
    for source in SOURCES:
        rows = planted.of(here, field="far", source=source)
        other = planted.piece(planted.of(there, field="far", source=source)[0], "trigger")
        planted.put(rows, "trigger", fitted(other, planted.piece(rows[0], "trigger")))


def _far_is_dry(planted: PlantedSet) -> None:
    command = planted.commands[1]
    for source in SOURCES:
        near = planted.of(command, field="near", source=source)[0]
        for role in ROLES:
            far = planted.of(command, field="far", source=source)
            planted.put(far, role, planted.piece(near, role))


def _near_and_far_swapped(planted: PlantedSet) -> None:
    for row in planted.of(planted.commands[1], field="near"):
        levels = {**row["factors"], "field": "far"}
        planted.swap(row, *planted.of(row["command"], **levels))


def _contexts_stay_near(planted: PlantedSet) -> None:
    for command in planted.commands:
        near = planted.piece(planted.of(command, field="near")[0], "context")
        planted.put(planted.of(command, field="far"), "context", near)


def _level_tells_the_field(planted: PlantedSet) -> None:
    """Each within what is allowed of its own, and all of them apart."""
    for field, gain_db in (("near", 0.08), ("far", -0.08)):
        planted.change(planted.of(field=field), ROLES, lambda p, g=gain_db: louder(p, g))


def _clipped_in_one_condition(planted: PlantedSet) -> None:
    rows = planted.of(source="different", field="near")
    planted.change(rows, ("trigger",), lambda piece: clipped(piece, -12))


def _switch_is_near(planted: PlantedSet) -> None:
    """The bystanders of pairs heard close by: their own speech, and no room."""
    for row in planted.of(source="different"):
        segment = row["segments"][1]
        dry = spoken(segment["voice"], segment["spoken_text"])
        planted.put([row], "trigger", fitted(dry, planted.piece(row, "trigger")))


FIELDS = [
    Fault("far_spoken_again", "eight", _far(warped, one=True), True, "field"),
    Fault("far_spoken_again_six", "six", _far(warped, one=True), True, "field"),
    Fault("far_says_other_words", "eight", _far_says_other_words, True, "field"),
    *(
        Fault(name, "eight", _from_near(*heard, **which), True, "room", number)
        for name, number, heard, which in (
            ("far_in_another_room_once", 1, ("kitchen", "door"), {"one": True}),
            ("far_in_another_room", ALL, ("kitchen", "door"), {}),
            ("far_at_another_place", ALL, ("living_room", "armchair"), {}),
            ("far_without_lowpass", ALL, ("living_room", "across", None), {}),
            ("bystanders_in_another_room", ALL, ("kitchen", "door"), BYSTANDERS),
        )
    ),
    *(
        Fault(name, grid, _far(change), True, kind, number)
        for name, grid, kind, number, change in (
            ("far_eight_samples_late", "eight", "onset", ALL, lambda p: shifted(p, 8)),
            ("far_eight_samples_late_six", "six", "onset", 12, lambda p: shifted(p, 8)),
            ("far_tail_chopped", "eight", "tail", ALL, chopped),
            ("far_over_bass", "eight", "low_frequencies", ALL, lambda p: with_tone(p, 25, -50)),
            ("far_with_offset", "eight", "offset", ALL, lambda p: with_offset(p, 0.002)),
            ("far_starts_with_a_click", "eight", "click", ALL, lambda p: with_click(p, 0.1)),
            ("far_inverted", "eight", "polarity", ALL, inverted),
            ("far_inverted_six", "six", "polarity", 12, inverted),
        )
    ),
    Fault("far_made_again", "eight", _from_near("living_room", "across"), True, NONE, ALL),
    Fault("far_one_sample_late", "eight", _far(lambda p: shifted(p, 1), one=True), True, "onset"),
    Fault("far_is_dry", "eight", _far_is_dry, True, "field"),
    Fault("near_and_far_swapped", "eight", _near_and_far_swapped, True, "field"),
    Fault("contexts_stay_near", "eight", _contexts_stay_near, True, "field", ALL),
    Fault("near_lowpassed", "eight", _near_lowpassed, True, "band", ALL),
    Fault("clipped_in_one_condition", "eight", _clipped_in_one_condition, True, "peak", ALL),
    Fault("level_tells_the_field", "eight", _level_tells_the_field, True, "level", ALL),
    Fault("switch_is_close_by", "pair", _switch_is_near, True, "field", 20),
]
