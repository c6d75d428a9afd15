"""Names from a table that become paths, and names that become one: in scripts, cards and sets."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from synthkit.speech.engines import tone
from synthkit.verify import verify
from tests.cases.sets import ROW, VOICES, generate, write_jsonl, write_recipe

# SWivid/F5-TTS#1293: a name that leaves the folder. TUD-RST/symbtools#5: one Windows cannot have.
UNSAFE = (
    "../x", "/etc/x", "a/../../x", "C:\\x", "", ".", "..", "a\0b", "con", "AUX.v1", "name.",
    "name ", "a:b", "x" * 300,
)  # fmt: skip
FILE_NAMES = tuple(name for name in UNSAFE if name.strip(".") and not set(name) & set("\0/"))


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    def speak(*_: object) -> None:
        raise AssertionError("an engine spoke")

    monkeypatch.setattr(tone.Engine, "speak", speak)


@pytest.mark.usefixtures("never")
@pytest.mark.parametrize("name", UNSAFE)
def test_a_command_whose_name_is_no_file_name_is_refused_with_its_row(
    tmp_path: Path, name: str
) -> None:
    script = write_jsonl(tmp_path / "rows.jsonl", [{"id": "fine", **ROW}, {"id": name, **ROW}])
    before = sorted(tmp_path.parent.rglob("*"))
    recipe = write_recipe(tmp_path / "case.toml", script)
    code, said = generate(recipe, tmp_path / "out")
    assert code == 2
    assert "rows.jsonl: row 2: " in said
    assert said.count("\n") == 1
    assert sorted(tmp_path.parent.rglob("*")) == sorted([*before, recipe])


@pytest.mark.usefixtures("never")
@pytest.mark.parametrize("name", [*FILE_NAMES[:-1], "x" * 65])
@pytest.mark.parametrize("kind", ["voice", "cast", "room"])
def test_a_card_whose_name_is_no_file_name_everywhere_is_refused(
    tmp_path: Path, kind: str, name: str
) -> None:
    folder = tmp_path / (name if kind == "cast" else "cards")
    folder.mkdir()
    path = folder / ("fine.toml" if kind == "cast" else f"{name}.toml")
    script = write_jsonl(tmp_path / "rows.jsonl", [{"id": "fine", **ROW}])
    if kind == "room":
        shutil.copy(Path(__file__).parents[2] / "room_presets" / "office.toml", path)
        far = f'far = [{{ renderer = "room", room = {json.dumps(str(path))}, place = "desk" }}]'
        recipe = write_recipe(tmp_path / "case.toml", script, far)
    else:
        shutil.copy(VOICES[0], path)
        recipe = write_recipe(tmp_path / "case.toml", script, voices=[str(path), VOICES[1]])
    code, said = generate(recipe, tmp_path / "out")
    assert code == 2
    assert "is not allowed" in said or "Windows device name" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("field", ["id", "command", "condition", "file"])
@pytest.mark.parametrize("name", UNSAFE)
def test_a_manifest_row_with_such_a_name_is_faulty_and_nothing_is_read_there(
    tone_set: Callable[[str], Path], tmp_path: Path, field: str, name: str
) -> None:
    folder = Path(shutil.copytree(tone_set("pair"), tmp_path / "set"))
    path = folder / "manifest.jsonl"
    first, *others = path.read_text(encoding="utf-8").splitlines()
    good = json.loads(first)
    # Where "../x.wav" leads there is the very clip, so that its hash would agree.
    shutil.copy(folder / good["file"], tmp_path / "x.wav")
    row = good | {field: f"{name}.wav" if field == "file" else name}
    path.write_text("\n".join([json.dumps(row), *others]) + "\n", encoding="utf-8")
    report = verify(folder)
    assert not report.good
    assert report.faulty_rows >= 1
    assert {fault.where for fault in report.faults} & {"manifest.jsonl: row 1", good["id"]}


@pytest.mark.usefixtures("never")
@pytest.mark.parametrize(
    ("first", "second"),
    # openai/openai-cookbook#3008: trimmed to one name, the second gets the first one's speech.
    [("case-1", " case-1 "), ("case-1", "case-1"), ("case-1", "Case-1"), ("a\u00e9", "ae\u0301")],
)
def test_names_that_fold_into_one_are_refused_before_anything_is_said(
    tmp_path: Path, first: str, second: str
) -> None:
    rows = [{"id": first, **ROW}, {"id": second, **ROW, "trigger": "Another text."}]
    recipe = write_recipe(tmp_path / "case.toml", write_jsonl(tmp_path / "rows.jsonl", rows))
    code, said = generate(recipe, tmp_path / "out")
    assert code == 2
    if second.casefold() == first.casefold():
        assert "row 2: field id: found" in said
        assert "row 1 has too" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("never")
def test_rooms_whose_names_differ_in_case_alone_are_refused(tmp_path: Path) -> None:
    # The set carries both cards by their names; on some file systems the second is the first.
    office = (Path(__file__).parents[2] / "room_presets" / "office.toml").read_text()
    for name, text in {
        "a/Den.toml": office,
        "b/den.toml": office.replace("office", "study"),
    }.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    script = write_jsonl(tmp_path / "rows.jsonl", [{"id": "fine", **ROW}])
    rooms = ("[rooms]", 'one = "a/Den.toml"', 'two = "b/den.toml"')
    code, said = generate(write_recipe(tmp_path / "case.toml", script, *rooms), tmp_path / "out")
    assert code == 2
    assert "two different room cards are both called" in said


def test_rows_whose_clips_fold_into_one_are_a_fault_of_the_set(
    tone_set: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(tone_set("pair"), tmp_path / "set"))
    path = folder / "manifest.jsonl"
    text = path.read_text(encoding="utf-8")
    row = json.loads(text.splitlines()[0])
    command = row["command"].upper()
    again = {**row, "command": command, "id": f"{command}__{row['condition']}"}
    path.write_text(f"{text}{json.dumps(again)}\n", encoding="utf-8")
    assert f"{again['id']}: id stands twice" in map(str, verify(folder).faults)
