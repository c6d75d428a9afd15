"""Commands from templates: fixed by the seed, appended to, checked, and the published 300."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from synthkit.cli import main
from synthkit.errors import InputError
from synthkit.resources import folder
from synthkit.scripts import read_scripts
from synthkit.scripts.check import check_commands
from synthkit.scripts.commands import script_bytes
from synthkit.scripts.generator import generate
from synthkit.scripts.inventory import Inventory, Tool, read_inventory
from synthkit.scripts.templates import read_templates

SWITCH, SEEDS = (folder("examples") / f"{name}_commands.jsonl" for name in ("switch", "seed"))
NUMBERS = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|"
    r"forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|noon|half)\b"
)
LAMPS = """
tool = "lamp"
params = { lamp = "{lamp}", level = "{level.number}" }
contexts = ["The {season} begins while everybody {does}."]
families = { set = "Set the {lamp} lamp to level {level}." }
[slots]
lamp = ["red", { say = "old brass", value = "brass" }]
level = [{ say = "two", number = 2 }, { say = "three", number = 3 }]
season = ["long winter", "short summer", "wet autumn"]
does = ["plays chess", "bakes bread", "paints fences", "reads novels"]
"""
LAMP = Tool(
    "lamp",
    "Set a lamp.",
    {"type": "object", "properties": {"level": {"type": "integer"}, "lamp": {"type": "string"}}},
)
HOME = Inventory("home", "You are an assistant.", {}, {"lamp": LAMP})


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "lamp.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_published_300_are_generated_again_byte_for_byte() -> None:
    seeds = read_scripts(SEEDS)
    made = generate(read_inventory(), read_templates(), 30, 2026, seeds)
    assert SWITCH.read_bytes() == SEEDS.read_bytes() + script_bytes(made)


def test_the_published_commands_are_valid_varied_and_in_rounds() -> None:
    commands, inventory = read_scripts(SWITCH), read_inventory()
    assert check_commands(commands, inventory) == ()
    made = commands[100:]
    assert len(made) == 300
    assert [c.tool for c in made] == list(inventory.tools) * 30
    assert [c.id for c in made[::10]] == [f"unlock_door_g{n:02}" for n in range(1, 31)]
    assert len({c.context.casefold() for c in made}) == 300
    assert len({c.trigger.casefold() for c in made}) == 300
    assert len({c.family for c in made}) >= 60
    assert all(c.family and c.family.startswith(c.tool) for c in made)
    assert all(2 <= len(c.trigger.split()) <= 16 for c in made)
    special = [
        c for c in made if NUMBERS.search(c.trigger) or re.search(r"(?<!^)\b[A-Z][a-z]+", c.trigger)
    ]
    assert len(special) >= 0.3 * 300


def test_more_commands_begin_with_fewer_and_another_seed_gives_others() -> None:
    inventory, templates = read_inventory(), read_templates()
    few, many = (generate(inventory, templates, number, 5) for number in (7, 40))
    assert many[: len(few)] == few
    other = generate(inventory, templates, 7, 6)
    assert {c.trigger for c in other} != {c.trigger for c in few}


def test_what_is_avoided_is_not_generated_and_its_ids_are_not_given_again() -> None:
    inventory, templates = read_inventory(), read_templates()
    first = generate(inventory, templates, 5, 1)
    again = generate(inventory, templates, 5, 1, avoid=first)
    assert not {c.id for c in first} & {c.id for c in again}
    assert check_commands([*first, *again], inventory) == ()


def test_a_slot_stands_for_a_value_of_its_own(tmp_path: Path) -> None:
    made = generate(HOME, read_templates(written(tmp_path, LAMPS)), 4, 1)
    for command in made:
        lamp = "brass" if "old brass" in command.trigger else "red"
        level = 2 if "two" in command.trigger else 3
        assert command.params == {"lamp": lamp, "level": level}
        assert command.family == "lamp_set"
    assert len({(c.params["lamp"], c.params["level"]) for c in made}) == 4


def test_templates_that_cannot_give_so_many_are_told_in_one_line(tmp_path: Path) -> None:
    templates = read_templates(written(tmp_path, LAMPS))
    with pytest.raises(InputError, match=r"tool lamp: its templates give 4 commands of 5 in 100"):
        generate(HOME, templates, 5, 1)


def test_a_parameter_that_no_wording_says_is_refused_by_the_check_of_commands(
    tmp_path: Path,
) -> None:
    templates = read_templates(written(tmp_path, LAMPS.replace("to level {level}", "")))
    told = "give 0 commands of 1 in 100 tries; refused: 100 for params.level: one that it says"
    with pytest.raises(InputError, match=told):
        generate(HOME, templates, 1, 1)


def test_a_tool_without_templates_is_refused() -> None:
    with pytest.raises(InputError, match="tool lamp: no templates"):
        generate(HOME, read_templates(), 1, 1)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("{lamp} lamp", "{light} lamp", r"families.set: no slot light; allowed: lamp, level"),
        ("{level.number}", "{level.size}", r"params.level: 'two' of slot level has no size"),
        ("{season}", "{Season}", r"contexts\[0\]: found .*; allowed: \{slot\}"),
        ('red"', 'red", 7', "field slots.lamp"),
        ('tool = "lamp"', "", "tool missing"),
        ("[slots]", "[slots]\nunused = ['x']", "slots.unused: used nowhere"),
        ("[slots]", "[slots", "not TOML"),
    ],
)
def test_templates_that_are_none_are_refused_by_file_and_field(
    tmp_path: Path, old: str, new: str, found: str
) -> None:
    path = written(tmp_path, LAMPS.replace(old, new, 1))
    with pytest.raises(InputError, match=found) as error:
        read_templates(path)
    assert "lamp.toml" in str(error.value)


def test_a_folder_without_templates_and_a_tool_twice_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError, match=str(path)):
            read_templates(path)
    (written(tmp_path, LAMPS) / "again.toml").write_text(LAMPS, encoding="utf-8")
    with pytest.raises(InputError, match="stands twice"):
        read_templates(tmp_path)


def test_the_command_writes_what_the_function_returns(tmp_path: Path) -> None:
    out = tmp_path / "made.jsonl"
    line = ["scripts", "generate", "--per-tool", "2", "--seed", "3"]
    told = CliRunner().invoke(main, [*line, "--out", str(out)])
    assert told.exit_code == 0 and "20 commands" in told.output
    assert CliRunner().invoke(main, line).output == out.read_text(encoding="utf-8")
    assert read_scripts(out) == generate(read_inventory(), read_templates(), 2, 3)
