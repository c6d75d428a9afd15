"""The whole benchmark: three families as one list of inputs, none of them hidden."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from synthkit import schemas
from synthkit.cli import main

Row = dict[str, Any]
RECIPE = 'name = "whole"\nswitch = "switch"\nside_talk = "side_talk"\nself_talk = "self_talk"\n'
SOURCE = {"rejected": ("words", "another text"), "missing": ("missing", "no recording")}


def lines(path: Path, rows: list[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def file(path: Path) -> str:
    """A file of a few bytes, all its own, and its hash: what is composed is not listened to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = path.name.encode() + path.parent.name.encode()
    path.write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def item(folder: Path, family: str, id_: str, status: str = "retained", **changed: Any) -> Row:
    kept = status == "retained"
    name = f"audio/{id_}.wav"
    answer = {"action": "answer", "to": "assistant"}
    made: Row = {
        "file": name,
        "sha256": file(folder / name) if kept else None,
        "pcm_sha256": "0" * 64,
        "sampling_rate": 16000,
        "num_samples": 32000,
        "duration": 2.0,
        "speech_start": 320,
        "speech_end": 28000,
        **dict.fromkeys(("requested_dbfs", "realised_dbfs"), -20.0),
        **dict.fromkeys(("peak_dbfs", "true_peak_dbtp"), -3.0),
        **dict.fromkeys(("lufs", "noise_floor_dbfs"), -60.0),
        "reduction_db": 0.0,
    }
    return {
        "schema_version": 1,
        "id": id_,
        "item": id_,
        "language": "en-US",
        "lines": [{"role": "nobody", "text": "Hm."}],
        "text": "Hm.",
        "family": family,
        "configuration": "planning" if family == "self_talk" else "assistant_first_chat_chat",
        "tool": None,
        "target": {"action": "mute"} if family == "self_talk" else answer,
        "status": status,
        "reasons": [] if kept else [dict(zip(("check", "what"), SOURCE[status], strict=True))],
        "remarks": [],
        "stand_in": False,
        "inputs": [],
        "source": None,
        **(made if kept else dict.fromkeys(made)),
        "transcript": None,
        "wer": None,
        **changed,
    }


def talk(
    home: Path, family: str, retained: int, others: tuple[str, ...] = (), **changed: Any
) -> None:
    folder = home / family
    status = ["retained"] * retained + list(others)
    rows = [item(folder, family, f"{family[:4]}_{i}", s, **changed) for i, s in enumerate(status)]
    lines(folder / "items.jsonl", rows)


@pytest.fixture
def pairs(tone_set: Callable[[str], Path]) -> Callable[[Path, int], None]:
    """Write the manifest of a set of pairs with as many commands as are asked for."""
    by_condition = {row["condition"]: row for row in read(tone_set("pair") / "manifest.jsonl")}

    def write(home: Path, count: int) -> None:
        rows = []
        for number in range(count):
            for name, row in by_condition.items():
                command = f"c{number}"
                made = row | {"id": f"{command}__{name}", "command": command}
                if row["file"]:
                    made["file"] = f"audio/{command}/{name}.wav"
                    made["sha256"] = file(home / "switch" / made["file"])
                rows.append(made)
        lines(home / "switch" / "manifest.jsonl", rows)

    return write


def compose(home: Path) -> Result:
    (home / "whole.toml").write_text(RECIPE)
    arguments = ["compose", str(home / "whole.toml"), "--out", str(home / "whole.jsonl")]
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def home(tmp_path: Path, pairs: Callable[[Path, int], None]) -> Path:
    """Two pairs, two items of side-talk and one of self-talk."""
    pairs(tmp_path, 2)
    talk(tmp_path, "side_talk", 2)
    talk(tmp_path, "self_talk", 1)
    return tmp_path


def refused(home: Path, found: str) -> None:
    run = compose(home)
    assert (run.exit_code, run.output.count("\n")) == (2, 1), run.output
    assert found in run.output
    assert not (home / "whole.jsonl").exists()


def test_the_published_numbers(tmp_path: Path, pairs: Callable[[Path, int], None]) -> None:
    """395 of 400 and 223 of 280 retained, 400 pairs: 1,018 items, 1,818 inputs."""
    pairs(tmp_path, 400)
    talk(tmp_path, "side_talk", 395, ("rejected",) * 3 + ("missing",) * 2)
    talk(tmp_path, "self_talk", 223, ("rejected",) * 57)
    run = compose(tmp_path)
    assert run.exit_code == 0, run.output
    said = [line.split() for line in run.output.splitlines()]
    assert said == [
        ["family", "items", "inputs", "stand-ins"],
        ["switch", "400", "1,200", "0"],
        ["side_talk", "395", "395", "0"],
        ["self_talk", "223", "223", "0"],
        ["whole:", "1,018", "items,", "1,818", "inputs"],
    ]
    rows = read(tmp_path / "whole.jsonl")
    assert len(rows) == len({row["id"] for row in rows}) == 1818
    assert Counter((row["family"], row["condition"]) for row in rows) == {
        ("switch", "single"): 400,
        ("switch", "switch"): 400,
        ("switch", "text_only"): 400,
        ("side_talk", "recording"): 395,
        ("self_talk", "recording"): 223,
    }
    for row in rows:
        schemas.check(row, "input", row["id"])


def test_a_row_has_what_a_model_is_given_and_what_is_right(home: Path) -> None:
    assert compose(home).exit_code == 0
    rows = {row["id"]: row for row in read(home / "whole.jsonl")}
    single, switch, text = (rows[f"c0__{name}"] for name in ("single", "switch", "text_only"))
    for row in (single, switch, rows["side_0"], rows["self_0"]):
        content = (home / row["family"] / row["file"]).read_bytes()
        assert row["sha256"] == hashlib.sha256(content).hexdigest()
        assert row["texts"] is None
    assert (text["file"], text["sha256"], text["modality"]) == (None, None, "text")
    assert set(text["texts"]) == {"context", "trigger"}
    assert single["target"]["action"] == text["target"]["action"] == "call"
    assert switch["target"] == rows["self_0"]["target"] == {"action": "mute"}
    assert rows["side_0"]["target"] == {"action": "answer", "to": "assistant"}
    assert {row["item"] for row in (single, switch, text)} == {"c0"}
    assert rows["side_0"]["configuration"] == "assistant_first_chat_chat"


def test_stand_ins_are_counted_and_said_by_family(home: Path) -> None:
    talk(home, "side_talk", 3, stand_in=True)
    run = compose(home)
    assert run.exit_code == 0
    assert [line.split() for line in run.output.splitlines()][1:4] == [
        ["switch", "2", "6", "0"],
        ["side_talk", "3", "3", "3"],
        ["self_talk", "1", "1", "0"],
    ]
    assert "side_talk: 3 of 3 recordings are synthetic stand-ins" in run.output
    assert "self_talk: " not in run.output
    assert sum(row["stand_in"] for row in read(home / "whole.jsonl")) == 3


def test_the_same_again_is_written_again_and_another_file_is_left(home: Path) -> None:
    assert compose(home).exit_code == 0
    assert compose(home).exit_code == 0
    out = home / "whole.jsonl"
    out.write_text("mine\n")
    run = compose(home)
    assert (run.exit_code, out.read_text()) == (2, "mine\n")
    assert "differs" in run.output


@pytest.mark.parametrize("path", ["switch/audio/c1/switch.wav", "side_talk/audio/side_1.wav"])
def test_a_file_that_is_missing_or_another_is_refused_by_name(home: Path, path: str) -> None:
    (home / path).write_bytes(b"another")
    refused(home, "has SHA-256")
    (home / path).unlink()
    refused(home, Path(path).name)
    (home / path).mkdir()
    refused(home, Path(path).name)


def change(path: Path, **changed: Any) -> None:
    """Change the last row of a manifest."""
    rows = read(path)
    lines(path, [*rows[:-1], rows[-1] | changed])


@pytest.mark.parametrize("name", ["../side_talk/audio/side_0.wav", "/etc/passwd", "audio/../x.wav"])
def test_no_path_leaves_its_folder(home: Path, name: str) -> None:
    change(home / "self_talk" / "items.jsonl", file=name)
    refused(home, "file")


def test_no_link_leaves_its_folder(home: Path) -> None:
    own = home / "self_talk" / "audio" / "self_0.wav"
    content = own.read_bytes()
    own.unlink()
    (home / "elsewhere.wav").write_bytes(content)
    own.symlink_to(home / "elsewhere.wav")
    refused(home, "link")


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"family": "side_talk"}, "found an item of side_talk"),
        ({"target": None}, "with a target"),
        ({"target": {"action": "sing"}}, "field target"),
        ({"id": "SIDE_1", "item": "SIDE_1"}, "side_talk has that id too"),
        ({"status": "kept"}, "status"),
    ],
)
def test_an_item_that_does_not_belong_is_refused(home: Path, changed: Row, found: str) -> None:
    change(home / "self_talk" / "items.jsonl", **changed)
    refused(home, found)


def test_a_pair_without_all_its_conditions_is_refused(home: Path) -> None:
    path = home / "switch" / "manifest.jsonl"
    whole = read(path)
    lines(path, whole[:-1])
    refused(home, f"c1 lacks {whole[-1]['condition']}")
    lines(path, [*whole, whole[-1]])
    refused(home, "each once")
    lines(path, [])
    refused(home, "no rows")


def test_sets_of_other_grids_are_no_pairs(home: Path, tone_set: Callable[[str], Path]) -> None:
    rows = read(tone_set("six") / "manifest.jsonl")
    lines(home / "switch" / "manifest.jsonl", rows)
    refused(home, "allowed: single, switch, text_only")


def test_a_family_of_which_nothing_is_retained_is_refused(home: Path) -> None:
    talk(home, "side_talk", 0, ("rejected", "missing"))
    refused(home, "no item is retained")


def test_folders_are_told_by_what_they_hold(home: Path) -> None:
    (home / "self_talk" / "items.jsonl").unlink()
    refused(home, "'self_talk' holds no items.jsonl")
    (home / "switch" / "manifest.jsonl").unlink()
    refused(home, "'switch' holds no manifest.jsonl")


def test_the_recipe_that_comes_along_names_the_three_families() -> None:
    from synthkit.files import read_toml
    from synthkit.resources import folder

    values = read_toml(folder("examples") / "whole_benchmark.toml")
    schemas.check(values, "benchmark", "whole_benchmark.toml")
    assert set(values) == {"name", "switch", "side_talk", "self_talk"}


def test_what_generate_offers_are_recipes_of_sets(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["generate", "nothing.toml", "--out", str(tmp_path / "out")])
    assert "switch_pairs.toml" in run.output
    assert "whole_benchmark" not in run.output
