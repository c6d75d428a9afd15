"""Good files that look odd: byte-order marks, line ends, words like null, other locales."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthkit.speech.engines import tone
from tests.cases.sets import ROW, generate, write_jsonl, write_recipe
from tests.conftest import rows_of

ROWS = [
    {**ROW, "id": f"row-{i}", "trigger": trigger}
    for i, trigger in enumerate(("Lamp on.", "Don\u2019t stop.", 'Say "null", please.'))
]


def strictly(text: str) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def table(rows: list[dict[str, str]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def test_twelve_spellings_of_one_script_give_the_same_set(tmp_path: Path) -> None:
    # huggingface/datasets#8241, NVIDIA-NeMo/Speech#2234
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
    made = []
    for kind, text in (("jsonl", lines), ("csv", table(ROWS))):
        head, tail = text.split("\n", 1)
        for number, content in enumerate(
            (
                text.encode(),
                b"\xef\xbb\xbf" + text.encode(),
                text.replace("\n", "\r\n").encode(),
                f"{text}\n\n".encode(),
                f"{head}\n\n{tail}".encode(),
                text.removesuffix("\n").encode(),
            )
        ):
            script = tmp_path / f"{kind}{number}.{kind}"
            script.write_bytes(content)
            out = tmp_path / f"{kind}{number}"
            code, said = generate(write_recipe(tmp_path / "case.toml", script), out)
            assert code == 0, said
            made.append(rows_of(out))
    assert len(made) == 12
    assert all(one == made[0] for one in made)
    for row, command in zip(ROWS, made[0].values(), strict=True):
        assert {clip["texts"]["trigger"] for clip in command.values()} == {row["trigger"]}


def test_words_that_other_tools_take_for_missing_are_words_all_the_way(tmp_path: Path) -> None:
    # huggingface/datasets#4467
    words = ("null", "NA", "None", "nan")
    rows = [{**ROW, "id": f"0{i}", "context": w, "trigger": w} for i, w in enumerate(words)]
    rows.append({**ROW, "id": "007"})
    script = tmp_path / "rows.csv"
    script.write_text(table(rows), encoding="utf-8")
    code, said = generate(write_recipe(tmp_path / "case.toml", script), tmp_path / "out")
    assert code == 0, said
    lines = (tmp_path / "out" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    found = {row["command"]: row["texts"]["trigger"] for row in map(strictly, lines)}
    assert found == {"00": "null", "01": "NA", "02": "None", "03": "nan", "007": "Lamp on."}
    spoken = [s["spoken_text"] for row in map(strictly, lines) for s in row["segments"]]
    assert {"null", "NA", "None", "nan"} <= set(spoken)


def test_a_silent_item_puts_no_number_into_json_that_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # kohya-ss/sd-scripts#2068
    speak = tone.Engine.speak

    def silent(self: tone.Engine, text: str, card: Any, seed: int) -> Any:
        spoken = speak(self, text, card, seed)
        quiet = text == "Be quiet."
        return spoken.with_samples(np.zeros_like(spoken.samples)) if quiet else spoken

    monkeypatch.setattr(tone.Engine, "speak", silent)
    rows = [{"id": "a", **ROW}, {"id": "b", **ROW, "trigger": "Be quiet."}, {"id": "c", **ROW}]
    recipe = write_recipe(tmp_path / "case.toml", write_jsonl(tmp_path / "rows.jsonl", rows))
    code, said = generate(recipe, tmp_path / "out")
    assert code == 1
    assert "b__single: " in said and "b__switch: " in said
    lines = (tmp_path / "out" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    assert {row["id"] for row in map(strictly, lines) if row["modality"] == "audio"} == {
        "a__single", "a__switch", "c__single", "c__switch",
    }  # fmt: skip
    described = strictly((tmp_path / "out" / "dataset.json").read_text(encoding="utf-8"))
    assert {failed["id"] for failed in described["failed"]} == {"b__single", "b__switch"}


PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
COMMANDS = """
import json, locale, sys
from synthkit.cli import main
assert locale.getpreferredencoding(False).upper() not in ("UTF-8", "UTF8")
for args in json.loads(sys.argv[1]):
    try:
        main(args)
    except SystemExit as end:
        if end.code:
            raise
"""
TEXT = "Don\u2019t play \u201c\u017b\u00f3\u0142\u0107\u201d\u2026"  # no cp1252 for half of it


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_text_survives_a_locale_that_lacks_its_characters(tmp_path: Path, encoding: str) -> None:
    # lucasnewman/nanospeech#10
    def synthkit(*commands: list[str]) -> subprocess.CompletedProcess[bytes]:
        own = {"PYTHONIOENCODING": encoding, "PYTHONPATH": str(Path(__file__).parents[2])}
        return subprocess.run(
            [sys.executable, "-c", COMMANDS, json.dumps(commands)],
            env={**os.environ, **PLAIN, **own},
            capture_output=True,
            check=False,
        )

    script = tmp_path / "rows.jsonl"
    row = json.dumps({"id": "a", **ROW, "trigger": TEXT}, ensure_ascii=False)
    script.write_bytes(f"{row}\n".encode())
    recipe = write_recipe(tmp_path / "case.toml", script, f"description = {json.dumps(TEXT)}")
    out, make = tmp_path / "out", ["generate", str(recipe), "--no-cache", "--out"]
    done = synthkit([*make, str(out)], ["verify", str(out)], ["report", str(out)])
    assert (done.returncode, done.stderr) == (0, b"")
    rows = (out / "manifest.jsonl").read_bytes().decode("utf-8").splitlines()
    assert {json.loads(line)["texts"]["trigger"] for line in rows} == {TEXT}
    assert json.loads((out / "dataset.json").read_bytes())["description"] == TEXT
    assert TEXT in (out / "index.html").read_bytes().decode("utf-8")
    # What such a terminal cannot show is escaped in the one line that says what is wrong.
    script.write_bytes(row.replace('"a"', '"\u017b\U0001f600"').encode())
    done = synthkit([*make, str(tmp_path / "other")])
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"row 1" in done.stderr
    # (Click takes an ASCII one for a UTF-8 one that was set up wrongly.)
    shown = "\u017b\U0001f600".encode()
    assert (b"\\u017b\\U0001f600" if encoding == "cp1252" else shown) in done.stderr
