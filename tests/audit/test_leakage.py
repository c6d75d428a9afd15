"""What two splits share, and sounds that stand under what they are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from synthkit.audit.items import Item
from synthkit.audit.leakage import Hashes, leakage_faults
from tests.audit.dealings import ROLES, commands, deal, design, faults, only

TOLD = commands(12, split=lambda n: ("train", "test")[n % 2])
ITEMS = deal(TOLD)


def sounds(items: list[Item]) -> dict[tuple[str, str], str]:
    """A hash of each segment: one for what is said by one voice in one field."""
    return {(i.id, p.role): f"{p.voice} {p.text} {p.field}" for i in items for p in i.parts}


def found(items: list[Item], segments: Hashes | None = None, **values: Any) -> dict[str, Any]:
    given = sounds(items) if segments is None else segments
    return faults(leakage_faults(items, design(**values), given))


def test_splits_that_share_nothing_have_no_fault() -> None:
    made = list(leakage_faults(ITEMS, design(), sounds(ITEMS)))
    assert not faults(made)
    # Per command: itself, two texts, two files, three segments (the context's is shared).
    count = {name: sum(c.check == f"leak.{name}" for c in made) for name in ("command", "segment")}
    assert count == {"command": 12, "segment": 36}


@pytest.mark.parametrize("condition", ["switch", "text_only"])
def test_a_row_is_in_another_split_than_its_command(condition: str) -> None:
    id_ = f"door_000__{condition}"
    items = [replace(i, split="test") if i.id == id_ else i for i in ITEMS]
    at = found(items)
    shared = {"leak.command", "leak.context", "leak.trigger"}
    assert set(at) == (shared | {"leak.segment"} if condition == "switch" else shared)
    assert at["leak.command"][0].items == (id_, "door_000__single")
    assert at["leak.command"][0].fault == "door_000: 1 in test, 2 in train; allowed: one split"


@pytest.mark.parametrize("role", ROLES)
def test_words_are_in_two_splits_whatever_their_case_and_marks(role: str) -> None:
    said = ["Is the door open?", "is the door open"]
    told = [replace(c, words={role: said[n]}) if n < 2 else c for n, c in enumerate(TOLD)]
    one = only(leakage_faults(deal(told), design(), {}), f"leak.{role}")
    assert one.items == ("door_001__single", "door_000__single")
    assert one.fault == "isthedooropen: 3 in test, 3 in train; allowed: one split"


def test_a_voice_that_is_held_out_is_in_two_splits() -> None:
    """Ann and bob train, cat and dan test; bob is in one command of the test."""
    pairs = {"train": ("ann", "bob"), "test": ("cat", "dan")}
    told = [replace(c, wearer=pairs[c.split][0], bystander=pairs[c.split][1]) for c in TOLD]
    splits = {name: {"share": 1, "voices": list(pair)} for name, pair in pairs.items()}
    assert not found(deal(told), splits=splits)
    told[3] = replace(told[3], bystander="bob")
    one = only(leakage_faults(deal(told), design(splits=splits), {}), "leak.held_out")
    # Two rows with sound of each of six commands have bob, as bystander.
    assert one.fault == "voices bob: 2 in test, 12 in train; allowed: one split"


def test_a_room_that_is_held_out_is_in_two_splits() -> None:
    rooms = {"train": "den", "test": "hall"}
    told = [replace(c, nuisances={"room": rooms[c.split]}) for c in TOLD]
    splits = {name: {"share": 1, "room": [room]} for name, room in rooms.items()}
    assert not found(deal(told), splits=splits)
    told[3] = replace(told[3], nuisances={"room": "den"})
    one = only(leakage_faults(deal(told), design(splits=splits), {}), "leak.held_out")
    assert one.fault.startswith("room den: 2 in test, 12 in train")


def test_what_no_split_or_not_each_holds_out_may_be_in_both() -> None:
    same = {name: {"share": 1, "voices": ["ann", "bob", "cat"]} for name in ("train", "test")}
    assert not found(ITEMS, splits=same)
    assert not found(ITEMS, splits={"train": {"share": 1}, "test": {"share": 1, "voices": ["ann"]}})


@pytest.mark.parametrize(("other", "splits"), [("door_001__single", 2), ("door_002__single", 1)])
def test_one_file_is_under_two_rows(other: str, splits: int) -> None:
    sha256 = {i.id: i.sha256 for i in ITEMS}["door_000__single"]
    items = [replace(i, sha256=sha256) if i.id == other else i for i in ITEMS]
    at = found(items)
    assert set(at) == ({"leak.file"} if splits == 2 else set()) | {"leak.repeated_file"}
    assert at["leak.repeated_file"][0].items == ("door_000__single", other)


def test_a_segment_of_one_split_is_in_the_other_too() -> None:
    segments = sounds(ITEMS)
    segments["door_001__switch", "trigger"] = segments["door_000__switch", "trigger"]
    at = found(ITEMS, segments)
    assert set(at) == {"leak.segment", "leak.segment_said"}
    assert at["leak.segment"][0].items == ("door_001__switch", "door_000__switch")
    assert at["leak.segment_said"][0].fault == (
        "one sound is said to be bob: 'triggerdoor000' and cat: 'triggerdoor001'; "
        "allowed: one text and one voice"
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [({"voice": "cat"}, "bob"), ({"text": "trigger door_x"}, "triggerdoorx")],
    ids=["voice", "text"],
)
def test_one_sound_is_said_to_be_two(values: dict[str, str], told: str) -> None:
    """The switch of a command, told of another voice or text, sounds as it did."""
    segments = sounds(deal(commands(1)))
    made = deal(commands(1))
    made += [
        replace(
            i,
            id=f"{i.id}_2",
            sha256="other",
            parts=tuple(replace(p, **values) if p.role == "trigger" else p for p in i.parts),
        )
        for i in made
        if i.id == "door_000__switch"
    ]
    segments |= {(f"{i}_2", role): h for (i, role), h in segments.items() if i.endswith("switch")}
    one = only(leakage_faults(made, design(), segments), "leak.segment_said")
    assert one.items == ("door_000__switch", "door_000__switch_2")
    assert told in one.fault


@pytest.mark.parametrize("role", ROLES)
def test_two_commands_of_a_split_say_the_same(role: str) -> None:
    told = [replace(c, words={role: "Well, hi"}) if n in (0, 2) else c for n, c in enumerate(TOLD)]
    one = only(leakage_faults(deal(told), design(), {}), f"leak.repeated_{role}")
    assert one.items == ("door_000", "door_002")
    assert one.fault == f"{role} 'Well, hi' in 2 commands; allowed: one"
