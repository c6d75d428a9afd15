"""Scripts: read exactly, or refused with file, row, field, what was found and what is allowed."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pytest

from synthkit.errors import InputError
from synthkit.resources import folder
from synthkit.scripts import read_scripts

ROWS = [
    {"id": f"c{i}", "tool": "unlock_door", "context": f"Context {i}.", "trigger": f"Trigger {i}."}
    for i in range(3)
]


def jsonl(rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def as_csv(rows) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


SPELLINGS = {
    "plain": lambda text: text.encode(),
    "byte-order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "blank lines at the end": lambda text: (text + "\n\n").encode(),
    "blank line in the middle": lambda text: "\n\n".join(text.split("\n", 2)).encode(),
    "no final newline": lambda text: text.rstrip("\n").encode(),
}


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_one_script_in_any_spelling_is_the_same_commands(tmp_path, kind, spelling):
    text = jsonl(ROWS) if kind == "jsonl" else as_csv(ROWS)
    path = tmp_path / f"script.{kind}"
    path.write_bytes(SPELLINGS[spelling](text))
    commands = read_scripts(path)
    assert [(c.id, c.tool, c.context, c.trigger) for c in commands] == [
        tuple(row.values()) for row in ROWS
    ]


def test_words_that_look_like_missing_values_stay_words(tmp_path):
    rows = [
        {"id": "007", "tool": "t", "context": "null", "trigger": "NA"},
        {"id": "1e5", "tool": "t", "context": "None", "trigger": "nan"},
    ]
    path = tmp_path / "script.csv"
    path.write_text(as_csv(rows))
    commands = read_scripts(path)
    assert [(c.id, c.context, c.trigger) for c in commands] == [
        ("007", "null", "NA"),
        ("1e5", "None", "nan"),
    ]


def test_params_in_a_csv_cell_are_json(tmp_path):
    path = tmp_path / "script.csv"
    path.write_text(
        as_csv([{**ROWS[0], "params": '{"door": "front", "tries": 2}', "language": ""}])
    )
    (command,) = read_scripts(path)
    assert command.params == {"door": "front", "tries": 2}
    assert command.language == "en-US"


def refusal(tmp_path, *rows, kind="jsonl") -> str:
    path = tmp_path / f"script.{kind}"
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows))
    with pytest.raises(InputError) as error:
        read_scripts(path)
    message = str(error.value)
    assert "\n" not in message
    assert "script." in message
    return message


@pytest.mark.parametrize("text", ["", "   ", "...", "😀", "—!?"])
@pytest.mark.parametrize("field", ["context", "trigger"])
def test_text_with_nothing_to_say_is_refused_with_row_and_field(tmp_path, field, text):
    message = refusal(tmp_path, ROWS[0], {**ROWS[1], field: text})
    assert "row 2" in message
    assert f"field {field}" in message
    assert "allowed" in message


@pytest.mark.parametrize(
    "id_",
    ["../x", "/etc/x", "a/../../x", "C:\\x", "", ".", "..", "a\0b", "con", "AUX", "name.", "name ",
     " case-1", "a:b", "a" * 41, "a" * 300, "a__b", "-a", "é"],
)  # fmt: skip
def test_an_id_that_cannot_be_a_file_name_everywhere_is_refused_with_its_row(tmp_path, id_):
    message = refusal(tmp_path, ROWS[0], {**ROWS[1], "id": id_})
    assert "row 2" in message
    assert "allowed" in message or "device" in message


@pytest.mark.parametrize("second", ["c0", "C0"])
def test_ids_that_are_one_file_are_refused_naming_both_rows(tmp_path, second):
    message = refusal(tmp_path, ROWS[0], {**ROWS[1], "id": second})
    assert "row 1" in message
    assert "row 2" in message


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"id": "a", "tool": "t", "context": "c"}, "trigger missing"),
        ({**ROWS[0], "gap": 3}, "unknown gap; allowed: id, tool"),
        ({**ROWS[0], "trigger": 3}, "field trigger: found 3; allowed: string"),
        ({**ROWS[0], "params": [1]}, "field params: found [1]; allowed: object"),
        ({**ROWS[0], "tool": "a b"}, 'field tool: found "a b"'),
        ({**ROWS[0], "language": "english!"}, "field language"),
        ([1, 2], "allowed: object"),
        ('{"id": "a", "id": "b"}', "key 'id' stands twice"),
        ('{"id": NaN}', "NaN is not JSON"),
        ('{"params": {"x": 1e999}}', "field params.x: found inf; allowed: finite"),
        ("{", "not strict JSON"),
    ],
)
def test_a_malformed_row_is_refused_with_field_found_and_allowed(tmp_path, row, told):
    assert told in refusal(tmp_path, row)


def test_a_csv_row_of_another_length_is_refused(tmp_path):
    assert "row 2" in refusal(tmp_path, "id,tool,context,trigger", "a,t,hello", kind="csv")
    assert "row 2" in refusal(tmp_path, "id,tool,context,trigger", "a,t,b,c,d", kind="csv")


def test_what_is_no_csv_is_told_with_the_row_at_fault(tmp_path):
    header = "id,tool,context,trigger"
    assert "row 1: not CSV" in refusal(tmp_path, '"id"x,tool,context,trigger', kind="csv")
    assert "row 3: not CSV" in refusal(tmp_path, header, "a,t,b,c", 'b,t,"b"x,c', kind="csv")
    assert "row 3: not CSV" in refusal(tmp_path, header, "a,t,b,c", 'b,t,"b,c', kind="csv")
    assert "row 4: not CSV" in refusal(tmp_path, "", header, "a,t,b,c", 'b,t,"b,c', kind="csv")
    twice = refusal(tmp_path, "id,id,tool,context,trigger", kind="csv")
    assert "row 1: a column stands twice" in twice and "allowed: once" in twice


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\x00", b"id,tool,context,trigger\n"])
def test_a_script_without_commands_is_refused(tmp_path, content):
    for kind in ("jsonl", "csv"):
        path = tmp_path / f"script.{kind}"
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"script\."):
            read_scripts(path)


def test_text_keeps_its_own_characters(tmp_path):
    # U+2028 is a line end to str.splitlines, and no line end in JSON.
    rows = [{**ROWS[0], "trigger": "Don\u2019t \u201cturn on\u201d 3.14 é\u2028x"}]
    path = tmp_path / "script.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    assert read_scripts(path)[0].trigger == rows[0]["trigger"]


def test_the_example_commands_cover_ten_tools_evenly():
    commands = read_scripts(folder("examples") / "commands.jsonl")
    assert Counter(Counter(c.tool for c in commands).values()) == {4: 10}
    assert len({text for c in commands for text in (c.context, c.trigger)}) == 80
