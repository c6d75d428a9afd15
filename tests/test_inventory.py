"""The inventory of ten tools, and that the example scripts call them as they are."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from synthkit.errors import InputError
from synthkit.resources import folder
from synthkit.scripts import read_scripts
from synthkit.scripts.inventory import read_inventory


def test_there_are_ten_tools_each_with_what_a_wrong_call_does() -> None:
    inventory = read_inventory()
    assert len(inventory.tools) == 10
    assert all(
        tool.consequence and tool.parameters["required"] for tool in inventory.tools.values()
    )
    assert inventory.grammar["mute"] == "[Mute]" and "[Mute]" in inventory.instruction


def test_the_example_commands_call_them_with_valid_parameters() -> None:
    tools = read_inventory().tools
    for command in read_scripts(folder("examples") / "commands.jsonl"):
        jsonschema.validate(command.params, tools[command.tool].parameters)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"tools": []}, "tools"),
        ({"instruction": ""}, "instruction"),
        ({"tools": [{"name": "a", "description": "b", "parameters": {"type": "thing"}}]}, "tool a"),
        ({"tools": [{"name": "a", "description": "b", "parameters": {}}] * 2}, "stands twice"),
    ],
)
def test_an_inventory_that_is_none_is_refused_by_the_field(
    tmp_path: Path, change: dict[str, object], found: str
) -> None:
    values = json.loads((folder("examples") / "tools.json").read_text(encoding="utf-8"))
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({**values, **change}), encoding="utf-8")
    with pytest.raises(InputError, match=found):
        read_inventory(path)
