"""Names and numbers found in a text by their spelling."""

from __future__ import annotations

import pytest

from synthkit.instruments.slots import names, numbers, one_spelling
from synthkit.instruments.words import tokens


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("Call Anna back.", (), ("Anna",)),
        ("Tell Maria and David. Maria knows.", (), ("Maria", "David")),
        ("Maria is late.", (), ()),  # it may be any word that starts a sentence
        ("Maria is late.", ("Maria",), ("Maria",)),  # unless a parameter has it
        ("It rains. Kevin is late.", (), ()),
        ("It rains. Kevin is late.", ("Kevin", "it rains"), ("Kevin",)),
        ("Text Mister Johnson on Monday in May.", (), ("Johnson",)),
        ("Start Anna's car, I'm ready.", (), ("Anna",)),
        ("Ask Mary O'Brien.", (), ("Mary", "O'Brien")),
        ("Enter the PIN on the TV.", (), ()),
        ("Unlock the front door.", ("front door",), ()),
        ("Call Zo\u00eb.", (), ("Zo\u00eb",)),
    ],
)
def test_names_are_capitalised_words_that_start_no_sentence_or_are_a_parameter(
    text: str, values: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert names(text, values) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Order four cartridges.", ("four",)),
        ("Pay twelve hundred dollars now.", ("twelve hundred dollars",)),
        ("Wire three hundred and fifty euros.", ("three hundred and fifty euros",)),
        ("Send $1,200.50 to Sam.", ("$1,200.50",)),
        ("Come at 6:30, not at seven.", ("6:30", "seven")),
        ("Book it at eight thirty for two.", ("eight thirty", "two")),
        ("On the twenty-first of June.", ("twenty-first",)),
        ("On the tenth of March.", ("tenth",)),
        ("In nine or nine days.", ("nine",)),
        ("The other often wins weight of someone.", ()),  # no number within a word
        ("When you get a second, call.", ()),
        ("Fifty percent of it.", ("Fifty percent",)),
    ],
)
def test_numbers_are_runs_of_number_words_or_digits_with_their_currency(
    text: str, expected: tuple[str, ...]
) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 6:30 tonight", "at 630 tonight"),
        ("at 8.30. Then", "at 830. Then"),
        ("pay $6.30 or 1,200.50", "pay $6.30 or 1,200.50"),  # money is no time
        ("at 6 p.m. today", "at 6 pm today"),
        ("at 10 AM", "at 10 Am"),
        ("seven a.m.", "seven am"),
        ("I am here", "I am here"),
    ],
)
def test_times_of_day_have_one_spelling(text: str, expected: str) -> None:
    assert one_spelling(text).lower() == expected.lower()


def test_what_is_found_can_be_masked() -> None:
    text = "At two, give Anna and Ann, Anna's son, two hundred euros and twenty five pounds."
    assert numbers(text) == ("two", "two hundred euros", "twenty five pounds")
    found = tokens(text, names(text), numbers(text), lambda part: part.lower().split())
    slots = [" ".join(token.words) for token in found if token.kind != "word"]
    assert slots == ["two", "anna", "ann", "anna", "two hundred euros", "twenty five pounds"]
