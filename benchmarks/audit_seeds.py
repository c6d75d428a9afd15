"""False alarms: sound sets made with other seeds, each audited; every finding is a false one.

The published recipes in turn, each with another seed and other commands of its script, so that
words, voices, slots and dealing are others in every set. A set is removed once it is audited.
Prints the findings by check and how many there are in all; exits with 1 where there are more than
three, or where a set had nothing to judge by.

    python benchmarks/audit_seeds.py [--sets 100] [--commands 40]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from synthkit.audit import audit
from synthkit.audit.report import Report
from synthkit.generate import generate
from synthkit.plan import Plan, make_plan
from synthkit.recipe import find_recipe, read_recipe
from synthkit.resources import folder
from synthkit.speech.cache import default_cache

ALLOWED = 3
FIRST_SEED = 1_000_000  # far from those of the published sets
RECIPES = ("cue_validity_eight", "cue_validity_six", "switch_pairs", "cue_balanced")
SCRIPT = folder("examples") / "switch_commands.jsonl"


def plan(name: str, seed: int, num_commands: int, work: Path) -> Plan:
    """A published recipe with another seed, on so many commands drawn from its script."""
    lines = SCRIPT.read_text(encoding="utf-8").splitlines(keepends=True)
    script = work / "commands.jsonl"
    if name == "cue_balanced":  # which draws its commands itself, out of those for training
        script.write_text("".join(lines), encoding="utf-8")
        many = {"same": num_commands, "different": 3 * num_commands, "text": num_commands}
        overrides = [f"slots.{kind}={number}" for kind, number in many.items()]
    else:
        drawn = sorted(random.Random(seed).sample(range(len(lines)), num_commands))
        script.write_text("".join(lines[place] for place in drawn), encoding="utf-8")
        overrides = ['only_splits=["train", "test"]']
    overrides += [f"seed={seed}", f'scripts="{script.as_posix()}"']
    return make_plan(read_recipe(find_recipe(Path(f"{name}.toml")), overrides))


def audited(name: str, seed: int, num_commands: int) -> Report:
    """Make a set, audit it, and remove it."""
    with tempfile.TemporaryDirectory() as work:
        made = Path(work) / "set"
        outcome = generate(plan(name, seed, num_commands, Path(work)), made, cache=default_cache())
        if outcome.failures:
            sys.exit(f"{name}, seed {seed}: {outcome.failures[0].id}: {outcome.failures[0].reason}")
        return audit(made)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--commands", type=int, default=40)
    options = parser.parse_args(arguments)
    by_check: Counter[str] = Counter()
    unjudged, judged, began = 0, 0, time.process_time()
    for number in range(options.sets):
        name, seed = RECIPES[number % len(RECIPES)], FIRST_SEED + number
        report = audited(name, seed, options.commands)
        for finding in report.findings:
            print(f"{name}, seed {seed}: {finding}", flush=True)
            by_check[finding.check] += 1
        here = sum(probe.judged for probe in report.probes)
        judged, unjudged = judged + here, unjudged + (not here)
    for check, count in sorted(by_check.items()):
        print(f"{count:6}  {check}")
    print(
        f"{by_check.total()} false findings in {options.sets} sets of {options.commands} commands, "
        f"{judged} probes judged; allowed: {ALLOWED}; {time.process_time() - began:.0f} s"
    )
    if unjudged:
        print(f"{unjudged} sets had no probe to judge by: more commands are needed")
    return int(by_check.total() > ALLOWED or unjudged > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
