"""Faults that other tools had in public: killed workers, half-written files, shared draws."""

from __future__ import annotations

import os
import subprocess
import sys
import wave
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from synthkit.cli.base import FELL_SHORT
from synthkit.executors import processes
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.verify import verify
from tests.conftest import ROOT, rows_of
from tests.homes import Home
from tests.test_generate import files_of


def command(recipe: Path, out: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "synthkit", "generate", str(recipe), "--out", str(out), *more]


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot kill a process by a signal")
@pytest.mark.parametrize("stage", ["clips", "speech"])
def test_a_worker_that_is_killed_does_not_hang_the_run_or_lose_what_is_done(
    spoken_home: Home, tmp_path: Path, stage: str
) -> None:
    cache = [] if stage == "speech" else ["--no-cache"]
    generate(make_plan(read_recipe(spoken_home.recipe)), tmp_path / "whole")
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "POISON": "lamp number three",
        "CURE": str(tmp_path / "cure"),
        "SYNTHKIT_CACHE": str(tmp_path / "cache"),
    }
    line = command(spoken_home.recipe, tmp_path / "set", "--jobs", "4", *cache)
    run = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == FELL_SHORT
    assert "Traceback" not in run.stderr
    told = next(s for s in run.stderr.splitlines() if s.startswith("a worker process was killed"))
    made = rows_of(tmp_path / "set")
    assert "c3" not in made
    for number in range(8):
        assert (f"c{number}" in told) != (f"c{number}" in made)
    whole = rows_of(tmp_path / "whole")
    assert all(rows == whole[name] for name, rows in made.items())
    (tmp_path / "cure").touch()
    run = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    if made:
        assert f"({2 * len(made)} of them kept)" in run.stdout
    assert files_of(tmp_path / "set") == files_of(tmp_path / "whole")
    assert verify(tmp_path / "set").good


def test_half_written_files_of_a_killed_run_are_not_taken_for_done(
    home: Home, tmp_path: Path
) -> None:
    home.write_script(8)
    plan, folder = make_plan(read_recipe(home.recipe)), tmp_path / "set"
    generate(plan, folder)
    clean = files_of(folder)
    # Cut to 20,000 bytes under a header that says so: 9,978 samples, and it opens cleanly.
    cut = folder / "audio" / "c2" / "switch.wav"
    content = cut.read_bytes()
    sizes = (20000 - 8).to_bytes(4, "little"), (20000 - 44).to_bytes(4, "little")
    cut.write_bytes(content[:4] + sizes[0] + content[8:40] + sizes[1] + content[44:20000])
    with wave.open(str(cut)) as file:
        assert file.getnframes() == 9978
    (folder / "audio" / "c5" / "single.wav").write_bytes(b"")
    (folder / "audio" / "c5" / ".synthkit-1-1-0123456789abcdef.tmp").write_bytes(content[:99])
    assert not verify(folder).good
    outcome = generate(plan, folder)
    assert (outcome.audio, outcome.kept) == (16, 12)  # of c2 and c5, two clips each, none
    assert files_of(folder) == clean


def test_a_script_that_changed_is_never_mixed_with_what_it_was(home: Home, tmp_path: Path) -> None:
    home.write_script(8)
    generate(make_plan(read_recipe(home.recipe)), tmp_path / "set")
    home.write_script(8, c1="Turn it off.", c6="Turn them all off.")
    assert generate(make_plan(read_recipe(home.recipe)), tmp_path / "set").kept == 12
    generate(make_plan(read_recipe(home.recipe)), tmp_path / "clean")
    assert files_of(tmp_path / "set") == files_of(tmp_path / "clean")


def test_draws_do_not_depend_on_workers_order_or_selection(home: Home, tmp_path: Path) -> None:
    levels = [3000 + 50 * number for number in range(40)]
    home.write_script(40)
    home.write_recipe(
        extra='bed = "hiss"\nbeds = { hiss = { kind = "pink", snr_db = 20 } }\n'
        f"nuisances = {{ cut = {levels} }}"
    )
    home.recipe.write_text(home.recipe.read_text().replace("cutoff = 4000", 'cutoff = "$cut"'))
    plan = make_plan(read_recipe(home.recipe, ["seed=7"]))
    ids = [assignment.command.id for assignment in plan.commands]
    generate(plan, tmp_path / "one")
    whole = rows_of(tmp_path / "one")
    assert len({row["switch"]["nuisances"]["cut"] for row in whole.values()}) == 40
    assert len({row["switch"]["bed"]["sha256"] for row in whole.values()}) == 40
    with processes(2, ["synthkit.generate.work"]) as two, ThreadPoolExecutor(4) as four:
        for name, executor in (("two", two), ("four", four)):
            generate(plan, tmp_path / name, executor=executor)
            assert files_of(tmp_path / name) == files_of(tmp_path / "one")
    generate(make_plan(read_recipe(home.recipe, ["seed=7"]), only=ids[10:20]), tmp_path / "part")
    assert rows_of(tmp_path / "part") == {name: whole[name] for name in ids[10:20]}
    generate(make_plan(read_recipe(home.recipe, ["seed=8"])), tmp_path / "other")
    other = rows_of(tmp_path / "other")
    assert all(whole[name]["switch"]["sha256"] != other[name]["switch"]["sha256"] for name in ids)
