"""Which voices a reference means."""

from __future__ import annotations

import pytest

from synthkit.errors import InputError
from synthkit.speech.audit.casts import find_voices
from synthkit.speech.audit.sentences import sentences
from synthkit.speech.cards import voices
from tests.conftest import DATA

TONE = DATA / "voices" / "tone"


def ids(*references: object) -> list[str]:
    return [v.card.id for v in find_voices(map(str, references), sentences("report"))]


def test_a_cast_by_name_is_all_its_voices():
    assert ids("heart") == [name for name in voices() if name.startswith("heart/")]


def test_folders_cards_and_single_voices_come_in_the_order_given_each_once():
    assert ids(TONE) == ["tone/high", "tone/low", "tone/mid"]
    assert ids(TONE / "mid.toml", "heart/mom", TONE) == [
        "tone/mid", "heart/mom", "tone/high", "tone/low"
    ]  # fmt: skip


def test_what_is_no_voice_is_refused_with_what_is_allowed(tmp_path):
    with pytest.raises(InputError, match=r"cast 'nobody' is unknown; allowed: .*heart"):
        ids("nobody")
    with pytest.raises(InputError, match="no voice cards"):
        ids(tmp_path)


def test_two_cards_of_one_id_are_refused(tmp_path):
    (tmp_path / "tone").mkdir()
    (tmp_path / "tone" / "mid.toml").write_bytes((TONE / "mid.toml").read_bytes())
    with pytest.raises(InputError, match="voice tone/mid: two cards have this id"):
        ids(TONE, tmp_path / "tone")


def test_a_voice_that_cannot_say_the_sentences_is_refused_before_any_work(tmp_path):
    (tmp_path / "ann").mkdir()
    card = (TONE / "mid.toml").read_text().replace('engine = "tone"', 'engine = "recorded"')
    head = card.partition("[parameters]")[0]
    (tmp_path / "ann" / "ann.toml").write_text(f'{head}[parameters]\nfiles = "files.csv"\n')
    with pytest.raises(InputError, match="ann"):
        ids(tmp_path / "ann")
