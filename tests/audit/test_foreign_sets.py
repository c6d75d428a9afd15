"""A set of ours, told in a table as if others had made it, is the set that its manifest tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from synthkit.audit.contrasts import Contrasts
from synthkit.audit.findings import Comparison
from synthkit.audit.foreign import read_table
from synthkit.audit.items import Design, Item
from synthkit.audit.ours import read_commands, read_design
from synthkit.audit.parts import item_faults
from synthkit.audit.sounds import read_any, read_own
from synthkit.errors import InputError
from synthkit.grids import calls
from tests.audit.faults import FAULTS
from tests.audit.tabled import DIGITS, write_table

COMMANDS = 20
PLANTS = {fault.name: fault for fault in FAULTS}
# What a table does not tell, of an item and of a part.
UNTOLD = {
    "sha256": None,
    "bed": None,
    "family": None,
    "params": None,
    "script_params": None,
    "nuisances": {},
    "place": None,
}
UNTOLD_PARTS = {
    "bindings": (),
    "requested_dbfs": None,
    "rir_sha256": None,
    "over_noise_db": None,
    "limited": False,
}


@pytest.fixture(params=["eight", "six", "pair"])
def ours(request: pytest.FixtureRequest, clean_set: Callable[[str], Path]) -> Path:
    return clean_set(request.param)


def told(folder: Path) -> list[Item]:
    """The sounds of the first commands, without what no table tells."""
    commands = list(read_commands(folder, read_design(folder)))[:COMMANDS]
    return [
        replace(item, **UNTOLD, parts=tuple(replace(part, **UNTOLD_PARTS) for part in item.parts))
        for items in commands
        for item in items
        if item.is_audio
    ]


def test_items_of_a_table_are_those_of_the_manifest(ours, tmp_path):
    items = told(ours)
    assert len({item.command for item in items}) >= 12
    design, found = read_table(write_table(tmp_path / "set.csv", items), ours, dry=["near"])
    assert found == items
    own = read_design(ours)
    assert design.dry == own.dry
    by_name = {one["name"]: one for one in design.conditions}
    assert by_name == {one["name"]: one for one in own.conditions if one["modality"] == "audio"}
    # The rule may name fewer levels than the grid's, which knows of more fields.
    assert design.call_at is not None and own.call_at is not None
    for one in design.conditions:
        assert calls(design.call_at, one) == calls(own.call_at, one)


def test_sounds_of_a_table_are_those_of_the_manifest(ours, tmp_path):
    items = told(ours)
    _, found = read_table(write_table(tmp_path / "set.csv", items), ours)
    for mine, theirs in zip(items, found, strict=True):
        known, heard = read_own(mine, ours), read_any(theirs, ours)
        assert heard.file_sha256 == known.file_sha256
        for role, part in known.parts.items():
            assert heard.parts[role].sha256 == part.sha256


def comparisons(folder: Path, table: Path, digits: int = DIGITS) -> list[Comparison]:
    """What can be compared of a table's items without a recipe: files, gaps and contrasts."""
    design, items = read_table(write_table(table, told(folder), digits), folder, dry=["near"])
    return [
        comparison
        for _, command in groupby(items, key=lambda item: item.command)
        for comparison in _command(folder, design, list(command))
    ]


def _command(folder: Path, design: Design, items: list[Item]) -> Iterator[Comparison]:
    sounds = {item.id: read_any(item, folder) for item in items}
    for item in items:
        yield from item_faults(item, sounds[item.id], design)
    yield from Contrasts(sounds, design).compare(items)


def test_a_sound_set_told_in_a_table_has_no_findings(ours, tmp_path):
    made = comparisons(ours, tmp_path / "set.csv")
    compared = {one.check for one in made}
    assert {"gap.length", "gap.silence"} <= compared
    compared_parts = {name.partition(".")[2] for name in compared}
    assert compared_parts >= {"edges", "words"}
    # What a table does not tell is not said to have been compared.
    assert not compared_parts & {"bed", "rendering", "room"}
    assert not {name for name in compared if name.endswith("level")}
    assert [one for one in made if one.fault] == []
    # Of levels that were asked for, and of rooms, a table says nothing: nobody compares them.
    assert not {name.rpartition(".")[2] for name in compared} & {"level", "room", "bed"}


def test_times_rounded_to_a_millisecond_cost_no_finding(ours, tmp_path):
    """A part then has up to 8 samples of its neighbour, or lacks as many."""
    made = comparisons(ours, tmp_path / "set.csv", digits=3)
    assert {"gap.silence", "file.parts"} <= {one.check for one in made}
    assert [one for one in made if one.fault] == []


@pytest.mark.parametrize("name", ["noise_in_the_gap", "bit_in_one_gap_condition"])
def test_rounded_times_hide_no_fault(planted, tmp_path, name):
    made = comparisons(planted(PLANTS[name], 4).folder, tmp_path / "set.csv", digits=3)
    assert {one.check for one in made if one.fault} <= {"gap.silence", "gap_ms.bytes"}
    assert any(one.fault for one in made)


@pytest.mark.parametrize(
    ("name", "checks"),
    [
        (
            "gap_one_sample_short",
            {"gap_ms.zeros"},
        ),  # times may be rounded
        ("noise_in_the_gap", {"gap.silence"}),
        ("bit_in_one_gap_condition", {"gap_ms.bytes"}),
        ("context_dithered_again", {"source.bytes"}),
        ("far_is_dry", {"field.applied"}),
        ("contexts_stay_near", {"field.applied"}),
        ("bystander_is_the_wearer", {"source.voice"}),
        ("bystanders_later", {"source.edges"}),
        ("gap_conditions_swapped", {"gap.length", "gap_ms.zeros"}),
    ],
)
def test_faults_are_found_in_a_table_too(planted, tmp_path, name, checks):
    folder = planted(PLANTS[name], 4).folder
    made = comparisons(folder, tmp_path / "set.csv")
    assert {one.check for one in made if one.fault} == checks


def test_a_row_with_another_rows_times_is_refused(clean_set, tmp_path):
    folder = clean_set("eight")
    items = told(folder)
    one, other = items[:2]
    assert (one.gap_ms, other.gap_ms) == (0, 600)
    wrong = [replace(one, parts=other.parts), *items[1:]]
    table = write_table(tmp_path / "set.csv", wrong)
    with pytest.raises(InputError, match=r"set\.csv: row 2: trigger_start and trigger_end are"):
        read_table(table, folder)
