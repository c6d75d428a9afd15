"""Fields: the named chains of renderers that a recipe writes as tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from synthkit.errors import InputError, SynthkitError, quoted
from synthkit.renderers.base import Chain, Renderer, chain
from synthkit.renderers.lowpass import LowPass
from synthkit.renderers.room import Room

# What a field may be made of. A new renderer is one line here.
RENDERERS: Mapping[str, type[Renderer]] = {"lowpass": LowPass, "room": Room}


def field_chain(tables: Sequence[Mapping[str, Any]], where: str, base: Path) -> Chain:
    """Build a field's chain; card paths are relative to ``base``.

    Raises :class:`InputError` naming the renderer and the parameter that is wrong.
    """
    return chain(*(_renderer(t, f"{where}[{i}]", base) for i, t in enumerate(tables)))


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
