"""What a row says of its parts against what it says of itself: who speaks, where, how loud."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synthkit.audit.items import Design, Item, Part


def parts_fault(item: Item, condition: Mapping[str, Any] | None, design: Design) -> str | None:
    """Where a part is not what factors, cast and recipe make of it; None where none is.

    Parts are compared by what is said of them, so that a row that says one thing of itself and
    another of its parts would be compared as something that it is not.
    """
    for part in item.parts:
        for name, found, wanted in _told(item, part, condition):
            if wanted is not None and found != wanted:
                return f"{part.role}: {name} is {found}; allowed: {wanted}, as its row says"
        if design.chains and part.requested_dbfs != design.level_dbfs:
            asked, level = _level(part.requested_dbfs), _level(design.level_dbfs)
            return f"{part.role}: level asked for is {asked}; allowed: {level}, as in the recipe"
    return None


def _told(
    item: Item, part: Part, condition: Mapping[str, Any] | None
) -> tuple[tuple[str, str | None, str | None], ...]:
    """What is told of a part, and what its row makes of it: None where that says nothing."""
    voices = {"wearer": item.wearer, "bystander": item.bystander}
    speaker = {"same": "wearer", "different": "bystander"}.get(item.source or "")
    field = item.field
    if part.role == "context":
        speaker, field = "wearer", (condition or {}).get("context_field")
    return (
        ("speaker", part.speaker, speaker),
        ("voice", part.voice, voices.get(part.speaker)),
        ("field", part.field, field),
    )


def _level(dbfs: float | None) -> str:
    return "none" if dbfs is None else f"{dbfs:g} dBFS"
