"""What holds for ids, scripts, rows and recipes whatever is in them."""

from __future__ import annotations

import csv
import io
import json
import string
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from synthkit.errors import InputError
from synthkit.ids import check_command_id, check_id
from synthkit.manifest import parse_row, row_line
from synthkit.recipe import Recipe, read_recipe
from synthkit.scripts import read_scripts
from tests.conftest import DATA
from tests.properties.settings import PROPERTY

LETTERS = string.ascii_letters + string.digits
DEVICES = ("con", "prn", "aux", "nul", *(f"{d}{i}" for d in ("com", "lpt") for i in range(1, 10)))
plain_ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9-]{0,30}", fullmatch=True).filter(
    lambda text: text.casefold() not in DEVICES
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
trees = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@PROPERTY
@given(st.text(max_size=70) | st.text(alphabet=LETTERS + "_-./\\: \0\n", max_size=70))
def test_an_id_that_passes_is_a_file_name_on_every_system(text: str) -> None:
    try:
        passed = check_id(text, "here")
    except InputError as error:
        assert str(error).startswith("here: id ") and str(error).isprintable()
        return
    assert passed == text
    assert 1 <= len(text) <= 64 and set(text) <= set(LETTERS + "_-") and text[0] in LETTERS
    assert text.casefold() not in DEVICES
    assert Path("/out", text).parent == Path("/out")


@PROPERTY
@given(st.sampled_from(DEVICES), st.data())
def test_device_names_are_refused_in_any_case(name: str, data: st.DataObject) -> None:
    spelled = "".join(data.draw(st.sampled_from((c.upper(), c))) for c in name)
    with pytest.raises(InputError, match="Windows device name"):
        check_id(spelled, "here")


@PROPERTY
@given(plain_ids, plain_ids)
def test_command_and_condition_can_be_told_from_the_clips_id(command: str, condition: str) -> None:
    assert f"{check_command_id(command, 'x')}__{condition}".split("__", 1) == [command, condition]


# Words that csv, spreadsheets and data frames take for something else, and any text there is.
texts = st.sampled_from(("null", "NA", "None", "nan", "007", '"', ",", "a\nb", " x ")) | st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "Z", "S")), max_size=30
)
rows = st.fixed_dictionaries(
    {"id": plain_ids | texts, "tool": st.sampled_from(("lamp", "door.open", "")), "context": texts},
    optional={"language": st.sampled_from(("en-US", "de", "?"))},
).map(lambda row: {**row, "trigger": row["context"][::-1] + "a"})


def _read(path: Path, content: str) -> Any:
    path.write_text(content, encoding="utf-8", newline="")
    try:
        return read_scripts(path)
    except InputError as error:
        message = str(error)
        assert message.startswith(f"{path}: ") and message.isprintable()
        return message.removeprefix(f"{path}: ")


@PROPERTY
@given(st.lists(rows, min_size=1, max_size=5))
def test_jsonl_and_csv_of_the_same_rows_agree(tmp_path: Path, listed: list[dict[str, str]]) -> None:
    listed = [{"language": "en-US", **row} for row in listed]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in listed)
    table = io.StringIO()
    writer = csv.DictWriter(table, list(listed[0]))
    writer.writeheader()
    writer.writerows(listed)
    one = _read(tmp_path / "script.jsonl", lines)
    other = _read(tmp_path / "script.csv", table.getvalue())
    if isinstance(one, str) or isinstance(other, str):
        # The same row is refused; only what the place is called differs.
        assert isinstance(one, str) and isinstance(other, str), (one, other)
        assert one.startswith("row ") and other.startswith("row ")
        return
    assert one == other
    assert [(c.id, c.tool, c.context, c.trigger) for c in one] == [
        (row["id"], row["tool"], row["context"], row["trigger"]) for row in listed
    ]


@pytest.fixture(scope="module")
def lines(tone_set: Callable[[str], Path]) -> list[str]:
    text = (tone_set("pair") / "manifest.jsonl").read_text(encoding="utf-8")
    return text.splitlines()[:3]


def test_a_row_read_and_written_is_the_same_line(lines: list[str]) -> None:
    for line in lines:
        assert row_line(parse_row(line, "row 1")) == line


@PROPERTY
@given(st.data())
def test_a_damaged_row_is_refused_by_its_place_or_is_a_row(lines: list[str], data: Any) -> None:
    line = data.draw(st.sampled_from(lines))
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, min(start + 8, len(line))))
    put = data.draw(st.text(max_size=3) | st.sampled_from(("NaN", "1e999", '"', "}", "\\ud800")))
    _row_or_refusal(line[:start] + put + line[end:])


@PROPERTY
@given(st.data(), trees)
def test_a_row_with_any_value_in_any_field_is_refused_or_is_a_row(
    lines: list[str], data: Any, value: Any
) -> None:
    row = json.loads(data.draw(st.sampled_from(lines)))
    row[data.draw(st.sampled_from(sorted(row)))] = value
    _row_or_refusal(json.dumps(row))


def _row_or_refusal(line: str) -> None:
    try:
        row = parse_row(line, "row 7")
    except InputError as error:
        assert str(error).startswith("row 7: ") and str(error).isprintable()
    else:
        assert parse_row(row_line(row), "again") == row


tables = st.dictionaries(st.text(max_size=6), trees, max_size=4)
FIELDS = (
    "name", "scripts", "seed", "limit", "only", "voices", "grid", "factors", "nuisances",
    "splits", "fields", "level", "post_ms", "fade_ms", "beds", "bed", "rooms", "anything",
)  # fmt: skip


@PROPERTY
@given(st.dictionaries(st.sampled_from(FIELDS), trees | tables, max_size=3))
def test_any_table_is_a_recipe_or_is_refused_in_one_line(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    good = (DATA / "eight_tone.toml").read_text(encoding="utf-8")
    values = {**tomllib.loads(good), **changed}
    path = tmp_path / "any.toml"
    path.write_bytes(tomli_w.dumps(_without_none(values)).encode("utf-8", "surrogatepass"))
    try:
        recipe = read_recipe(path)
    except InputError as error:
        assert "any.toml" in str(error) and str(error).isprintable()
    else:
        assert isinstance(recipe, Recipe)
        json.dumps(recipe.values, allow_nan=False)
        assert recipe.grid.conditions


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_none(inner) for inner in value]
    return "none" if value is None else value
