"""Rows that say one thing of themselves and another of their parts: never compared in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from synthkit.audit.design import design_faults
from synthkit.audit.items import Item
from synthkit.cli import main
from synthkit.manifest import Row
from tests.audit.dealings import commands, deal, design, faults
from tests.audit.planting import PlantedSet
from tests.audit.sealing import read_rows, write_rows

OTHERS = {"wearer": "bystander", "bystander": "wearer"}


def with_parts(role: str, **values: Any) -> list[Item]:
    """A set in which every part of a role says something else."""
    return [
        replace(
            item, parts=tuple(replace(p, **values) if p.role == role else p for p in item.parts)
        )
        for item in deal(commands(6), "six")
    ]


@pytest.mark.parametrize(
    ("role", "values", "told"),
    [
        ("context", {"field": "hall"}, "context is in field hall; allowed: near"),
        ("trigger", {"field": "hall"}, "trigger is in field hall; allowed: near"),
        ("trigger", {"speaker": "bystander"}, "trigger is by the bystander; allowed: the wearer"),
        ("context", {"voice": "dora"}, "context has voice dora; allowed: the wearer's, ann"),
    ],
)
def test_parts_of_a_whole_set_that_are_not_their_rows_are_found(role, values, told):
    found = faults(design_faults(with_parts(role, **values), design("six")))
    assert told in found["design.segments"][0].fault


@pytest.fixture
def edited(clean_set: Callable[[str], Path], tmp_path: Path) -> Callable[..., Result]:
    """Audit a set of two commands with its manifest edited and sealed by nobody."""

    def audit(edit: Callable[[list[Row]], object]) -> Result:
        planted = PlantedSet.copy(clean_set("six"), tmp_path / "set", 2)
        planted.seal()
        rows = read_rows(planted.folder)
        edit(rows)
        write_rows(planted.folder, rows)
        return CliRunner().invoke(main, ["audit", str(planted.folder)])

    return audit


def each(edit: Callable[[Row], object], role: str = "context") -> Callable[[list[Row]], object]:
    def change(rows: list[Row]) -> None:
        for row in rows:
            for segment in row["segments"]:
                if segment["role"] == role:
                    edit(segment)

    return change


def test_a_field_that_the_recipe_lacks_is_not_left_out_of_the_comparison(edited):
    outcome = edited(each(lambda segment: segment.update(field="hall")))
    assert outcome.exit_code == 1
    assert "context: field hall is none of the recipe's" in outcome.output


def test_a_level_that_no_row_asks_for_is_not_left_unread(edited):
    outcome = edited(each(lambda segment: segment["level"].update(requested_dbfs=None)))
    assert outcome.exit_code == 1
    assert "context is asked for at none; allowed: -20 dBFS, as in the recipe" in outcome.output


def test_two_rows_of_one_id_are_refused(edited):
    outcome = edited(lambda rows: rows[7].update(id=rows[0]["id"]))
    assert outcome.exit_code == 2
    assert "stands twice; allowed: once" in outcome.output


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (
            lambda s: s.append(s[1]),
            "parts are context, trigger, trigger; allowed: context, trigger",
        ),
        (lambda s: s.pop(), "parts are context; allowed: context, trigger"),
        (lambda s: s.reverse(), "parts are trigger, context; allowed: context, trigger"),
    ],
    ids=["twice", "missing", "turned"],
)
@pytest.mark.parametrize("number", [0, 1])
def test_parts_that_are_not_context_and_trigger_are_found(edited, edit, told, number):
    outcome = edited(lambda rows: edit(rows[number]["segments"]))
    assert outcome.exit_code == 1
    assert told in outcome.output


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda row: row["factors"].update(gap_ms=1.7e308), "field factors.gap_ms"),
        (lambda row: row["gaps"][0].update(requested_ms=1e308), "field gaps[0].requested_ms"),
        (lambda row: row["segments"][0]["trim"].update(over_noise_db=1e300), "over_noise_db"),
    ],
)
def test_numbers_beyond_all_measure_are_refused(edited, edit, told):
    outcome = edited(lambda rows: edit(rows[0]))
    assert outcome.exit_code == 2
    assert told in outcome.output


def test_a_voice_of_which_dataset_json_tells_nothing_is_refused(clean_set, tmp_path):
    planted = PlantedSet.copy(clean_set("six"), tmp_path / "set", 2)
    path = planted.folder / "dataset.json"
    described = json.loads(path.read_text("utf-8"))
    described["voices"][0]["card"] = {}
    path.write_text(json.dumps(described), "utf-8")
    outcome = CliRunner().invoke(main, ["audit", str(planted.folder)])
    assert outcome.exit_code == 2
    assert "field voices[0].card: language, checkpoint, processing missing" in outcome.output


@pytest.mark.parametrize("rate", [1, 8000])
def test_a_set_at_another_sampling_rate_is_found(clean_set, tmp_path, rate):
    planted = PlantedSet.copy(clean_set("six"), tmp_path / "set", 2)
    planted.seal()
    for row in planted.of():
        path = planted.folder / row["file"]
        content = path.read_bytes()
        head = rate.to_bytes(4, "little") + (2 * rate).to_bytes(4, "little")
        path.write_bytes(content[:24] + head + content[32:])
    outcome = CliRunner().invoke(main, ["audit", str(planted.folder)])
    assert outcome.exit_code == 1
    assert f"found {rate} Hz; allowed: 16000 Hz" in outcome.output


def test_no_rows_at_all_are_told_to_be_nothing_to_compare(edited):
    outcome = edited(lambda rows: rows.clear())
    assert outcome.exit_code == 1
    assert outcome.output.splitlines()[-1].endswith("NOTHING PROVED: no command has two sounds")
