"""Shards: a run that makes every N-th command, and what it leaves for :mod:`merge`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from synthkit import dataset
from synthkit.errors import InputError, quoted
from synthkit.files import atomic, sha256_file
from synthkit.generate.journal import Blocks
from synthkit.keys import content_key
from synthkit.plan import Plan
from synthkit.recipe_copy import portable_recipe

FOLDER = "shards"
MAX_SHARDS = 9999


@dataclass(frozen=True)
class Shard:
    """Part ``index``, from 1, of ``count``: the commands at that place and every ``count`` on."""

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``i/N``; :class:`InputError` for anything else."""
        match = re.fullmatch(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})", text, re.ASCII)
        if not match or int(match[1]) > int(match[2]):
            raise InputError(
                f"--shard {quoted(text)}: allowed: i/N with 1 <= i <= N <= {MAX_SHARDS}"
            )
        return cls(int(match[1]), int(match[2]))

    @property
    def name(self) -> str:
        return f"{self.index}-of-{self.count}"

    @property
    def file(self) -> str:
        """Path of the shard's rows below the set's folder."""
        return f"{FOLDER}/{self.name}.jsonl"

    def of(self, plan: Plan) -> Plan:
        """The shard's part of a plan."""
        return replace(plan, commands=plan.commands[self.index - 1 :: self.count])


def header(plan: Plan, shard: Shard) -> dict[str, Any]:
    """What shards of one set have in common, and which one this is."""
    return {
        "shard": [shard.index, shard.count],
        "plan": plan_key(plan),
        "made_with": dataset.made_with(),
    }


def plan_key(plan: Plan) -> str:
    """Hash of the recipe and its script: the same for all shards of a set."""
    return content_key([portable_recipe(plan), sha256_file(plan.recipe.scripts)])


def write_shard(plan: Plan, shard: Shard, folder: Path, blocks: Blocks) -> None:
    """Write the shard's rows in the plan's order, once all of its commands are made."""
    with atomic(folder / shard.file, durable=True) as file:
        file.write(f"{json.dumps(header(plan, shard))}\n".encode())
        for assignment in shard.of(plan).commands:
            for text, _ in blocks[assignment.command.id].lines():
                file.write(f"{text}\n".encode())
