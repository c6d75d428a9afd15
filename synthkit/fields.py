"""Fields: the named chains of renderers that a recipe writes as tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from synthkit.audio import SAMPLING_RATE
from synthkit.errors import InputError
from synthkit.renderers.base import Chain, Renderer, chain
from synthkit.renderers.lowpass import LowPass
from synthkit.renderers.room import Room
from synthkit.rooms.cards import room

# What a field may be made of. A new renderer is one line here.
RENDERERS: Mapping[str, type[Renderer]] = {"lowpass": LowPass, "room": Room}


def field_chain(tables: Sequence[Mapping[str, Any]], where: str, base: Path) -> Chain:
    """Build a field's chain; card paths are relative to ``base``.

    Raises :class:`InputError` naming the renderer and the parameter that is wrong.
    """
    return chain(*(_renderer(t, f"{where}[{i}]", base) for i, t in enumerate(tables)))


def _renderer(table: Mapping[str, Any], where: str, base: Path) -> Renderer:
    values = dict(table)
    name = values.pop("renderer")
    if name not in RENDERERS:
        raise InputError(f"{where}: renderer {name!r} is unknown; allowed: {', '.join(RENDERERS)}")
    wanted = [field.name for field in dataclasses.fields(RENDERERS[name])]
    if set(values) != set(wanted):
        raise InputError(
            f"{where}: {name} has parameters {', '.join(values) or 'none'}; "
            f"allowed: {', '.join(wanted)}"
        )
    if name == "lowpass":
        return _lowpass(values["cutoff"], where)
    for key in wanted:
        if not isinstance(values[key], str):
            raise InputError(f"{where}: {key} is {values[key]!r}; allowed: a name")
    return Room(room(values["room"], base), values["place"])


def _lowpass(cutoff: object, where: str) -> LowPass:
    top = SAMPLING_RATE / 2
    if isinstance(cutoff, bool) or not isinstance(cutoff, int | float) or not 0 < cutoff < top:
        raise InputError(
            f"{where}: cutoff is {cutoff!r}; allowed: a number over 0 and below {top:g} Hz"
        )
    return LowPass(float(cutoff))
