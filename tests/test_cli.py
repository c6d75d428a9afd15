"""The command line as a user meets it: in a process of its own, by what it prints and returns."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import soundfile

from tests.conftest import DATA, ROOT

RECIPE = DATA / "eight_tone.toml"


def synthkit(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "synthkit", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8")


def test_generate_then_verify_then_report(tmp_path):
    out = tmp_path / "set"
    made = synthkit("generate", RECIPE, "--out", out, "--limit", 2, "--set", "grid=pair")
    assert (made.returncode, made.stderr) == (0, "")
    assert "4 WAVs and 2 text rows of 6 clips; 0 failed" in made.stdout
    report = tmp_path / "report.json"
    verified = synthkit("verify", out, "--json", report)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert verified.stdout.rstrip().endswith("0 faults: all good")
    facts = json.loads(report.read_text())
    assert facts["good"]
    assert facts["rows"] == facts["good_rows"] + facts["faulty_rows"] == 6
    page = synthkit("report", out)
    assert page.returncode == 0
    html = (out / "index.html").read_text(encoding="utf-8")
    assert len(re.findall("<audio ", html)) == 4
    # The page is no fault of the set.
    assert synthkit("verify", out).returncode == 0


def test_verify_prints_a_line_for_each_fault_and_returns_1(tone_set, tmp_path):
    out = tmp_path / "set"
    synthkit("generate", RECIPE, "--out", out, "--limit", 1, "--set", "grid=pair")
    (out / "audio" / "unlock_door_01" / "switch.wav").unlink()
    verified = synthkit("verify", out)
    assert verified.returncode == 1
    lines = verified.stdout.splitlines()
    assert any("switch.wav is missing" in line for line in lines)
    assert "NOT GOOD" in lines[-1]


def test_dry_run_plans_and_writes_nothing(tmp_path):
    run = synthkit("generate", RECIPE, "--out", tmp_path / "set", "--dry-run")
    assert run.returncode == 0
    assert "320 clips of 40 commands" in run.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["generate", "none.toml", "--out", "x"],
        ["generate", RECIPE, "--out", "x", "--set", "seed=-1"],
        ["generate", RECIPE, "--out", "x", "--only", "nobody"],
        ["generate", RECIPE, "--out", "x", "--set", 'name="a\nb\x1b[31m"'],
        ["verify", "nowhere"],
        ["voices", "say", "heart/nobody", "Hello.", "--out", "x.wav"],
        ["voices", "say", "heart/mom", "...", "--out", "x.wav"],
        ["voices", "audit", "nobody"],
        ["rooms", "show", "attic"],
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:2])),
)
def test_a_refusal_is_one_line_with_exit_code_2_and_no_files(tmp_path, arguments):
    run = synthkit(*arguments, cwd=tmp_path)
    assert run.returncode == 2
    assert re.fullmatch(r"synthkit: [^\n]+\n", run.stderr)
    assert "\x1b" not in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_voice_says_a_text(tmp_path):
    run = synthkit(
        "voices", "say", "heart/mom", "Unlock the front door.", "--out", "mom.wav", cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr
    info = soundfile.info(tmp_path / "mom.wav")
    assert (info.samplerate, info.channels, info.subtype) == (16000, 1, "PCM_16")
    assert 0.8 < info.duration < 2.5


def test_voices_and_rooms_are_listed_and_shown():
    voices = synthkit("voices", "list").stdout
    assert all(f"heart/{name}" in voices for name in ("mom", "dad", "teenf", "tvhost"))
    assert "living_room" in synthkit("rooms", "list").stdout
    shown = synthkit("rooms", "show", "living_room").stdout
    across = next(line for line in shown.splitlines() if line.startswith("across"))
    assert "3.00 m" in across
    rt60 = float(re.search(r"m +([\d.]+) s", across)[1])
    assert 0.35 <= rt60 <= 0.45


@pytest.mark.parametrize(
    "command",
    ["", "generate", "merge", "verify", "measure", "report", "voices", "voices list", "voices say",
     "voices audit", "voices sample", "rooms", "rooms list", "rooms show", "rooms check", "cache",
     "cache info", "cache clear"],
)  # fmt: skip
def test_every_command_has_help_with_an_example(command):
    run = synthkit(*command.split(), "--help")
    assert run.returncode == 0
    if command not in ("voices", "rooms", "cache"):
        assert "Example: synthkit" in run.stdout


def test_the_python_example_of_the_readme_runs_as_written(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL))
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    info = soundfile.info(tmp_path / "switch.wav")
    assert (info.samplerate, info.channels, info.subtype) == (16000, 1, "PCM_16")
