"""A set of ours as an audit sees it: what its rows say of each file, and its recipe's chains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from synthkit import manifest
from synthkit.audio import SAMPLING_RATE, Span, num_samples_of
from synthkit.audit.items import Design, Item, Part
from synthkit.audit.rerender import Chains
from synthkit.dataset import DATASET, read_dataset
from synthkit.errors import InputError, quoted
from synthkit.files import inside
from synthkit.manifest import Row
from synthkit.recipe import read_recipe
from synthkit.recipe_copy import RECIPE, RECIPE_FOLDER, references
from synthkit.scripts import read_scripts
from synthkit.scripts.commands import Command
from synthkit.variables import used

Variables = Mapping[str, Sequence[str]]  # that each field's chain depends on


def read_design(folder: Path) -> Design:
    """What a set says of itself; :class:`InputError` for what is no set, or not a whole one."""
    if not (folder / DATASET).exists():
        raise InputError(
            f"{folder}: no {DATASET}; allowed: a set of synthkit's, or a table of others' files"
        )
    description = read_dataset(folder)
    recipe = read_recipe(folder / RECIPE)
    for name in references(recipe.values):
        inside(name, recipe.base, recipe.base, f"{RECIPE_FOLDER}/{name}")
    if description["recipe"] != recipe.values:
        raise InputError(f"{DATASET}: recipe is not {RECIPE}; allowed: the set's own recipe")
    chains = Chains.of(recipe)
    post_ms = recipe.values["post_ms"]
    return Design(
        folder=folder,
        conditions=tuple(recipe.grid.describe()["conditions"]),
        call_at=recipe.grid.rule,
        dry=chains.dry,
        lowpassed=chains.lowpassed,
        kinds={voice["id"]: _kind(voice["card"]) for voice in description["voices"]},
        splits=recipe.values["splits"],
        slots=recipe.values.get("slots"),
        failed=frozenset(failure["id"] for failure in description["failed"]),
        post_samples=None if post_ms == "full" else num_samples_of(float(post_ms), SAMPLING_RATE),
        level_dbfs=chains.level_dbfs,
        chains=chains,
        in_turn=not {"slots", "only"} & recipe.values.keys(),
    )


def read_commands(folder: Path, design: Design) -> Iterator[list[Item]]:
    """Yield the items of each command; :class:`InputError` at the first row that is none.

    Nor may two rows have one id.
    """
    recipe = read_recipe(folder / RECIPE)
    script = {command.id: command for command in read_scripts(recipe.scripts)}
    variables = {name: used(tables) for name, tables in recipe.values["fields"].items()}
    commands: dict[str, list[Item]] = {}
    first: dict[str, int] = {}
    for place, row in enumerate(manifest.read_manifest(folder)):
        item = _item(row, place, variables, script.get(row["command"]))
        if first.setdefault(item.id, place) != place:
            raise InputError(
                f"{manifest.MANIFEST}: id {quoted(item.id)} stands twice; allowed: once"
            )
        commands.setdefault(item.command, []).append(item)
    yield from commands.values()


def _kind(card: Mapping[str, Any]) -> tuple[str, ...]:
    return card["checkpoint"], card["processing"], card["language"]


def _item(row: Row, place: int, variables: Variables, command: Command | None) -> Item:
    levels = {**row["factors"], **row["nuisances"]}
    return Item(
        id=row["id"],
        command=row["command"],
        condition=row["condition"],
        split=row["split"],
        tool=row["tool"],
        texts=row["texts"],
        factors=row["factors"],
        action=row["target"]["action"],
        called=row["target"].get("name"),
        wearer=row["wearer"],
        bystander=row["bystander"],
        file=row["file"],
        sha256=row["sha256"],
        parts=tuple(_part(segment, row["texts"], levels, variables) for segment in row["segments"]),
        bed=row["bed"] and (row["bed"]["file"], row["bed"]["sha256"]),
        family=command.family if command else None,
        params=row["target"].get("params"),
        script_params=command.params if command else None,
        nuisances=row["nuisances"],
        place=place,
    )


def _part(segment: Row, texts: Mapping[str, str], levels: Row, variables: Variables) -> Part:
    return Part(
        role=segment["role"],
        speaker=segment["speaker"],
        voice=segment["voice"],
        text=texts[segment["role"]],
        field=segment["field"],
        span=Span(segment["start"], segment["end"]),
        speech=Span(segment["speech_start"], segment["speech_end"]),
        bindings=tuple((name, levels.get(name)) for name in variables.get(segment["field"], ())),
        requested_dbfs=segment["level"]["requested_dbfs"],
        rir_sha256=segment["room"] and segment["room"]["rir_sha256"],
        limited=segment["level"]["limited"],
        over_noise_db=segment["trim"] and segment["trim"]["over_noise_db"],
    )
