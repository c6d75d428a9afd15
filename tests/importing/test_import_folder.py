"""The output folder: the same bytes again, whole or not there, nothing of the user's touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import filelock
import pytest

from tests.commands import synthkit
from tests.importing.recordings import checks, rows, script, voiced, write


@pytest.fixture
def home(tmp_path: Path) -> Path:
    script(tmp_path / "talk.jsonl", "a", "b")
    write(tmp_path / "in" / "a.wav", voiced(f0=120))
    write(tmp_path / "in" / "b.wav", voiced(f0=180))
    return tmp_path


def taken(home: Path, *options: object, out: str = "out", folder: str = "in") -> Any:
    arguments = ("--scripts", home / "talk.jsonl", "--out", home / out, *options)
    return synthkit("import", home / folder, *arguments)


def content(out: Path) -> dict[str, bytes]:
    """Every file by path, but for the lock."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name != ".synthkit-lock"
    }


def test_the_same_recordings_give_the_same_bytes_wherever_they_lie(home: Path) -> None:
    assert taken(home).exit_code == 0
    first = content(home / "out")
    assert set(first) == {
        "SHA256SUMS", "adopted.jsonl", "audio/a.wav", "audio/b.wav", "import.json", "items.jsonl",
    }  # fmt: skip
    assert taken(home).exit_code == 0
    assert content(home / "out") == first
    (home / "in").rename(home / "elsewhere")
    assert taken(home, out="other", folder="elsewhere").exit_code == 0
    assert content(home / "other") == first


def test_what_is_no_longer_retained_goes_and_what_is_not_ours_stays(home: Path) -> None:
    taken(home)
    (home / "out" / "notes.txt").write_text("mine")
    (home / "review.csv").write_text("id,decision,reason,annotator\na,reject,door slams,kim\n")
    run = taken(home, "--review", home / "review.csv")
    assert (run.exit_code, run.stdout.splitlines()[0]) == (1, "removed audio/a.wav")
    assert run.stderr == "a: review: door slams (kim)\n"
    assert checks(rows(home / "out")["a"]) == ["review"]
    assert {"notes.txt", "audio/b.wav"} <= set(content(home / "out"))
    assert synthkit("verify", home / "out").exit_code == 0


def test_where_nothing_is_retained_there_is_nothing_to_verify(home: Path) -> None:
    taken(home)
    assert taken(home, "--min-snr-db", "150").exit_code == 1
    assert set(content(home / "out")) == {"SHA256SUMS", "import.json", "items.jsonl"}
    assert synthkit("verify", home / "out").exit_code == 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("file.txt", "holds other files"),
        ("items.jsonl", "holds other files"),
        ("audio/a.wav", "holds other files"),
        ("adopted.jsonl", "holds other files"),
    ],
)
def test_a_folder_of_somebody_elses_is_left_alone(home: Path, name: str, said: str) -> None:
    (home / "out" / name).parent.mkdir(parents=True)
    (home / "out" / name).write_text("mine")
    run = taken(home)
    assert (run.exit_code, said in run.stderr) == (2, True)
    assert content(home / "out") == {name: b"mine"}


@pytest.mark.parametrize("name", ["items.jsonl", "adopted.jsonl", "audio/a.wav", "audio/new.wav"])
def test_what_was_changed_in_an_import_is_not_overwritten(home: Path, name: str) -> None:
    taken(home)
    (home / "out" / name).write_text("mine")
    before = content(home / "out")
    run = taken(home)
    assert (run.exit_code, f"{name} is not as an import made it" in run.stderr) == (2, True)
    assert content(home / "out") == before


def test_links_in_the_output_are_refused(home: Path) -> None:
    taken(home)
    audio = home / "out" / "audio"
    audio.rename(home / "audio")
    audio.symlink_to(home / "audio")
    run = taken(home)
    assert (run.exit_code, "audio is a link" in run.stderr) == (2, True)


@pytest.mark.parametrize("out", ["in", "in/out", "."])
def test_input_and_output_lie_apart(home: Path, out: str) -> None:
    run = taken(home, out=out)
    assert (run.exit_code, "allowed: a folder apart from it" in run.stderr) == (2, True)
    assert {path.name for path in (home / "in").iterdir()} == {"a.wav", "b.wav"}


def test_the_import_of_another_script_is_not_replaced(home: Path) -> None:
    taken(home)
    before = content(home / "out")
    (home / "talk.jsonl").rename(home / "more.jsonl")
    run = taken(home, "--scripts", home / "more.jsonl")
    assert (run.exit_code, "holds the import of talk.jsonl" in run.stderr) == (2, True)
    assert content(home / "out") == before


def test_a_second_run_at_once_is_refused(home: Path) -> None:
    (home / "out").mkdir()
    with filelock.FileLock(home / "out" / ".synthkit-lock"):
        run = taken(home)
    assert (run.exit_code, "another run is writing there" in run.stderr) == (2, True)


def test_an_import_that_is_killed_leaves_no_items_and_can_be_run_again(home: Path) -> None:
    ids = [f"r{number}" for number in range(8)]
    script(home / "talk.jsonl", *ids)
    for number, id_ in enumerate(ids):
        write(home / "in" / f"{id_}.wav", voiced(f0=100 + number, rate=16000), 16000)
    arguments = ("import", home / "in", "--scripts", home / "talk.jsonl", "--out", home / "out")
    process = subprocess.Popen(
        [sys.executable, "-m", "synthkit", *map(str, arguments)], stderr=subprocess.PIPE
    )
    staged = home / "out" / ".synthkit-new" / "audio"
    while process.poll() is None and not (staged.is_dir() and any(staged.iterdir())):
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert {path.name for path in (home / "out").iterdir()} <= {".synthkit-lock", ".synthkit-new"}
    assert taken(home).exit_code == 0
    assert not staged.exists()


MOVES = 7  # the sums to come, two WAVs, description and adopted manifest, sums, items


@pytest.mark.parametrize("step", range(1, MOVES + 1))
def test_cut_short_at_any_step_the_items_are_whole_or_gone_and_the_next_run_mends_it(
    home: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    taken(home)
    before = content(home / "out")
    write(home / "in" / "b.wav", voiced(f0=200))  # another take
    taken(home, out="wanted")
    moves, replace = 0, Path.replace

    def counted(self: Path, target: Path) -> Path:
        nonlocal moves
        moves += ".synthkit-new" not in Path(target).parts
        if moves == step:
            raise KeyboardInterrupt
        return replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", counted)
        assert taken(home).exit_code == 1  # aborted
    there = content(home / "out")
    if step == 1:
        assert {name: there[name] for name in before} == before
    else:
        assert "items.jsonl" not in there
    assert taken(home).exit_code == 0
    assert content(home / "out") == content(home / "wanted")
