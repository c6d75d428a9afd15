"""Faults between wearer and bystander: more than the voice differs, or less."""

from __future__ import annotations

from collections.abc import Callable

from tests.audit.fault import NONE, Fault
from tests.audit.planting import Change, Piece, PlantedSet
from tests.audit.signals import (
    even,
    in_room,
    inverted,
    louder,
    lowpassed,
    mu_law,
    padded,
    resampled,
    spoken,
    vocoded,
    with_echo,
    with_noise,
    with_tone,
)

ALL = 24
CUTOFF = 4000.0  # of the eight
NEAR = {"field": "near"}
TRIGGER = ("trigger",)


def _bystanders(change: Change, **levels: str) -> Callable[[PlantedSet], None]:
    """Every bystander's trigger put through ``change`` as it is heard."""

    def plant(planted: PlantedSet) -> None:
        planted.change(planted.of(source="different", **levels), TRIGGER, change)

    return plant


def _at_the_source(change: Change) -> Callable[[PlantedSet], None]:
    """Every bystander's speech put through ``change`` before it is heard near or far."""

    def plant(planted: PlantedSet) -> None:
        for command in planted.commands:
            near = planted.of(command, source="different", field="near")
            made = change(planted.piece(near[0], "trigger"))
            planted.put(near, "trigger", made)
            far = planted.of(command, source="different", field="far")
            planted.put(far, "trigger", in_room(made, lowpass=CUTOFF))

    return plant


def _swap_triggers(planted: PlantedSet, commands: list[str]) -> None:
    for one in planted.of(commands, source="same"):
        (other,) = planted.of(one["command"], **{**one["factors"], "source": "different"})
        wearers, bystanders = planted.piece(one, "trigger"), planted.piece(other, "trigger")
        planted.put([one], "trigger", bystanders)
        planted.put([other], "trigger", wearers)


def _triggers_swapped_once(planted: PlantedSet) -> None:
    _swap_triggers(planted, planted.commands[1:2])


def _triggers_swapped(planted: PlantedSet) -> None:
    _swap_triggers(planted, planted.commands)


def _wearer_twice(planted: PlantedSet, commands: list[str]) -> None:
    for one in planted.of(commands, source="same"):
        other = planted.of(one["command"], **{**one["factors"], "source": "different"})
        planted.put(other, "trigger", planted.piece(one, "trigger"))


def _bystander_is_the_wearer_once(planted: PlantedSet) -> None:
    _wearer_twice(planted, planted.commands[1:2])


def _bystander_is_the_wearer(planted: PlantedSet) -> None:
    _wearer_twice(planted, planted.commands)


def _third_voice(planted: PlantedSet) -> None:
    """A bystander whom no label names, near and far."""
    row = planted.of(planted.commands[1], source="different", field="near")[0]
    others = {row["wearer"], row["bystander"]}
    voice = next(v for v in sorted(r["wearer"] for r in planted.of()) if v not in others)
    near = spoken(voice, row["segments"][1]["spoken_text"])
    planted.put(planted.of(row["command"], source="different", field="near"), "trigger", near)
    far = in_room(near, lowpass=CUTOFF)
    planted.put(planted.of(row["command"], source="different", field="far"), "trigger", far)


def _context_by_the_bystander(planted: PlantedSet) -> None:
    """The other one of the two has said the context, in all conditions."""
    row = planted.of(planted.commands[1], field="near")[0]
    near = spoken(row["bystander"], row["segments"][0]["spoken_text"])
    planted.put(planted.of(row["command"], field="near"), "context", near)
    planted.put(planted.of(row["command"], field="far"), "context", in_room(near, lowpass=CUTOFF))


def _level_tells_the_source(planted: PlantedSet) -> None:
    """Each within what is allowed of its own, and all of them apart."""
    for source, gain_db in (("same", 0.08), ("different", -0.08)):
        planted.change(planted.of(source=source), TRIGGER, lambda p, g=gain_db: louder(p, g))


def noisy(piece: Piece) -> Piece:
    return with_noise(piece, -60)


VOICES = [
    Fault("triggers_swapped_once", "eight", _triggers_swapped_once, True, "source", ears=True),
    Fault("triggers_swapped_once_six", "six", _triggers_swapped_once, True, "source", ears=True),
    Fault("triggers_swapped", "eight", _triggers_swapped, True, "source", ALL, ears=True),
    Fault("bystander_is_the_wearer_once", "eight", _bystander_is_the_wearer_once, True, "source"),
    Fault("bystander_is_the_wearer", "eight", _bystander_is_the_wearer, True, "source", ALL),
    Fault("third_voice", "eight", _third_voice, True, "source", ears=True),
    Fault(
        "context_by_the_bystander", "eight", _context_by_the_bystander, True, "source", ears=True
    ),
    Fault("level_tells_the_source", "eight", _level_tells_the_source, True, "level", ALL),
    *(
        Fault(f"bystanders_{name}", "eight", _at_the_source(change), True, kind, ALL)
        for name, kind, change in (
            ("made_again", NONE, lambda p: p),
            ("through_mu_law", "processing", mu_law),
            ("vocoded", "processing", vocoded),
            ("echo", "processing", lambda p: with_echo(p, 40, -20)),
            ("over_noise", "noise_floor", noisy),
            ("shorter", "duration", lambda p: resampled(p, 0.85)),
        )
    ),
    *(
        Fault(f"bystanders_{name}", grid, _bystanders(change, **levels), True, kind, number)
        for name, grid, kind, number, change, levels in (
            ("near_lowpassed", "eight", "band", ALL, lambda p: lowpassed(p, 3000), NEAR),
            ("later", "eight", "margin", ALL, lambda p: padded(p, front=320), {}),
            ("ended_later", "eight", "margin", ALL, lambda p: padded(p, end=800), {}),
            ("inverted", "eight", "polarity", ALL, inverted, {}),
            ("watermarked", "eight", "lowest_bit", ALL, even, {}),
            ("with_pilot_tone", "eight", "tone", ALL, lambda p: with_tone(p, 7500, -65), {}),
            ("over_noise_pair", "pair", "noise_floor", 20, noisy, {}),
            ("shorter_pair", "pair", "duration", 20, lambda p: resampled(p, 0.75), {}),
            (
                "over_noise_balanced",
                "balanced",
                "noise_floor",
                12,
                noisy,
                {},
            ),
            ("watermarked_balanced", "balanced", "lowest_bit", 12, even, {}),
        )
    ),
]
