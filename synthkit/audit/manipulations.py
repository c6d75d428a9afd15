"""Whether a field is heard in the sound itself: decay within speech, over the whole set.

Not by what a manifest says of rooms: the meter reads the files. One word may decay as it likes;
over some commands a room is heard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from synthkit.audit.findings import Comparison
from synthkit.audit.items import DRY, Design, Item, Part
from synthkit.audit.pairing import Contrast, Pair, contrasts
from synthkit.audit.readings import Reading

FEWEST = 8  # commands, to say anything
CLEARER = 0.75  # share of commands in which the field with less room has the steeper decay
NAMED = 5


def manipulation_faults(readings: Sequence[Reading], design: Design) -> Iterator[Comparison]:
    """Yield a comparison for every two fields of which the recipe says which has more room."""
    decay = {(r.item.id, r.role): r.values.get("decay") for r in readings}
    items = list({reading.item.id: reading.item for reading in readings}.values())
    for contrast in contrasts(items, design):
        if "field" in contrast.factors:
            steeper = _steeper(contrast, decay, design)
            if len(steeper) >= FEWEST:
                yield _compared(contrast, steeper)


def declared_rooms(items: Iterable[Item], design: Design) -> tuple[str, ...]:
    """What each field's room measures by its impulse response, a line each."""
    used = dict.fromkeys((part.field, part.bindings) for item in items for part in item.parts)
    lines = []
    for field, bindings in used:
        found = design.chains.response(field, bindings) if design.chains else None
        if found is None:
            continue
        at = "".join(f", {name} {level}" for name, level in bindings)
        room = "no room"
        if found.sha256:
            room = f"response {found.sha256[:12]}, C50 {found.c50:.1f} dB, DRR {found.drr:.1f} dB"
        cutoff = design.lowpassed.get(field)
        dull = "" if cutoff is None else f", low-pass at {cutoff:g} Hz"
        lines.append(f"field {field}{at}: {room}{dull}")
    return tuple(lines)


def _steeper(
    contrast: Contrast, decay: dict[tuple[str, str], float | None], design: Design
) -> dict[str, list[float]]:
    """By command, by how much the decay is steeper in the field that has less room, dB/s."""
    found: dict[str, list[float]] = {}
    for pair in contrast.pairs:
        sign = _sign(pair, contrast.role, design)
        first, second = (decay.get((item.id, contrast.role)) for item in pair)
        if sign and first is not None and second is not None:
            found.setdefault(pair.first.command, []).append(sign * (first - second))
    return found


def _sign(pair: Pair, role: str, design: Design) -> int:
    """1 where the first is said to have less room, -1 where the second is, 0 where nobody knows."""
    first, second = (_clarity(item.part(role), design) for item in pair)
    return 0 if first is None or second is None else int(np.sign(np.nan_to_num(first - second)))


def _clarity(part: Part, design: Design) -> float | None:
    if design.chains:
        response = design.chains.response(part.field, part.bindings)
        return response and response.c50
    return DRY.c50 if part.field in design.dry else -DRY.c50 if design.dry else None


def _compared(contrast: Contrast, steeper: dict[str, list[float]]) -> Comparison:
    means = {command: float(np.mean(values)) for command, values in steeper.items()}
    share = sum(mean > 0 for mean in means.values()) / len(means)
    check = f"{contrast.factors[0] if len(contrast.factors) == 1 else 'several'}.decay"
    levels = " to ".join(contrast.levels)
    if share >= CLEARER:
        return Comparison(check, (levels,))
    worst = tuple(sorted(means, key=lambda command: means[command])[:NAMED])
    return Comparison(
        check,
        worst,
        f"{contrast.role}, {levels}: speech decays faster with less room in "
        f"{100 * share:.0f} % of {len(means)} commands; allowed: {100 * CLEARER:.0f} % or more",
    )
