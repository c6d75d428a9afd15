"""Pick the best casts from the trials of search_voices.py, and draw how far apart voices get.

    python benchmarks/frontier.py RUN.jsonl docs

Writes the table of all measured settings, voices_search.csv, and voices_frontier.png: the closest
pair of the best cast of four to nine voices, each of another role, for three bounds of DNSMOS.
"""

import argparse
import csv
import json
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float32]
Trial: TypeAlias = dict[str, Any]

MOS, WER, LIMITED_DB, BAND_HZ = 2.85, 0.025, 3.5, 900.0  # what a voice of the cast may cost
BOUNDS = (2.6, 2.8, 3.0)  # of DNSMOS, for the frontier
ROLES = 9
APART = ("mom", "dad", "teenf", "tvhost")  # the four that the examples use
NODES = 200_000  # of the exact selection, for each bound that it tries


def good(trial: Trial, mos: float = MOS) -> bool:
    """Whether the voice could be of the cast."""
    clear: bool = trial["wer"] <= WER and trial["dnsmos"] >= mos
    return clear and trial["reduction_db"] <= LIMITED_DB and trial["bandwidth_hz"] >= BAND_HZ


def cosines(trials: list[Trial]) -> Array:
    """Cosines between the embeddings of all trials, [n, n]."""
    vectors = np.array([trial["embedding"] for trial in trials], np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors @ vectors.T)


def closeness(trials: list[Trial], handicap: float) -> Array:
    """Cosines, a handicap added between those that must be farther apart than others, [n, n]."""
    apart = np.array([trial["role"] in APART for trial in trials], np.float32)
    return np.asarray(cosines(trials) + handicap * np.outer(apart, apart))


def select(trials: list[Trial], count: int, handicap: float = 0.0) -> list[int]:
    """``count`` trials of different roles whose greatest closeness is least (by bisection)."""
    table = closeness(trials, handicap)
    roles = dict.fromkeys(trial["role"] for trial in trials)
    of_role = [sum(1 << i for i, t in enumerate(trials) if t["role"] == role) for role in roles]
    best: list[int] = []
    low, high = 0.4, 1.0
    while high - low > 0.002:
        bound = (low + high) / 2
        rows = [sum(1 << int(i) for i in np.flatnonzero(row)) for row in table <= bound]
        found = compatible(rows, of_role, count)
        if found:
            best, high = found, float(np.max([table[a, b] for a in found for b in found if a != b]))
        else:
            low = bound
    return best


def compatible(rows: list[int], of_role: list[int], count: int) -> list[int]:
    """Indices, one a role, each allowed by all others' ``rows`` (bit sets); empty where none."""
    nodes = 0

    def grow(chosen: list[int], allowed: int, left: list[int]) -> list[int]:
        nonlocal nodes
        nodes += 1
        if len(chosen) == count:
            return chosen
        if len(chosen) + len(left) < count:
            return []
        role = min(left, key=lambda r: (allowed & of_role[r]).bit_count())
        rest = [r for r in left if r != role]
        options = allowed & of_role[role]
        while options and nodes < NODES:
            index = options.bit_length() - 1
            options ^= 1 << index
            found = grow([*chosen, index], allowed & rows[index], rest)
            if found:
                return found
        return grow(chosen, allowed, rest) if nodes < NODES else []

    return grow([], (1 << len(rows)) - 1, list(range(len(of_role))))


def frontier(trials: list[Trial]) -> dict[float, list[tuple[int, float]]]:
    """For each bound of DNSMOS, the worst cosine of the best 4 to 9 voices of those trials."""
    found: dict[float, list[tuple[int, float]]] = {}
    for mos in BOUNDS:
        passed = [trial for trial in trials if good(trial, mos)]
        found[mos] = []
        for count in range(4, ROLES + 1):
            cast = [passed[i] for i in select(passed, count)]
            if cast:
                worst = float((cosines(cast) - 2 * np.eye(count)).max())
                found[mos].append((count, worst))
    return found


def report(trials: list[Trial], folder: Path) -> None:
    """The table of what was measured, and the frontier as text and as a picture."""
    from matplotlib.figure import Figure  # a search without a picture does not need it

    keys = [key for key in trials[0] if key not in ("role", "setting", "embedding")]
    names = sorted({name for trial in trials for name in trial["setting"]})
    with (folder / "voices_search.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["role", *keys, *names])
        for trial in trials:
            values = [trial[key] for key in keys]
            table.writerow([trial["role"], *values, *map(trial["setting"].get, names)])
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.add_subplot()
    for mos, points in frontier(trials).items():
        print(f"DNSMOS >= {mos}:", ", ".join(f"{n} voices {worst:.3f}" for n, worst in points))
        axes.plot(*zip(*points, strict=True), "o-", label=f"DNSMOS at least {mos}")
    axes.axhline(0.75, color="0.6", linewidth=0.8)
    axes.set(xlabel="voices in the cast", ylabel="cosine of the closest pair")
    axes.legend(frameon=False)
    figure.savefig(folder / "voices_frontier.png", dpi=110)
    print(f"{len(trials)} settings measured")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", type=Path, help="the trials of search_voices.py")
    parser.add_argument("folder", type=Path, help="gets the table and the picture")
    options = parser.parse_args()
    lines = options.run.read_text(encoding="utf-8").splitlines()
    report([json.loads(line) for line in lines], options.folder)


if __name__ == "__main__":
    main()
