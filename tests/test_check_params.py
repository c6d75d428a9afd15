"""Parameters that a trigger names, and those that it does not; numbers and lengths of time."""

from __future__ import annotations

import pytest

from synthkit.scripts.amounts import durations, numbers
from synthkit.scripts.inventory import Tool, read_inventory
from synthkit.scripts.params import params_faults


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fifty dollars", {50}),
        ("two hundred and five", {205}),
        ("twelve hundred", {1200}),
        ("$9.50", {9.5}),
        ("1,200 euros", {1200}),
        ("five dollars and fifty cents", {5.5}),
        ("half a dozen eggs", {6}),
        ("a dozen eggs", {1, 12}),
        ("twenty-one", {21}),
        ("minus five degrees", {-5}),
        ("three point five", {3.5}),
        ("a thousand two hundred", {1200}),
        ("the third floor", {3}),
        ("nothing at all", set()),
        # Digits of scripts that write no decimal numbers with them.
        ("\u19da and \U00010a40 and \u1369 but 7", {7}),
        ("-\u19da degrees", set()),
    ],
)
def test_numbers_are_read_in_figures_and_words(text: str, expected: set[float]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("an hour", {60}),
        ("half an hour", {30}),
        ("an hour and a half", {90}),
        ("one and a half hours", {90}),
        ("a quarter of an hour", {15}),
        ("two hours and ten minutes", {130}),
        ("a day", {1440}),
        ("90 minutes", {90}),
        ("three pizzas", set()),
    ],
)
def test_lengths_of_time_are_read_in_minutes(text: str, minutes: set[float]) -> None:
    assert durations(text, "minute") == minutes


TOOL = Tool("t", "d", {"type": "object"})


@pytest.mark.parametrize(
    ("trigger", "params"),
    [
        ("Tell Sam that I'm running late.", {"message": "I am running late"}),
        ("Order two large pizzas.", {"item": "large pizza", "quantity": 2}),
        ("Order a charger.", {"item": "charger", "quantity": 1}),
        ("Pay Sam fifty dollars.", {"amount": 50, "currency": "USD"}),
        ("Share it with Anna for an hour.", {"recipient": "ANNA", "duration_minutes": 60}),
        ("Start bus 12.", {"vehicle": "bus twelve"}),
        ("Call me.", {"contact": "me", "urgent": True, "line": None}),
        ("Send Anna and Bob the files.", {"to": ["Anna", "Bob"], "what": {"kind": "file"}}),
    ],
)
def test_parameters_that_are_said_are_found(trigger: str, params: dict[str, object]) -> None:
    assert list(params_faults(params, TOOL, trigger)) == []


@pytest.mark.parametrize(
    ("trigger", "params", "path"),
    [
        ("Unlock the front door.", {"door": "back door"}, ".door"),
        ("Tell Sam I am coming.", {"message": "I am not coming"}, ".message"),
        ("Order two pizzas.", {"quantity": 3}, ".quantity"),
        ("Pay Sam fifty dollars.", {"currency": "EUR"}, ".currency"),
        ("Share it for one hour.", {"duration_minutes": 1}, ".duration_minutes"),
        ("Pay five dollars and fifty cents.", {"amount": 5}, ".amount"),
        ("Send Anna the files.", {"to": ["Anna", "Bob"]}, ".to[1]"),
        ("Send Anna the files.", {"a": {"b": [{"c": "moon"}]}}, ".a.b[0].c"),
        ("Call her.", {"contact": "him"}, ".contact"),
    ],
)
def test_parameters_that_are_not_said_are_refused(
    trigger: str, params: dict[str, object], path: str
) -> None:
    assert [where for where, _ in params_faults(params, TOOL, trigger)] == [path]


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({}, ""),
        ({"door": 3}, ".door"),
        ({"door": "front door", "x": "front"}, ""),
        ({"door": ""}, ".door"),
    ],
)
def test_parameters_are_tried_on_the_schema_of_the_tool(
    params: dict[str, object], path: str
) -> None:
    tool = read_inventory().tools["unlock_door"]
    found = list(params_faults(params, tool, "Unlock the 3 front door."))
    assert any(where == path and "schema of tool unlock_door" in why for where, why in found)


@pytest.mark.parametrize(
    "schema", [{"$ref": "http://example.invalid/s"}, {"properties": {"a": {"pattern": "("}}}]
)
def test_a_schema_that_cannot_be_used_is_told_and_nothing_is_fetched(
    schema: dict[str, object],
) -> None:
    found = list(params_faults({"a": "door"}, Tool("t", "d", schema), "Unlock the door."))
    assert len(found) == 1 and "cannot be tried" in found[0][1]
