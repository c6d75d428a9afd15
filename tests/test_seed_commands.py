"""The hundred written commands: ten a tool, their parameters said, no two alike."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import jsonschema
import pytest

from synthkit.instruments.slots import names, numbers
from synthkit.resources import folder
from synthkit.scripts import Command, read_scripts
from synthkit.scripts.inventory import read_inventory

COMMANDS = read_scripts(folder("examples") / "seed_commands.jsonl")
TOOLS = read_inventory().tools
SMALL = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
LITTLE = {"a", "an", "and", "at", "for", "from", "in", "of", "on", "the", "to", "with"}


def folded(text: str) -> str:
    return " ".join(re.findall("[a-z0-9']+", text.casefold()))


def spelled(number: int) -> set[str]:
    """A number up to 9999 as it is said: with `and` or without, in hundreds or thousands."""
    if number < 20:
        return {SMALL[number]}
    if number < 100:
        tens, units = TENS[number // 10 - 2], number % 10
        return {f"{tens} {SMALL[units]}"} if units else {tens}
    found = set()
    for name, size in (("thousand", 1000), ("hundred", 100)):
        if number < size or (size == 100 and number // 100 % 10 == 0):
            continue
        for head, rest in itertools.product(spelled(number // size), spelled(number % size)):
            tail = {f" {rest}", f" and {rest}"} if number % size else {""}
            found |= {f"{head} {name}{end}" for end in tail}
    return found


def says(text: str, number: int) -> bool:
    ways = {str(number), *spelled(number)} | ({"a", "an"} if number == 1 else set())
    return any(f" {way} " in f" {folded(text)} " for way in ways)


def says_word(text: str, word: str) -> bool:
    """``word`` itself, or in the plural."""
    plurals = {f"{word}s", f"{word}es", re.sub("y$", "ies", word)}
    return bool({word, *plurals} & set(folded(text).split()))


def has_slot(command: Command) -> bool:
    values = [value for value in command.params.values() if isinstance(value, str)]
    return bool(names(command.trigger, values) or numbers(command.trigger))


@pytest.mark.parametrize(
    ("number", "way"),
    [
        (7, "seven"),
        (25, "twenty five"),
        (40, "forty"),
        (350, "three hundred and fifty"),
        (1200, "twelve hundred"),
        (1200, "one thousand two hundred"),
        (2000, "two thousand"),
    ],
)
def test_numbers_are_spelled_as_they_are_said(number: int, way: str) -> None:
    assert way in spelled(number)


def test_there_are_ten_commands_a_tool_in_rounds_over_the_tools() -> None:
    wanted = [f"{tool}_{round_:02}" for round_ in range(1, 11) for tool in TOOLS]
    assert [command.id for command in COMMANDS] == wanted
    assert all(command.id == f"{command.tool}_{command.id[-2:]}" for command in COMMANDS)


def test_they_begin_with_the_example_commands() -> None:
    assert read_scripts(folder("examples") / "commands.jsonl") == COMMANDS[:40]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_the_trigger_says_every_parameter(command: Command) -> None:
    jsonschema.validate(command.params, TOOLS[command.tool].parameters)
    for name, value in command.params.items():
        if name == "currency":
            assert {"USD": "dollars", "EUR": "euros", "GBP": "pounds"}[str(value)] in folded(
                command.trigger
            ).split()
        elif isinstance(value, str):
            missing = [
                word
                for word in folded(value).split()
                if word not in LITTLE and not says_word(command.trigger, word)
            ]
            assert not missing
        else:
            number = int(str(value))
            hours, rest = divmod(number, 60)
            in_hours = name == "duration_minutes" and not rest and says(command.trigger, hours)
            assert says(command.trigger, number) or in_hours


def test_no_text_stands_twice_and_no_two_share_most_of_their_words() -> None:
    texts = [folded(text) for c in COMMANDS for text in (c.context, c.trigger)]
    assert Counter(texts).most_common(1)[0][1] == 1
    # Of the first forty, some differ in one word alone.
    for one, other in itertools.product(COMMANDS, COMMANDS[40:]):
        for role in ("context", "trigger"):
            words, others = (set(folded(c.text(role)).split()) for c in (one, other))
            alike = len(words & others) / len(words | others)
            assert one == other or alike < 0.7, (one.id, other.id, role)


def test_triggers_are_of_many_forms() -> None:
    for tool in TOOLS:
        openings = {tuple(folded(c.trigger).split()[:2]) for c in COMMANDS if c.tool == tool}
        assert len(openings) >= 7, tool
    lengths = [len(folded(command.trigger).split()) for command in COMMANDS]
    assert min(lengths) <= 4 and max(lengths) >= 12
    assert not [c.id for c in COMMANDS if "?" in c.context + c.trigger]


def test_two_in_five_triggers_hold_a_name_or_a_number() -> None:
    assert sum(map(has_slot, COMMANDS)) >= 40
