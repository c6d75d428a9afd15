"""Hostile input: ``python -m tests.fuzz``, and ``--only N`` to see one mutant again."""

from __future__ import annotations

import argparse
import os
import sys
import time

from tests.fuzz.run import run, summary


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--mutants", type=int, default=10_000, help="how many; 10000")
    parser.add_argument("--seed", type=int, default=1, help="of all of them; 1")
    parser.add_argument("--only", type=int, action="append", help="this mutant alone; repeatable")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args()
    numbers = options.only or list(range(options.mutants))
    began, found = time.monotonic(), []
    for one in run(numbers, options.seed, options.jobs):
        found.append(one)
        if one.wrong:
            print(f"--seed {options.seed} --only {one.number}  {one.door}: {one.wrong}", flush=True)
    print(summary(found))
    wrong = sum(bool(one.wrong) for one in found)
    print(f"{len(found)} mutants, {wrong} faults, {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
