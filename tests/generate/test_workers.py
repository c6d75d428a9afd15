"""Workers: the same bytes whoever does the work, and an end when one of them is killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthkit.executors import processes
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.speech.cache import SpeechCache
from tests.conftest import ROOT, rows_of
from tests.homes import Home
from tests.test_generate import files_of

MODULES = ("synthkit.generate.work",)


class Shuffled(Executor):
    """Does what it was given in another order, when somebody waits for it."""

    def __init__(self) -> None:
        self._given: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._given.append((future, fn, args))
        threading.Timer(0.05, self._do).start()
        return future

    def _do(self) -> None:
        given, self._given = self._given, []
        random.Random(3).shuffle(given)
        for future, function, arguments in given:
            future.set_result(function(*arguments))


@pytest.fixture
def nuisances(home: Home) -> Home:
    """Ten commands with a room and a noise drawn for each."""
    home.write_script(10)
    home.write_recipe(
        extra='bed = "$noise"\nbeds = { a = { kind = "pink", snr_db = 20 }, '
        'b = { kind = "room_tone", level_dbfs = -60 } }\n'
        'nuisances = { noise = ["a", "b"], cut = [3000, 4000, 5000] }'
    )
    home.recipe.write_text(home.recipe.read_text().replace("cutoff = 4000", 'cutoff = "$cut"'))
    return home


def test_the_same_set_whoever_does_the_work(nuisances: Home, tmp_path: Path) -> None:
    plan = make_plan(read_recipe(nuisances.recipe))
    generate(plan, tmp_path / "alone")
    alone = files_of(tmp_path / "alone")
    draws = {str(rows["switch"]["nuisances"]) for rows in rows_of(tmp_path / "alone").values()}
    assert len(draws) == 6  # two noises by three filters, drawn for ten commands
    with processes(2, MODULES) as two, ThreadPoolExecutor(4) as threads:
        for name, executor in {"two": two, "threads": threads, "shuffled": Shuffled()}.items():
            outcome = generate(
                plan, tmp_path / name, executor=executor, cache=SpeechCache(tmp_path / "cache")
            )
            assert (outcome.audio, outcome.failures) == (20, [])
            assert files_of(tmp_path / name) == alone, name


def test_each_utterance_is_spoken_once_whatever_the_number_of_workers(
    spoken_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAID", str(tmp_path / "said"))
    plan = make_plan(read_recipe(spoken_home.recipe))
    with processes(2, MODULES) as executor:
        generate(plan, tmp_path / "set", executor=executor, cache=SpeechCache(tmp_path / "cache"))
    said = Counter((tmp_path / "said").read_text().splitlines())
    # Contexts by the wearer alone, triggers by wearer and bystander.
    assert {said[f"I was in the kitchen at {n}."] for n in ("zero", "seven")} == {1}
    assert sum(said.values()) == 3 * 8


def test_voices_that_are_one_by_two_names_speak_once(
    spoken_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = spoken_home.recipe.parent
    (folder / "two.toml").write_text((folder / "one.toml").read_text())
    monkeypatch.setenv("SAID", str(tmp_path / "said"))
    plan = make_plan(read_recipe(spoken_home.recipe), limit=2)
    generate(plan, tmp_path / "set", cache=SpeechCache(tmp_path / "cache"))
    assert len((tmp_path / "said").read_text().splitlines()) == 2 * 2


def test_steps_are_told_as_they_are_done(home: Home, tmp_path: Path) -> None:
    home.recipe.write_text(
        home.recipe.read_text().replace(
            "far = [", 'far = [{ renderer = "room", room = "living_room", place = "across" }, '
        )
    )
    told: list[tuple[str, int, int]] = []
    generate(
        make_plan(read_recipe(home.recipe)),
        tmp_path / "set",
        cache=SpeechCache(tmp_path / "cache"),
        on_progress=lambda *step: told.append(step),
    )
    assert told == [("rooms", 1, 1), ("speech", 9, 9), ("clips", 9, 9)]


@pytest.fixture
def busy() -> Iterator[None]:
    """Four threads of the calling process that multiply matrices all the time."""
    stop = threading.Event()

    def work() -> None:
        matrix = np.random.default_rng(1).standard_normal((200, 200))
        while not stop.is_set():
            matrix = matrix @ matrix / np.linalg.norm(matrix)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    yield
    stop.set()
    for thread in threads:
        thread.join()


def test_busy_threads_around_it_have_no_say(
    nuisances: Home, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    plan = make_plan(read_recipe(nuisances.recipe), limit=4)
    generate(plan, tmp_path / "quiet")
    request.getfixturevalue("busy")
    generate(plan, tmp_path / "busy")
    assert files_of(tmp_path / "busy") == files_of(tmp_path / "quiet")


def command(recipe: Path, out: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "synthkit", "generate", str(recipe), "--out", str(out), *more]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_workers_end_with_a_parent_that_is_killed(spoken_home: Home, tmp_path: Path) -> None:
    mark = f"SYNTHKIT_TEST_MARK={tmp_path}"
    name, _, value = mark.partition("=")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), name: value, "SAID": str(tmp_path / "s")}
    line = command(spoken_home.recipe, tmp_path / "set", "--jobs", "2", "--no-cache")
    run = subprocess.Popen(line, env=environment, start_new_session=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "s").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(marked(mark)) >= 3  # the run and its workers
    run.send_signal(signal.SIGKILL)
    run.wait()
    while marked(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert marked(mark) == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("after", [2, 3], ids=["while they start", "while they work"])
@pytest.mark.parametrize(
    ("number", "ending"),
    [(signal.SIGINT, (1, "\nAborted!\n")), (signal.SIGTERM, (143, ""))],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_what_is_ended_by_a_signal_ends_its_workers_without_a_word_of_theirs(
    spoken_home: Home, tmp_path: Path, after: int, number: int, ending: tuple[int, str]
) -> None:
    mark = f"SYNTHKIT_TEST_MARK={tmp_path}"
    name, _, value = mark.partition("=")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), name: value, "SAID": str(tmp_path / "s")}
    line = command(spoken_home.recipe, tmp_path / "set", "--jobs", "2", "--no-cache")
    run = subprocess.Popen(
        line,
        env=environment,
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
        # A shell has its background jobs ignore Ctrl-C, and these tests may be one.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (
        len(marked(mark)) < after or (after > 2 and not (tmp_path / "s").exists())
    ):
        time.sleep(0.02)
    if number == signal.SIGINT:
        os.killpg(run.pid, number)  # as a terminal does: to all of them
    else:
        run.send_signal(number)
    _, told = run.communicate(timeout=60)
    assert (run.returncode, told) == ending
    while marked(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert marked(mark) == []


@pytest.mark.skipif(os.name != "posix", reason="closes streams by a shell")
def test_closed_streams_are_no_reason_to_make_nothing(home: Home, tmp_path: Path) -> None:
    line = command(home.recipe, tmp_path / "set")
    shell = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *line]
    subprocess.run(shell, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    assert (tmp_path / "set" / "SHA256SUMS").is_file()


def marked(mark: str) -> list[str]:
    """Live processes with a variable in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes().split(b"\0"):
                found.append(path.parent.name)
        except OSError:
            continue
    return found
