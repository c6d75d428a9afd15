"""An audit of voices as a picture: how close each pair is, and where each voice stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from synthkit.errors import InputError
from synthkit.files import atomic
from synthkit.speech.audit.limits import COSINE, IDENTIFIED, NATURAL, WER
from synthkit.speech.audit.voices import VoiceAudit, VoiceFigures

INK, DOT, LIMIT, AIM = "#1c2128", "#1f6f8b", "#c2512f", "#b8860b"
COSINES = (0.4, 1.0)  # ends of the colour scale; unrelated voices lie near 0.5
SMALL = 8  # points

Read = Callable[[VoiceFigures], float | None]


def require_matplotlib() -> Any:
    """Return matplotlib's Figure; :class:`InputError` where the extra ``plots`` is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "pictures need matplotlib, which is not installed; pip install 'synthkit[plots]'"
        ) from None
    return Figure


def draw(audit: VoiceAudit, path: Path) -> None:
    """Write a PNG of ``audit`` to ``path``."""
    count = len(audit.voices)
    height = 2.4 + 0.34 * count
    figure = require_matplotlib()(figsize=(5.5 + 0.42 * count + 6.5, height), layout="constrained")
    width = 2.2 + 0.42 * count
    matrix, *panels = figure.subplots(1, 7, width_ratios=[width, *[1.1] * 6], squeeze=False)[0]
    _cosines(matrix, audit)
    _dots(panels[0], audit, "word errors, %", lambda v: 100 * v.wer, WER.aim, WER.limit, 100)
    _dots(
        panels[1],
        audit,
        "identified, %",
        lambda v: None if v.identified is None else 100 * v.identified,
        IDENTIFIED.aim,
        IDENTIFIED.limit,
        100,
    )
    _dots(panels[2], audit, "DNSMOS overall", lambda v: v.mos.ovrl, NATURAL.aim, NATURAL.limit)
    _pitch(panels[3], audit)
    _dots(panels[4], audit, "syllables/s", lambda v: v.rate, spread=lambda v: v.rate_spread)
    _dots(panels[5], audit, "limited by, dB", lambda v: v.reduction_db)
    for axes, least in ((panels[0], 6.0), (panels[5], 1.0)):
        axes.set_xlim(left=-0.04 * least, right=max(least, 1.1 * axes.dataLim.x1))
    panels[1].set_xlim(min(85.0, panels[1].get_xlim()[0]), 101.0)
    figure.supxlabel(
        "dotted: aim; dashed: limit; lines: spread", fontsize=SMALL, x=0.99, ha="right"
    )
    with atomic(path) as file:
        # Without the version in it, the file depends on the figures alone.
        figure.savefig(file, format="png", dpi=100, metadata={"Software": None})


def _cosines(axes: Any, audit: VoiceAudit) -> None:
    """Cosines below the diagonal, in brackets for voices of two kinds; timing in ms above."""
    names = _names(audit.cast.ids)
    values = np.array(audit.cast.cosines, np.float64)
    values[np.triu_indices(len(names))] = np.nan
    axes.imshow(values, cmap="Blues", vmin=COSINES[0], vmax=COSINES[1], aspect="auto")
    for row, first in enumerate(audit.voices):
        for column, second in enumerate(audit.voices[:row]):
            value, warp = values[row, column], audit.cast.warps[row][column]
            fair = first.kind == second.kind
            short = fair and COSINE.short(value, COSINE.limit)
            axes.text(
                column,
                row,
                f"{value:.2f}" if fair else f"({value:.2f})",
                ha="center",
                va="center",
                fontsize=SMALL,
                weight="bold" if short else "normal",
                color=LIMIT if short else "white" if value > 0.75 else INK,
            )
            style = {"ha": "center", "va": "center", "fontsize": SMALL - 1, "color": "#57606a"}
            axes.text(row, column, f"{warp:.0f}", **style)
    title = "cosine of mean speaker embeddings; above: timing, ms"
    axes.set_title(title, fontsize=SMALL + 1)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right", fontsize=SMALL)
    axes.set_yticks(range(len(names)), names, fontsize=SMALL)
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)


def _names(ids: tuple[str, ...]) -> list[str]:
    """The ids, without their cast where all have the same."""
    one_cast = len({name.partition("/")[0] for name in ids}) == 1
    return [name.partition("/")[2] if one_cast else name for name in ids]


def _dots(
    axes: Any,
    audit: VoiceAudit,
    title: str,
    read: Read,
    aim: float | None = None,
    limit: float | None = None,
    scale: float = 1,
    spread: Read | None = None,
) -> None:
    """A dot a voice in the rows of the matrix; aim and limit are lines."""
    for row, voice in enumerate(audit.voices):
        value = read(voice)
        if value is None:
            continue
        wide = (spread(voice) if spread else None) or 0.0
        axes.errorbar(value, row, xerr=wide or None, fmt="o", color=DOT, markersize=4)
    for bound, colour, style in ((aim, AIM, ":"), (limit, LIMIT, "--")):
        if bound is not None:
            axes.axvline(bound * scale, color=colour, linestyle=style, linewidth=1)
    _finish(axes, audit, title)


def _pitch(axes: Any, audit: VoiceAudit) -> None:
    """Median F0 and, on both sides, its spread."""
    for row, voice in enumerate(audit.voices):
        if voice.f0_hz is None or voice.f0_spread_semitones is None:
            continue
        factor = 2 ** (voice.f0_spread_semitones / 12)
        axes.plot([voice.f0_hz / factor, voice.f0_hz * factor], [row, row], color=DOT)
        axes.plot(voice.f0_hz, row, "o", color=DOT, markersize=4)
    axes.set_xscale("log", base=2)
    low, high = axes.get_xlim()
    ticks = [hertz for hertz in (50, 100, 200, 400) if low <= hertz <= high]
    axes.set_xticks(ticks, [str(hertz) for hertz in ticks])
    axes.minorticks_off()
    _finish(axes, audit, "F0, Hz")


def _finish(axes: Any, audit: VoiceAudit, title: str) -> None:
    axes.set_title(title, fontsize=SMALL + 1)
    axes.set_ylim(len(audit.voices) - 0.5, -0.5)
    axes.set_yticks(range(len(audit.voices)), [""] * len(audit.voices))
    axes.grid(axis="y", color="#d5dae1", linewidth=0.5)
    axes.tick_params(labelsize=SMALL, length=0)
    axes.margins(x=0.2)
