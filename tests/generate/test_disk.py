"""Disks: full, too small for a file, not to be written to; and two runs that meet in a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from synthkit.cli import main
from synthkit.errors import InputError
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.speech.engines import tone
from synthkit.verify import verify
from tests.conftest import ROOT
from tests.homes import Home
from tests.test_generate import files_of

# In a small file system of its own: full at first, then with room, then read-only.
SCRIPT = """
set -u
mount -t tmpfs -o size=300k none "$DISK"
"$PYTHON" -m synthkit generate "$RECIPE" --no-cache --out "$DISK/set" > "$LOGS/full" 2>&1
echo $? > "$LOGS/full.code"
find "$DISK" -name '*.tmp' > "$LOGS/left"
mount -o remount,size=50m "$DISK"
"$PYTHON" -m synthkit generate "$RECIPE" --no-cache --out "$DISK/set" > "$LOGS/room" 2>&1
echo $? > "$LOGS/room.code"
cp -r "$DISK/set" "$LOGS/set"
mount -o remount,ro "$DISK"
"$PYTHON" -m synthkit generate "$RECIPE" --no-cache --out "$DISK/new" > "$LOGS/ro" 2>&1
echo $? > "$LOGS/ro.code"
"""


def can_mount() -> bool:
    unshare = shutil.which("unshare")
    return (
        bool(unshare)
        and not subprocess.run(
            [str(unshare), "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True
        ).returncode
    )


@pytest.mark.skipif(not can_mount(), reason="this user may not mount a file system of its own")
def test_a_full_disk_costs_clips_by_name_and_a_later_run_makes_them(
    home: Home, tmp_path: Path
) -> None:
    disk, logs = tmp_path / "disk", tmp_path / "logs"
    disk.mkdir()
    logs.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHON": sys.executable,
        "RECIPE": str(home.recipe),
        "DISK": str(disk),
        "LOGS": str(logs),
    }
    subprocess.run(["unshare", "-rm", "sh", "-c", SCRIPT], env=environment, check=True)
    full = (logs / "full").read_text()
    assert (logs / "full.code").read_text() == "1\n"
    assert "audio/c2/switch.wav: cannot be written (No space left on device)" in full
    assert "Traceback" not in full
    assert (logs / "left").read_text() == ""
    assert (logs / "room.code").read_text() == "0\n", (logs / "room").read_text()
    generate(make_plan(read_recipe(home.recipe)), tmp_path / "whole")
    assert files_of(logs / "set") == files_of(tmp_path / "whole")
    assert (logs / "ro.code").read_text() == "2\n"
    (line,) = (logs / "ro").read_text().splitlines()
    assert line == f"synthkit: --out {disk}/new: cannot be written (Read-only file system)"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit on the size of files")
def test_a_limit_on_the_size_of_files_costs_clips_by_name(home: Home, tmp_path: Path) -> None:
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000));"
        "from synthkit.cli import main; main()"
    )
    line = ["generate", str(home.recipe), "--no-cache", "--out", str(tmp_path / "set")]
    run = subprocess.run(
        [sys.executable, "-c", limited, *line],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    told = run.stderr.splitlines()
    assert "c0__switch: audio/c0/switch.wav: cannot be written (File too large)" in told
    assert not list(tmp_path.rglob("*.tmp"))
    assert CliRunner().invoke(main, line).exit_code == 0
    assert verify(tmp_path / "set").good


@pytest.mark.parametrize("part", ["audio", "recipe"])
def test_a_file_in_the_way_of_a_folder_is_noticed_before_the_first_synthesis(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    folder, plan = tmp_path / "set", make_plan(read_recipe(home.recipe))
    generate(plan, folder)
    shutil.rmtree(folder / part)
    (folder / part).write_text("mine")
    monkeypatch.setattr(tone.Engine, "speak", lambda *a: pytest.fail("spoke"))
    with pytest.raises(InputError, match="cannot be written"):
        generate(plan, folder)
    assert (folder / part).read_text() == "mine"


def test_a_second_run_meets_the_first_and_is_refused(spoken_home: Home, tmp_path: Path) -> None:
    line = ["generate", str(spoken_home.recipe), "--no-cache", "--out", str(tmp_path / "set")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SAID": str(tmp_path / "said")}
    with subprocess.Popen([sys.executable, "-m", "synthkit", *line], env=environment) as first:
        while not (tmp_path / "said").exists() and first.poll() is None:
            time.sleep(0.01)
        second = CliRunner().invoke(main, line)
        assert first.poll() is None, "the first run was done before the second began"
    assert (second.exit_code, first.returncode) == (2, 0)
    assert second.output == f"synthkit: --out {tmp_path}/set: another run is writing there\n"
    assert verify(tmp_path / "set").good
