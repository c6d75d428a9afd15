"""The report page, read as a browser reads it: text stays text, a player for each file."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from synthkit.errors import InputError
from synthkit.report.page import write_page

Row = dict[str, Any]
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """Elements, text and, by heading and condition, the figures of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.source = path.read_text(encoding="utf-8")
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.headings: list[str] = []
        self.figures: list[dict[str, Any]] = []
        self.feed(self.source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "h2":
            self.headings.append("")
        elif tag == "figure":
            figure = {"class": dict(attrs)["class"], "players": [], "text": ""}
            self.figures.append({"command": self.headings[-1], **figure})
        elif tag == "audio":
            self.figures[-1]["players"].append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.text += data
        if "h2" in self.open:
            self.headings[-1] += data
        if "figure" in self.open:
            self.figures[-1]["text"] += data

    @property
    def players(self) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag == "audio"]


def read(folder: Path) -> tuple[Row, list[Row]]:
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    description = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    return description, [json.loads(line) for line in lines]


def write(folder: Path, description: Row, rows: list[Row]) -> Page:
    folder.mkdir(exist_ok=True)
    (folder / "dataset.json").write_text(json.dumps(description), encoding="utf-8")
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "manifest.jsonl").write_text(text, encoding="utf-8")
    return Page(write_page(folder))


@pytest.fixture
def made(tone_set: Callable[[str], Path]) -> tuple[Row, list[Row]]:
    """Description and rows of four commands, each single, switch and text_only."""
    return read(tone_set("pair"))


def hostile(field: str) -> str:
    return f"<i id='{field}'>{field}</i> & \"x\" 'y' &lt; </p></title><script>alert(1)</script>"


def test_every_text_is_shown_as_it_is_written(tmp_path: Path, made) -> None:
    description, rows = made
    description["name"] = hostile("name")
    description["description"] = hostile("description")
    description["license"] = hostile("license")
    description["grid"]["description"] = hostile("grid")
    assert description["rooms"]
    for room in description["rooms"]:
        room["card"]["name"] = hostile("room")
        room["place"] = hostile("place")
    for row in rows:
        row["texts"] = {"context": hostile("context"), "trigger": hostile("trigger")}
        row["tool"] = hostile("tool")
        for segment in row["segments"]:
            segment["voice"], segment["field"] = hostile("voice"), hostile("field")
    page = write(tmp_path / "set", description, rows)
    for field in [
        "name",
        "description",
        "license",
        "grid",
        "room",
        "place",
        "context",
        "trigger",
        "tool",
        "voice",
        "field",
    ]:
        assert hostile(field) in page.text, field
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"i", "script", "img"}
    assert {name for _, attributes in page.elements for name in attributes} <= {
        *("lang", "charset", "name", "content", "class", "controls", "preload", "src"),
        "aria-label",
    }
    assert "<i" not in page.source
    assert "<script" not in page.source


def test_text_beyond_ascii_is_shown(tmp_path: Path, made) -> None:
    description, rows = made
    description["name"] = "Grüße — 日本語 🎧"
    rows[0]["texts"]["context"] = "Où est-ce « là » ?"
    page = write(tmp_path / "set", description, rows)
    assert description["name"] in page.text
    assert rows[0]["texts"]["context"] in page.text
    assert ("meta", {"charset": "utf-8"}) in page.elements


def test_a_text_only_row_has_no_player_and_any_other_has_one(tmp_path: Path, made) -> None:
    page = write(tmp_path / "set", *made)
    figures = {(f["command"], name): f for f in page.figures for name in f["text"].split()[:1]}
    assert len(page.figures) == len(made[1]) == 12
    for row in made[1]:
        figure = figures[row["command"], row["condition"]]
        assert figure["class"] == row["target"]["action"]
        if row["condition"] == "text_only":
            assert figure["players"] == []
            assert "text only" in figure["text"]
        else:
            (player,) = figure["players"]
            assert player["src"] == row["file"]
            assert row["command"] in player["aria-label"]
            assert row["condition"] in player["aria-label"]
            assert "controls" in player


def test_a_page_names_only_files_of_its_set(tone_set, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    shutil.copytree(tone_set("pair"), folder)
    page = Page(write_page(folder))
    assert page.players
    for player in page.players:
        assert (folder / str(player["src"])).is_file()
    assert "http" not in page.source
    assert str(tmp_path) not in page.source


def test_the_facts_are_those_of_the_manifest(tmp_path: Path, made) -> None:
    page = write(tmp_path / "set", *made)
    assert "8 audio clips, 4 text" in page.text
    assert "3 voices" in page.text
    for figure in page.figures:
        if "switch" in figure["text"].split()[:1]:
            # 600 ms asked; 220 ms more of silence lie in the segments themselves.
            assert "gap 600 ms, speech to speech 820 ms" in figure["text"]
            assert "trigger: " in figure["text"]
    # 3 m away in the living room: its card's name, the place and the distance.
    assert "Living room, across: 3.0 m" in page.text


def test_commands_are_headed_in_the_order_of_the_manifest(tmp_path: Path, made) -> None:
    page = write(tmp_path / "set", *made)
    assert page.headings == list(dict.fromkeys(row["command"] for row in made[1]))


def test_a_room_where_nothing_decays_says_so(tmp_path: Path, made) -> None:
    description, rows = made
    for room in description["rooms"]:
        room["realised"] = dict.fromkeys(room["realised"])
    assert "nothing decays" in write(tmp_path / "set", description, rows).text


def test_a_set_without_rooms_or_texts_has_a_page(tmp_path: Path, made) -> None:
    description, rows = made
    description["rooms"] = []
    description["clips"] |= {"text": 0, "planned": 8}
    page = write(tmp_path / "set", description, [row for row in rows if row["file"]])
    assert "8 audio clips, 3 voices" in page.text
    assert len(page.players) == 8


@pytest.mark.parametrize(("count", "preload"), [(1, "metadata"), (100, "metadata"), (101, "none")])
def test_beyond_100_clips_nothing_is_preloaded(tmp_path: Path, made, count, preload) -> None:
    description, rows = made
    pattern = next(row for row in rows if row["file"])
    many = []
    for number in range(count):
        row = copy.deepcopy(pattern)
        row["command"] = f"many_{number:03}"
        row["id"] = f"{row['command']}__{row['condition']}"
        row["file"] = f"audio/{row['command']}/{row['condition']}.wav"
        many.append(row)
    description["clips"] = {"planned": count, "audio": count, "text": 0, "failed": 0}
    page = write(tmp_path / "set", description, many)
    assert [player["preload"] for player in page.players] == [preload] * count


@pytest.mark.parametrize("missing", ["dataset.json", "manifest.jsonl"])
def test_a_folder_that_is_no_set_gets_no_page(tone_set, tmp_path: Path, missing: str) -> None:
    folder = tmp_path / "set"
    shutil.copytree(tone_set("pair"), folder)
    (folder / missing).unlink()
    with pytest.raises(InputError, match=missing):
        write_page(folder)
    assert not (folder / "index.html").exists()


def test_a_row_that_is_not_valid_gets_no_page(tmp_path: Path, made) -> None:
    description, rows = made
    rows[-1]["target"] = {"action": '"><script>'}
    with pytest.raises(InputError, match="row 12"):
        write(tmp_path / "set", description, rows)
    assert not (tmp_path / "set" / "index.html").exists()


def test_a_room_whose_distance_nobody_measured_is_shown_without(
    tone_set: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(tone_set("eight"), tmp_path / "copy"))
    path = folder / "dataset.json"
    description = json.loads(path.read_text(encoding="utf-8"))
    description["rooms"][0]["distance_m"] = None
    path.write_text(json.dumps(description), encoding="utf-8")
    decay = f"RT60 {description['rooms'][0]['realised']['rt60']:.2f} s"
    assert f"Living room, across: {decay}." in Page(write_page(folder)).text
