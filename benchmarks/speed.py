"""Speed and memory of synthkit against what is required; one line each, exit code 1 for a miss.

CPU time (user and system, of whole processes) of two programs in turn, so that another load on the
machine takes from both; the ratio is that of their medians. See docs/performance.md.

    python benchmarks/speed.py [OUT] [plan | memory | verify | generate | jobs ...]
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import soundfile

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = ROOT / "benchmarks"
MIB = 2**20
ROUNDS = 3
EIGHT = BENCHMARKS / "eight.toml"
TONE = ROOT / "tests" / "data" / "eight_tone.toml"


class Cost(NamedTuple):
    """What a process took: CPU and wall time in seconds, largest resident memory in bytes."""

    cpu: float
    wall: float
    memory: int


@dataclass(frozen=True)
class Line:
    """A line of the table: what was measured, what was seen, and the bound it must keep."""

    what: str
    seen: float
    bound: float
    unit: str
    at_least: bool = False

    @property
    def good(self) -> bool:
        return self.seen >= self.bound if self.at_least else self.seen <= self.bound

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        required, seen = f"{sign} {self.bound:g} {self.unit}", f"{self.seen:.2f} {self.unit}"
        return f"{self.what:62} {required:>12} {seen:>12}  {'ok' if self.good else 'MISSED'}"


def run(*command: object) -> Cost:
    """Run a program to its end, its children with it; any failure stops the benchmark."""
    began = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss * unit)


def synthkit(*arguments: object) -> tuple[object, ...]:
    return (sys.executable, "-m", "synthkit", *arguments)


def in_turn(*commands: Callable[[], Cost]) -> list[list[Cost]]:
    """The costs of each command over the rounds."""
    costs = [[command() for command in commands] for _ in range(ROUNDS)]
    return [list(of_one) for of_one in zip(*costs, strict=True)]


def ratio(of: Sequence[float], over: Sequence[float]) -> float:
    return statistics.median(of) / statistics.median(over)


def recipe(base: Path, folder: Path, num_commands: int) -> Path:
    """A copy of a recipe with a script of so many commands: contexts and triggers paired anew."""
    folder.mkdir(parents=True, exist_ok=True)
    script = ROOT / "examples" / "commands.jsonl"
    rows = [json.loads(line) for line in script.read_text(encoding="utf-8").splitlines()]
    with (folder / "commands.jsonl").open("w", encoding="utf-8") as file:
        for index in range(num_commands):
            turn, place = divmod(index, len(rows))
            context = rows[(place + turn) % len(rows)]["context"]
            if turn >= len(rows):  # no pair is left: a number makes another text of it
                context = f"{context.rstrip('.?!')}, I said {turn} times."
            row = {**rows[place], "id": f"c{index}", "context": context}
            file.write(f"{json.dumps(row)}\n")
    text = base.read_text(encoding="utf-8")
    for path in ("../../examples/commands.jsonl", "../examples/commands.jsonl"):
        text = text.replace(path, "commands.jsonl")
    text = text.replace("voices/tone", str(TONE.parent / "voices" / "tone"))
    copy = folder / base.name
    copy.write_text(text, encoding="utf-8")
    return copy


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def plan(out: Path) -> list[Line]:
    path = recipe(TONE, out / "plan", 100_000)
    cost = run(*synthkit("generate", path, "--out", out / "plan" / "set", "--dry-run"))
    what = "plan of 100,000 commands x 8"
    return [
        Line(f"{what}: CPU time", cost.cpu, 30, "s"),
        Line(f"{what}: memory", cost.memory / MIB, 400, "MiB"),
    ]


def memory(out: Path) -> list[Line]:
    peaks = []
    for num_commands in (500, 2000):
        path = recipe(TONE, out / f"memory{num_commands}", num_commands)
        made = fresh(out / f"memory{num_commands}" / "set")
        peaks.append(run(*synthkit("generate", path, "--out", made, "--no-cache")).memory)
        fresh(made)
    grown = (peaks[1] - peaks[0]) / MIB
    return [Line("generate: memory, 2,000 commands x 8 over 500 x 8", grown, 20, "MiB")]


def verify(out: Path) -> list[Line]:
    made = out / "thousand" / "set"
    run(*synthkit("generate", recipe(EIGHT, out / "thousand", 125), "--out", made))
    plain, ours = in_turn(
        lambda: run(sys.executable, BENCHMARKS / "read_and_hash.py", made),
        lambda: run(*synthkit("verify", made)),
    )
    seen = ratio([c.cpu for c in ours], [c.cpu for c in plain])
    return [Line("verify of 1,000 WAVs: CPU time over reading and hashing", seen, 4.5, "x")]


def job(path: Path, folder: Path) -> Path:
    """All that the plain script needs: speech as it was spoken, the room's response, the plan."""
    from synthkit.audio import SAMPLING_RATE
    from synthkit.plan import make_plan
    from synthkit.recipe import read_recipe
    from synthkit.rooms.simulate import impulse_response
    from synthkit.speech.cache import default_cache
    from synthkit.speech.voice import of_card

    planned = make_plan(read_recipe(path))
    voices = {id_: of_card(card, default_cache()) for id_, card in planned.voices.items()}
    (folder / "speech").mkdir(parents=True, exist_ok=True)
    (room,) = (room for field in planned.fields.values() for room in field.rooms)
    rir = impulse_response(room.heard, room.place, SAMPLING_RATE)
    np.save(folder / "rir.npy", rir.samples)
    clips, spoken = [], dict[tuple[str, str, int], str]()
    for clip in planned.clips():
        segments = []
        for segment in clip.segments:
            key = segment.voice, segment.text, segment.seed
            if key not in spoken:
                spoken[key] = f"speech/{len(spoken)}.wav"
                said = voices[segment.voice].speak(segment.text, segment.seed)
                samples = said.samples.astype(np.float32)
                soundfile.write(folder / spoken[key], samples, said.sampling_rate, "FLOAT")
            segments.append({"role": segment.role, "field": segment.field, "speech": spoken[key]})
        clips.append(
            {
                "id": clip.id,
                "file": clip.file,
                "gap_ms": clip.condition.gap_ms,
                "target": clip.target,
                "segments": segments,
            }
        )
    values = {"rir": "rir.npy", "rir_delay": rir.delay, "clips": clips}
    (folder / "job.json").write_text(json.dumps(values), encoding="utf-8")
    return folder / "job.json"


def largest_difference(ours: Path, plain: Path) -> int:
    """The largest difference of any sample of any file, in steps of 16 bits."""
    largest = 0
    names = {p.relative_to(ours) for p in (ours / "audio").rglob("*.wav")}
    assert names == {p.relative_to(plain) for p in (plain / "audio").rglob("*.wav")}
    for name in names:
        one, other = (
            soundfile.read(folder / name, dtype="int16")[0].astype(int) for folder in (ours, plain)
        )
        assert len(one) == len(other), f"{name}: {len(one)} and {len(other)} samples"
        largest = max(largest, int(np.abs(one - other).max()))
    return largest


def generate(out: Path) -> list[Line]:
    folder = out / "eight"
    path = recipe(EIGHT, folder, 80)
    made, plainly = folder / "set", folder / "plain"
    work = job(path, folder)
    plain, ours = in_turn(
        lambda: run(sys.executable, BENCHMARKS / "plain.py", work, fresh(plainly)),
        lambda: run(*synthkit("generate", path, "--out", fresh(made))),
    )
    seen = ratio([c.cpu for c in plain], [c.cpu for c in ours])
    return [
        Line("generate of 640 WAVs: CPU time of a plain script over ours", seen, 3, "x", True),
        Line("and the largest difference of a sample", largest_difference(made, plainly), 1, "LSB"),
    ]


def jobs(out: Path) -> list[Line]:
    told = subprocess.run(
        list(map(str, synthkit("generate", "--help"))), capture_output=True, text=True, check=True
    )
    if "--jobs" not in told.stdout:
        return []
    path = recipe(EIGHT, out / "jobs", 80)
    make = synthkit("generate", path, "--out", out / "jobs" / "set")
    run(*make)  # speak once, so that both take the speech from the cache
    one, two = in_turn(
        lambda: run(*make[:-1], fresh(out / "jobs" / "one"), "--jobs", 1),
        lambda: run(*make[:-1], fresh(out / "jobs" / "two"), "--jobs", 2),
    )
    seen = ratio([c.wall for c in two], [c.wall for c in one])
    return [Line("generate of 640 WAVs: wall time of two processes over one", seen, 0.8, "x")]


MEASUREMENTS = {f.__name__: f for f in (plan, memory, verify, generate, jobs)}


def main(out: Path, names: Sequence[str]) -> int:
    os.environ["SYNTHKIT_CACHE"] = str(out / "cache")
    missed = 0
    print(f"{'':62} {'required':>12} {'seen':>12}")
    for name in names or MEASUREMENTS:
        for line in MEASUREMENTS[name](out):
            print(line, flush=True)
            missed += not line.good
    return int(missed > 0)


if __name__ == "__main__":
    where = Path(sys.argv[1] if len(sys.argv) > 1 else "out/bench").resolve()
    sys.exit(main(where, sys.argv[2:]))
