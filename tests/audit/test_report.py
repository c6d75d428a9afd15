"""The report as lines and as JSON, from tallies and probes that are written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from synthkit.audit.checks import check
from synthkit.audit.findings import Comparison, Finding, Tally, tallied
from synthkit.audit.probes import Probe
from synthkit.audit.report import Report
from synthkit.audit.table import SHOWN, lines

LEVEL = Probe(
    factor="field",
    levels=("near", "far"),
    at="same",
    role="trigger",
    meter="level",
    unjudged=None,
    bound="0.1 on average",
    num_pairs=48,
    num_commands=24,
    commands=("door_003", "door_001"),
    means=(-20.0, -19.84996),
    voices_taken_out=False,
    auc=0.98765,
    concordance=1.0,
    p=1.23456e-7,
    least_p=2.0**-23,
    passed=True,
    p_holm=2.46912e-7,
    finding="level of trigger: told",
)
DECAY = replace(
    LEVEL, meter="decay", unjudged="borne by the cue", auc=None, p_holm=None, finding=None
)
CONTEXT = replace(LEVEL, at="", role="context", auc=0.5, finding=None)
SOUND = Report("eight", 24, 192, 24, 96, (Tally("file.hash", 192, ()),), (), ())


def printed(**changes: Any) -> list[str]:
    return list(lines(replace(SOUND, **changes)))


def broken(name: str, number: int = 1) -> Tally:
    found = (Finding(name, (f"door_{n:03}__near",), f"fault {n}") for n in range(number))
    return Tally(name, 24, tuple(found))


def test_a_sound_set_says_what_was_compared_and_ends_with_its_verdict() -> None:
    assert printed() == [
        "eight: 24 commands, 192 WAVs, 24 texts",
        "",
        "each file                                           compared  findings",
        "  file is the one in the manifest                        192         0",
        "",
        "eight: 0 findings: nothing but the declared cues changed",
    ]


def test_a_finding_is_named_with_its_remedy_and_the_verdict_follows() -> None:
    assert printed(tallies=(broken("gap.length"),))[-4:] == [
        f"gap.length (gap has its samples, exactly): 1 found. "
        f"Remedy: {check('gap.length').remedy}.",
        "  door_000__near: fault 0",
        "",
        "eight: 1 finding: NOT SOUND",
    ]


def test_a_finding_of_two_items_names_both() -> None:
    found = Finding("field.level", ("door__near", "door__far"), "levels are two")
    made = printed(tallies=(Tally("field.level", 24, (found,)),))
    assert "  door__near and door__far: levels are two" in made


def test_findings_of_a_check_are_shown_so_far_and_counted_all() -> None:
    made = printed(tallies=(broken("gap.length", SHOWN + 3), broken("file.hash")))
    assert sum(line.startswith("  door_") for line in made) == SHOWN + 1
    heading = f"gap.length (gap has its samples, exactly): {SHOWN + 3} found. "
    assert f"{heading}Remedy: {check('gap.length').remedy}." in made
    assert "  … and 3 more; all of them with --json" in made
    assert made[-1] == f"eight: {SHOWN + 4} findings: NOT SOUND"


def test_nothing_compared_is_not_sound() -> None:
    told = printed(pairs=0)[-1]
    assert told == "eight: 0 findings: NOTHING PROVED: no command has two sounds"


def test_groups_come_in_the_reports_order_and_a_factor_of_ones_own_last() -> None:
    names = ("leak.file", "noise.level", "source.voice", "file.hash", "source.level")
    made = printed(tallies=tuple(Tally(name, 5, ()) for name in names))
    headers = [line.split("  ")[0] for line in made if line.endswith("compared  findings")]
    assert headers == [
        "each file",
        "two files that differ in source",
        "within and across splits",
        "two files that differ in noise",
    ]
    at = made.index(
        next(line for line in made if line.startswith("two files that differ in source"))
    )
    assert [line[:40].strip() for line in made[at + 1 : at + 3]] == [
        "another voice, not the same take",
        "same level",
    ]


def test_probes_are_rows_by_meter_and_columns_by_contrast() -> None:
    made = printed(probes=(LEVEL, DECAY, CONTEXT))
    at = made.index("nuisance probes: cross-validated AUC of one meter alone; 2 judged, 1 finding")
    assert made[at + 1 : at + 8] == [
        "  [1] field near to far, same: trigger in 24 commands",
        "  [2] field near to far: context in 24 commands",
        "                           [1]      [2]",
        "  level                  0.988!   0.500",
        "  decay                     (-)       -",
        "  (0.500) is reported and not judged, 0.500! is a finding",
        "  not judged: 1: borne by the cue",
    ]


def test_a_probes_finding_names_its_commands_and_has_a_remedy() -> None:
    made = printed(probes=(LEVEL,))
    assert made[-4:] == [
        f"probe.level (RMS re full scale 1.0 over the speech window): 1 found. "
        f"Remedy: {check('probe.level').remedy}.",
        "  door_003 and door_001: level of trigger: told",
        "",
        "eight: 1 finding: NOT SOUND",
    ]


def test_findings_of_one_meter_stand_under_one_heading_whatever_contrast_they_are_of() -> None:
    level, dc = (replace(LEVEL, meter=meter, finding=meter) for meter in ("level", "dc"))
    made = printed(probes=(level, dc, replace(level, at="different"), replace(dc, at="different")))
    headings = [line.partition(". ")[0] for line in made if "Remedy" in line]
    assert headings == [
        "probe.dc (constant offset of the part): 2 found",
        "probe.level (RMS re full scale 1.0 over the speech window): 2 found",
    ]


def test_what_is_declared_is_printed_and_no_finding() -> None:
    made = printed(declared=("field and target go together",))
    at = made.index("declared: by the design itself, and no finding")
    assert made[at + 1] == "  field and target go together"
    assert made[-1].endswith("nothing but the declared cues changed")


class Hearing:
    """What instruments heard, as far as a report asks for it."""

    def lines(self) -> Iterator[str]:
        yield "heard: 48 sounds"

    def describe(self) -> dict[str, int]:
        return {"sounds": 48}


def test_what_was_heard_stands_before_the_findings() -> None:
    made = printed(hearing=Hearing(), tallies=(broken("heard.words"),))
    assert made.index("heard: 48 sounds") < made.index(
        f"heard.words (the words are those of the text): 1 found. "
        f"Remedy: {check('heard.words').remedy}."
    )
    assert replace(SOUND, hearing=Hearing()).describe()["hearing"] == {"sounds": 48}


def test_json_has_the_verdict_and_every_finding_with_its_remedy() -> None:
    report = replace(SOUND, tallies=(broken("gap.length", 30),), probes=(DECAY, LEVEL))
    told = json.loads(json.dumps(report.describe(), allow_nan=False))
    assert (told["good"], told["commands"], told["audio"], told["text"]) == (False, 24, 192, 24)
    assert told["checks"] == [{"check": "gap.length", "compared": 24, "findings": 30}]
    assert told["hearing"] is None
    assert len(told["findings"]) == 31
    assert told["findings"][-1] == {
        "check": "probe.level",
        "items": ["door_003", "door_001"],
        "what": "level of trigger: told",
        "remedy": check("probe.level").remedy,
    }
    decay, level = told["probes"]
    assert (decay["judged"], decay["auc"], decay["p_holm"]) == (False, None, None)
    assert (level["auc"], level["means"], level["p_holm"]) == (0.9877, [-20, -19.85], 2.469e-7)
    assert level["unit"] == "dBFS"


def test_a_tally_counts_what_held_beside_what_broke() -> None:
    made = tallied(
        [
            Comparison("file.hash", ("b",)),
            Comparison("gap.length", ("a",), "short"),
            Comparison("file.hash", ("a",), "another"),
        ]
    )
    assert made == (
        Tally("file.hash", 2, (Finding("file.hash", ("a",), "another"),)),
        Tally("gap.length", 1, (Finding("gap.length", ("a",), "short"),)),
    )
    assert str(made[1].findings[0]) == "gap.length: a: short"


@pytest.mark.parametrize("probes", [(), (LEVEL, CONTEXT)])
def test_no_line_ends_in_blanks(probes: tuple[Probe, ...]) -> None:
    made = printed(probes=probes, tallies=(broken("file.hash", 2),))
    assert [line for line in made if line != line.rstrip()] == []
