"""Targets against the rule, and commands against the grid that is declared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from synthkit.audit.design import declared_associations, design_faults
from synthkit.audit.items import Item
from tests.audit.dealings import Told, changed, commands, deal, design, faults, only

ITEMS = deal(commands(12))
SLOTS = {"same": 12, "different": 36, "text": 11}
FAR = ["different_far_0", "different_far_600"]


def found(items: list[Item], **values: Any) -> dict[str, Any]:
    return faults(design_faults(items, design(**values)))


def slotted() -> list[Told]:
    """The wearer once, the bystander in three of four, which go round; all but one as text."""
    same = [f"same_{field}_{gap}" for field in ("near", "far") for gap in (0, 600)]
    different = [name.replace("same", "different") for name in same]
    return [
        replace(
            command,
            conditions=[same[n % 4], *(d for i, d in enumerate(different) if i != n % 4)]
            + (["text_only"] if n < 11 else []),
        )
        for n, command in enumerate(commands(12))
    ]


@pytest.mark.parametrize("grid", ["pair", "six", "eight"])
def test_a_set_as_declared_has_no_fault(grid: str) -> None:
    made = list(design_faults(deal(commands(12), grid), design(grid)))
    assert not faults(made)
    assert {c.check for c in made} >= {"design.target", "design.grid", "design.cast"}


def test_slots_filled_as_declared_have_no_fault() -> None:
    made = list(design_faults(deal(slotted(), "balanced"), design("balanced", slots=SLOTS)))
    assert not faults(made)
    assert sum(c.check == "design.slots" for c in made) == 9


@pytest.mark.parametrize(
    ("condition", "values", "told"),
    [
        ("single", {"action": "mute", "called": None}, "target is mute; allowed: call"),
        ("switch", {"action": "call", "called": "lock_door"}, "target is call; allowed: mute"),
        ("text_only", {"action": "mute", "called": None}, "words as text always call"),
        ("single", {"called": "play_music"}, "calls play_music; allowed: lock_door"),
        ("single", {"called": None}, "calls nothing; allowed: lock_door"),
        ("switch", {"called": "lock_door"}, "calls lock_door; allowed: nothing"),
    ],
    ids=["muted", "called", "text muted", "another tool", "no tool", "a tool for mute"],
)
def test_a_target_that_the_rule_does_not_give(
    condition: str, values: dict[str, Any], told: str
) -> None:
    id_ = f"door_000__{condition}"
    at = found(changed(ITEMS, id_, **values))["design.target"]
    assert [c.items for c in at] == [(id_,)]
    assert told in at[0].fault


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"factors": {"source": "different", "field": "far", "gap_ms": 0}}, "gap_ms is 0"),
        ({"factors": {"source": "different", "field": "near", "gap_ms": 600}}, "field is near"),
        (
            {"factors": {"source": "different", "field": "far", "gap_ms": 600, "x": 1}},
            "x is 1; the grid declares None",
        ),
        ({"condition": "switched"}, "condition switched is none of the grid's"),
        ({"file": None}, "has no file; the grid declares audio"),
    ],
    ids=["gap", "field", "a factor too many", "unknown", "no file"],
)
def test_an_item_that_is_not_what_its_condition_declares(values: dict[str, Any], told: str) -> None:
    (one,) = found(changed(ITEMS, "door_000__switch", **values))["design.condition"]
    assert told in one.fault


SWITCH = next(item for item in ITEMS if item.id == "door_000__switch")


@pytest.mark.parametrize(
    ("at", "values", "told"),
    [
        (0, {"field": "far"}, "context is in field far; allowed: near"),
        (1, {"field": "near"}, "trigger is in field near; allowed: far"),
        (0, {"speaker": "bystander"}, "context is by the bystander; allowed: the wearer"),
        (1, {"speaker": "wearer"}, "trigger is by the wearer; allowed: the bystander"),
        (1, {"voice": "ann"}, "trigger has voice ann; allowed: the bystander's, bob"),
    ],
    ids=[
        "context's field",
        "trigger's field",
        "context by another",
        "trigger by the wearer",
        "voice",
    ],
)
def test_a_part_that_says_it_is_something_else_than_its_row(
    at: int, values: dict[str, str], told: str
) -> None:
    parts = list(SWITCH.parts)
    parts[at] = replace(parts[at], **values)
    one = only(
        design_faults(changed(ITEMS, SWITCH.id, parts=tuple(parts)), design()), "design.segments"
    )
    assert one.items == (SWITCH.id,)
    assert told in one.fault


def test_an_action_that_the_grid_does_not_declare_where_no_rule_is_told() -> None:
    items = changed(ITEMS, "door_000__switch", action="call", called="lock_door")
    one = only(design_faults(items, design(call_at=None)), "design.condition")
    assert one.fault == "target is call; the grid declares mute"


def test_a_condition_is_missing() -> None:
    items = [item for item in ITEMS if item.id != "door_003__switch"]
    one = only(design_faults(items, design()), "design.grid")
    assert one == ("design.grid", ("door_003",), one.fault)
    assert one.fault == "lacks switch, which the grid declares and did not fail"
    assert not found(items, failed=frozenset({"door_003__switch"}))


def test_a_condition_stands_twice() -> None:
    twice = next(item for item in ITEMS if item.id == "door_003__switch")
    one = only(design_faults([*ITEMS, twice], design()), "design.grid")
    assert one.fault == "condition switch stands 2 times; allowed: once"


def test_a_condition_that_the_split_does_not_keep() -> None:
    """The test split has no pause, and one command has one all the same."""
    given = {"grid": "eight", "splits": {"test": {"share": 1, "gap_ms": [0]}}}
    items = deal(commands(12), "eight")
    kept = [item for item in items if item.gap_ms == 0]
    assert not found(kept, **given)
    more = [item for item in items if item.id == "door_005__same_far_600"]
    assert [(c.items, c.fault) for c in found([*kept, *more], **given)["design.grid"]] == [
        (("door_005",), "has same_far_600, which split test does not keep")
    ]


@pytest.mark.parametrize(
    ("id_", "values", "check"),
    [
        ("door_000__switch", {"split": "train"}, "design.command"),
        ("door_000__text_only", {"split": "train"}, "design.command"),
        ("door_000__text_only", {"texts": {"context": "Hi.", "trigger": "Go."}}, "design.command"),
        ("door_000__text_only", {"params": {"name": "nobody"}}, "design.command"),
        ("door_000__switch", {"wearer": "cat", "parts": ()}, "design.cast"),
        ("door_000__switch", {"bystander": "cat", "parts": ()}, "design.cast"),
        ("door_000__switch", {"nuisances": {"room": "den"}}, "design.cast"),
    ],
)
def test_one_row_of_a_command_is_unlike_the_others(
    id_: str, values: dict[str, Any], check: str
) -> None:
    made = found(changed(ITEMS, id_, **values))
    assert [one.items for one in made.pop(check)] == [(id_, "door_000__single")]
    assert set(made) <= {"design.segments"}  # a part has the voice of the cast that was dealt


def placed(items: list[Item]) -> list[Item]:
    """Items as rows of a manifest in this order."""
    return [replace(item, place=place) for place, item in enumerate(items)]


def test_rows_of_a_command_stand_together() -> None:
    assert not found(placed(ITEMS))
    assert not found(placed(ITEMS[::-1]))
    assert not found(sorted(placed(ITEMS), key=lambda item: item.condition))  # places are the same


def test_rows_sorted_by_what_they_are_give_it_away() -> None:
    told = found(placed(sorted(ITEMS, key=lambda item: item.action)))
    assert {check: len(of) for check, of in told.items()} == {"design.order": 12}


def test_one_row_that_stands_after_the_next_command() -> None:
    # Rows 0, 1, 2 are door_000's; the third goes behind the first of door_001.
    order = [0, 1, 3, 2, *range(4, len(ITEMS))]
    told = found(placed([ITEMS[place] for place in order]))["design.order"]
    assert [(c.items, c.fault) for c in told] == [
        (("door_000",), "rows 0 to 3 are not its alone; allowed: one after another"),
        (("door_001",), "rows 2 to 5 are not its alone; allowed: one after another"),
    ]


def test_rows_whose_order_means_nothing_are_not_compared() -> None:
    assert "design.order" not in {c.check for c in design_faults(ITEMS, design())}


def test_a_bystander_who_is_the_wearer() -> None:
    told = commands(12)
    told[4] = replace(told[4], bystander=told[4].wearer)
    one = only(design_faults(deal(told), design()), "design.speakers")
    assert one.items == ("door_004__switch",)
    assert one.fault == "wearer and bystander are both cat"


@pytest.mark.parametrize(
    ("slots", "told"),
    [
        ({**SLOTS, "same": 13}, None),  # a part of a set: its commands are whole
        ({**SLOTS, "different": 24}, "3 rows of source different; the slots declare 2"),
        ({**SLOTS, "text": 12}, "0 rows of source text; the slots declare 1"),
    ],
)
def test_a_command_has_other_numbers_of_rows_than_its_slots(
    slots: dict[str, int], told: str | None
) -> None:
    at = found(deal(slotted(), "balanced"), slots=slots, grid="balanced")
    faulty = [c.fault for c in at.get("design.grid", [])]
    assert set(faulty) == ({told} if told else set())


def test_slots_are_not_filled() -> None:
    """A bystander's row is near where it should be far: one cell has too many, one too few."""
    told = slotted()
    first = [c for c in told[0].conditions or () if c != "different_far_0"]
    told[0] = replace(told[0], conditions=[*first, "different_near_0"])
    at = found(deal(told, "balanced"), slots=SLOTS, grid="balanced")
    assert {c.items[0]: c.fault for c in at["design.slots"]} == {
        "different_near_0": "10 rows; the slots declare 9",
        "different_far_0": "8 rows; the slots declare 9",
    }


def test_factors_go_together_where_the_grid_has_them_apart() -> None:
    """The wearer near in all, the bystander mostly far, where slots declare all alike."""
    told = [replace(c, conditions=["same_near_0", "different_near_0", *FAR]) for c in commands(24)]
    slots = {"same": 24, "different": 72, "text": 0}
    at = found(deal(told, "balanced"), slots=slots, grid="balanced")
    # By hand: rows same (24 near, 0 far), different (24, 48): chi2 = 96 * (24*48)^2 /
    # (24 * 72 * 48 * 48) = 32, V = sqrt(32 / 96).
    assert at["design.association"][0].fault == (
        "source and field go together, Cramer's V 0.58, where the grid has 0.00: 24 rows of "
        "source same with field near, declared are 12"
    )


def test_factors_that_the_grid_itself_associates_are_declared_and_no_fault() -> None:
    assert not found(deal(commands(24), "six"), grid="six")
    lines = declared_associations(design("six"))
    # Of six: near 0, near 600, far 600 with either source: phi = (2*0 - 2*2) / sqrt(4*2*2*4).
    assert lines == (
        "the grid associates field and gap_ms: Cramer's V 0.50; field far only with gap_ms 600"
        "; gap_ms 0 only with field near",
    )
    assert declared_associations(design("eight")) == ()
    # Of two: every factor tells every other one.
    assert [line.partition(";")[0] for line in declared_associations(design("pair"))] == [
        f"the grid associates {one} and {other}: Cramer's V 1.00"
        for one, other in (("source", "field"), ("source", "gap_ms"), ("field", "gap_ms"))
    ]


def test_a_condition_lost_to_failures_of_a_level_is_an_association() -> None:
    """Far rows of the bystander failed in half of the commands, so near tells who speaks."""
    items = [
        i
        for n, i in enumerate(deal(commands(40), "eight"))
        if not (i.field == "far" and i.source == "different" and (n // 8) % 2)
    ]
    lost = frozenset(
        f"door_{n:03}__different_far_{gap}" for n in range(1, 40, 2) for gap in (0, 600)
    )
    at = found(items, failed=lost, grid="eight")
    assert list(at) == ["design.association"]


def test_levels_that_nothing_declares_are_an_association_too() -> None:
    """A third gap, of half a second, in all rows in which the bystander is far."""
    items = [
        replace(i, factors={**i.factors, "gap_ms": 500})
        if (i.source, i.field) == ("different", "far")
        else i
        for i in deal(commands(24), "eight")
    ]
    at = found(items, grid="eight")
    told = [c.fault for c in at["design.association"]]
    assert len(told) == 2  # gap with source, and gap with field
    # As declared there would be none: 48 of the rows with either level.
    assert "48 rows of field far with gap_ms 500, declared are 0" in told[1]
