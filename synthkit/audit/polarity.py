"""Polarity: each voice's own way up, so that a voice that is upside down somewhere stands out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from synthkit.audit.readings import Reading

METER = "skewness"


def oriented(readings: Sequence[Reading]) -> list[Reading]:
    """Readings whose skewness is positive where a part is the way up that its voice usually is.

    Voices differ in the sign of their skewness. A voice's own sign, in each field, is that of its
    mean over contexts, which are no side of a contrast of sources. A voice that says no context
    there has none: its readings stay as they are.
    """
    heard: dict[tuple[str, str], list[float]] = {}
    for reading in readings:
        value = reading.values.get(METER)
        if reading.role == "context" and value is not None:
            heard.setdefault(_key(reading), []).append(value)
    signs = {key: float(np.sign(np.mean(values))) or 1.0 for key, values in heard.items()}
    return [_turned(reading, signs.get(_key(reading), 1.0)) for reading in readings]


def _turned(reading: Reading, sign: float) -> Reading:
    value = reading.values.get(METER)
    if value is None or sign > 0:
        return reading
    return replace(reading, values={**reading.values, METER: -value})


def _key(reading: Reading) -> tuple[str, str]:
    part = reading.item.part(reading.role)
    return str(part.voice), part.field
