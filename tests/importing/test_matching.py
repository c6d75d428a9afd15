"""Matching: by name or by a table whose every row is right; no path leaves the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthkit.errors import InputError
from synthkit.importing.match import Matches, match
from synthkit.scripts.prompts import Prompt

PROMPTS = [Prompt(id_, id_, (("assistant", "Hello."),), "en") for id_ in ("a", "b")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in" / "take1").mkdir(parents=True)
    for name in ("a.wav", "take1/x.wav", "take1/A.flac"):
        (tmp_path / "in" / name).write_bytes(b"RIFF")
    (tmp_path / "out.wav").write_bytes(b"RIFF")
    return tmp_path / "in"


def matched(
    folder: Path, *table_rows: str, at: str = "table.csv", head: str = "file,id"
) -> Matches:
    table = folder / at if table_rows else None
    if table:
        table.write_text("\n".join((head, *table_rows)) + "\n", encoding="utf-8")
    return match(folder, PROMPTS, table, [table] if table else [])


def names(folder: Path, matches: Matches) -> dict[str, list[str]]:
    return {
        id_: [path.relative_to(folder).as_posix() for path in paths]
        for id_, paths in matches.by_id.items()
    }


def test_names_are_told_apart_by_more_than_case(folder: Path) -> None:
    found = matched(folder)
    assert names(folder, found) == {"a": ["a.wav", "take1/A.flac"], "b": []}
    assert [path.name for path in found.unmatched] == ["x.wav"]


def test_a_table_says_which_of_two_and_what_has_another_name(folder: Path) -> None:
    found = matched(folder, "take1/A.flac,a", "take1/x.wav,B")
    assert names(folder, found) == {"a": ["take1/A.flac"], "b": ["take1/x.wav"]}
    assert [path.name for path in found.unmatched] == ["a.wav"]


def test_a_table_in_a_folder_within_names_files_beside_it_or_from_the_top(folder: Path) -> None:
    found = matched(folder, "x.wav,b", "../a.wav,a", at="take1/t.csv")
    assert names(folder, found) == {"a": ["a.wav"], "b": ["take1/x.wav"]}
    found = matched(folder, "take1/x.wav,b", at="take1/t.csv")
    assert names(folder, found)["b"] == ["take1/x.wav"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["../out.wav,a"], "leaves the folder"),
        (["take1/../../out.wav,a"], "leaves the folder"),
        (["/etc/passwd,a"], "relative to the folder"),
        (["link.wav,a"], "a link that leaves the folder"),
        (["gone.wav,a"], "is not there"),
        (["take1,a"], "is not there"),
        ([",a"], "relative to the folder"),
        (["x\0.wav,a"], "relative to the folder"),
        ([f"{'x' * 300}.wav,a"], "is not there"),
        (["a.wav,c"], "a prompt of the script"),
        (["a.wav,a", "take1/x.wav,A"], "stands in row 2 too"),
        (["a.wav,a", "take1/../a.wav,b"], "stands in row 2 too"),
        (["a.wav"], "number of cells"),
    ],
)
def test_a_row_that_is_not_right_is_refused(folder: Path, rows: list[str], said: str) -> None:
    (folder / "link.wav").symlink_to(folder.parent / "out.wav")
    with pytest.raises(InputError, match=said) as refusal:
        matched(folder, *rows)
    assert f"table.csv: row {len(rows) + 1}" in str(refusal.value)


def test_a_table_without_its_columns_or_rows_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="columns id missing"):
        matched(folder, "a.wav,a", head="file,prompt")
    with pytest.raises(InputError, match="no rows"):
        matched(folder, ",", head="file,id")


def test_hidden_files_and_linked_folders_are_not_looked_into(folder: Path) -> None:
    (folder / "._b.wav").write_bytes(b"RIFF")
    (folder / "more").symlink_to(folder.parent)
    found = matched(folder)
    assert names(folder, found)["b"] == []
    assert found.notes == ("more: a link to a folder, which is not followed",)
