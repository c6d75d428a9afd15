"""A short run of the mutants, and that the run itself would see what it looks for."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from synthkit.errors import SynthkitError
from tests.fuzz import checks, mutators, targets
from tests.fuzz.run import door_of, run
from tests.fuzz.template import make_template

SHORT = 200


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz") / "template"
    make_template(folder)
    return folder


def test_mutants_are_read_right_or_refused_in_one_line() -> None:
    found = list(run(list(range(SHORT)), seed=20, jobs=1))
    assert sorted(one.number for one in found) == list(range(SHORT))
    assert [one for one in found if one.wrong] == []
    # Neither all refused at the first look, nor all taken.
    assert 0.2 < sum(one.accepted for one in found) / SHORT < 0.8


@pytest.mark.parametrize(
    "door",
    [door for door in targets.SHARES if door is not targets.override],  # has no good form
    ids=lambda door: door.__name__,
)
def test_the_good_files_pass_through_every_door(
    template: Path, tmp_path: Path, door: Callable[[targets.Mutant], None], monkeypatch
) -> None:
    # Else every mutant would be refused for a fault that none of the mutators made. A door raises
    # what refuses the file, or a wrong read.
    for name in ("mutate_tree", "mutate_text", "mutate_bytes", "mutate_wav"):
        monkeypatch.setattr(targets, name, lambda good, rng, header=None: good)
    monkeypatch.setattr(targets, "encoded", lambda text, rng: text.encode())
    monkeypatch.setattr(targets, "json_text", lambda tree, rng: mutators.json.dumps(tree))
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        rng = random.Random(2 * seed)
        if door is targets.bed_wav:
            rng.choice = lambda kinds: kinds[0]  # type: ignore[method-assign]
        door(targets.Mutant(folder, template, rng, contextlib.nullcontext))


def test_a_mutant_depends_on_seed_and_number_alone(template: Path, tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        rng = random.Random("1 5")
        mutant = targets.Mutant(tmp_path / name, template, rng, contextlib.nullcontext)
        made.append((mutant.toml("full.toml").read_bytes(), mutant.jsonl("script.jsonl")))
    assert made[0][0] == made[1][0]
    assert made[0][1].read_bytes() == made[1][1].read_bytes()
    assert len({door_of(1, number) for number in range(200)}) == len(targets.SHARES)


WATCHED = """
import os, socket, subprocess, sys
from pathlib import Path
from tests.fuzz.guard import Guard
guard, own = Guard(), Path(sys.argv[1])
with guard.watching(own):
    (own / "fine").write_text("x")
    (own / "fine").read_text()
    Path(os.devnull).open("w").close()
assert not guard.found, guard.found
for act in (
    lambda: (own / ".." / "out").write_text("x"),
    lambda: (own / "fine").rename(own.parent / "moved"),
    lambda: (own.parent / "folder").mkdir(),
    lambda: os.remove(own.parent / "moved"),
    lambda: subprocess.run([sys.executable, "-c", ""]),
    lambda: socket.socket().connect_ex(("127.0.0.1", 9)),
):
    with guard.watching(own):
        act()
    assert guard.found, act
    guard.found.clear()
"""


def test_writes_elsewhere_programs_and_connections_are_seen(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    root = Path(__file__).parents[2]
    # In a process of its own: what watches a process cannot be taken off again.
    subprocess.run(
        [sys.executable, "-c", WATCHED, str(own)],
        check=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )


def test_a_wrong_read_is_told_from_a_refusal() -> None:
    assert not issubclass(checks.WrongRead, SynthkitError)
    with pytest.raises(checks.WrongRead):
        checks.check_line("two\nlines")
    with pytest.raises(checks.WrongRead):
        checks.check_plain({"a": [float("nan")]}, "x")
