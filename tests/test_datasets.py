"""The tables of what a recogniser heard in a set, from counts made by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.datasets import (
    GROUPS,
    Heard,
    Utterance,
    figures,
    grouped,
    near_utterances,
    read_plan,
    said_by,
    table,
    worst,
)
from synthkit.errors import InputError
from synthkit.instruments.words import WordErrors
from synthkit.resources import folder


def heard(tool: str, voice: str, heard: str, *counts: int) -> Heard:
    said = Utterance(f"{tool}_01", tool, "trigger", voice, "Order two pizzas.", 1)
    return Heard(said, heard, WordErrors(*counts))


ROWS = [
    heard("order", "heart/mom", "Order two pizzas.", 0, 3, 0, 0, 1, 1),
    heard("order", "heart/dad", "Or the | two pizzas.", 2, 3, 0, 0, 1, 1),
    heard("call", "heart/mom", "Call Ana.", 0, 2, 1, 0, 0, 0),
]


def test_a_table_pools_words_and_counts_slots_apart() -> None:
    lines = table("tool", grouped(ROWS, GROUPS["tool"]))
    assert lines[2:] == [
        "| call | 1 | 2 | 0.0 | 100.0 | 0.0 of 1 | - |",
        "| order | 2 | 6 | 33.3 | 50.0 | - | 100.0 of 2 |",
        "| all | 3 | 8 | 25.0 | 66.7 | 0.0 of 1 | 100.0 of 2 |",
    ]
    assert {line.count("|") for line in lines} == {8}


def test_figures_are_shares_and_the_counts_behind_them() -> None:
    found = figures(ROWS)
    assert (found["utterances"], found["errors"], found["words"]) == (3, 2, 8)
    assert (found["wer"], found["without_error"]) == (0.25, 0.6667)
    assert (found["name_accuracy"], found["number_accuracy"]) == (0.0, 1.0)
    assert figures(ROWS[2:])["number_accuracy"] is None


def test_the_worst_texts_are_listed_with_who_was_misheard_and_no_others() -> None:
    lines = worst(ROWS, 5)
    assert lines[2:] == [
        "| 33.3 | order_01 trigger | Order two pizzas. | heart/dad: Or the   two pizzas. |"
    ]
    assert worst(ROWS, 0) == lines[:2]


def test_a_recipe_says_what_its_plan_deals_close_by() -> None:
    name, plan = read_plan(Path("switch_pairs.toml"), ["seed=3"])
    assert name == "switch_pairs"
    said = near_utterances(plan)
    # The bystander's trigger is far in every condition of this grid.
    assert len(said) == 2 * len(plan.commands)
    first = plan.commands[0]
    assert [(s.role, s.voice) for s in said[:2]] == [
        ("context", first.cast.wearer),
        ("trigger", first.cast.wearer),
    ]


def test_a_script_is_dealt_all_voices_of_the_cast(tmp_path: Path) -> None:
    path = tmp_path / 'two "scripts".jsonl'
    lines = (folder("examples") / "commands.jsonl").read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:20]), encoding="utf-8")
    name, plan = read_plan(path, [])
    assert name == path.stem and len(plan.voices) == 9
    said = near_utterances(plan)
    assert len(said) == 3 * 20
    assert {utterance.voice for utterance in said} == set(plan.voices)
    by_two = said_by(said, ["heart/mom", "heart/dad"])
    assert len(by_two) == 2 * 2 * 20
    assert {json.dumps([s.command, s.role, s.text, s.seed]) for s in by_two} == {
        json.dumps([s.command, s.role, s.text, s.seed]) for s in said
    }


def test_a_recipe_without_a_near_field_is_refused() -> None:
    room = 'fields.near=[{renderer="lowpass",cutoff=4000}]'
    _, plan = read_plan(Path("switch_pairs.toml"), [room])
    with pytest.raises(InputError, match="no field is near"):
        near_utterances(plan)
