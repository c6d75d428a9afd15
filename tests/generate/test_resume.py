"""Going on: what is there and right is kept, what is not is made, and the set is the same."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import time
import wave
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from synthkit import dataset
from synthkit.cli import main
from synthkit.errors import InputError
from synthkit.generate import Outcome, generate
from synthkit.plan import ClipPlan, make_plan
from synthkit.recipe import read_recipe
from synthkit.render import CommandRenderer
from synthkit.verify import verify
from tests.conftest import rows_of
from tests.homes import Home
from tests.test_generate import files_of


def make(home: Home, folder: Path, prune: bool = False) -> Outcome:
    return generate(make_plan(read_recipe(home.recipe)), folder, prune=prune)


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that are rendered, as they come."""
    seen: list[str] = []
    render = CommandRenderer.render

    def watched(self: CommandRenderer, clips: list[ClipPlan]) -> object:
        seen.append(clips[0].command.id)
        return render(self, clips)

    monkeypatch.setattr(CommandRenderer, "render", watched)
    return seen


def test_a_finished_set_is_kept_as_it_is(home: Home, tmp_path: Path, rendered: list[str]) -> None:
    make(home, tmp_path / "set")
    before = files_of(tmp_path / "set")
    rendered.clear()
    outcome = make(home, tmp_path / "set")
    assert rendered == []
    assert (outcome.audio, outcome.kept, outcome.text) == (6, 6, 3)
    assert files_of(tmp_path / "set") == before


def test_one_more_command_renders_one_command(
    home: Home, tmp_path: Path, rendered: list[str]
) -> None:
    make(home, tmp_path / "set")
    home.write_script(4)
    rendered.clear()
    make(home, tmp_path / "set")
    assert rendered == ["c3"]
    make(home, tmp_path / "whole")
    assert files_of(tmp_path / "set") == files_of(tmp_path / "whole")


def test_other_words_render_their_command_alone(
    home: Home, tmp_path: Path, rendered: list[str]
) -> None:
    make(home, tmp_path / "set")
    home.write_script(3, c1="Turn it off again.")
    rendered.clear()
    make(home, tmp_path / "set")
    assert rendered == ["c1"]
    make(home, tmp_path / "whole")
    assert files_of(tmp_path / "set") == files_of(tmp_path / "whole")


def test_what_is_not_heard_is_taken_from_the_script_of_today(
    home: Home, tmp_path: Path, rendered: list[str]
) -> None:
    make(home, tmp_path / "set")
    rows = [json.loads(line) for line in home.script.read_text().splitlines()]
    rows[1]["params"] = {"room": "den"}
    home.script.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    rendered.clear()
    make(home, tmp_path / "set")
    assert rendered == []
    assert rows_of(tmp_path / "set")["c1"]["single"]["target"]["params"] == {"room": "den"}
    assert verify(tmp_path / "set").good


def cut(path: Path) -> None:
    """Half of the samples, under a header that says so: it opens, and looks whole."""
    with wave.open(str(path)) as file:
        settings, frames = file.getparams(), file.readframes(file.getnframes() // 2)
    with wave.open(str(path), "wb") as file:
        file.setparams(settings)
        file.writeframes(frames)


@pytest.mark.parametrize(
    "damage",
    [cut, lambda path: path.write_bytes(b""), Path.unlink],
    ids=["cut, with a header to match", "empty", "gone"],
)
def test_a_damaged_file_is_made_again(
    home: Home, tmp_path: Path, rendered: list[str], damage: object
) -> None:
    folder = tmp_path / "set"
    make(home, folder)
    before = files_of(folder)
    damage(folder / "audio" / "c1" / "switch.wav")  # type: ignore[operator]
    (folder / "audio" / "c1" / ".synthkit-7-1-0123456789abcdef.tmp").write_bytes(b"RIFF")
    rendered.clear()
    make(home, folder)
    assert rendered == ["c1"]
    assert files_of(folder) == before


@pytest.mark.parametrize("name", ["manifest.jsonl", "dataset.json", "SHA256SUMS"])
def test_rows_that_somebody_changed_are_not_believed(
    home: Home, tmp_path: Path, rendered: list[str], name: str
) -> None:
    folder = tmp_path / "set"
    make(home, folder)
    before = files_of(folder)
    text = (folder / name).read_text()
    (folder / name).write_text(text.replace("0", "1", 1) if name != "SHA256SUMS" else "")
    rendered.clear()
    make(home, folder)
    assert rendered == ["c0", "c1", "c2"]
    assert files_of(folder) == before


def test_what_other_libraries_made_is_made_again(
    home: Home, tmp_path: Path, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make(home, tmp_path / "set")
    versions = {**dataset.library_versions(), "scipy": "0.0"}
    monkeypatch.setattr(dataset, "library_versions", lambda: versions)
    rendered.clear()
    assert make(home, tmp_path / "set").kept == 0
    assert rendered == ["c0", "c1", "c2"]


class Lost(Executor):
    """All of its workers are killed before they do anything."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        raise BrokenExecutor


def journal(folder: Path, rows: list[dict[str, Any]], **made_with: object) -> None:
    """What a killed run left in ``folder``."""
    header = {"made_with": dataset.made_with() | made_with}
    lines = "".join(f"{json.dumps(line)}\n" for line in (header, *rows))
    (folder / ".synthkit-rows-0.jsonl").write_text(lines)


def test_rows_of_another_environment_are_not_taken_for_those_of_workers_that_are_lost(
    home: Home, tmp_path: Path
) -> None:
    folder, plan = tmp_path / "set", make_plan(read_recipe(home.recipe))
    make(home, folder)
    rows = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    (folder / "dataset.json").unlink()
    journal(folder, rows, synthkit_version="0.0")
    outcome = generate(plan, folder, executor=Lost())
    assert (outcome.audio, outcome.lost) == (0, ["c0", "c1", "c2"])


@pytest.mark.parametrize(
    "changed",
    [{"peak_dbfs": float("nan")}, {"segments": []}, {"bed": None}],
    ids=["no number", "fewer parts", "no bed"],
)
def test_a_row_that_is_not_its_clips_is_made_again(
    home: Home, tmp_path: Path, rendered: list[str], changed: dict[str, Any]
) -> None:
    folder = tmp_path / "set"
    home.write_recipe(extra='bed = "hiss"\nbeds = { hiss = { kind = "pink", snr_db = 20 } }')
    make(home, folder)
    before = files_of(folder)
    rows = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    rows[0] |= changed
    (folder / "dataset.json").unlink()
    journal(folder, rows)
    rendered.clear()
    make(home, folder)
    assert rendered == ["c0"]
    assert files_of(folder) == before


def test_a_bed_that_no_clip_has_any_more_goes_and_a_users_file_stays(
    home: Home, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    home.write_recipe(extra='bed = "hiss"\nbeds = { hiss = { kind = "pink", snr_db = 20 } }')
    make(home, folder)
    assert make(home, folder).kept == 6
    (folder / "beds" / "mine.wav").write_bytes(b"RIFF")
    home.write_script(3, c1="Turn it off again, and be quick about it.")
    assert make(home, folder).kept == 4
    make(home, tmp_path / "whole")
    (folder / "beds" / "mine.wav").unlink()
    assert files_of(folder) == files_of(tmp_path / "whole")


def test_prune_removes_what_the_recipe_no_longer_has(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    make(home, folder)
    home.write_script(2)
    before = files_of(folder)
    with pytest.raises(InputError, match=r"holds audio/c2/single\.wav.*or --prune"):
        make(home, folder)
    command = ["generate", str(home.recipe), "--out", str(folder), "--prune"]
    listed = CliRunner().invoke(main, [*command, "--dry-run"])
    assert "would remove audio/c2/single.wav\nwould remove audio/c2/switch.wav" in listed.output
    assert files_of(folder) == before
    outcome = make(home, folder, prune=True)
    assert outcome.removed == ["audio/c2/single.wav", "audio/c2/switch.wav"]
    assert outcome.kept == 4
    assert not (folder / "audio" / "c2").exists()
    make(home, tmp_path / "whole")
    assert files_of(folder) == files_of(tmp_path / "whole")


def test_prune_with_a_selection_is_refused_as_it_would_remove_all_else(
    home: Home, tmp_path: Path
) -> None:
    make(home, tmp_path / "set")
    before = files_of(tmp_path / "set")
    for selection in (["--limit", "1"], ["--only", "c1"]):
        line = ["generate", str(home.recipe), "--out", str(tmp_path / "set"), "--prune"]
        result = CliRunner().invoke(main, [*line, *selection])
        assert result.exit_code == 2
        assert "--prune by itself" in result.output
    assert files_of(tmp_path / "set") == before


def test_prune_takes_another_form_of_the_recipe_and_no_other_recipe(
    home: Home, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    make(home, folder)
    home.write_recipe(grid="eight")
    with pytest.raises(InputError, match=r"set of another recipe; .* or --prune"):
        make(home, folder)
    make(home, folder, prune=True)
    make(home, tmp_path / "whole")
    assert files_of(folder) == files_of(tmp_path / "whole")
    home.write_recipe(name="other")
    with pytest.raises(InputError, match=r"set of another recipe; allowed: a new folder$"):
        make(home, folder, prune=True)


@pytest.mark.parametrize("whose", ["a new file", "a clip that was edited"])
def test_prune_never_removes_what_is_the_users(home: Home, tmp_path: Path, whose: str) -> None:
    folder = tmp_path / "set"
    make(home, folder)
    home.write_script(2)
    name = "audio/c2/notes.txt" if whose == "a new file" else "audio/c2/switch.wav"
    (folder / name).write_text("mine")
    before = files_of(folder)
    with pytest.raises(InputError, match=f"holds {name}"):
        make(home, folder, prune=True)
    assert files_of(folder) == before


@pytest.mark.skipif(
    not hasattr(os, "fork"), reason="a run is forked off, so that it starts at once"
)
def test_killed_at_any_moment_and_run_again_it_is_as_if_undisturbed(
    home: Home, tmp_path: Path
) -> None:
    home.write_script(12)
    started = time.monotonic()
    make(home, tmp_path / "whole")
    lasts = time.monotonic() - started
    folder, moments, cut_short = tmp_path / "set", random.Random(20), 0
    for _ in range(20):
        run = multiprocessing.get_context("fork").Process(target=make, args=(home, folder))
        run.start()
        time.sleep(moments.uniform(0, 1) * lasts)
        run.kill()
        run.join()
        cut_short += not (folder / "manifest.jsonl").exists()
        if (folder / "manifest.jsonl").exists():  # it was done: give the next one work
            for number in moments.sample(range(12), 9):
                shutil.rmtree(folder / "audio" / f"c{number}")
    assert cut_short > 0
    make(home, folder)
    assert files_of(folder) == files_of(tmp_path / "whole")
    assert verify(folder).good


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"content_key": ', '"content_key": [], "x": '),
        ('"duration": ', '"duration": NaN, "x": '),
        ('"tool": "lamp"', '"tool": "\\ud800"'),
        ('"tool": "lamp"', '"tool": "\udcff"'),
        ('"segments": [{', '"segments": [], "gaps": [{'),
    ],
    ids=["key", "NaN", "surrogate", "bytes", "no segments"],
)
def test_a_hostile_journal_costs_nothing_but_work(
    home: Home, tmp_path: Path, old: str, new: str
) -> None:
    make(home, tmp_path / "set")
    before, rows = files_of(tmp_path / "set"), (tmp_path / "set" / "manifest.jsonl").read_text()
    assert old in rows
    head = json.dumps({"made_with": dataset.made_with()})
    (tmp_path / "set" / "manifest.jsonl").unlink()
    journal = f"{head}\n{rows.replace(old, new)}".encode("utf-8", "surrogateescape")
    (tmp_path / "set" / ".synthkit-rows-x.jsonl").write_bytes(journal)
    make(home, tmp_path / "set")
    assert files_of(tmp_path / "set") == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("name", ["SHA256SUMS", "manifest.jsonl", ".synthkit-rows-x.jsonl"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_file_is_not_waited_for(
    home: Home, tmp_path: Path, name: str, kind: str
) -> None:
    make(home, tmp_path / "set")
    before, path = files_of(tmp_path / "set"), tmp_path / "set" / name
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    if kind == "folder" and not name.startswith("."):
        with pytest.raises(InputError, match="cannot be written"):
            make(home, tmp_path / "set")
    else:
        make(home, tmp_path / "set")
        assert files_of(tmp_path / "set") == before
