"""Splits of scripts and of sets that synthkit made, by the command line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from synthkit import schemas
from synthkit.cli.scripts import AXES as OFFERED
from synthkit.dealing import deal_splits
from synthkit.errors import InputError
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.scripts import read_scripts
from synthkit.scripts.items import AXES
from synthkit.scripts.paths import fold_path
from synthkit.scripts.texts import fold_text
from tests.cases.sets import run, write_jsonl
from tests.conftest import DATA, ROOT

SCRIPT = ROOT / "examples" / "commands.jsonl"  # 40 commands, 4 for each of ten tools
SHARES = {"train": 4, "test": 1}


def script(path: Path, number: int = 20) -> Path:
    """Commands of four tools by turns and five families, each family in every tool."""
    rows = [
        {
            "id": f"c{n}",
            "tool": f"tool{n % 4}",
            "context": f"Context {n}.",
            "trigger": f"Trigger {n}.",
            "family": f"family{n // 4 % 5}",
        }
        for n in range(number)
    ]
    return write_jsonl(path, rows)


def split(source: Path, out: Path, *args: object) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    told = out.with_suffix(".told.json")
    code, said = run("scripts", "split", source, "--out", out, "--json", told, *args)
    assert code == 0, said
    made = json.loads(told.read_text(encoding="utf-8"))
    schemas.check(made, "splits", "splits")
    text = out.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if out.suffix == ".jsonl" else [], made


def test_by_command_a_script_is_dealt_as_recipes_deal_it(tmp_path: Path) -> None:
    rows, made = split(SCRIPT, tmp_path / "out.jsonl", "--seed", 5)
    commands = read_scripts(SCRIPT)
    assert [row["split"] for row in rows] == deal_splits(commands, SHARES, 5)
    assert [{**row, "split": None} for row in rows] == [
        {**command.describe(), "split": None} for command in commands
    ]
    assert [c.split for c in read_scripts(tmp_path / "out.jsonl")] == [r["split"] for r in rows]
    assert made["dropped"] == []


def test_a_command_that_was_said_before_goes_where_that_one_is(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in SCRIPT.read_text(encoding="utf-8").splitlines()]
    again = [
        {**row, "id": f"again{n}", "trigger": f" {row['trigger'].upper().rstrip('.')} !"}
        for n, row in enumerate(rows)
    ]
    source = write_jsonl(tmp_path / "twice.jsonl", [*rows, *again])
    made, _ = split(source, tmp_path / "out.jsonl")
    places = [row["split"] for row in made]
    assert places[:40] == places[40:] == deal_splits(read_scripts(SCRIPT), SHARES, 0)


def test_whole_tools_are_held_out(tmp_path: Path) -> None:
    rows, made = split(SCRIPT, tmp_path / "out.jsonl", "--by", "tool")
    tools = Counter((row["tool"], row["split"]) for row in rows)
    assert set(tools.values()) == {4}
    assert made["groups"]["tool"] == {"train": 8, "test": 2}


def test_an_axis_within_another_drops_nothing(tmp_path: Path) -> None:
    alone = split(SCRIPT, tmp_path / "a.jsonl", "--by", "tool")[0]
    both, made = split(SCRIPT, tmp_path / "b.jsonl", "--by", "tool", "--by", "command")
    assert both == alone
    assert made["promised"] == ["audio", "text", "tool", "command"]
    assert (made["shared"]["tool"], made["shared"]["command"], made["shared"]["text"]) == (0, 0, 0)


def test_families_and_tools_that_cross_leave_out_what_is_in_neither(tmp_path: Path) -> None:
    source = script(tmp_path / "in.jsonl")
    rows, made = split(
        source, tmp_path / "out.jsonl", "--by", "family", "--by", "tool", "--shares", "a=3,b=1"
    )
    # 5 families, 4 and 1 (of 3.75 and 1.25), by 4 tools, 3 and 1: 12 and 1 of 20 commands.
    assert made["counts"] == {"a": 12, "b": 1, "dropped": 7, "all": 20}
    assert len(rows) == 13
    assert {row["id"] for row in rows}.isdisjoint(made["dropped"])


def test_the_clips_of_a_command_stay_together(
    tone_set: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = tone_set("pair")
    _, made = split(folder, tmp_path / "s.json", "--shares", "train=3,test=1")
    rows = manifest(folder)
    assert made["counts"] == {"train": 9, "test": 3, "dropped": 0, "all": 12}
    commands = {part: {rows[id_]["command"] for id_ in ids} for part, ids in made["parts"].items()}
    assert {part: len(ids) for part, ids in commands.items()} == {"train": 3, "test": 1}
    assert json.loads((tmp_path / "s.json").read_text(encoding="utf-8")) == made


def test_a_clip_is_in_the_part_of_all_that_speak_in_it(
    tone_set: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = tone_set("pair")
    _, made = split(
        folder / "manifest.jsonl",
        tmp_path / "s.json",
        "--by",
        "voice",
        "--shares",
        "train=2,test=1",
    )
    rows = manifest(folder)
    heard = {
        part: {s["voice"] for id_ in ids for s in rows[id_]["segments"]}
        for part, ids in made["parts"].items()
    }
    assert made["groups"]["voice"] == {part: len(voices) for part, voices in heard.items()}
    assert not heard["train"] & heard["test"]
    for id_ in made["dropped"]:
        row = rows[id_]
        cast = {s["voice"] for r in rows.values() for s in r["segments"]
                if r["command"] == row["command"]}  # fmt: skip
        assert cast & heard["train"] and cast & heard["test"], id_
    # Text has no voice: it is where its command's clips are.
    of = {
        id_: part for part, ids in (*made["parts"].items(), (None, made["dropped"])) for id_ in ids
    }
    for id_, row in rows.items():
        if row["modality"] == "text":
            places = {of[i] for i, r in rows.items() if r["command"] == row["command"] and i != id_}
            assert of[id_] == (places.pop() if len(places) == 1 else None)


def test_families_of_a_set_are_told_by_its_script(
    tone_set: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = tone_set("pair")
    ids = dict.fromkeys(row["command"] for row in manifest(folder).values())
    rows = [
        {"id": id_, "tool": "t", "context": "It is late.", "trigger": f"Say {n}.",
         "family": f"f{n // 2}"}
        for n, id_ in enumerate(ids)
    ]  # fmt: skip
    told = write_jsonl(tmp_path / "families.jsonl", rows)
    _, made = split(
        folder, tmp_path / "s.json", "--by", "family", "--scripts", told, "--shares", "a=1,b=1"
    )
    assert made["counts"] == {"a": 6, "b": 6, "dropped": 0, "all": 12}
    code, said = run("scripts", "split", folder, "--by", "family", "--out", tmp_path / "x.json")
    assert code == 2 and "allowed: --scripts" in said and said.count("\n") == 1


def manifest(folder: Path) -> dict[str, dict[str, Any]]:
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def test_a_part_that_got_nothing_is_told_and_the_exit_code_is_1(tmp_path: Path) -> None:
    rows = [{"id": f"r{n}", "voice": ["a", "b"], "command": f"c{n}"} for n in range(3)]
    source = write_jsonl(tmp_path / "t.jsonl", rows)
    code, said = run("scripts", "split", source, "--by", "voice", "--shares", "x=1,y=1",
                     "--out", tmp_path / "s.json")  # fmt: skip
    assert code == 1
    assert "x is empty\ny is empty\n" in said
    assert json.loads((tmp_path / "s.json").read_text())["counts"]["dropped"] == 3


GOOD = {"id": "r", "file": "a.wav", "voice": "a", "text": "Hello."}


@pytest.mark.parametrize(
    ("rows", "args", "told"),
    [
        ([GOOD], ["--by", "room"], "row 1: field room: nothing found; needed by --by room"),
        ([GOOD], ["--by", "voice"], "--by voice: 1 different, shared train=4,test=1, leave none"),
        ([{**GOOD, "voice": 3}], [], "field voice: found 3; allowed: text, or an array"),
        ([{**GOOD, "sha256": "x"}], [], 'field sha256: found "x"; allowed: 64 hex digits'),
        ([{"voice": "a"}], ["--by", "voice"], "row 1: field (top level)"),
        ([[1]], [], "row 1: field (top level)"),
        ([GOOD, GOOD], [], "id 'r' stands twice"),
        ([], [], "no rows"),
        ([GOOD], ["--scripts", "x"], "--scripts"),
        ([GOOD], ["--files", "nowhere"], "--files nowhere: not a folder"),
        ([GOOD], ["--shares", "train=1"], "--shares: found 1 parts; allowed: 2 to 20"),
        ([GOOD], ["--shares", "a=1,a=1"], "--shares: found 'a=1'"),
        ([GOOD], ["--shares", "a=0,b=1"], "--shares: found 'a=0'"),
        ([GOOD], ["--shares", "dropped=1,b=1"], "--shares: found 'dropped=1'"),
        ([GOOD], ["--shares", "a=\u0663,b=1"], "--shares: found"),
        ([{"id": "a", "context": "b", "trigger": "c", "tool": "d"}], ["--by", "voice"], "command,"),
        ([{"id": "a", "utterances": []}], [], "a script of talk; allowed"),
    ],
)
def test_what_cannot_be_split_is_refused_in_one_line(
    tmp_path: Path, rows: list[Any], args: list[str], told: str
) -> None:
    source = write_jsonl(tmp_path / "t.jsonl", rows)
    out = tmp_path / "out.json"
    code, said = run("scripts", "split", source, "--out", out, *args)
    assert code == 2
    assert told in said
    assert said.count("\n") == 1
    assert not out.exists()


def test_rows_are_not_written_as_csv(tmp_path: Path) -> None:
    source = script(tmp_path / "in.jsonl")
    code, said = run("scripts", "split", source, "--out", tmp_path / "out.csv")
    assert code == 2 and "rows are written as JSONL" in said


def test_a_table_in_csv_and_files_elsewhere(tmp_path: Path) -> None:
    audio, tables = tmp_path / "audio", tmp_path / "tables"
    audio.mkdir()
    tables.mkdir()
    for name in "abcd":
        (audio / f"{name}.wav").write_bytes(name[:1].encode() if name in "ab" else b"same")
    (tables / "t.csv").write_text(
        "file,voice,text,note\na.wav,1,One.,x\nb.wav,1,Two.,\nc.wav,2,Three.,\n"
        f"{audio / 'd.wav'},1,Four.,\n../../e.wav,1,Five.,\n", encoding="utf-8"
    )  # fmt: skip
    out = tables / "s.json"
    code, said = run("scripts", "split", tables / "t.csv", "--files", audio, "--by", "voice",
                     "--shares", "x=1,y=1", "--out", out)  # fmt: skip
    made = json.loads(out.read_text(encoding="utf-8"))
    # c and d are one recording, said to be by both.
    assert sorted(made["dropped"]) == sorted(["c.wav", str(audio / "d.wav")])
    assert "1 files have no sha256 and are not in the folder" in said
    assert code == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Lamp on.", "lamp ON"),
        ("It's  late!", "it\u2019s\u00a0late"),
        ("Caf\u00e9", "cafe\u0301"),
        ("\uff2c\uff41\uff4d\uff50", "lamp"),
        ("Stra\u00dfe", "STRASSE"),
        ("set-up", "set up"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_what_sounds_the_same_is_the_same_text(first: str, second: str) -> None:
    assert fold_text(first) == fold_text(second)


@pytest.mark.parametrize(("first", "second"), [("5 + 3", "5 3"), ("?", "!"), ("cafe", "caf\u00e9")])
def test_what_differs_to_the_ear_or_has_no_words_stays_apart(first: str, second: str) -> None:
    assert fold_text(first) != fold_text(second)


def test_spellings_of_a_path_are_one(tmp_path: Path) -> None:
    spellings = ("a/x.wav", "./a/x.wav", "b/../a//x.wav", "a\\x.wav", str(tmp_path / "a/x.wav"))
    assert len({fold_path(tmp_path, name) for name in spellings}) == 1
    assert fold_path(tmp_path, "a/y.wav") != fold_path(tmp_path, "a/x.wav")
    assert "a" in fold_path(tmp_path, "a\0b")


RECIPE = DATA / "eight_tone.toml"


def with_splits(path: Path, splits: list[str | None]) -> list[str]:
    rows = [
        {"id": f"c{n}", "tool": "t", "context": "It is late.", "trigger": "Call Anna."}
        | ({"split": part} if part else {})
        for n, part in enumerate(splits)
    ]
    return [f'scripts="{write_jsonl(path / "script.jsonl", rows).as_posix()}"']


@pytest.mark.parametrize("table", [[], ["splits.x={share=9}", "splits.y={share=1}"]])
def test_a_recipe_takes_the_splits_of_its_script(tmp_path: Path, table: list[str]) -> None:
    told = ["y", "x", "y", "y", "x"]
    plan = make_plan(read_recipe(RECIPE, [*with_splits(tmp_path, list(told)), *table]))
    assert [assignment.split for assignment in plan.commands] == told
    assert [a.command.id for a in plan.commands] == [f"c{n}" for n in range(5)]


@pytest.mark.parametrize(
    ("told", "table", "found"),
    [
        (["x", None], [], "command c1 has no split; allowed: all have one, or none"),
        (["x", "z"], ["x", "y"], "field split: found x, z; allowed: all that the recipe's"),
        (["x", "x"], ["x", "y"], "field split: found x; allowed"),
    ],
)
def test_a_script_at_odds_with_its_recipe_s_splits_is_refused(
    tmp_path: Path, told: list[str | None], table: list[str], found: str
) -> None:
    tables = [f"splits.{name}={{share=1}}" for name in table]
    with pytest.raises(InputError) as error:
        make_plan(read_recipe(RECIPE, [*with_splits(tmp_path, told), *tables]))
    assert found in str(error.value)


def test_the_command_line_offers_every_axis() -> None:
    assert OFFERED == AXES
