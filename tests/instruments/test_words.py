"""Word errors against alignments worked out by hand."""

from __future__ import annotations

import pytest

from synthkit.errors import InputError
from synthkit.instruments.words import Token, WordErrors, align, tokens


def plain(text: str) -> list[str]:
    return text.lower().replace(".", "").replace(",", "").split()


def errors(text: str, heard: str, names: tuple[str, ...] = (), numbers: tuple[str, ...] = ()):
    return align(tokens(text, names, numbers, plain), plain(heard))


@pytest.mark.parametrize(
    ("heard", "expected"),
    [
        ("lock the front door", 0),
        ("lock a front door", 1),  # a substitution
        ("lock front door", 1),  # a deletion
        ("lock the big front door", 1),  # an insertion
        ("please lock the front door now", 2),
        ("the front door lock", 2),  # lock deleted here, inserted there
        ("", 4),
        ("open that gate", 4),
    ],
)
def test_substitutions_deletions_and_insertions_cost_one_each(heard, expected):
    found = errors("Lock the front door.", heard)
    assert (found.errors, found.words) == (expected, 4)
    assert found.wer == expected / 4


@pytest.mark.parametrize(
    ("heard", "expected", "right"),
    [
        ("call priya after lunch", 0, 1),
        ("call maria after lunch", 0, 0),
        ("call pre ya after lunch", 0, 0),  # one name may be heard as two words
        ("call pre ya yes after lunch", 1, 0),  # but not as three
        ("call after lunch", 0, 0),
        ("tall priya after lunch", 1, 1),
        ("call after priya lunch", 1, 0),  # as if it were left out here and another word put there
    ],
)
def test_a_name_costs_nothing_and_has_an_accuracy_of_its_own(heard, expected, right):
    found = errors("Call Priya after lunch.", heard, names=("Priya",))
    assert (found.errors, found.words) == (expected, 3)
    assert (found.names, found.names_right) == (1, right)
    assert found.name_accuracy == right


@pytest.mark.parametrize(
    ("heard", "expected", "right"),
    [
        ("pay two hundred dollars now", 0, 1),
        ("pay two hundred dollar now", 1, 0),
        ("pay hundred dollars now", 1, 0),
        ("pay two hundred and dollars now", 1, 0),
        ("pay now", 3, 0),
    ],
)
def test_a_number_costs_what_its_words_do(heard, expected, right):
    found = errors("Pay two hundred dollars now.", heard, numbers=("two hundred dollars",))
    assert (found.errors, found.words) == (expected, 5)
    assert (found.numbers, found.numbers_right) == (1, right)


def test_of_alignments_with_equal_errors_the_one_with_the_name_right_counts():
    # "hey" inserted and Ben right, or "hey ben" as the name: the first costs an error, so a name
    # of one word that is heard as two is preferred; with "the" missing it is the other way round.
    assert errors("Ask Ben.", "ask hey ben", names=("Ben",)).names_right == 0
    found = errors("Ask Ben and Ann.", "ask ben ann", names=("Ben", "Ann"))
    assert (found.errors, found.names_right) == (1, 2)


def test_counts_add_up_over_texts():
    total = errors("Call Ann.", "call ann", names=("Ann",)) + errors("Lock it.", "look at")
    assert total == WordErrors(errors=2, words=3, names=1, names_right=1)
    assert total.wer == pytest.approx(2 / 3)
    assert total.number_accuracy is None
    assert WordErrors().wer is None


def test_slots_split_a_text_into_words_before_between_and_after():
    found = tokens("Pay fifty dollars to Ann today.", ("Ann",), ("fifty dollars",), plain)
    assert found == (
        Token(("pay",)),
        Token(("fifty", "dollars"), "number"),
        Token(("to",)),
        Token(("ann",), "name"),
        Token(("today",)),
    )


def test_a_slot_is_one_wherever_it_stands_as_a_word():
    found = tokens("Ann, ask Annabel and Ann.", ("Ann",), (), plain)
    assert [token.kind for token in found] == ["name", "word", "word", "word", "name"]
    assert errors("Ann, ask Annabel and Ann.", "an ask annabel and ann", ("Ann",)).names_right == 1


@pytest.mark.parametrize("slot", ["Bob", "An", "gain"])
def test_a_slot_that_does_not_stand_in_its_text_is_refused(slot):
    with pytest.raises(InputError, match=f"name '{slot}' does not stand in 'Call Ann again.'"):
        tokens("Call Ann again.", (slot,), (), plain)


def test_a_slot_that_is_part_of_a_longer_one_counts_once():
    text = "call at two about two hundred"
    found = tokens(text, (), ("two", "two hundred", "two"), str.split)
    assert [token.words for token in found if token.kind == "number"] == [
        ("two",),
        ("two", "hundred"),
    ]
    assert align(found, text.split()).words == 6
