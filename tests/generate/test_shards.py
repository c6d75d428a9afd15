"""Shards: parts of one set made apart, and joined to what one run makes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import filelock
import pytest
from click.testing import CliRunner

from synthkit.cli import main
from synthkit.errors import InputError
from synthkit.generate import LOCK, Shard, generate, merge
from synthkit.generate import folder as folder_module
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.verify import verify
from tests.homes import Home
from tests.test_generate import files_of


def shard(home: Home, folder: Path, index: int, count: int = 3) -> None:
    outcome = generate(make_plan(read_recipe(home.recipe)), folder, shard=Shard(index, count))
    assert not outcome.failures


def without_locks(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in files_of(folder).items() if LOCK not in name}


@pytest.fixture
def whole(home: Home, tmp_path: Path) -> dict[str, bytes]:
    """The files of the set that one run makes of seven commands."""
    home.write_script(7)
    generate(make_plan(read_recipe(home.recipe)), tmp_path / "whole")
    return without_locks(tmp_path / "whole")


@pytest.mark.parametrize("apart", [False, True], ids=["one folder", "a folder each"])
def test_merged_shards_are_the_set_of_one_run(
    home: Home, tmp_path: Path, whole: dict[str, bytes], apart: bool
) -> None:
    folders = [tmp_path / f"part{i if apart else ''}" for i in (3, 1, 2)]
    for index, folder in zip((3, 1, 2), folders, strict=True):
        shard(home, folder, index)
    if apart:
        outcome = merge(folders, tmp_path / "set")
        assert without_locks(tmp_path / "set") == whole
        assert verify(tmp_path / "set").good
    else:
        outcome = merge(folders[:1])
        assert without_locks(folders[0]) == whole
        assert verify(folders[0]).good
    assert (outcome.audio, outcome.text, outcome.failures) == (14, 7, [])


def test_shards_are_disjoint_and_each_goes_on_where_it_was(home: Home, tmp_path: Path) -> None:
    home.write_script(5)
    plan, made = make_plan(read_recipe(home.recipe)), []
    for index in (1, 2):
        generate(plan, tmp_path / str(index), shard=Shard(index, 2))
        made.append({path.name for path in (tmp_path / str(index) / "audio").iterdir()})
    assert made == [{"c0", "c2", "c4"}, {"c1", "c3"}]
    assert generate(plan, tmp_path / "1", shard=Shard(1, 2)).kept == 6


def test_a_whole_run_takes_what_shards_made(
    home: Home, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    shard(home, tmp_path / "set", 2)
    assert generate(make_plan(read_recipe(home.recipe)), tmp_path / "set").kept == 4
    assert without_locks(tmp_path / "set") == whole


def test_shards_that_are_missing_are_named(home: Home, tmp_path: Path) -> None:
    home.write_script(7)
    shard(home, tmp_path / "set", 2, 4)
    before = files_of(tmp_path / "set")
    with pytest.raises(InputError, match="not there: 1/4, 3/4, 4/4; run `generate --shard`"):
        merge([tmp_path / "set"])
    assert files_of(tmp_path / "set") == before
    with pytest.raises(InputError, match="no shards; allowed"):
        merge([tmp_path])
    with pytest.raises(InputError, match="no shards; allowed: a folder in which `generate --shard"):
        generate(make_plan(read_recipe(home.recipe)), tmp_path / "whole")
        merge([tmp_path / "whole"])


def test_shards_of_another_script_or_environment_are_refused(home: Home, tmp_path: Path) -> None:
    for index in (1, 2):
        home.write_script(4, c3=f"Say {index}.")
        shard(home, tmp_path / str(index), index, 2)
    with pytest.raises(InputError, match="is a shard of another recipe or script"):
        merge([tmp_path / "1", tmp_path / "2"], tmp_path / "set")
    shard(home, tmp_path / "1", 1, 2)
    path = tmp_path / "2" / "shards" / "2-of-2.jsonl"
    header, *rows = path.read_text().splitlines()
    made_with = json.loads(header)["made_with"] | {"synthkit_version": "0.0"}
    path.write_text("\n".join([json.dumps(json.loads(header) | {"made_with": made_with}), *rows]))
    with pytest.raises(InputError, match="made with other versions"):
        merge([tmp_path / "1", tmp_path / "2"], tmp_path / "set")
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize("damage", ["changed", "gone", "a link", "a path that leaves"])
def test_files_that_are_not_those_of_their_shard_are_refused(
    home: Home, tmp_path: Path, damage: str
) -> None:
    home.write_script(4)
    for index in (1, 2):
        shard(home, tmp_path / str(index), index, 2)
    clip, rows = tmp_path / "2/audio/c3/single.wav", tmp_path / "2/shards/2-of-2.jsonl"
    (tmp_path / "secret.wav").write_bytes(clip.read_bytes())
    if damage == "changed":
        clip.write_bytes(clip.read_bytes()[:-2] + b"\1\1")
    elif damage == "a path that leaves":
        rows.write_text(rows.read_text().replace("audio/c3/single.wav", "../secret.wav"))
    else:
        clip.unlink()
        if damage == "a link":
            clip.symlink_to(tmp_path / "secret.wav")
    with pytest.raises(InputError, match="c3"):
        merge([tmp_path / "1", tmp_path / "2"], tmp_path / "set")
    assert not (tmp_path / "set" / "manifest.jsonl").exists()


@pytest.mark.parametrize(
    "changed",
    [
        lambda row: None,
        lambda row: {"command": "c3", "failed": "no id"},
        lambda row: {"command": "c3", "id": "c3__single", "failed": {"no": "text"}},
        lambda row: row | {"id": "c3__other"},
        lambda row: row | {"file": "audio/c3/switch.wav"},
        lambda row: row | {"segments": row["segments"][:1]},
        lambda row: (
            row
            | {
                "bed": {
                    "name": "a",
                    "file": f"beds/{'0' * 64}.wav",
                    "sha256": "0" * 64,
                    "level_dbfs": -60.0,
                }
            }
        ),
        lambda row: row | {"true_peak_dbtp": float("nan")},
    ],
    ids=[
        "gone",
        "no id",
        "a reason that is no text",
        "another id",
        "another file",
        "fewer parts",
        "a bed",
        "NaN",
    ],
)
def test_rows_that_are_not_those_of_the_plan_are_refused(
    home: Home, tmp_path: Path, changed: Callable[[dict[str, Any]], dict[str, Any] | None]
) -> None:
    home.write_script(4)
    for index in (1, 2):
        shard(home, tmp_path / "set", index, 2)
    path = tmp_path / "set/shards/2-of-2.jsonl"
    lines = []
    for line in path.read_text().splitlines():
        row = json.loads(line)
        new = changed(row) if row.get("id") == "c3__single" else row
        lines += [] if new is None else [json.dumps(new)]
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(InputError, match="c3__single"):
        merge([tmp_path / "set"])
    assert not (tmp_path / "set" / "manifest.jsonl").exists()


def test_a_shard_and_a_whole_run_do_not_write_at_once_and_two_shards_may(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "TURN", 0.2)
    folder, plan = tmp_path / "set", make_plan(read_recipe(home.recipe))
    shard(home, folder, 1)
    with filelock.FileLock(folder / f"{LOCK}-1-of-3"):
        shard(home, folder, 2)
        for action in (
            lambda: generate(plan, folder),
            lambda: generate(plan, folder, shard=Shard(1, 3)),
            lambda: merge([folder]),
        ):
            with pytest.raises(InputError, match=r"another run is writing there|not there: "):
                action()
    with (
        filelock.FileLock(folder / LOCK),
        pytest.raises(InputError, match="another run is writing there"),
    ):
        shard(home, folder, 3)


@pytest.mark.parametrize(
    "text", ["0/3", "4/3", "1/0", "1", "a/b", "-1/3", "1/10000", "1/3/2", "\u0661/\u0663"]
)
def test_a_shard_that_is_none_is_refused(home: Home, tmp_path: Path, text: str) -> None:
    line = ["generate", str(home.recipe), "--out", str(tmp_path / "set"), f"--shard={text}"]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 2
    assert "allowed: i/N with 1 <= i <= N" in result.output
    assert not (tmp_path / "set").exists()


def test_the_command_line_says_what_comes_next(home: Home, tmp_path: Path) -> None:
    folder = str(tmp_path / "set")
    for index in (1, 2):
        line = ["generate", str(home.recipe), "--out", folder, "--shard", f"{index}/2"]
        result = CliRunner().invoke(main, line)
        assert f"shard {index}/2 is done; when all are: synthkit merge {folder}" in result.output
    result = CliRunner().invoke(main, ["merge", folder])
    assert (result.exit_code, result.output) == (
        0,
        f"{folder}: 6 WAVs and 3 text rows of 9 clips; 0 failed\n",
    )
    shutil.rmtree(folder)
    assert CliRunner().invoke(main, ["merge", folder]).exit_code == 2


@pytest.mark.parametrize(
    "numbers",
    [[1, 10**30], [0, 0], [3, 2], [1.0, 2], None],
    ids=["huge", "none", "beyond", "1.0", "-"],
)
def test_a_header_that_is_no_shards_is_refused_at_once(
    home: Home, tmp_path: Path, numbers: object
) -> None:
    shard(home, tmp_path / "set", 1, 1)
    path = tmp_path / "set" / "shards" / "1-of-1.jsonl"
    head, _, rows = path.read_text().partition("\n")
    path.write_text(json.dumps({**json.loads(head), "shard": numbers}) + f"\n{rows}")
    with pytest.raises(InputError, match=r"row 1: shard .*allowed"):
        merge([tmp_path / "set"])


def test_shards_of_several_numbers_are_told(home: Home, tmp_path: Path) -> None:
    for index, count in ((1, 2), (2, 2), (1, 3)):
        shard(home, tmp_path / "set", index, count)
    with pytest.raises(InputError, match="shards of 2 and of 3; allowed: all of one number"):
        merge([tmp_path / "set"])


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows[1:],
        lambda rows: rows[::-1],
        lambda rows: [rows[0].replace(b"{", b'{"duration": NaN, ', 1), *rows[1:]],
        lambda rows: [rows[0].replace(b"lamp", b"\xed\xa0\x80"), *rows[1:]],
        lambda rows: [b'{"command": "c0", "failed": "no"}\n'] * 3,
    ],
    ids=["one is gone", "other order", "NaN", "not UTF-8", "no id"],
)
def test_rows_that_are_not_those_of_the_clips_are_refused(
    home: Home, tmp_path: Path, change: Callable[[list[bytes]], list[bytes]]
) -> None:
    home.write_script(1)
    shard(home, tmp_path / "set", 1, 1)
    path = tmp_path / "set" / "shards" / "1-of-1.jsonl"
    head, *rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([head, *change(rows)]))
    before = files_of(tmp_path / "set")
    with pytest.raises(InputError, match="command c0: its rows are not those of its 3 clips"):
        merge([tmp_path / "set"])
    assert files_of(tmp_path / "set") == before
