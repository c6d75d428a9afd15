"""A voice card with a mistake is refused in one line: the file, the key, what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthkit.errors import InputError
from synthkit.speech.cards import cast_cards, voice_card

CARD = """\
name = "Ann"
description = "A tone"
engine = "tone"
language = "en-US"
checkpoint = "tone"
processing = "none"
code_license = "Apache-2.0"
voice_license = "CC0-1.0"
attribution = ""

[parameters]
f0 = 120
"""


def refusal(folder: Path, text: str) -> str:
    path = folder / "cast" / "ann.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        voice_card(str(path))
    message = str(caught.value)
    assert message.isprintable()
    assert "ann.toml" in message
    return message


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ('engine = "tone"', 'engine = "tune"', ["engine", "'tune'", "hibari", "tone"]),
        ('engine = "tone"\n', "", ["'engine'|engine", "missing"]),
        ('name = "Ann"', 'nmae = "Ann"', ["nmae", "allowed: ", "name"]),
        ('language = "en-US"', 'language = "English"', ["language", "English", "BCP 47"]),
        ('code_license = "Apache-2.0"', "code_license = 2", ["code_license", "2", "string"]),
        ("f0 = 120", "f0 = 9", ["parameters", "f0", "9", "allowed"]),
        ("f0 = 120", 'f0 = "low"', ["parameters", "f0", "low", "number"]),
        ("f0 = 120", "f0 = nan", ["f0", "nan", "finite"]),
        ("f0 = 120", "", ["parameters", "f0", "missing"]),
        ("f0 = 120", "f0 = 120\npitch = 3", ["parameters", "pitch", "allowed: f0"]),
        ("f0 = 120", "f0 = ", ["not TOML", "line 12"]),
    ],
)
def test_a_mistake_names_file_key_and_what_is_allowed(
    tmp_path: Path, right: str, wrong: str, told: list[str]
) -> None:
    assert right in CARD
    message = refusal(tmp_path, CARD.replace(right, wrong))
    for words in told:
        assert any(word in message for word in words.split("|")), message


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ('index = "a.json"\ntexts = "b.json"', "index, or texts and files"),
        ('texts = "b.json"', "index, or texts and files"),
        ("", "index, or texts and files"),
        ('texts = "b.json"\nfiles = "take.wav"', "{text_id}"),
    ],
)
def test_a_recorded_speaker_has_one_kind_of_list(
    tmp_path: Path, parameters: str, told: str
) -> None:
    text = CARD.replace('engine = "tone"', 'engine = "recorded"').replace("f0 = 120", parameters)
    assert told in refusal(tmp_path, text)


def test_a_cast_is_its_name_a_folder_a_voice_or_a_card(tmp_path: Path) -> None:
    assert [card.id for card in cast_cards("heart")][:2] == ["heart/M000", "heart/M008"]
    assert [card.id for card in cast_cards("heart/mom")] == ["heart/mom"]
    folder = tmp_path / "own"
    folder.mkdir()
    for name in ("bob", "ann"):
        (folder / f"{name}.toml").write_text(CARD, encoding="utf-8")
    assert [card.id for card in cast_cards(str(folder))] == ["own/ann", "own/bob"]
    assert [card.id for card in cast_cards(str(folder / "ann.toml"))] == ["own/ann"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no voice cards"):
        cast_cards(str(tmp_path / "empty"))
    with pytest.raises(InputError, match=r"cast 'hart' is unknown; allowed: .*heart"):
        cast_cards("hart")
