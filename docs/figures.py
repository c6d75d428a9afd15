"""Draw the README's picture: one command of the six-condition set, near wearer and far bystander.

make figures
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import soundfile
from matplotlib.axes import Axes

CONDITIONS = ("same_near_600", "different_far_600")
COLOURS = {"wearer": "#1f6f8b", "bystander": "#c2512f"}
ACTIONS = {"call": "the agent acts", "mute": "the agent stays silent"}


def row_of(folder: Path, clip: str) -> dict[str, Any]:
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return next(row for row in map(json.loads, lines) if row["id"] == clip)


def draw(axes: Axes, folder: Path, row: dict[str, Any]) -> None:
    """One clip's waveform, coloured by who speaks, its pause marked."""
    samples, rate = soundfile.read(folder / row["file"])
    time = np.arange(len(samples)) / rate
    axes.axhline(0, color="#ccd3da", linewidth=0.8, zorder=0)
    for segment in row["segments"]:
        span = slice(segment["start"], segment["end"])
        axes.plot(time[span], samples[span], color=COLOURS[segment["speaker"]], linewidth=0.5)
        axes.text(
            (segment["speech_start"] + segment["speech_end"]) / 2 / rate,
            0.72,
            f"“{row['texts'][segment['role']]}”",
            ha="center",
            fontsize=9,
        )
        distance = "close by" if segment["field"] == "near" else "across the room"
        axes.text(
            (segment["speech_start"] + segment["speech_end"]) / 2 / rate,
            -0.86,
            f"{segment['speaker']}, {distance}",
            ha="center",
            fontsize=8,
            color=COLOURS[segment["speaker"]],
        )
    (gap,) = row["gaps"]
    axes.axvspan(gap["start"] / rate, gap["end"] / rate, color="#eef1f4", zorder=-1)
    axes.text(
        (gap["start"] + gap["end"]) / 2 / rate,
        0.12,
        f"{gap['requested_ms']:g} ms\nof zeros",
        ha="center",
        fontsize=8,
        color="#57606a",
    )
    axes.set_title(
        f"{row['condition']}: {ACTIONS[row['target']['action']]}", loc="left", fontsize=10
    )
    axes.set_ylim(-1, 1)
    axes.set_yticks([])
    axes.spines[["left", "right", "top"]].set_visible(False)


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw one pair of a generated set.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--command", default="unlock_door_01")
    parser.add_argument("--out", type=Path, default=Path("docs/pair.png"))
    options = parser.parse_args()
    figure, panels = plt.subplots(2, 1, figsize=(9, 4.2), sharex=True, layout="constrained")
    for axes, condition in zip(panels, CONDITIONS, strict=True):
        draw(axes, options.folder, row_of(options.folder, f"{options.command}__{condition}"))
    panels[-1].set_xlabel("seconds", fontsize=9)
    figure.savefig(options.out, dpi=130)


if __name__ == "__main__":
    main()
