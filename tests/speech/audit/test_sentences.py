"""The list of commands: its halves stay what cards were tuned and reported on."""

from __future__ import annotations

import hashlib

import pytest

from synthkit.errors import InputError
from synthkit.instruments.words import tokens
from synthkit.speech.audit.sentences import sentences


def digest(half: str) -> str:
    text = "\n".join(s.text for s in sentences(half) if s.plain)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def test_the_plain_halves_are_those_that_the_cards_were_tuned_on():
    assert (digest("tune"), digest("report")) == ("0e53ce3c8aea", "89b6d61cfcbd")
    plain = [s for s in sentences() if s.plain]
    assert [s.half for s in plain] == ["tune", "report"] * 26
    assert plain == list(sentences()[:52])


def test_both_halves_have_names_and_numbers_of_their_own():
    halves = {half: sentences(half) for half in ("tune", "report")}
    assert set(sentences()) == {*halves["tune"], *halves["report"]}
    for spoken in halves.values():
        assert sum(len(s.names) for s in spoken) >= 5
        assert sum(len(s.numbers) for s in spoken) >= 5
    names = [{name for s in spoken for name in s.names} for spoken in halves.values()]
    assert not names[0] & names[1]
    assert len({s.text for s in sentences()}) == len(sentences())


@pytest.mark.parametrize("sentence", sentences(), ids=lambda s: s.text)
def test_slots_stand_in_their_sentence_and_syllables_are_plausible(sentence):
    found = tokens(sentence.text, sentence.names, sentence.numbers, lambda text: text.split())
    slots = [token for token in found if token.kind != "word"]
    assert len(slots) == len(sentence.names) + len(sentence.numbers)
    assert 1.0 <= sentence.syllables / len(sentence.text.replace("-", " ").split()) <= 2.2


def test_a_limit_takes_sentences_evenly_from_plain_ones_and_those_with_slots():
    few = sentences("report", limit=8)
    assert len(few) == len(set(few)) == 8
    assert {s.half for s in few} == {"report"}
    assert {s.plain for s in few} == {True, False}
    assert sentences("tune", limit=1000) == sentences("tune")


@pytest.mark.parametrize(
    ("half", "limit", "message"),
    [("report", 3, "limit is 3; allowed: 4"), ("both", None, "'both'; allowed: all, tune")],
)
def test_refusals_say_what_is_allowed(half, limit, message):
    with pytest.raises(InputError, match=message):
        sentences(half, limit)
