"""No command writes over what it reads, or over a file that somebody may still want."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.cases.sets import run, write_jsonl
from tests.conftest import ROOT

ROWS: list[dict[str, object]] = [
    {
        "id": f"c{number}",
        "tool": "unlock_door",
        "context": f"The {what} has not stopped since noon.",
        "trigger": f"Unlock the {what} door.",
        "params": {"door": f"{what} door"},
    }
    for number, what in enumerate(("rain", "music", "garage"))
]


def test_nothing_is_written_over_what_a_command_reads(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", ROWS)
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    take = recordings / "c0__context.wav"
    take.write_bytes(b"a take")
    times = tmp_path / "times.csv"
    times.write_text("file,start,end,role\nc0__context.wav,0,1,context\n")
    card = Path(shutil.copy(ROOT / "room_presets" / "living_room.toml", tmp_path / "card.toml"))
    told = card.read_bytes()
    linked = tmp_path / "linked.csv"
    linked.symlink_to(source)
    before = source.read_bytes()
    new = tmp_path / "new.jsonl"
    reading = ("import", recordings, "--scripts", source, "--out", tmp_path / "out")
    for args in (
        ("scripts", "check", source, "--json", source),
        ("scripts", "check", source, "--json", linked),
        ("scripts", "split", source, "--out", tmp_path / "." / "in.jsonl"),
        ("scripts", "split", source, "--out", new, "--json", source),
        ("scripts", "split", source, "--out", new, "--json", new),
        ("scripts", "prompt-sheet", source, "--out", linked),
        ("scripts", "generate", "--seed", 1, "--per-tool", 1, "--avoid", source, "--out", source),
        ("generate", source, "--out", tmp_path / "out", "--dry-run", "--plan", source),
        (*reading, "--json", source),
        (*reading, "--json", take),
        (*reading, "--json", tmp_path / "out" / "items.jsonl"),
        ("measure", take, "--csv", take),
        ("measure", recordings, "--json", take),
        ("measure", recordings, "--times", times, "--csv", times),
        ("measure", recordings, "--csv", new, "--json", new),
        ("verify", take, "--json", take),
        ("verify", recordings, "--json", tmp_path / "recordings" / ".." / "recordings" / take.name),
        ("verify", recordings, "--level-dbfs", -20, "--times", times, "--json", times),
        ("verify", recordings, "--sums", source, "--json", source),
        ("verify", recordings, "--manifest", source, "--json", linked),
        ("rooms", "show", card, "--png", card),
        ("voices", "audit", card, "--json", card),
        ("voices", "audit", "heart", card, "--png", card),
    ):
        code, said = run(*args)
        assert (code, said.count("\n")) == (2, 1), (args, said)
        assert re.search(r"is read[;,]|which is read;| too;|: lies in ", said), said
        assert source.read_bytes() == before
        assert take.read_bytes() == b"a take"
        assert times.read_text().startswith("file,") and card.read_bytes() == told
    assert not new.exists() and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (("generate", "--seed", 1, "--per-tool", 1), "made.jsonl"),
        (("split", "SOURCE"), "split.jsonl"),
        (("prompt-sheet", "SOURCE"), "sheet.html"),
        (("prompt-sheet", "SOURCE"), "sheet.csv"),
    ],
)
def test_what_is_made_of_scripts_is_not_written_over_another_file(
    tmp_path: Path, args: tuple[object, ...], name: str
) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", ROWS)
    whole = [source if arg == "SOURCE" else arg for arg in args]
    out = tmp_path / name
    assert run("scripts", *whole, "--out", out)[0] == 0
    made = out.read_bytes()
    assert run("scripts", *whole, "--out", out)[0] == 0  # the same once more
    assert out.read_bytes() == made
    out.write_bytes(b"ticked by hand")
    code, said = run("scripts", *whole, "--out", out)
    assert (code, said.count("\n")) == (2, 1)
    assert "is there already and differs; allowed: a new file" in said
    assert out.read_bytes() == b"ticked by hand"


def test_a_script_whose_name_is_no_unicode_is_read_and_told(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", ROWS)
    try:
        odd = source.rename(tmp_path / os.fsdecode(b"b\xff.jsonl"))
    except OSError:  # a file system whose names are all Unicode has no such file
        return
    code, said = run("scripts", "prompt-sheet", odd, "--out", tmp_path / "sheet.html")
    assert code == 0, said
    assert "<title>b\\udcff</title>" in (tmp_path / "sheet.html").read_text(encoding="utf-8")
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    for _ in range(2):  # the second import knows the script of the first by its name
        code, said = run("import", recordings, "--scripts", odd, "--out", tmp_path / "out")
        assert (code, "3 prompts" in said or "6 prompts" in said) == (1, True), said
    assert '"name": "b\\\\udcff.jsonl"' in (tmp_path / "out" / "import.json").read_text("utf-8")
