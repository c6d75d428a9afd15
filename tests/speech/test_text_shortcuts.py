"""What is known of a text at a glance is what reading it in full says."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from synthkit.errors import InputError
from synthkit.speech import text as texts
from synthkit.speech.english import is_plain
from synthkit.speech.text import check_text, spoken_text

# Words that are read otherwise somewhere: titles, abbreviations, numerals, months, units, names.
WORDS = [
    *("the", "door", "Lock", "don't", "twenty-one", "I", "A", "no", "No", "Dr", "Mr", "St", "Dec"),
    *(
        "May",
        "Jan",
        "James",
        "IV",
        "Chapter",
        "part",
        "X",
        "Louis",
        "II",
        "etc",
        "ETC",
        "vs",
        "aka",
    ),
    *(
        "AKA",
        "eg",
        "ie",
        "am",
        "pm",
        "AM",
        "km",
        "C",
        "F",
        "Nos",
        "World",
        "War",
        "O'Clock",
        "dogs'",
    ),
    *(
        "e",
        "d'I",
        "m",
        "V",
        "et",
        "al",
        "Rs",
        "USD",
        "hundred",
        "k",
        "st",
        "nd",
        "s",
        "nbsp",
        "Act",
    ),
]
MARKS = [" ", " ", " ", " ", " ", ", ", ". ", "? ", "! ", "; ", ": ", "-", "'", "  ", "..", "\n"]
SENTENCES = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(MARKS)), min_size=1, max_size=8
).map(lambda parts: "".join(word + mark for word, mark in parts).strip(" \n,"))


def read(text: str) -> str:
    return texts._read(text, english=True)


@settings(max_examples=1500, deadline=None)
@given(SENTENCES | st.text(alphabet="aZI .,'-!?:;", max_size=12))
@example("Lock the front door.")
@example("Well, I don't know: is it the twenty-one? Yes!")
def test_a_text_that_is_plain_at_a_glance_is_read_as_itself(text):
    if is_plain(text):
        assert read(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Ask Dr Smith.",
        "Henry VIII was there.",
        "Read chapter IV.",
        "Bring milk, bread etc.",
        "It is Yes vs No.",
        "Wait... what?",
        "Door 5",
        "Two  spaces",
        "The 'door'",
        "caf\u00e9",
        "",
    ],
)
def test_what_may_be_read_otherwise_is_not_plain(text):
    assert not is_plain(text)


def test_the_commands_of_the_examples_are_plain_but_for_a_few():
    from synthkit.resources import folder
    from synthkit.scripts import read_scripts

    commands = read_scripts(folder("examples") / "commands.jsonl")
    said = [text for command in commands for text in (command.context, command.trigger)]
    assert sum(map(is_plain, said)) > 0.8 * len(said)
    assert all(read(text) == text for text in said if is_plain(text))


def refusal(function, text: str, language: str) -> str | None:
    try:
        function(text, language, "here")
    except InputError as error:
        return str(error)
    return None


@settings(max_examples=500, deadline=None)
@given(
    st.text(max_size=6)
    | st.text(alphabet="aB1-.'&/%\u0301\u200d\u00ad\u2122\u20ac*#[ \x07", max_size=6),
    st.sampled_from(["en-US", "de", "ja"]),
)
def test_a_text_is_refused_at_a_glance_as_it_is_when_it_is_read(text, language):
    assert refusal(check_text, text, language) == refusal(spoken_text, text, language)
