"""What may come of an accepted mutant: plain, finite, the same when it is written again."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import tomli_w

from synthkit import dataset
from synthkit.audio import Audio
from synthkit.plan import Plan, make_plan
from synthkit.recipe import read_recipe
from synthkit.recipe_copy import RECIPE, copies, portable_recipe, write_recipe
from synthkit.render import CommandRenderer
from synthkit.rooms.cards import room
from synthkit.rooms.simulate import impulse_response
from synthkit.scripts import Command, read_scripts

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
MOST_CLIPS = 3000  # that are looked at


class WrongRead(Exception):  # noqa: N818 - it is what it says
    """A mutant was accepted, and what came of it is not what it says."""


def check_audio(audio: Audio) -> None:
    if not np.isfinite(audio.samples).all() or not 1 <= audio.sampling_rate <= 768_000:
        raise WrongRead(f"{audio}")


def check_plain(value: Any, where: str) -> None:
    """Plain, finite, strict JSON."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise WrongRead(f"{where}: key {key!r}")
            check_plain(inner, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            check_plain(inner, f"{where}[{index}]")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise WrongRead(f"{where} is {value}")
    elif isinstance(value, str):
        value.encode()
    elif value is not None and not isinstance(value, bool | int):
        raise WrongRead(f"{where} is {value!r}")


def check_line(message: str) -> None:
    """An error is one printable line."""
    if not message.strip() or not message.isprintable():
        raise WrongRead(f"an error that is not one line: {message!r}")


def check_room(path: Path, all_places: bool) -> None:
    card = room(str(path))
    check_plain(card.describe(), "room")
    for place in list(card.places)[: None if all_places else 1]:
        rir = impulse_response(card, place, 16000)
        if not np.isfinite(rir.samples).all() or not 0 <= rir.delay < len(rir.samples):
            raise WrongRead(f"{place}: delay {rir.delay} in {len(rir.samples)} samples")
        check_plain(rir.acoustics.describe(), "acoustics")


def check_plan(plan: Plan, folder: Path, rng: random.Random) -> None:
    CommandRenderer(plan).check_texts()
    for clip in itertools.islice(plan.clips(), MOST_CLIPS):
        if not ID.fullmatch(clip.command.id) or not ID.fullmatch(clip.condition.name):
            raise WrongRead(f"id {clip.id!r}")
        check_plain(dict(clip.target), "target")
        check_plain(clip.condition.factors, "factors")
        if clip.condition.modality == "audio" and not 0 <= (clip.condition.gap_ms or 0) <= 60_000:
            raise WrongRead(f"gap of {clip.condition.gap_ms} ms")
        if {s.voice for s in clip.segments} - set(plan.voices):
            raise WrongRead(f"{clip.id} is said by nobody")
    check_plain(portable_recipe(plan), "recipe")
    tomli_w.dumps(portable_recipe(plan))
    for name, _ in copies(plan):
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise WrongRead(f"a copy called {name!r}")
    if rng.random() < 0.5:
        write_recipe(plan, folder / "out")
        again = make_plan(read_recipe(folder / "out" / RECIPE))
        for one, other in itertools.islice(zip(plan.clips(), again.clips(), strict=True), 200):
            if (one.id, one.target, one.segments) != (other.id, other.target, other.segments):
                raise WrongRead(f"{one.id}: the recipe that the set carries makes another")
    if rng.random() < 0.3:
        described = dataset.describe(plan, {"planned": 0, "audio": 0, "text": 0, "failed": 0}, [])
        dataset.write_dataset(folder / "out", described)
        if dataset.read_dataset(folder / "out") != described:
            raise WrongRead("dataset.json reads otherwise than it was written")


def check_commands(commands: tuple[Command, ...], folder: Path) -> None:
    for command in commands:
        if not ID.fullmatch(command.id) or not command.trigger.strip():
            raise WrongRead(f"read {command}")
        check_plain(command.describe(), "command")
    lines = (json.dumps(command.describe(), allow_nan=False) for command in commands)
    again = folder / "again.jsonl"
    again.write_bytes("\n".join(lines).encode())
    if read_scripts(again) != commands:
        raise WrongRead("commands that read otherwise when they are written again")
