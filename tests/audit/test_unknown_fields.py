"""A field that a recipe does not have, or cannot render again, is a finding and no silence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from synthkit.audit.items import Design
from synthkit.audit.parts import item_faults
from synthkit.audit.renderings import rendered_otherwise
from synthkit.audit.sounds import PartSound, Sound
from tests.audit.made import EIGHT, NoChains, design, items

NEAR, FAR = (item for item in items(1) if item.source == "same" and item.gap_ms == 0)
OURS = replace(design(EIGHT), chains=NoChains())
NOISE = np.random.default_rng(0).normal(0, 0.1, 20000)


def trigger(item) -> PartSound:
    return PartSound(item.part("trigger"), NOISE, NOISE, 16000, item.id)


def room_faults(given: Design) -> list[str | None]:
    sound = Sound(NOISE, 16000, {"trigger": trigger(FAR)}, "")
    return [c.fault for c in item_faults(FAR, sound, given) if c.check == "part.room"]


def test_the_room_of_a_field_that_the_recipe_does_not_have() -> None:
    assert room_faults(OURS) == ["trigger: field far is none of the recipe's"]


def test_two_fields_that_cannot_be_rendered_again() -> None:
    fault, _ = rendered_otherwise(trigger(NEAR), trigger(FAR), OURS)
    assert fault is not None and fault.startswith("fields near and far cannot be rendered again")


def test_of_a_set_of_others_neither_is_asked() -> None:
    assert room_faults(design(EIGHT)) == []
    assert rendered_otherwise(trigger(NEAR), trigger(FAR), design(EIGHT)) == (None, 0)
