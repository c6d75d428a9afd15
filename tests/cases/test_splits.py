"""Splits of tables whose paths and texts come in several spellings: nothing in two parts."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cases.sets import run, write_jsonl

VOICES = ("ann", "bob", "cleo", "dan")
# The last two are one command to anybody who hears them.
TEXTS = (
    "Unlock the front door.", "Call Anna.", "Order two pizzas.", "Start the car.",
    "Delete my photos.", "Share my location.", "Book a dentist.", "Disarm the alarm.",
    "Lamp on.", "lamp ON",
)  # fmt: skip
SHARES = ("--shares", "train=3,test=1")


def table(folder: Path) -> list[dict[str, str]]:
    """40 recordings, there on the disk, whose paths are spelled in three ways by turns."""
    (folder / "a").mkdir()
    rows = []
    for number, (voice, text) in enumerate((v, t) for v in VOICES for t in TEXTS):
        name = f"a/{voice}-{number}.wav"
        (folder / name).write_bytes(f"{voice} says {text}".encode())
        spelled = (f"./{name}", name, str(folder.resolve() / name))[number % 3]
        rows.append({"id": f"r{number}", "file": spelled, "voice": voice, "text": text})
    return rows


def split(folder: Path, rows: list[dict[str, str]], *by: str) -> tuple[dict[str, Any], int]:
    out = folder / "splits.json"
    axes = [part for axis in by for part in ("--by", axis)]
    source = write_jsonl(folder / "table.jsonl", rows)
    code, said = run("scripts", "split", source, *axes, *SHARES, "--out", out)
    assert code in (0, 1), said
    made = json.loads(out.read_text(encoding="utf-8"))
    everywhere = [id_ for ids in (*made["parts"].values(), made["dropped"]) for id_ in ids]
    assert sorted(everywhere) == sorted(row["id"] for row in rows)
    assert made["counts"]["all"] == len(rows)
    return made, code


def found(made: dict[str, Any], rows: list[dict[str, str]], part: str, field: str) -> set[str]:
    kept = set(made["parts"][part])
    return {row[field].casefold().rstrip(".") for row in rows if row["id"] in kept}


def shared(made: dict[str, Any], rows: list[dict[str, str]], field: str) -> set[str]:
    return found(made, rows, "train", field) & found(made, rows, "test", field)


# pytorch/tutorials#1830, common-voice/common-voice#806
def test_by_voice_no_voice_is_shared_and_three_of_four_are_for_training(tmp_path: Path) -> None:
    rows = table(tmp_path)
    made, code = split(tmp_path, rows, "voice")
    assert code == 0
    assert not shared(made, rows, "voice")
    assert made["counts"] == {"train": 30, "test": 10, "dropped": 0, "all": 40}
    assert made["groups"] == {"voice": {"train": 3, "test": 1}}
    # Told, as it was not asked for: each of the nine texts is in both.
    assert (made["shared"]["voice"], made["shared"]["text"]) == (0, 9)


def test_by_command_no_text_is_shared_in_whatever_spelling(tmp_path: Path) -> None:
    rows = table(tmp_path)
    made, code = split(tmp_path, rows, "command")
    assert code == 0
    assert not shared(made, rows, "text")
    assert len(found(made, rows, "train", "text")) == 7  # of nine, three quarters are 6.75
    assert made["groups"] == {"command": {"train": 7, "test": 2}}
    assert made["counts"]["dropped"] == 0
    assert (made["shared"]["text"], made["shared"]["voice"]) == (0, 4)


def test_by_both_neither_is_shared_and_what_is_dropped_is_counted(tmp_path: Path) -> None:
    rows = table(tmp_path)
    made, code = split(tmp_path, rows, "voice", "command")
    assert code == 0
    assert not shared(made, rows, "voice")
    assert not shared(made, rows, "text")
    texts = Counter(row["text"].casefold().rstrip(".") for row in rows if row["voice"] == "ann")
    train = sum(texts[text] for text in found(made, rows, "train", "text"))
    assert made["counts"] == {
        "train": 3 * train, "test": 10 - train, "dropped": 40 - 3 * train - (10 - train), "all": 40,
    }  # fmt: skip


@pytest.mark.parametrize("by", [["voice"], ["command"], ["voice", "command"]])
def test_how_paths_are_spelled_has_no_say(tmp_path: Path, by: list[str]) -> None:
    rows = table(tmp_path)
    mixed, _ = split(tmp_path, rows, *by)
    plain = [{**row, "file": f"a/{Path(row['file']).name}"} for row in rows]
    assert split(tmp_path, plain, *by)[0] == mixed


@pytest.mark.parametrize("by", [["voice"], ["command"], ["voice", "command"]])
@pytest.mark.parametrize("same", ["copy", "spelling", "link", "told"])
def test_one_recording_is_never_in_two_parts(tmp_path: Path, by: list[str], same: str) -> None:
    """Every voice has a recording of another's, under another name: a fault of the table."""
    rows = table(tmp_path)
    one = []
    for number, voice in enumerate(VOICES):
        of = rows[(10 * number + 13) % 40]
        mine = {"id": f"again{number}", "file": f"a/again{number}.wav", "voice": voice}
        path = tmp_path / mine["file"]
        source = tmp_path / of["file"]
        if same == "copy":
            path.write_bytes(source.read_bytes())
        elif same == "link":
            path.symlink_to(source.resolve())
        elif same == "spelling":
            mine["file"] = f"a/../a/./{source.name}"
        else:
            of["sha256"], mine["sha256"] = f"{number:064x}", f"{number:064X}"
        one.append((of["id"], mine["id"]))
        rows.append({**mine, "text": f"Text {number}."})
    made, code = split(tmp_path, rows, *by)
    place = {id_: part for part, ids in made["parts"].items() for id_ in ids}
    assert all(place.get(first) == place.get(second) for first, second in one)
    assert made["shared"]["audio"] == 0
    assert code == 0
