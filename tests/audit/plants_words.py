"""Faults of words, targets, files and rows: a command's sound under another's label."""

from __future__ import annotations

from collections.abc import Sequence

from tests.audit.fault import Fault
from tests.audit.planting import ROLES, PlantedSet


def take(planted: PlantedSet, here: str, there: str, roles: Sequence[str]) -> None:
    """Give one command's conditions what the same conditions of another have."""
    for row in planted.of(here):
        (other,) = planted.of(there, **row["factors"])
        for role in roles:
            planted.put([row], role, planted.piece(other, role))


def _context_of_another_command(planted: PlantedSet) -> None:
    take(planted, planted.commands[1], planted.commands[2], ("context",))


def _trigger_of_another_command(planted: PlantedSet) -> None:
    take(planted, planted.commands[1], planted.commands[2], ("trigger",))


def _one_sound_for_two_commands(planted: PlantedSet) -> None:
    take(planted, planted.commands[1], planted.commands[2], ROLES)


def _same_sound_in_two_splits(planted: PlantedSet) -> None:
    """A training command's triggers are those of a test command, whatever its text says."""
    test = next(row["command"] for row in planted.of() if row["split"] == "test")
    take(planted, planted.commands[0], test, ("trigger",))


def _target_flipped(planted: PlantedSet) -> None:
    row = planted.of(planted.commands[1], source="different", field="near")[0]
    called = next(r for r in planted.of(row["command"]) if r["target"]["action"] == "call")
    row["target"] = dict(called["target"])


def _target_flipped_pair(planted: PlantedSet) -> None:
    (row,) = planted.of(planted.commands[1], source="same")
    row["target"] = {"action": "mute"}


def _target_of_another_tool(planted: PlantedSet) -> None:
    here, there = (
        next(r for r in planted.of(command) if r["target"]["action"] == "call")
        for command in planted.commands[1:3]
    )
    here["target"] = dict(there["target"])


def _text_calls_with_other_values(planted: PlantedSet) -> None:
    (here,) = planted.of(planted.commands[1], modality="text")
    here["target"] = {**here["target"], "params": {"recipient": "nobody"}}


def _gap_conditions_swapped(planted: PlantedSet) -> None:
    for row in planted.of(planted.commands[1], gap_ms=0):
        planted.swap(row, *planted.of(row["command"], **{**row["factors"], "gap_ms": 600}))


def _wearer_named_otherwise(planted: PlantedSet) -> None:
    """Another voice's name on the wearer, in all rows and segments: the sound is whose it was."""
    rows = planted.of(planted.commands[1])
    voices = sorted({row["wearer"] for row in planted.of()})
    name = next(v for v in voices if v not in (rows[0]["wearer"], rows[0]["bystander"]))
    for row in rows:
        row["wearer"] = name
        for segment in row["segments"]:
            if segment["speaker"] == "wearer":
                segment["voice"] = name


def _condition_left_out(planted: PlantedSet) -> None:
    planted.drop(planted.of(planted.commands[1:4], source="same", field="far", gap_ms=600))


def _chunk_in_one_condition(planted: PlantedSet) -> None:
    for row in planted.of(source="different", field="far"):
        planted.put_chunk(row, b"LIST", b"INFOISFT\x04\x00\x00\x00abc\x00")


def _mute_rows_alone(planted: PlantedSet) -> None:
    """Half of the commands with rows of the bystander alone: the words tell what to do."""
    half = planted.commands[::2]
    planted.drop(planted.of(half, source="same") + planted.of(half, modality="text"))


WORDS = [
    Fault("context_of_another_command", "eight", _context_of_another_command, True, "text"),
    Fault("trigger_of_another_command", "eight", _trigger_of_another_command, True, "text"),
    Fault("trigger_of_another_command_six", "six", _trigger_of_another_command, True, "text"),
    Fault("one_sound_for_two_commands", "eight", _one_sound_for_two_commands, True, "text"),
    Fault("same_sound_in_two_splits", "pair", _same_sound_in_two_splits, True, "split"),
    Fault("target_flipped", "eight", _target_flipped, False, "target"),
    Fault("target_flipped_pair", "pair", _target_flipped_pair, False, "target"),
    Fault("target_of_another_tool", "eight", _target_of_another_tool, False, "target"),
    Fault("text_calls_with_other_values", "pair", _text_calls_with_other_values, False, "target"),
    Fault("gap_conditions_swapped", "eight", _gap_conditions_swapped, False, "gap"),
    Fault("wearer_named_otherwise", "eight", _wearer_named_otherwise, True, "voice"),
    Fault("condition_left_out", "eight", _condition_left_out, False, "missing", 3),
    Fault("chunk_in_one_condition", "eight", _chunk_in_one_condition, False, "header", 24),
    Fault("mute_rows_alone", "balanced", _mute_rows_alone, False, "text_tells", 6),
]
