"""Fields: the named chains of renderers that a recipe writes as tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit.errors import InputError, SynthkitError, quoted
from synthkit.renderers.bandpass import BandPass
from synthkit.renderers.base import Chain, Renderer
from synthkit.renderers.lowpass import LowPass
from synthkit.renderers.room import Room

# What a field may be made of. A new renderer is one line here.
RENDERERS: Mapping[str, type[Renderer]] = {"bandpass": BandPass, "lowpass": LowPass, "room": Room}


@dataclass(frozen=True)
class Field(Chain):
    """A chain that a recipe calls by name."""

    @property
    def rooms(self) -> tuple[Room, ...]:
        """The rooms in it, in order."""
        return tuple(r for r in self.renderers if isinstance(r, Room))


def field_chain(tables: Sequence[Mapping[str, Any]], where: str, base: Path) -> Field:
    """Build a field; card paths are relative to ``base``.

    Raises :class:`InputError` naming the renderer and the parameter that is wrong.
    """
    return Field(tuple(_renderer(t, f"{where}[{i}]", base) for i, t in enumerate(tables)))


def _renderer(table: Mapping[str, Any], where: str, base: Path) -> Renderer:
    values = {key: value for key, value in table.items() if key != "renderer"}
    name = table["renderer"]
    if name not in RENDERERS:
        raise InputError(
            f"{where}: renderer {quoted(name)} is unknown; allowed: {', '.join(RENDERERS)}"
        )
    fields = dataclasses.fields(RENDERERS[name])
    required = {f.name for f in fields if f.default is dataclasses.MISSING}
    if not required <= set(values) <= {f.name for f in fields}:
        raise InputError(
            f"{where}: {name} has parameters {', '.join(values) or 'none'}; "
            f"allowed: {', '.join(f.name for f in fields)}"
        )
    try:
        return RENDERERS[name].from_table(values, base)
    except SynthkitError as error:
        raise InputError(f"{where}: {error}") from None
