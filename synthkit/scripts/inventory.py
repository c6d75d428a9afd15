"""The inventory: an agent's tools with their parameters, its instruction, how it must answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema

from synthkit import schemas
from synthkit.errors import InputError, quoted
from synthkit.files import parse_json, read_text
from synthkit.resources import folder

TEN = "tools.json"  # the inventory that comes with synthkit


@dataclass(frozen=True)
class Tool:
    """One tool; ``parameters`` is the JSON Schema of its calls' parameters."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    consequence: str = ""


@dataclass(frozen=True)
class Inventory:
    """Tools by name, the agent's fixed instruction, and the grammar of its actions."""

    name: str
    instruction: str
    grammar: Mapping[str, str]
    tools: Mapping[str, Tool]


def read_inventory(path: Path | None = None) -> Inventory:
    """Read an inventory; None for the ten tools that come with synthkit.

    Raises :class:`InputError` where a tool stands twice or its parameters are no JSON Schema.
    """
    path = path or folder("examples") / TEN
    values = parse_json(read_text(path), str(path))
    schemas.check(values, "inventory", str(path))
    assert isinstance(values, dict)
    tools: dict[str, Tool] = {}
    for row in values["tools"]:
        where = f"{path}: tool {row['name']}"
        if row["name"] in tools:
            raise InputError(f"{where}: stands twice; allowed: once")
        _check_schema(row["parameters"], where)
        tools[row["name"]] = Tool(**row)
    return Inventory(values["name"], values["instruction"], values["grammar"], tools)


def _check_schema(parameters: Mapping[str, Any], where: str) -> None:
    try:
        jsonschema.Draft202012Validator.check_schema(parameters)
    except jsonschema.SchemaError as error:
        raise InputError(
            f"{where}: field parameters: found {quoted(error.message)}; allowed: a JSON Schema"
        ) from None
