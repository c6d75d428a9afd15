"""Segments: whether a row's parts are by the speakers and in the fields that its factors declare.

Parts are compared by what is said of *them*, so the row must say the same: else a far row whose
parts are near, and say so, would pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design, Item, Part

SPEAKERS = {"same": "wearer", "different": "bystander"}  # of the trigger, by source


def segment_faults(
    item: Item, condition: Mapping[str, Any] | None, design: Design
) -> Iterator[Comparison]:
    """Yield a comparison for each part of an item; ``condition`` is what its name declares."""
    speakers = {"context": "wearer", "trigger": SPEAKERS.get(str(item.source))}
    fields = {"context": (condition or {}).get("context_field"), "trigger": item.field}
    for part in item.parts:
        fault = _fault(part, item, speakers.get(part.role), fields.get(part.role))
        if fault is None and design.chains is not None:
            fault = _level_fault(part, design.level_dbfs)
        yield Comparison("design.segments", (item.id,), fault)


def _fault(part: Part, item: Item, speaker: str | None, field: str | None) -> str | None:
    """What is None is not declared."""
    if speaker is not None and part.speaker != speaker:
        return f"{part.role} is by the {part.speaker}; allowed: the {speaker}"
    voice = {"wearer": item.wearer, "bystander": item.bystander}.get(part.speaker)
    if None not in (voice, part.voice) and part.voice != voice:
        return f"{part.role} has voice {part.voice}; allowed: the {part.speaker}'s, {voice}"
    if field is not None and part.field != field:
        return f"{part.role} is in field {part.field}; allowed: {field}, as declared"
    return None


def _level_fault(part: Part, dbfs: float | None) -> str | None:
    if part.requested_dbfs == dbfs:
        return None
    asked, allowed = ("none" if x is None else f"{x:g} dBFS" for x in (part.requested_dbfs, dbfs))
    return f"{part.role} is asked for at {asked}; allowed: {allowed}, as in the recipe"
