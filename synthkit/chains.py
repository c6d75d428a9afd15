"""Chains: what a recipe's level policy and fields make of a segment, from source to finish."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from synthkit.errors import InputError
from synthkit.fields import Field, field_chain
from synthkit.recipe import Recipe
from synthkit.renderers.base import Chain, Renderer, chain
from synthkit.renderers.ceiling import Ceiling
from synthkit.renderers.fade import Fade
from synthkit.renderers.gain import Gain, SourceLevel
from synthkit.renderers.level import Level
from synthkit.renderers.loudness import Loudness
from synthkit.renderers.postwindow import PostWindow
from synthkit.rooms.cards import RoomCard
from synthkit.rooms.cards import room as load_room
from synthkit.variables import Bindings, bound, combinations, used


def finish(recipe: Recipe) -> Chain:
    """What every segment ends with, whatever its field."""
    level, post_ms = recipe.values["level"], recipe.values["post_ms"]
    last: Renderer
    if level["at"] == "before_room":
        last = Ceiling(peak=level["peak"])
    elif "lufs" in level:
        last = Loudness(lufs=recipe.dbfs, peak=level["peak"])
    else:
        last = Level(dbfs=recipe.dbfs, peak=level["peak"])
    return chain(
        PostWindow(post_ms if post_ms == "full" else float(post_ms)),
        Fade(float(recipe.values["fade_ms"])),
        last,
    )


def start(recipe: Recipe) -> Chain:
    """What every segment starts with: the level of its source, where that is what is held."""
    before = recipe.values["level"]["at"] == "before_room"
    return chain(SourceLevel(recipe.dbfs)) if before else chain()


def _at_distance(field: Field, recipe: Recipe) -> Field:
    """The field with its room's gain taken re the distance at which speech has its level.

    A simulated response has the gain 1 at 1 m.
    """
    if recipe.values["level"]["at"] != "before_room" or not field.rooms:
        return field
    for room in field.rooms:
        if room.card.at(room.place).recording:
            raise InputError(
                f"recipe {recipe.name}: field level.at: before_room; allowed with simulated rooms, "
                f"as nobody knows the gain of {room.card.id}/{room.place}, a recording"
            )
    reference_m = float(recipe.values["level"]["reference_m"])
    return Field((*field.renderers, Gain(20 * math.log10(reference_m) * len(field.rooms))))


def _placed(table: Mapping[str, Any], rooms: Mapping[str, str]) -> dict[str, Any]:
    """A room's table with its card found by the name that the recipe gives it.

    ``room = "office/desk"`` is the room and the place in one, so that one variable holds both.
    """
    room, place = table.get("room"), table.get("place")
    if not isinstance(room, str) or room.endswith(".toml"):
        return dict(table)
    if place is None and "/" in room:
        room, place = room.rsplit("/", 1)
    placed = {**table, "room": rooms.get(room, room), "place": place}
    return {key: value for key, value in placed.items() if value is not None}


def fields(recipe: Recipe) -> dict[tuple[str, Bindings], Field]:
    """Every chain that a segment may need, built and so checked."""
    tables = recipe.values["fields"]
    for name in recipe.grid.fields:
        if name not in tables:
            raise InputError(
                f"recipe {recipe.name}: field fields: {name!r} missing, which the grid uses; "
                f"found: {', '.join(tables)}"
            )
    known = {**recipe.values["factors"], **recipe.values["nuisances"]}
    chains = {
        (name, bindings): _at_distance(
            field_chain(
                [_placed(t, recipe.values["rooms"]) for t in bound(tables[name], bindings)],
                f"recipe {recipe.name}: field fields.{name}",
                recipe.base,
            ),
            recipe,
        )
        for name in sorted(tables)  # so that the order in a recipe has no say
        for bindings in combinations(used(tables[name]), known)
    }
    found = [room.card for field in chains.values() for room in field.rooms]
    found += [load_room(path, recipe.base) for path in recipe.values["rooms"].values()]
    cards: dict[str, RoomCard] = {}
    for card in found:
        # Each is copied under its name, and there are file systems that don't tell case apart.
        if cards.setdefault(card.id.casefold(), card) != card:
            raise InputError(
                f"recipe {recipe.name}: two different room cards are both called {card.id}.toml; "
                "allowed: one card a name, upper or lower case"
            )
    return chains
