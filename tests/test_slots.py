"""Slots: rows of a set that is not crossed, spread by the published control's own numbers."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthkit.errors import InputError
from synthkit.grids import named
from synthkit.scripts import Command
from synthkit.slots import deal_slots, filled

BALANCED = named("balanced")
PUBLISHED = {"same": 306, "different": 906, "text": 286}
TOOLS = [f"tool{n}" for n in range(10)]


def script(num: int, tools: list[str] = TOOLS) -> list[Command]:
    return [
        Command(f"c{n}", tools[n % len(tools)], "It is late.", f"Call {n}.") for n in range(num)
    ]


def test_the_published_slots_come_out_to_the_last_row() -> None:
    """77, 77, 76, 76 wearer rows and 227, 227, 226, 226 bystander rows of 320 commands."""
    commands = script(320)
    dealt = deal_slots(commands, BALANCED.conditions, PUBLISHED, 2026, "recipe")
    rows = Counter(c.name for conditions in dealt.values() for c in conditions)
    assert rows == {
        "same_near_0": 77,
        "same_near_600": 77,
        "same_far_0": 76,
        "same_far_600": 76,
        "different_near_0": 227,
        "different_near_600": 227,
        "different_far_0": 226,
        "different_far_600": 226,
        "text_only": 286,
    }
    assert filled(BALANCED.describe()["conditions"], PUBLISHED) == rows
    kinds = Counter(
        (
            sum(c.source == "same" for c in conditions),
            sum(c.source == "different" for c in conditions),
        )
        for conditions in dealt.values()
    )
    assert kinds == {(1, 3): 294, (1, 2): 12}  # 294 x 3 + 12 x 2 = 906
    by_tool = Counter(c.tool for c in commands if c.id in dealt)
    assert sorted(by_tool.values()) == [30] * 4 + [31] * 6
    tool_of = {c.id: c.tool for c in commands}
    cells = Counter((tool_of[id_], c.name) for id_, cs in dealt.items() for c in cs)
    for name in rows:
        of_tools = [cells[tool, name] for tool in TOOLS]
        assert max(of_tools) - min(of_tools) <= 2, (name, of_tools)


def test_another_seed_deals_otherwise_and_the_same_one_alike() -> None:
    first, again, other = (
        deal_slots(script(320), BALANCED.conditions, PUBLISHED, seed, "recipe")
        for seed in (1, 1, 2)
    )
    assert first == again != other


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_every_command_has_its_wearer_row_and_no_condition_twice(data: st.DataObject) -> None:
    num = data.draw(st.integers(1, 60))
    same = data.draw(st.integers(1, num))
    numbers = {
        "same": same,
        "different": data.draw(st.integers(0, 4 * same)),
        "text": data.draw(st.integers(0, same)),
    }
    tools = data.draw(st.integers(1, 10))
    dealt = deal_slots(script(num, TOOLS[:tools]), BALANCED.conditions, numbers, 3, "recipe")
    assert len(dealt) == same
    rows = Counter(c.name for conditions in dealt.values() for c in conditions)
    assert rows == filled(BALANCED.describe()["conditions"], numbers)
    for conditions in dealt.values():
        assert len(set(conditions)) == len(conditions)
        assert sum(c.source == "same" for c in conditions) == 1


@pytest.mark.parametrize(
    ("numbers", "found"),
    [
        ({"same": 21, "different": 0, "text": 0}, "slots.same: found 21; allowed: up to 20"),
        ({"same": 20, "different": 81, "text": 0}, "slots.different: found 81; allowed: up to 80"),
        ({"same": 20, "different": 0, "text": 21}, "slots.text: found 21; allowed: up to 20"),
    ],
)
def test_slots_that_cannot_be_filled_are_refused(numbers: dict[str, int], found: str) -> None:
    with pytest.raises(InputError, match=found):
        deal_slots(script(20), BALANCED.conditions, numbers, 1, "recipe")
