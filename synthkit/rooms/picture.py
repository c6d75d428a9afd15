"""A room as a picture: plan with positions, impulse response, energy decay curves, figures."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np

from synthkit.audio import SAMPLING_RATE, Samples
from synthkit.errors import InputError
from synthkit.rooms.acoustics import energy_decay
from synthkit.rooms.cards import RoomCard
from synthkit.rooms.simulate import RoomImpulseResponse, impulse_response
from synthkit.rooms.table import figures

COLOURS = ("#1f6f8b", "#c2512f", "#6a8f3c", "#8a5a9e", "#b8860b", "#57606a")
DEVICE = "#1c2128"
LEVELS_DB = (-65.0, 3.0)
LONGEST_S = 0.6
ARROW_M = 0.09  # of the longer side of the plan


def draw(card: RoomCard, path: Path) -> None:
    """Write a PNG of ``card`` to ``path``.

    Raises :class:`InputError` where matplotlib, the extra ``plots``, is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "pictures need matplotlib, which is not installed; pip install 'synthkit[plots]'"
        ) from None
    heard = {place: impulse_response(card, place, SAMPLING_RATE) for place in card.places}
    figure = Figure(figsize=(9.6, 6.4), dpi=75, layout="constrained")
    figure.suptitle(f"{card.id}: {card.name}", fontsize=12)
    axes = figure.subplot_mosaic([["plan", "response"], ["figures", "decay"]])
    _plan(axes["plan"], card)
    _response(axes["response"], *list(heard.items())[-1])
    _decay(axes["decay"], heard)
    _figures(axes["figures"], card)
    # Without the version in it, the file depends on the room alone.
    figure.savefig(path, format="png", metadata={"Software": None})


def _plan(axes: Any, card: RoomCard) -> None:
    """Seen from above: the device a black square, talkers dots with arrows where they face."""
    axes.set_title("plan, heights", fontsize=9)
    if card.dimensions is None or card.microphone is None:
        axes.text(0.5, 0.5, "measured: no positions", ha="center", transform=axes.transAxes)
        axes.set_axis_off()
        return
    x, y, z = card.dimensions
    axes.plot([0, x, x, 0, 0], [0, 0, y, y, 0], color=DEVICE, linewidth=1.5)
    length = ARROW_M * max(x, y)
    for (name, place), colour in zip(card.places.items(), itertools.cycle(COLOURS), strict=False):
        if place.position is None:
            continue
        left, front, height = place.position
        axes.plot(left, front, "o", color=colour, markersize=5, label=f"{name}, {height:g} m")
        if place.facing:
            dx, dy, _ = place.facing.vector
            axes.annotate(
                "",
                (left + length * dx, front + length * dy),
                (left, front),
                arrowprops={"arrowstyle": "->", "color": colour},
            )
    at_height = f"device, {card.microphone[2]:g} m"
    axes.plot(*card.microphone[:2], "s", color=DEVICE, markersize=4, label=at_height)
    axes.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    axes.set_aspect("equal")
    axes.margins(0.04)
    axes.set_xlabel(f"x, m (ceiling at {z:g} m)", fontsize=8)
    axes.set_ylabel("y, m", fontsize=8)
    axes.tick_params(labelsize=8)


def _response(axes: Any, place: str, rir: RoomImpulseResponse) -> None:
    """The response itself from the direct sound on, in dB re its largest sample."""
    samples = rir.samples[rir.delay : rir.delay + round(LONGEST_S / 2 * rir.sampling_rate)]
    time = 1000 * np.arange(len(samples)) / rir.sampling_rate
    axes.set_title(f"impulse response from {place}, ms", fontsize=9)
    axes.plot(time, _decibels(np.abs(samples) / np.abs(rir.samples).max()), DEVICE, linewidth=0.5)
    axes.set_ylim(*LEVELS_DB)
    axes.set_ylabel("dB", fontsize=8)
    axes.tick_params(labelsize=8)


def _decay(axes: Any, heard: dict[str, RoomImpulseResponse]) -> None:
    """Schroeder's backward integral of every place's response."""
    axes.set_title("energy decay, all frequencies, s", fontsize=9)
    for (place, rir), colour in zip(heard.items(), itertools.cycle(COLOURS), strict=False):
        curve = energy_decay(rir.samples[rir.delay :])
        time = np.arange(len(curve)) / rir.sampling_rate
        shown = time <= LONGEST_S
        axes.plot(time[shown], _decibels(np.sqrt(curve[shown])), color=colour, label=place)
    axes.set_ylim(*LEVELS_DB)
    axes.set_ylabel("dB", fontsize=8)
    axes.tick_params(labelsize=8)
    axes.legend(fontsize=8, frameon=False)


def _figures(axes: Any, card: RoomCard) -> None:
    axes.set_axis_off()
    asked = "none" if card.rt60 is None else f"{card.rt60:g} s"
    rows = "\n".join(figures(card))
    axes.text(
        0,
        0.9,
        f"requested RT60 {asked}; realised:\n\n{rows}",
        family="monospace",
        fontsize=8,
        va="top",
        transform=axes.transAxes,
    )


def _decibels(amplitude: Samples) -> Samples:
    return 20 * np.log10(np.maximum(amplitude, 1e-6))
