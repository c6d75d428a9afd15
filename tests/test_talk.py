"""Scripts of talk, and any script as prompts to be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synthkit.errors import InputError
from synthkit.scripts.prompts import read_prompts
from synthkit.scripts.talk import read_talk

ROW = {
    "id": "s1",
    "family": "side_talk",
    "configuration": "assistant_first",
    "utterances": [
        {"to": "assistant", "text": "Call Anna."},
        {"to": "bystander", "text": "Pass me the salt, please."},
    ],
    "target": {"action": "call", "name": "call_contact", "params": {"contact": "Anna"}},
}


def written(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_talk_is_one_prompt_with_all_its_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "talk.jsonl", ROW)
    (talk,) = read_talk(path)
    assert [u.to for u in talk.utterances] == ["assistant", "bystander"]
    (prompt,) = read_prompts(path)
    assert (prompt.id, prompt.text) == ("s1", "Call Anna. Pass me the salt, please.")


def test_a_command_is_two_prompts_as_two_people_may_say_it(tmp_path: Path) -> None:
    row = {"id": "c1", "tool": "t", "context": "It is late.", "trigger": "Call Anna."}
    prompts = read_prompts(written(tmp_path / "c.jsonl", row))
    assert [(p.id, p.item, p.lines) for p in prompts] == [
        ("c1__context", "c1", (("context", "It is late."),)),
        ("c1__trigger", "c1", (("trigger", "Call Anna."),)),
    ]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([{**ROW, "family": "chat"}], "family"),
        ([{**ROW, "utterances": []}], "utterances"),
        ([{**ROW, "utterances": [{"to": "nobody", "text": "…"}]}], "utterance 1"),
        ([{**ROW, "id": "a__b"}], "id"),
        ([ROW, {**ROW, "id": "S1"}], "stands twice"),
        ([], "no rows"),
    ],
)
def test_what_is_no_talk_is_refused_with_its_row(
    tmp_path: Path, rows: list[object], found: str
) -> None:
    with pytest.raises(InputError, match=found):
        read_talk(written(tmp_path / "talk.jsonl", *rows))
