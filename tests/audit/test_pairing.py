"""Contrasts that grids allow, counted by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from synthkit.audit.items import Item
from synthkit.audit.pairing import Contrast, contrasts
from tests.audit.made import EIGHT, PAIR, SIX, design, items

NEAR, FAR = (("field", "near"),), (("field", "far"),)
SAME, DIFFERENT = (("source", "same"),), (("source", "different"),)
Where = tuple[tuple[str, ...], tuple[str, str], tuple[tuple[str, Any], ...], str]


def found(made: Sequence[Item], conditions: Sequence[Mapping[str, Any]]) -> dict[Where, Contrast]:
    listed = list(contrasts(made, design(conditions)))
    by_where = {(c.factors, c.levels, c.at, c.role): c for c in listed}
    assert len(by_where) == len(listed)
    return by_where


def sizes(contrasts: Mapping[Where, Contrast]) -> dict[Where, int]:
    return {where: len(contrast.pairs) for where, contrast in contrasts.items()}


def source(at: tuple[tuple[str, str], ...]) -> Where:
    return ("source",), ("same", "different"), at, "trigger"


def field(at: tuple[tuple[str, str], ...], role: str = "trigger") -> Where:
    return ("field",), ("near", "far"), at, role


def test_a_full_grid_has_each_factor_within_the_other() -> None:
    # Of each of 3 commands a pair at either gap; the wearer's context is there at both sources.
    assert sizes(found(items(3), EIGHT)) == {
        source(NEAR): 6,
        source(FAR): 6,
        field(SAME): 6,
        field(DIFFERENT): 6,
        field((), "context"): 12,
    }


def test_pairs_lie_within_a_command_at_one_gap_the_grids_first_level_first() -> None:
    for contrast in found(items(2)[::-1], EIGHT).values():
        for first, second in contrast.pairs:
            assert first.command == second.command
            assert first.gap_ms == second.gap_ms
            name = contrast.factors[0]
            assert (first.factors[name], second.factors[name]) == contrast.levels


def test_where_near_and_far_share_a_gap_only_once_that_one_alone_is_compared() -> None:
    # Six: near at 0 and 600, far at 600 alone. Only the trigger is far.
    contrasts = found(items(3, SIX, context_moves=False), SIX)
    assert sizes(contrasts) == {
        source(NEAR): 6,
        source(FAR): 3,
        field(SAME): 3,
        field(DIFFERENT): 3,
    }
    for pair in contrasts[field(SAME)].pairs:
        assert [item.gap_ms for item in pair] == [600, 600]


def test_factors_that_never_part_are_compared_together() -> None:
    contrasts = found(items(3, PAIR), PAIR)
    where = ("field", "source"), ("near same", "far different"), (), "trigger"
    assert sizes(contrasts) == {where: 3}
    assert contrasts[where].is_of_source


def test_a_gap_that_moves_with_a_factor_does_not_hide_it() -> None:
    conditions = [
        {"source": "same", "field": "near", "gap_ms": 0},
        {"source": "different", "field": "near", "gap_ms": 600},
    ]
    assert sizes(found(items(3, conditions), conditions)) == {source(NEAR): 3}


def test_a_gap_alone_is_no_contrast() -> None:
    conditions = [{"source": "same", "field": "near", "gap_ms": gap} for gap in (0, 300, 600)]
    assert found(items(3, conditions), conditions) == {}


def test_items_with_other_nuisances_are_no_pair() -> None:
    conditions = [c for c in EIGHT if c["gap_ms"] == 0 and c["field"] == "near"]
    same, different = items(1, conditions)
    assert sizes(found([same, different], conditions)) == {source(NEAR): 1}
    elsewhere = replace(different, nuisances={"noise": "traffic"})
    assert found([same, elsewhere], conditions) == {}


def test_three_levels_are_three_contrasts() -> None:
    conditions = [{"source": "same", "field": f, "gap_ms": 0} for f in ("near", "far", "porch")]
    levels = [c.levels for c in found(items(2, conditions, False), conditions).values()]
    assert levels == [("near", "far"), ("near", "porch"), ("far", "porch")]


def test_the_target_is_compared_where_source_and_field_leave_it_open() -> None:
    # A gap that decides: what is called after 0 ms is muted after 600.
    conditions = [c for c in EIGHT if (c["source"], c["field"]) == ("same", "near")]
    made = [
        replace(item, action="call" if item.gap_ms == 0 else "mute")
        for item in items(3, conditions)
    ]
    where = ("target",), ("call", "mute"), (("source", "same"), ("field", "near")), "trigger"
    assert sizes(found(made, conditions)) == {where: 3}
    assert sizes(found(made[::-1], conditions)) == {where: 3}


def test_rows_of_text_are_in_no_pair() -> None:
    made = items(2)
    text = [replace(item, id=f"{item.id}_text", file=None, parts=()) for item in made]
    assert sizes(found([*made, *text], EIGHT)) == sizes(found(made, EIGHT))
