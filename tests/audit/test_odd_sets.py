"""Sets that lack what most have: the checks of whole sets say what they can, and never raise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from synthkit.audit.balance import balance_faults, declared_balance
from synthkit.audit.design import declared_associations, design_faults
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design, Item
from synthkit.audit.leakage import leakage_faults
from synthkit.audit.text_leak import text_leak_faults
from tests.audit.dealings import changed, commands, deal, design, faults


def all_of(items: list[Item], given: Design) -> Iterator[Comparison]:
    yield from design_faults(items, given)
    yield from balance_faults(items, given)
    yield from text_leak_faults(items)
    yield from leakage_faults(items, given, {})


def without(**values: Any) -> list[Item]:
    return [replace(item, **values) for item in deal(commands(12))]


@pytest.mark.parametrize(
    ("items", "checks"),
    [
        ([], set()),
        (deal(commands(1)), set()),
        (deal(commands(12, conditions=lambda n: ["text_only"])), {"design.grid"}),
        (without(wearer=None, bystander=None), set()),
        (without(bystander=None), set()),
        (without(texts={}), set()),
        (without(texts={"context": "", "trigger": ""}), set()),
        (without(tool="", called=None), set()),
        (changed(deal(commands(12)), "door_000__single", bystander=None), set()),
        (without(factors={}), {"design.condition", "design.target"}),
        (without(condition="other"), {"design.condition", "design.grid"}),
        (without(family=None, sha256=None, parts=()), set()),
    ],
    ids=[
        "empty",
        "one",
        "text",
        "voices",
        "bystander",
        "words",
        "no words",
        "tools",
        "once",
        "factors",
        "conditions",
        "parts",
    ],
)
def test_a_set_that_lacks_something_has_the_faults_that_follow(
    items: list[Item], checks: set[str]
) -> None:
    made = list(all_of(items, design()))
    assert set(faults(made)) == checks
    assert all(comparison.items for comparison in made)


@pytest.mark.parametrize(
    "given",
    [
        design(conditions=(), call_at=None, kinds={}),
        design(kinds={}, in_turn=True),
        design(splits={"test": {"share": 1}}),
    ],
    ids=["nothing declared", "voices not known", "one split"],
)
def test_a_design_that_says_little_leaves_little_to_be_held_against_it(given: Design) -> None:
    items = deal(commands(12))
    assert not faults(all_of(items, given))
    assert bool(declared_associations(given)) == bool(given.conditions)  # single against switch
    assert "6 ordered pairs of voices, 2 to 2 uses each" in declared_balance(items, given)[-1]
