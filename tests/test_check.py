"""The check of whole scripts: what comes along is good, likes are refused, nothing raises."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from synthkit.cli import main
from synthkit.resources import folder
from synthkit.scripts import Command, read_scripts
from synthkit.scripts.check import check_command, check_commands
from synthkit.scripts.duplicates import near_duplicates
from synthkit.scripts.inventory import read_inventory
from synthkit.scripts.vocabulary import listed
from tests.properties.settings import PROPERTY

EXAMPLES = folder("examples") / "commands.jsonl"
INVENTORY = read_inventory()
GOOD = Command("a", "unlock_door", "It rained.", "Unlock the gate.", {"door": "gate"})


def test_the_example_commands_are_good() -> None:
    assert check_commands(read_scripts(EXAMPLES), INVENTORY) == ()


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"context": "Close the window."}, "context", "commands"),
        ({"trigger": "The gate is locked."}, "trigger", "no imperative"),
        ({"trigger": "Unlock the gate \U0001f600."}, "trigger", "can be said"),
        ({"trigger": "Unlock <b>the gate</b>."}, "trigger", "can be said"),
        ({"trigger": "Unlock the gate at www.example.com."}, "trigger", "www"),
        ({"context": "Rain."}, "context", "1 words"),
        ({"context": "It rained and " * 20}, "context", "60 words"),
        ({"context": "I called from across the room."}, "context", "gives away"),
        ({"tool": "fly"}, "tool", "allowed: call_contact"),
        ({"params": {}}, "params", "door"),
        ({"params": {"door": "barn"}}, "params.door", "barn"),
        ({"language": "de-DE"}, "language", "English"),
    ],
)
def test_a_row_is_refused_by_field_and_reason(
    change: dict[str, Any], field: str, reason: str
) -> None:
    assert check_command(GOOD, INVENTORY) == ()
    found = check_command(dataclasses.replace(GOOD, **change), INVENTORY)
    assert [finding.field for finding in found] == [field]
    assert reason in found[0].reason and found[0].reason.isprintable()


def test_a_family_is_asked_for_where_it_is_needed() -> None:
    assert [f.field for f in check_command(GOOD, INVENTORY, need_family=True)] == ["family"]
    made = dataclasses.replace(GOOD, family="plain")
    assert check_command(made, INVENTORY, need_family=True) == ()


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Unlock the front door.", "please unlock the FRONT door!", True),
        ("Unlock the front door.", "Unlock the \uff46ront door", True),  # a full-width f
        ("Unlock the front door.", "Unlock the back door.", False),
        ("Share my location with Anna.", "Share my location with Sam.", False),
        ("Transfer fifty dollars to Sam.", "Transfer sixty dollars to Sam.", False),
        # 10 and 11 trigrams, edges included; 9 shared of 12: 0.75
        ("a b c d e f g h i j", "a b c d e f g h i j k", True),
        # 6 of 10: one word of eight at the end
        ("a b c d e f g h", "a b c d e f g x", False),
    ],
)
def test_texts_are_alike_from_seven_tenths_of_their_trigrams_on(
    one: str, other: str, alike: bool
) -> None:
    assert bool(list(near_duplicates([one, other]))) is alike


def test_near_duplicates_are_those_of_comparing_all_with_all() -> None:
    texts = [" ".join("abc"[(n >> k) % 3] for k in range(0, 14, 2)) for n in range(0, 9000, 23)]
    grams = []
    for text in texts:
        padded = ["", *text.split(), ""]
        grams.append({tuple(padded[k : k + 3]) for k in range(len(padded) - 2)})
    kept: list[int] = []
    refused = []
    for place, own in enumerate(grams):
        if any(len(own & grams[k]) / len(own | grams[k]) >= 0.7 for k in kept):
            refused.append(place)
        else:
            kept.append(place)
    assert [place for place, _, _ in near_duplicates(texts)] == refused != []


def test_of_rows_alike_the_first_one_stays() -> None:
    rows = [GOOD, dataclasses.replace(GOOD, id="b", context="It snowed.")]
    found = check_commands(rows, INVENTORY)
    assert [(f.id, f.field) for f in found] == [("b", "trigger")] and "'a'" in found[0].reason


texts = st.text(max_size=60) | st.lists(
    st.sampled_from(sorted(listed("unlock the door, please let me do not a half and ? . 5 fifty"))),
    max_size=12,
).map(" ".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
rows = st.builds(
    Command,
    id=texts,
    tool=st.sampled_from([*INVENTORY.tools, "none"]),
    context=texts,
    trigger=texts,
    params=st.dictionaries(texts | st.just("door"), values, max_size=3),
    language=st.sampled_from(["en-US", "de-DE", ""]),
    family=st.none() | texts,
)


@PROPERTY
@given(st.lists(rows, max_size=4))
def test_nothing_raises_and_a_row_is_judged_by_itself(made: list[Command]) -> None:
    together = [f for f in check_commands(made, INVENTORY) if "like" not in f.reason.split()]
    alone = [f for row in made for f in check_command(row, INVENTORY)]
    assert together == [f for f in alone if "like" not in f.reason.split()]
    assert all(finding.reason.isprintable() for finding in alone)


def test_nesting_and_size_are_no_trouble() -> None:
    deep: Any = "gate"
    for _ in range(5000):
        deep = [deep]
    for params in ({"door": deep}, {"door": 10**5000}, {"door": "gate " * 50000}):
        assert check_command(dataclasses.replace(GOOD, params=params), INVENTORY) != ()


def _script(path: Path, *rows: Command) -> Path:
    path.write_text("".join(json.dumps(row.describe()) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_command_line_tells_each_refusal_and_sums_up(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["scripts", "check", str(EXAMPLES)])
    assert run.exit_code == 0
    assert "40 rows, 40 good, 0 refused" in run.output and run.output.endswith("all good\n")
    bad = dataclasses.replace(GOOD, id="b", tool="fly", context="Go away.", trigger="No.")
    report = tmp_path / "report.json"
    script = _script(tmp_path / "s.jsonl", dataclasses.replace(GOOD, family="plain"), bad)
    run = CliRunner().invoke(main, ["scripts", "check", str(script), "--json", str(report)])
    lines = run.output.splitlines()
    assert run.exit_code == 1 and all(line.startswith("b: ") for line in lines[:-1])
    assert "2 rows, 1 good, 1 refused; 1 families over 1 rows" in lines[-1]
    facts = json.loads(report.read_text())
    assert facts["refused_rows"] == 1 and len(facts["findings"]) == len(lines) - 1
    run = CliRunner().invoke(main, ["scripts", "check", str(tmp_path / "none.jsonl")])
    assert run.exit_code == 2
