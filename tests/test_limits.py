"""Small files that ask for enormous work, or for reading without end: refused at once."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from synthkit import schemas
from synthkit.errors import InputError
from synthkit.files import check_plain, parse_json, read_text, read_toml, sha256_file
from synthkit.generate.journal import header_of
from synthkit.grids import grid_from
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.rooms.cards import room
from synthkit.scripts import read_scripts
from synthkit.speech.cards import voice_card
from synthkit.sums import read_sums
from tests.conftest import DATA

TONE = (DATA / "eight_tone.toml").read_text(encoding="utf-8").replace("../../examples/", "")
TONE = TONE.replace('"commands.jsonl"', '"unread.jsonl"')


def refusal_of(tmp_path: Path, text: str) -> str:
    path = tmp_path / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refusal:
        make_plan(read_recipe(path))
    return str(refusal.value)


@pytest.mark.parametrize("table", ["factors", "nuisances"])
def test_variables_that_multiply_into_too_many_chains_are_refused(tmp_path, table):
    names = [f"f{i}" for i in range(10)]
    used = "".join(f'    {{ renderer = "lowpass", cutoff = "${name}" }},\n' for name in names)
    levels = "".join(f"{name} = {[1000 + i for i in range(20)]}\n" for name in names)
    text = TONE.replace("far = [\n", f"far = [\n{used}") + f"[{table}]\n{levels}"
    assert f"make {20**10} chains; allowed: up to 1000" in refusal_of(tmp_path, text)


def test_factors_that_multiply_into_too_many_conditions_are_refused(tmp_path):
    beds = ", ".join(f'"b{i}"' for i in range(126))
    text = TONE.replace("[fields]", f'bed = "$noise"\n[factors]\nnoise = [{beds}]\n[fields]')
    text += "".join(f'[beds.b{i}]\nkind = "pink"\nlevel_dbfs = -60\n' for i in range(126))
    assert "1008 conditions a command; allowed: up to 1000" in refusal_of(tmp_path, text)


def test_a_grid_of_too_many_conditions_is_refused_before_it_is_made():
    factors = {"source": ["same"], "field": ["near"], "gap_ms": list(range(2000))}
    values = {"rule": "source", "field_applies_to": ["trigger"], "factors": factors}
    with pytest.raises(InputError, match="grid: 2000 conditions a command; allowed: up to 1000"):
        grid_from(values, "own", "grid")


def test_a_field_of_too_many_renderers_is_refused(tmp_path):
    text = TONE.replace("far = [\n", "far = [\n" + '{ renderer = "lowpass", cutoff = 99 },\n' * 16)
    assert "an array of up to 16 renderers" in refusal_of(tmp_path, text)


def test_too_many_splits_are_refused(tmp_path):
    text = TONE + "[splits]\n" + "".join(f"s{i} = {{ share = 100 }}\n" for i in range(21))
    assert "allowed: up to 20 splits by name" in refusal_of(tmp_path, text)


def test_a_recipe_or_card_longer_than_any_is_refused(tmp_path):
    path = tmp_path / "card.toml"
    path.write_text("# " + "x" * 2**18)
    for read in (read_toml, read_recipe, lambda p: room(str(p)), lambda p: voice_card(str(p))):
        with pytest.raises(InputError, match="262146 characters; allowed: up to 262144"):
            read(path)


@pytest.mark.parametrize("read", [read_text, read_toml, read_recipe, read_scripts, read_sums])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path, read):
    path = tmp_path / "pipe.jsonl"
    os.mkfifo(path)
    with pytest.raises(InputError, match=r"pipe\.jsonl: cannot be read \(not a regular file\)"):
        read(path)


def test_a_pipe_is_neither_hashed_nor_a_journal(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(OSError, match="not a regular file"):
        sha256_file(path)
    assert header_of(path) is None


def test_a_link_to_an_endless_device_is_refused(tmp_path):
    path = tmp_path / "zeros.jsonl"
    path.symlink_to("/dev/zero")
    with pytest.raises(InputError, match="not a regular file"):
        read_scripts(path)


def test_a_key_that_stands_twice_is_found_among_very_many(tmp_path):
    # Compared with each before it, these would take hours.
    pairs = ", ".join(f'"k{i}": 0' for i in range(200_000))
    with pytest.raises(InputError, match="key 'k199999' stands twice"):
        parse_json(f'{{{pairs}, "k199999": 1}}', "row")


def test_a_long_text_deep_inside_is_looked_at_once():
    # Shown anew at each level above it, this took minutes.
    text = "[" * 60 + json.dumps("x" * 3_000_000) + "]" * 60
    parse_json(text, "row")
    with pytest.raises(InputError, match="deeper nesting; allowed: 64 levels"):
        parse_json(f"[[[[[{text}]]]]]", "row")


def test_very_many_levels_of_mixed_types_are_compared_once_each():
    # Texts and numbers have no order; compared pair by pair, these would take hours.
    levels = [value for i in range(20_000) for value in (f"l{i}", i)]
    recipe = {"factors": {"x": [*levels, 7.0]}}
    with pytest.raises(InputError, match=r"field factors\.x"):
        schemas.check({**_whole(), **recipe}, "recipe", "recipe")


@pytest.mark.parametrize(
    ("levels", "different"),
    [([1, 2], True), ([1, 1.0], False), (["1", 1], True), (["a", "a"], False)],
)
def test_levels_are_the_same_where_json_takes_them_for_the_same(levels, different):
    value = {**_whole(), "factors": {"x": levels}}
    if different:
        schemas.check(value, "recipe", "recipe")
    else:
        with pytest.raises(InputError, match=r"field factors\.x: .* one or more different levels"):
            schemas.check(value, "recipe", "recipe")


def _whole() -> dict[str, object]:
    voices = ["a/b", "a/c"]
    whole = {"name": "x", "scripts": "x.csv", "seed": 1, "voices": voices, "grid": "six"}
    return {**whole, "fields": {"near": []}}


@pytest.mark.parametrize("value", ["1979-05-27", "07:32:00", "1979-05-27T07:32:00Z"])
@pytest.mark.parametrize("file", ["recipe", "voice", "room"])
def test_dates_which_toml_has_and_json_has_not_are_refused(tmp_path, file, value):
    path = tmp_path / "card.toml"
    path.write_text(f"deep = [{{ when = {value} }}]\n")
    read = {"recipe": read_recipe, "voice": voice_card, "room": room}[file]
    with pytest.raises(InputError, match=r"field deep\[0\]\.when: found datetime.*; allowed: text"):
        read(path if file == "recipe" else str(path))


@pytest.mark.parametrize("value", ["[1]", "{ a = 1 }", "true", "[[]]"])
@pytest.mark.parametrize("name", ["room", "place", "distance", "cutoff"])
def test_a_renderers_parameter_of_another_type_is_refused(tmp_path, name, value):
    table = {"room": '"living_room"', "place": '"across"', name: value}
    inner = ", ".join(f"{key} = {inner}" for key, inner in table.items())
    text = TONE.replace("far = [\n", f'far = [\n{{ renderer = "room", {inner} }},\n')
    assert f"field fields.far[0].{name}: found" in refusal_of(tmp_path, text)


def test_plain_values_are_those_that_json_has_words_for():
    check_plain(json.loads('{"a": [1, 2.5, "x", null, true, {}]}'), "x")
    with pytest.raises(InputError, match=r"field a: found .*; allowed: text, numbers"):
        check_plain({"a": object()}, "x")
