"""``synthkit audit`` as a user meets it: what it prints and writes, and its exit code."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from synthkit.audit.ours import read_commands, read_design
from synthkit.cli import main
from tests.audit.faults import FAULTS
from tests.audit.planting import PlantedSet
from tests.audit.tabled import write_table

PLANTS = {fault.name: fault for fault in FAULTS}


def audit(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["audit", *map(str, arguments)])


@pytest.fixture
def faulty(clean_set, tmp_path) -> Path:
    """A set of four commands with a gap that is a sample short in one."""
    planted = PlantedSet.copy(clean_set("eight"), tmp_path / "faulty", 4)
    PLANTS["gap_one_sample_short"].plant(planted)
    planted.seal()
    return planted.folder


def test_a_sound_set_ends_with_its_verdict_and_0(clean_set):
    outcome = audit(clean_set("eight"))
    assert outcome.exit_code == 0
    assert (
        outcome.output.splitlines()[-1] == "set: 0 findings: nothing but the declared cues changed"
    )
    assert outcome.output.splitlines()[0] == "set: 24 commands, 192 WAVs, 0 texts"


def test_a_finding_names_items_figures_and_remedy_and_ends_with_1(faulty):
    outcome = audit(faulty)
    assert outcome.exit_code == 1
    lines = outcome.output.splitlines()
    (at,) = [n for n, line in enumerate(lines) if line.startswith("gap.length (")]
    assert lines[at].startswith("gap.length (gap has its samples, exactly): 1 found. Remedy: ")
    assert lines[at + 1].endswith("__same_near_600: gap is 9599 samples; allowed: 9600 for 600 ms")
    assert lines[-1] == "faulty: 2 findings: NOT SOUND"


def test_what_so_few_commands_cannot_prove_is_no_part_of_the_verdict(clean_set, tmp_path):
    few = PlantedSet.copy(clean_set("eight"), tmp_path / "few", 4)
    few.seal()
    lines = audit(few.folder).output.splitlines()
    assert lines[-1].startswith("few: 0 findings: all that could be judged holds; ")
    assert lines[-1].endswith(" probes need more commands")


def test_findings_stand_in_the_order_of_what_was_compared(faulty):
    lines = audit(faulty).output.splitlines()
    found = [line.partition(" ")[0] for line in lines if " found. Remedy: " in line]
    assert found == ["gap.length", "gap_ms.zeros"]


def test_a_set_without_two_conditions_of_any_command_is_not_said_to_be_sound(clean_set, tmp_path):
    folder = clean_set("six")
    design = read_design(folder)
    items = [
        item
        for number, rows in enumerate(read_commands(folder, design))
        for item in rows
        if item.condition == ("same_near_0", "different_far_600")[number % 2]
    ]
    outcome = audit(folder, "--table", write_table(tmp_path / "set.csv", items), "--dry", "near")
    assert outcome.exit_code == 1
    told = outcome.output.splitlines()[-1]
    assert told == "set: 0 findings: NOTHING PROVED: no command has two sounds"


def test_json_holds_what_is_printed_and_more(faulty, tmp_path):
    audit(faulty, "--json", tmp_path / "audit.json")
    written = json.loads((tmp_path / "audit.json").read_text("utf-8"))
    printed = json.loads(audit(faulty, "--json", "-").output)
    assert written == printed
    assert not written["good"]
    assert [f["check"] for f in written["findings"]] == ["gap.length", "gap_ms.zeros"]
    assert all(f["items"] and f["what"] and f["remedy"] for f in written["findings"])
    probe = next(p for p in written["probes"] if p["meter"] == "level")
    assert {"auc", "concordance", "p", "p_holm", "means", "judged", "bound"} <= set(probe)


def test_nothing_in_the_set_is_touched(faulty):
    before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in faulty.rglob("*") if p.is_file()}
    audit(faulty)
    assert before == {
        p: (p.stat().st_mtime_ns, p.read_bytes()) for p in faulty.rglob("*") if p.is_file()
    }


def test_a_set_is_called_by_its_name_from_within(faulty, monkeypatch):
    monkeypatch.chdir(faulty)
    assert audit(".").output.splitlines()[-1] == "faulty: 2 findings: NOT SOUND"


def test_a_file_that_is_gone_is_a_finding(faulty):
    next(faulty.rglob("*.wav")).unlink()
    outcome = audit(faulty)
    assert outcome.exit_code == 1
    assert "file.readable (" in outcome.output


def test_a_file_that_is_a_link_out_of_the_set_is_not_followed(faulty, tmp_path):
    wav = next(faulty.rglob("*.wav"))
    wav.replace(tmp_path / "elsewhere.wav")
    wav.symlink_to(tmp_path / "elsewhere.wav")
    lines = audit(faulty).output.splitlines()
    (at,) = [n for n, line in enumerate(lines) if line.startswith("file.readable (")]
    assert lines[at + 1].endswith("a link that leaves the folder, which is not followed)")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("{empty}",),
            "no dataset.json; allowed: a set of synthkit's, or a table",
        ),
        (("{empty}/none",), "no dataset.json"),
        (("{faulty}", "--dry", "near"), "--dry is allowed with --table"),
        (("{faulty}", "--json", "{faulty}"), "cannot be written"),
        (("{faulty}", "--json", "{faulty}/manifest.jsonl"), "is there in the set"),
        (("{faulty}", "--json", "{faulty}/recipe/../dataset.json"), "is there in the set"),
        (("{faulty}", "--json", "{empty}/pipe"), "cannot be written"),
        (("{faulty}", "--json", "{empty}/link"), "cannot be written"),
        (("{faulty}", "--table", "{empty}/none.csv"), "cannot be read"),
    ],
)
def test_what_cannot_be_audited_is_refused_in_one_line(faulty, tmp_path, arguments, told):
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "empty" / "pipe")
    (tmp_path / "empty" / "link").symlink_to(tmp_path / "elsewhere.json")
    places = {"empty": tmp_path / "empty", "faulty": faulty}
    outcome = audit(*(argument.format(**places) for argument in arguments))
    assert outcome.exit_code == 2
    assert told in outcome.output
    assert "Traceback" not in outcome.output
