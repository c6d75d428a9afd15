"""Adopting: files without a manifest get one, and are verified by it ever after."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from tests.commands import synthkit

RATE = 16000


def sound(path: Path, seed: int = 1, rate: int = RATE, level: float = 0.1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = level * np.random.default_rng(seed).standard_normal(rate // 2)
    soundfile.write(path, noise.clip(-1, 1), rate)
    return path


def rows(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "adopted.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def edit(folder: Path, **values: object) -> None:
    """Change the first row of the manifest."""
    first, *others = rows(folder)
    lines = [json.dumps(row) + "\n" for row in ({**first, **values}, *others)]
    (folder / "adopted.jsonl").write_text("".join(lines), encoding="utf-8")


def faults(folder: Path, *options: object) -> list[str]:
    run = synthkit("verify", folder, *options)
    lines = run.stdout.splitlines()
    assert run.exit_code == (1 if lines[1:] else 0)
    return lines[:-1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two adopted files."""
    sound(tmp_path / "in" / "a.wav", 1)
    sound(tmp_path / "in" / "b" / "c.flac", 2)
    run = synthkit("measure", "--adopt", tmp_path / "in")
    assert (run.exit_code, run.stderr) == (0, "")
    return tmp_path / "in"


def test_what_was_adopted_is_good_wherever_it_is_moved(folder: Path, tmp_path: Path) -> None:
    assert faults(folder) == []
    moved = tmp_path / "elsewhere"
    shutil.move(folder, moved)
    assert faults(moved) == []
    assert [row["file"] for row in rows(moved)] == ["a.wav", "b/c.flac"]


def test_to_be_adopted_makes_no_file_whole_or_heard(tmp_path: Path) -> None:
    whole = sound(tmp_path / "whole.wav").read_bytes()
    (tmp_path / "cut.wav").write_bytes(whole[:8044])  # 4,000 of 8,000 samples
    soundfile.write(tmp_path / "silent.wav", np.zeros(RATE), RATE)
    assert synthkit("measure", "--adopt", tmp_path).exit_code == 0
    cut, silent = faults(tmp_path, "--level-dbfs", "-20", "--tolerance-db", "1")
    assert cut == "cut.wav: cut short: 4000 of 8000 samples"
    assert silent.startswith("silent.wav: no speech")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "a.wav").unlink(), ["a.wav: missing"]),
        (lambda folder: sound(folder / "new.wav"), ["new.wav: extra file"]),
        (lambda folder: (folder / "a.wav").write_text("x"), ["sha256 is", "not a readable sound"]),
        (lambda folder: sound(folder / "a.wav", 3), ["a.wav: sha256 is"]),
        (
            lambda folder: sound(folder / "a.wav", 1, level=0.05),
            ["sha256 is", "rms_dbfs is", "speech_dbfs is", "peak_dbfs is", "true_peak_dbtp is",
             "lufs is", "segment 1: rms_dbfs is"],
        ),
    ],
    ids=["missing", "extra", "text", "other", "quieter"],
)  # fmt: skip
def test_what_changes_afterwards_is_a_fault(
    folder: Path, spoil: Callable[[Path], object], said: list[str]
) -> None:
    spoil(folder)
    found = faults(folder)
    assert all(any(part in line for line in found) for part in said)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"rms_dbfs": -30.0}, "rms_dbfs is"),
        ({"rms_dbfs": None}, "manifest: None"),
        ({"num_samples": 9}, "num_samples is 8000; manifest: 9"),
        ({"sampling_rate": 8000}, "sampling_rate is 16000; manifest: 8000"),
        ({"sha256": "0" * 64}, "manifest: 000000000000"),
        ({"channel": 1}, "channel 1; allowed: 0 to 0"),
        (
            {"segments": [{"role": None, "start": 0, "end": 99999, "rms_dbfs": -20.0}]},
            "segment 1: ends at 6.24994 s",
        ),
    ],
)
def test_a_manifest_that_says_otherwise_is_a_fault(
    folder: Path, values: dict[str, object], said: str
) -> None:
    edit(folder, **values)
    assert any(said in line for line in faults(folder))


def test_readings_within_the_tolerance_asked_for_are_good(folder: Path) -> None:
    edit(folder, rms_dbfs=rows(folder)[0]["rms_dbfs"] + 0.15)
    assert len(faults(folder)) == 1
    assert faults(folder, "--tolerance-db", "0.2") == []


def test_more_can_be_asked_of_what_was_adopted(folder: Path) -> None:
    (line,) = faults(folder, "--format", "wav/any/any/1")
    assert line == "b/c.flac: container is flac; allowed: wav"


@pytest.mark.parametrize(
    "file",
    ["../a.wav", "/etc/a.wav", "b/../../a.wav", "..", "b\\a.wav", "", "x\n/../../a.wav"],
)
def test_a_path_that_leaves_the_folder_is_refused(folder: Path, file: str) -> None:
    edit(folder, file=file)
    run = synthkit("verify", folder)
    assert run.exit_code == 2
    assert "adopted.jsonl: row 1: field file" in run.stderr


@pytest.mark.parametrize(
    "values",
    [{"id": "B_c-a"}, {"file": "b/c.flac"}, {"extra": 1}, {"kind": "clip"}, {"id": "../x"},
     {"rms_dbfs": "loud"}, {"num_samples": 1.5}],
)  # fmt: skip
def test_a_manifest_of_another_form_is_refused(folder: Path, values: dict[str, object]) -> None:
    edit(folder, **values)
    other = rows(folder)[1] | ({"id": "b_c-A"} if "id" in values else {})
    first = rows(folder)[0]
    lines = [json.dumps(row) + "\n" for row in (first, other)]
    (folder / "adopted.jsonl").write_text("".join(lines))
    assert synthkit("verify", folder).exit_code == 2


def test_a_link_put_in_the_place_of_a_file_is_not_followed(folder: Path, tmp_path: Path) -> None:
    shutil.move(folder / "a.wav", tmp_path / "outside.wav")
    (folder / "a.wav").symlink_to(tmp_path / "outside.wav")
    assert faults(folder) == ["a.wav: a link that leaves the folder, which is not followed"]


def test_adopting_again_is_done_only_when_it_is_asked_for(folder: Path) -> None:
    before = (folder / "adopted.jsonl").read_bytes()
    sound(folder / "new.wav", 5)
    refused = synthkit("measure", "--adopt", folder)
    assert refused.exit_code == 2
    assert "adopted already, 2 files; allowed: `synthkit verify`, or --again" in refused.stderr
    assert (folder / "adopted.jsonl").read_bytes() == before
    assert synthkit("measure", "--adopt", "--again", folder).exit_code == 0
    assert len(rows(folder)) == 3
    assert faults(folder) == []


def test_adopting_again_finds_the_segments_anew(folder: Path) -> None:
    """The old manifest's would lie after the end of a file that has become shorter."""
    noise = 0.1 * np.random.default_rng(7).standard_normal(RATE // 4)
    soundfile.write(folder / "a.wav", noise, RATE)
    run = synthkit("measure", "--adopt", "--again", folder, "--json", "-")
    assert run.exit_code == 0
    assert len(json.loads(run.stdout)["files"]) == 2
    assert rows(folder)[0]["segments_from"] == "energy"
    assert faults(folder) == []


def test_a_set_is_not_adopted(tone_set: Callable[[str], Path]) -> None:
    run = synthkit("measure", "--adopt", tone_set("pair"))
    assert run.exit_code == 2
    assert not (tone_set("pair") / "adopted.jsonl").exists()


@pytest.mark.parametrize("again", [(), ("--again",)])
@pytest.mark.parametrize("theirs", ["", "notes\n", '{"id": 1}\n', "[]\n"])
def test_somebody_elses_file_is_never_overwritten(
    tmp_path: Path, again: tuple[str, ...], theirs: str
) -> None:
    sound(tmp_path / "a.wav")
    (tmp_path / "adopted.jsonl").write_text(theirs)
    run = synthkit("measure", "--adopt", tmp_path, *again)
    assert run.exit_code == 2
    assert "in the way, and not a manifest of ours" in run.stderr
    assert (tmp_path / "adopted.jsonl").read_text() == theirs


def test_a_link_in_the_manifests_place_is_not_written_through(tmp_path: Path) -> None:
    sound(tmp_path / "in" / "a.wav")
    (tmp_path / "in" / "adopted.jsonl").symlink_to(tmp_path / "theirs")
    assert synthkit("measure", "--adopt", tmp_path / "in").exit_code == 2
    assert not (tmp_path / "theirs").exists()


def test_what_cannot_be_adopted_is_named_and_the_others_are(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    sound(inside / "a.wav")
    sound(tmp_path / "outside.wav")
    (inside / "out.wav").symlink_to(tmp_path / "outside.wav")
    (inside / "text.wav").write_text("hello")
    sound(inside / "back\\slash.wav")
    shutil.copy(inside / "a.wav", inside / os.fsdecode(b"caf\xe9.wav"))
    run = synthkit("measure", "--adopt", inside)
    assert run.exit_code == 1
    assert [row["file"] for row in rows(inside)] == ["a.wav"]
    for said in ("a link that leaves", "not a readable", "a backslash", "not valid Unicode"):
        assert said in run.stderr
    assert len(faults(inside)) == 4  # all of them are extra files


def test_ids_are_safe_and_keep_files_apart(tmp_path: Path) -> None:
    names = ["plain.wav", "twin.wav", "twin.flac", "Case.wav", "case.flac", "sub/plain.wav",
             "sp ace.wav", "new\nline.wav", "con.wav", "ünï.wav", f"{'x' * 90}.wav"]  # fmt: skip
    for name in names:
        sound(tmp_path / name)
    assert synthkit("measure", "--adopt", tmp_path).exit_code == 0
    ids = {row["file"]: row["id"] for row in rows(tmp_path)}
    assert set(ids) == set(names)
    assert ids["plain.wav"] == "plain"
    assert len({one.casefold() for one in ids.values()}) == len(names)
    assert ids["sub/plain.wav"].startswith("sub_plain-")
    assert ids["con.wav"] != "con"
    assert faults(tmp_path) == []


def test_segments_told_by_times_are_kept_and_measured_again(tmp_path: Path) -> None:
    sound(tmp_path / "in" / "a.wav")
    times = tmp_path / "times.csv"
    times.write_text("file,start,end,role\na.wav,0.1,0.2,trigger\n")
    run = synthkit("measure", "--adopt", tmp_path / "in", "--times", times)
    assert run.exit_code == 0
    (row,) = rows(tmp_path / "in")
    assert row["segments_from"] == "times"
    assert (row["segments"][0]["start"], row["segments"][0]["role"]) == (1600, "trigger")
    assert faults(tmp_path / "in") == []
    again = synthkit("measure", tmp_path / "in", "--json", "-")
    (file,) = json.loads(again.stdout)["files"]
    assert (file["segments_from"], file["segments"]) == ("manifest", row["segments"])


def test_a_manifest_may_lie_elsewhere(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "reference.jsonl"
    shutil.move(folder / "adopted.jsonl", other)
    assert faults(folder, "--manifest", other) == []
    (folder / "a.wav").unlink()
    assert faults(folder, "--manifest", other) == ["a.wav: missing"]


def test_only_a_folder_is_adopted(folder: Path) -> None:
    for arguments in ((folder / "a.wav",), (folder, folder), ("nowhere",)):
        assert synthkit("measure", "--adopt", *arguments).exit_code == 2
    assert synthkit("measure", "--again", folder).exit_code == 2
