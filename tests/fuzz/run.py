"""Run mutants in workers that a parent watches: time, memory, writes, tracebacks, wrong reads."""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
import shutil
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from unittest import mock

SECONDS = 20.0  # for one mutant
BYTES = 1 << 30  # that a worker may take beyond what it has when it starts


@dataclass(frozen=True)
class Found:
    """What became of a mutant: its door, and what was wrong, or nothing."""

    number: int
    door: str
    accepted: bool
    wrong: str = ""


def run(numbers: list[int], seed: int, jobs: int) -> Iterator[Found]:
    """Take mutants through their doors, in any order."""
    context = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory(prefix="fuzz-") as name,
        mock.patch.dict(os.environ, SYNTHKIT_CACHE=str(Path(name, "cache"))),
    ):
        base = Path(name)
        from tests.fuzz.template import make_template

        make_template(base / "template")
        left = iter(numbers)
        workers = [_Worker(context, base, seed) for _ in range(min(jobs, len(numbers)))]
        busy = [worker for worker in workers if worker.give(left)]
        while busy:
            wait([worker.pipe for worker in busy], timeout=0.5)
            for worker in busy:
                found = worker.take()
                if found:
                    yield found
                    worker.give(left)
            busy = [worker for worker in busy if worker.number is not None]
        for worker in workers:
            worker.stop()


class _Worker:
    """A process that is started again when it hangs or dies."""

    def __init__(self, context: multiprocessing.context.SpawnContext, base: Path, seed: int):
        self._context, self._base, self._seed = context, base, seed
        self.number: int | None = None
        self._start()

    def _start(self) -> None:
        self.pipe, far = self._context.Pipe()
        self._process = self._context.Process(
            target=_work, args=(far, self._base, self._seed), daemon=True
        )
        self._process.start()
        far.close()
        if not self.pipe.poll(120) or self.pipe.recv() != "ready":
            raise RuntimeError("a worker does not start")

    def give(self, left: Iterator[int]) -> bool:
        self.number = next(left, None)
        if self.number is not None:
            self._since = time.monotonic()
            self.pipe.send(self.number)
        return self.number is not None

    def take(self) -> Found | None:
        assert self.number is not None
        try:
            if self.pipe.poll():
                return Found(*self.pipe.recv())
        except EOFError:
            self._process.join()
            wrong = f"the process died with code {self._process.exitcode}"
        else:
            if time.monotonic() - self._since < SECONDS:
                return None
            wrong = f"still at it after {SECONDS:g} s"
            self._process.kill()
            self._process.join()
        found = Found(self.number, door_of(self._seed, self.number), False, wrong)
        self.pipe.close()
        self._start()
        return found

    def stop(self) -> None:
        self.pipe.send(None)
        self._process.join()


def generator(seed: int, number: int) -> random.Random:
    """The generator of one mutant: it depends on nothing but these two numbers."""
    return random.Random(f"{seed} {number}")


def door_of(seed: int, number: int) -> str:
    from tests.fuzz.targets import draw

    return draw(generator(seed, number)).__name__


def _work(pipe: Connection, base: Path, seed: int) -> None:
    from tests.fuzz.guard import Guard

    warnings.simplefilter("error")  # a warning is a line that nobody asked for
    warnings.simplefilter("ignore", DeprecationWarning)
    guard = Guard()
    _warm_up(base)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (taken + BYTES, resource.RLIM_INFINITY))
    pipe.send("ready")
    while (number := pipe.recv()) is not None:
        pipe.send((number, *_one(number, seed, base, guard)))


def _warm_up(base: Path) -> None:
    """Import and start what every mutant shares."""
    from synthkit.renderers.room import Room

    Room("living_room", "across").parameters()
    import soxr  # noqa: F401

    import synthkit.cli.generate  # noqa: F401


def _one(number: int, seed: int, base: Path, guard: object) -> tuple[str, bool, str]:
    from synthkit.errors import SynthkitError
    from tests.fuzz.checks import check_line
    from tests.fuzz.guard import Guard
    from tests.fuzz.targets import Mutant, draw

    assert isinstance(guard, Guard)
    rng = generator(seed, number)
    door = draw(rng)
    folder = base / f"{os.getpid()}-{number}"
    folder.mkdir()
    mutant = Mutant(folder, base / "template", rng, lambda: guard.watching(folder, base / "cache"))
    accepted, wrong = False, ""
    try:
        door(mutant)
        accepted = True
    except SynthkitError as error:
        try:
            check_line(str(error))
        except Exception as other:
            wrong = str(other)
    except Exception as error:
        where = "".join(traceback.format_exception(error)[-4:])
        wrong = f"{type(error).__name__}: {str(error)[:300]}\n{where[-1500:]}"
    if guard.found:
        wrong = "; ".join(guard.found)
        guard.found.clear()
    shutil.rmtree(folder, ignore_errors=True)
    return door.__name__, accepted, wrong


def summary(found: list[Found]) -> str:
    """How many mutants went through each door, and how many of these were accepted."""
    doors = Counter(one.door for one in found)
    good = Counter(one.door for one in found if one.accepted)
    lines = (
        f"{door:16} {count:6} mutants, {good[door]:6} accepted" for door, count in doors.items()
    )
    return "\n".join(sorted(lines))
