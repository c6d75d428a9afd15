"""The planting itself: planted sets differ as meant, and `verify` says what the table says."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from synthkit.audit import audit
from synthkit.verify import verify
from tests.audit.fault import NONE, Fault
from tests.audit.faults import FAULTS
from tests.audit.planting import PlantedSet
from tests.audit.sealing import read_rows, seal

Planted = Callable[[Fault, int | None], PlantedSet]
BY_NAME = {fault.name: fault for fault in FAULTS}


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a set but the lock that a run leaves."""
    files = (p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def limit_of(fault: Fault) -> int | None:
    """How many commands are enough to see it."""
    return 4 if fault.commands == 1 and fault.grid in ("eight", "six") else None


def by_id(folder: Path) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in read_rows(folder)}


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found_and_named(
    fault: Fault, clean_set: Callable[[str], Path], planted: Planted
) -> None:
    """By the audit; and by `verify` where the table says so."""
    limit = limit_of(fault)
    folder = planted(fault, limit).folder
    report = verify(folder)
    assert report.good == fault.verifies, [str(found) for found in report.faults][:5]
    audited = audit(folder)
    named = [f for f in audited.findings if any(fnmatch(f.check, c) for c in fault.checks)]
    if fault.kind == NONE or fault.ears:
        assert audited.good, [str(found) for found in audited.findings][:5]
    else:
        assert named, [str(found) for found in audited.findings][:5]
    found, clean = by_id(folder), by_id(clean_set(fault.grid))
    kept = list(dict.fromkeys(row["command"] for row in clean.values()))[:limit]
    gone = {r["command"] for id_, r in clean.items() if id_ not in found and r["command"] in kept}
    changed = gone | {row["command"] for id_, row in found.items() if row != clean.get(id_)}
    if fault.name == "nothing":
        assert not changed
    elif fault.commands == 1:
        assert len(changed) == 1
        assert not named or any(id_.startswith(tuple(changed)) for f in named for id_ in f.items)
    else:
        assert len(changed) > 1


def test_names_are_told_apart() -> None:
    assert len(BY_NAME) == len(FAULTS)
    assert sum(fault.kind != NONE for fault in FAULTS) >= 36


@pytest.mark.parametrize("grid", ["eight", "six", "pair", "balanced", "tones"])
def test_sealing_a_sound_set_changes_no_byte(
    grid: str, clean_set: Callable[[str], Path], tmp_path: Path
) -> None:
    planted = PlantedSet.copy(clean_set(grid), tmp_path / "set")
    seal(planted.folder)
    assert contents(planted.folder) == contents(clean_set(grid))


def test_readings_taken_again_are_those_of_the_run(
    clean_set: Callable[[str], Path], tmp_path: Path
) -> None:
    """Every meter is read anew where a file's hash is not its row's: all rows, so to say."""
    planted = PlantedSet.copy(clean_set("six"), tmp_path / "set")
    for row in planted.rows:
        row["sha256"] = "0" * 64
        for segment in row["segments"]:
            segment["lufs"] = segment["true_peak_dbtp"] = -99.0
            segment["level"]["realised_dbfs"] = -99.0
    planted.seal()
    again, clean = by_id(planted.folder), by_id(clean_set("six"))
    for id_, row in again.items():
        assert row.pop("content_key") != clean[id_]["content_key"]
        assert row == {name: v for name, v in clean[id_].items() if name != "content_key"}
