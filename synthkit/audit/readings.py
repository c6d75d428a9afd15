"""What meters read in each part of each item, kept for the statistics over the whole set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synthkit.audit.items import Item


@dataclass(frozen=True)
class Reading:
    """The meters' values, by meter, in one part of an item; None where a meter reads nothing.

    ``lag`` is there for trigger and context in a field other than the dry one: samples by which
    the part is late against the dry part of the same words and voice.
    """

    item: Item
    role: str
    values: Mapping[str, float | None]
