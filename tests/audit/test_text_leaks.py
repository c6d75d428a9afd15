"""Words against actions: what a reader could tell without listening."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from synthkit.audit.text_leak import text_leak_faults
from tests.audit.dealings import Told, commands, deal, faults, only

CALL, MUTE = "same_near_0", "different_near_0"
MORE = "different_far_0"


def found(told: list[Told]) -> dict[str, Any]:
    return faults(text_leak_faults(deal(told, "balanced")))


def with_mutes(n: int, more: bool) -> list[str]:
    """One call, and one mute or two."""
    return [CALL, MUTE, MORE] if more else [CALL, MUTE]


@pytest.mark.parametrize("grid", ["pair", "six", "eight"])
def test_where_all_commands_have_the_same_conditions_no_word_can_tell(grid: str) -> None:
    told = commands(
        24,
        words=lambda n: {"trigger": f"please door {n}" if n % 2 else f"door {n}"},
        family=lambda n: ("short", "long")[n % 2],
    )
    made = list(text_leak_faults(deal(told, grid)))
    assert not faults(made)
    assert {c.check for c in made} == {"text.target", "text.tool", "text.family", "text.word"}


def test_a_command_that_is_muted_in_all_its_rows() -> None:
    """Its words are told once, not again as a context and as a trigger."""
    told = commands(24, conditions=lambda n: [MUTE, MORE] if n == 7 else [CALL, MUTE])
    one = only(text_leak_faults(deal(told, "balanced")), "text.target")
    assert one.items == ("door_007",)
    assert one.fault == (
        "context and trigger 'context door_007 trigger door_007': all 2 rows are mute; "
        "allowed: both actions, as elsewhere"
    )


def test_a_trigger_that_is_always_called_though_its_commands_have_contexts_of_both() -> None:
    """Two commands share a context, one of them called alone and one muted alone."""
    told = commands(
        24,
        conditions=lambda n: [[CALL], [MUTE]][n] if n < 2 else [CALL, MUTE],
        words=lambda n: {"context": "hello there"} if n < 2 else {},
    )
    at = found(told)["text.target"]
    assert sorted(c.items[0] for c in at) == ["door_000", "door_001"]


def test_words_that_are_alike_to_a_listener_are_one_text() -> None:
    """One command is called, the other muted, and both are the same words: both actions."""
    words = ["Open up!", "open up"]
    told = commands(
        24,
        conditions=lambda n: [[CALL], [MUTE]][n] if n < 2 else [CALL, MUTE],
        words=lambda n: {"context": "so", "trigger": words[n]} if n < 2 else {},
    )
    assert "text.target" not in found(told)


def test_rows_of_text_alone_give_no_text_its_action() -> None:
    told = commands(24, conditions=lambda n: [MUTE, "text_only"] if n == 7 else [CALL, MUTE])
    assert [c.items for c in found(told)["text.target"]] == [("door_007",)]


def test_one_tool_has_more_mutes_than_the_other() -> None:
    told = [
        replace(c, conditions=with_mutes(n, c.tool == "lock_door"))
        for n, c in enumerate(commands(48))
    ]
    at = found(told)["text.tool"]
    # Of 24 commands to lock 24 rows of 72 are calls, of 48 in all 48 of 120.
    assert at[0].fault.startswith(
        "split test: of rows with tool lock_door 67 % are mute, of all 60 %"
    )


def test_one_family_of_texts_has_more_mutes() -> None:
    told = [
        replace(c, family=("short", "long")[n % 2], conditions=with_mutes(n, bool(n % 2)))
        for n, c in enumerate(commands(48))
    ]
    assert list(found(told)) == ["text.family"]


def test_a_word_tells_the_action() -> None:
    told = [
        replace(
            c,
            words={"trigger": f"please open {c.id}" if n % 3 == 0 else f"open {c.id}"},
            conditions=with_mutes(n, n % 3 == 0),
        )
        for n, c in enumerate(commands(48))
    ]
    at = found(told)
    assert list(at) == ["text.word"]
    # 16 commands with it, 16 calls and 32 mutes; in all 48 calls and 64 mutes.
    assert "split test: of rows with word trigger please 67 % are mute, of all 57 %" in (
        at["text.word"][0].fault
    )


def test_a_word_that_tells_in_one_split_alone() -> None:
    told = [
        replace(
            c,
            split=("train", "test")[n % 2],
            words={"trigger": f"please open {c.id}" if n % 4 < 2 else f"open {c.id}"},
            conditions=with_mutes(n, n % 2 == 1 and n % 4 < 2),
        )
        for n, c in enumerate(commands(96))
    ]
    (one,) = found(told)["text.word"]
    assert one.fault.startswith("split test: ")


def test_words_of_hardly_any_command_are_chance() -> None:
    """Two commands with a word of their own, both with more mutes than most."""
    told = commands(
        48,
        words=lambda n: {"trigger": f"kindly open door {n}" if n < 2 else f"open door {n}"},
        conditions=lambda n: with_mutes(n, n < 2 or n % 5 == 0),
    )
    assert not found(told)
