"""Prompt sheets: every line once, under its file name, whatever it holds."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser
from pathlib import Path

import pytest

from synthkit.scripts.prompts import Prompt, read_prompts
from synthkit.scripts.sheet import as_csv
from tests.cases.sets import run, write_jsonl

HOSTILE = '</div><script>alert(1)</script> "it\'s" & <img src=x onerror=alert(2)>'
TALK = [
    {
        "id": "s1",
        "family": "side_talk",
        "configuration": "assistant_first",
        "utterances": [
            {"to": "assistant", "text": "Call Anna."},
            {"to": "bystander", "text": HOSTILE},
        ],
        "target": {"action": "mute"},
    },
    {
        "id": "n1",
        "family": "self_talk",
        "configuration": "aloud",
        "utterances": [{"to": "nobody", "text": "Wo ist das \u00d6l?"}],
        "target": {"action": "mute"},
        "language": "de-DE",
    },
]


class Seen(HTMLParser):
    """The elements of a page, and its texts by the class of what holds them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.languages: list[str | None] = []
        self._kind = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        self._kind = found.get("class") or ""
        if self._kind == "say":
            self.languages.append(found["lang"])
        assert not {"src", "href", "onerror"} & found.keys()

    def handle_data(self, data: str) -> None:
        if self._kind and data.strip():
            self.texts.append((self._kind, data))


def sheet(tmp_path: Path, rows: list[dict[str, object]], *args: object) -> str:
    out = tmp_path / "sheet.html"
    out.unlink(missing_ok=True)
    code, said = run(
        "scripts", "prompt-sheet", write_jsonl(tmp_path / "in.jsonl", rows), "--out", out, *args
    )
    assert code == 0, said
    return out.read_text(encoding="utf-8")


def test_a_sheet_shows_each_line_as_it_is_with_role_file_and_language(tmp_path: Path) -> None:
    seen = Seen(sheet(tmp_path, TALK))
    assert seen.texts == [
        ("file", "s1.wav"),
        ("role", "to the assistant"),
        ("say", "Call Anna."),
        ("role", "to somebody nearby"),
        ("say", HOSTILE),
        ("file", "n1.wav"),
        ("role", "to yourself"),
        ("say", "Wo ist das \u00d6l?"),
    ]
    assert seen.languages == ["en-US", "en-US", "de-DE"]
    assert not {"script", "img", "link"} & set(seen.tags)


def test_pages_hold_so_many_prompts_as_asked_for(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": f"c{n}", "tool": "t", "context": "It is late.", "trigger": "Call Anna."}
        for n in range(5)
    ]
    # Ten prompts, four a page.
    assert [page.count("<article>") for page in sheet(tmp_path, rows, "--per-page", 4).split(
        "<section>")[1:]] == [4, 4, 2]  # fmt: skip
    assert sheet(tmp_path, rows).count("<section>") == 1
    roles = [text for kind, text in Seen(sheet(tmp_path, rows)).texts if kind == "role"]
    assert roles[:4] == ["context", "command", "context", "command"]


RISKY = ("=1+1", "+1", "-1", "@x", "\t=1", " =1", "\uff1d1", "'Twas", "''", "plain", "a=1", HOSTILE)


def test_no_cell_is_a_formula_and_each_can_be_undone() -> None:
    prompts = [Prompt(f"p{n}", "i", (("nobody", text),), "en-US") for n, text in enumerate(RISKY)]
    header, *rows = csv.reader(io.StringIO(as_csv(prompts).decode(), newline=""))
    assert header == ["id", "item", "role", "text", "file"]
    assert not any(
        cell.lstrip().startswith(("=", "+", "-", "@", "\uff1d")) for r in rows for cell in r
    )
    undone = [text[1:] if text.startswith("'") else text for *_, text, _ in rows]
    assert undone == list(RISKY)
    assert [(row[0], row[-1]) for row in rows] == [(f"p{n}", f"p{n}.wav") for n in range(12)]


def test_a_csv_sheet_has_a_row_for_each_line(tmp_path: Path) -> None:
    source, out = write_jsonl(tmp_path / "in.jsonl", TALK), tmp_path / "sheet.csv"
    assert run("scripts", "prompt-sheet", source, "--out", out)[0] == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"), newline="")))
    assert [row["text"] for row in rows] == [s for p in read_prompts(source) for _, s in p.lines]
    assert [row["file"] for row in rows] == ["s1.wav", "s1.wav", "n1.wav"]


@pytest.mark.parametrize(
    ("name", "args", "told"),
    [
        ("sheet.pdf", [], "no such sheet; allowed: a name in .html or .csv"),
        ("sheet", [], "no such sheet"),
        ("sheet.csv", ["--per-page", 3], "--per-page: CSV has no pages"),
    ],
)
def test_a_sheet_that_cannot_be_made_is_refused(
    tmp_path: Path, name: str, args: list[object], told: str
) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", TALK)
    code, said = run("scripts", "prompt-sheet", source, "--out", tmp_path / name, *args)
    assert code == 2
    assert told in said
    assert said.count("\n") == 1
    assert not (tmp_path / name).exists()
