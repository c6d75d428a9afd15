"""Casting: balanced in pairs, roles and tools, and never changed by what comes after."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from synthkit.casting import cast
from synthkit.scripts import Command
from tests.conftest import ROOT

SEEDS = range(8)


def commands(number: int, order: str) -> list[Command]:
    tool = {"blocks": lambda i: i * 10 // number, "interleaved": lambda i: i % 10}[order]
    return [Command(f"c{i}", f"tool{tool(i)}", "context", "trigger") for i in range(number)]


def spread(counts: Counter, among) -> int:
    numbers = [counts[key] for key in among]
    return max(numbers) - min(numbers)


@pytest.mark.parametrize("order", ["blocks", "interleaved"])
@pytest.mark.parametrize("number", [40, 80, 320])
@pytest.mark.parametrize("num_voices", [3, 9])
def test_pairs_and_roles_within_1_and_per_tool_within_3(num_voices, number, order):
    voices = [f"v{i}" for i in range(num_voices)]
    script = commands(number, order)
    for seed in SEEDS:
        casts = list(cast(script, voices, seed))
        pairs = Counter((c.wearer, c.bystander) for c in casts)
        assert spread(pairs, permutations(voices, 2)) <= 1
        for role in ("wearer", "bystander"):
            assert spread(Counter(getattr(c, role) for c in casts), voices) <= 1
            for tool in {command.tool for command in script}:
                of_tool = Counter(
                    getattr(c, role)
                    for c, command in zip(casts, script, strict=True)
                    if command.tool == tool
                )
                assert spread(of_tool, voices) <= 3


def test_wearer_and_bystander_are_two_people():
    assert all(c.wearer != c.bystander for c in cast(commands(80, "blocks"), list("abc"), 1))


@pytest.mark.parametrize("num_voices", [2, 3, 4, 9])
def test_appending_commands_changes_nothing_before_them(num_voices):
    voices = [f"v{i}" for i in range(num_voices)]
    script = commands(80, "interleaved")
    whole = list(cast(script, voices, 3))
    for number in (1, 7, 40, 79):
        assert list(cast(script[:number], voices, 3)) == whole[:number]


def test_the_order_of_the_pool_in_the_recipe_has_no_say():
    script = commands(40, "blocks")
    assert list(cast(script, list("abcd"), 5)) == list(cast(script, list("dbca"), 5))


def test_seeds_deal_differently():
    script = commands(40, "interleaved")
    dealt = {tuple(cast(script, list("abcd"), seed)) for seed in range(20)}
    assert len(dealt) == 20


def test_the_worked_example_of_the_design_page():
    rows = ["lamp_1", "door_1", "lamp_2", "lamp_3", "door_2", "lamp_4"]
    script = [Command(row, row.split("_")[0], "context", "trigger") for row in rows]
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    for command, dealt in zip(script, cast(script, ["ann", "bob", "cleo"], 1), strict=True):
        line = next(line for line in page.splitlines() if line.startswith(f"| `{command.id}`"))
        assert line.split("|")[4].strip() == f"{dealt.wearer} → {dealt.bystander}"
