"""The command `synthkit measure` as it is called."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.sums import write_sums
from tests.commands import synthkit
from tests.conftest import ROOT

RATE = 16000


def strict(text: str) -> object:
    """Parse JSON; a number that is not finite is an error."""

    def refuse(name: str) -> object:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def tone(seconds: float = 0.5, amplitude: float = 0.25) -> np.ndarray:
    return amplitude * np.sin(2 * np.pi * 997 * np.arange(round(seconds * RATE)) / RATE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two utterances with a pause, and silence."""
    inside = tmp_path / "recordings"
    inside.mkdir()
    parts = (np.zeros(1600), tone(), np.zeros(8000), tone())
    soundfile.write(inside / "a.wav", np.concatenate(parts), RATE)
    soundfile.write(inside / "silent.flac", np.zeros(1000), RATE)
    return inside


def test_the_table_has_a_line_a_file_and_one_a_segment_and_gap(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    run = synthkit("measure", "a.wav")
    assert (run.exit_code, run.stderr) == (0, "")
    head, units, file, first, gap, second, last = run.stdout.splitlines()
    assert len(head) == len(file)
    values = dict(zip(head.split(), file.split(), strict=False))
    assert values["length"] == "1.600"
    assert values["peak"] == "-12.04"
    assert first.split()[0] == "0.100"
    assert "gap" in gap
    assert second.split()[:3] == ["1.100", "to", "1.600"]
    assert last == "1 files; segments from energy, gaps of 200 ms or more"
    assert "dBTP" in units


def test_what_has_no_level_has_a_dash_null_or_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    paths = tmp_path / "out.json", tmp_path / "out.csv"
    run = synthkit("measure", "silent.flac", "--json", paths[0], "--csv", paths[1])
    assert run.exit_code == 0
    assert run.stdout.splitlines()[2].split().count("-") == 9
    told = strict(paths[0].read_text(encoding="utf-8"))
    (file,) = told["files"]
    assert [file[k] for k in ("rms_dbfs", "lufs", "crest_db", "leading_silence_ms")] == [None] * 4
    (row,) = csv.DictReader(io.StringIO(paths[1].read_text(encoding="utf-8")))
    assert row["rms_dbfs"] == row["lufs"] == row["unread"] == ""
    assert (row["segments"], row["clipped_runs"]) == ("0", "0")
    assert "no speech" in row["remarks"]


def test_json_and_csv_on_standard_output_stand_alone(folder: Path) -> None:
    told = strict(synthkit("measure", folder, "--json", "-").stdout)
    assert [Path(file["file"]).name for file in told["files"]] == ["a.wav", "silent.flac"]
    rows = list(csv.DictReader(io.StringIO(synthkit("measure", folder, "--csv", "-").stdout)))
    assert [row["segments"] for row in rows] == ["2", "0"]
    for row, file in zip(rows, told["files"], strict=True):
        assert row["rms_dbfs"] == ("" if file["rms_dbfs"] is None else str(file["rms_dbfs"]))


def test_what_cannot_be_read_is_named_and_the_others_are_measured(folder: Path) -> None:
    os.mkfifo(folder / "fifo.wav")
    (folder / "new\nline.wav").write_text("")
    (folder / os.fsdecode(b"caf\xe9.wav")).write_text("")
    soundfile.write(folder / "nan.wav", np.array([0.0, np.nan]), RATE, subtype="FLOAT")
    run = synthkit("measure", folder, "--json", "-")
    assert run.exit_code == 1
    assert len(run.stderr.splitlines()) == 4
    told = strict(run.stdout)
    assert len(told["files"]) == 2
    assert {Path(one["file"]).name for one in told["unread"]} == {
        *("fifo.wav", "new\nline.wav", "nan.wav", "caf\\udce9.wav")
    }
    as_csv = synthkit("measure", folder, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(as_csv.stdout, newline="")))
    assert sum(bool(row["unread"]) for row in rows) == 4


@pytest.mark.parametrize(
    "arguments",
    ["nowhere", "empty", "a.wav nowhere.wav", "a.wav --json - --csv -", "a.wav --json .",
     "a.wav --csv a.wav/x", "a.wav --times nowhere.csv", "a.wav --min-gap-ms nan"],
)  # fmt: skip
def test_a_refusal_comes_before_any_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.chdir(folder)
    (folder / "empty").mkdir()
    run = synthkit("measure", *arguments.split())
    assert (run.exit_code, run.stdout) == (2, "")


def test_the_shortest_gap_is_that_which_is_asked_for(folder: Path) -> None:
    told = strict(
        synthkit("measure", folder / "a.wav", "--min-gap-ms", "600", "--json", "-").stdout
    )
    assert told["min_gap_ms"] == 600
    assert len(told["files"][0]["segments"]) == 1


def test_the_examples_of_the_manual_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manual = (ROOT / "docs" / "measure.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```\n(.*?)```", manual, flags=re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("synthkit ")]
    assert len(commands) >= 8
    monkeypatch.chdir(folder.parent)
    times = (
        "file,start,end,role\nrecordings/a.wav,0.1,0.6,context\nrecordings/a.wav,1.1,1.6,trigger\n"
    )
    Path("times.csv").write_text(times)
    (folder / "silent.flac").unlink()
    write_sums(folder.parent, {}, ["recordings/a.wav"])
    Path("SHA256SUMS").write_text(Path("SHA256SUMS").read_text().replace("recordings/", ""))
    for command in commands:
        arguments = shlex.split(command.partition("#")[0])[1:]
        assert synthkit(*arguments).exit_code == (1 if "-20" in command else 0), command
