"""The built wheel, installed elsewhere, does the whole job without the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOT_SOURCE = shutil.ignore_patterns(
    ".git", ".*_cache", ".hypothesis", ".venv*", "__pycache__", "*.egg-info", "build", "dist", "out"
)
# Where each kind of data stands in the checkout; in the wheel it is synthkit/data/<kind>.
DATA = {
    "examples": "examples",
    "grids": "grids",
    "room_presets": "room_presets",
    "schema": "manifests/schema",
    "templates": "templates",
    "talk_seeds": "talk_seeds",
    "voices": "voices",
}


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    """Run a command that has to succeed and return what it printed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, "PYTHONUTF8": "1", **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, (
        f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    )
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by way of the sdist from a copy of the checkout."""
    home = tmp_path_factory.mktemp("build")
    shutil.copytree(ROOT, home / "source", ignore=NOT_SOURCE)
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", home / "dist")
    run(*build, home / "source", cwd=home)
    (found,) = (home / "dist").glob("*.whl")
    return found


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel alone; its dependencies come from this environment."""
    target = tmp_path_factory.mktemp("installed") / "site"
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index")
    run(*pip, "--target", target, wheel, cwd=target.parent)
    return target


@pytest.fixture
def synthkit(site: Path, tmp_path: Path) -> Callable[..., str]:
    """Run the installed command in a folder of its own."""

    def command(*arguments: str | Path) -> str:
        line = (sys.executable, "-m", "synthkit", *arguments)
        return run(*line, cwd=tmp_path, PYTHONPATH=str(site))

    return command


def test_wheel_carries_every_module(wheel: Path) -> None:
    wanted = {path.relative_to(ROOT).as_posix() for path in (ROOT / "synthkit").rglob("*.py")}
    missing = wanted - set(zipfile.ZipFile(wheel).namelist())
    assert not missing, "setup.cfg lists the packages"


def test_wheel_carries_every_card_grid_schema_and_example(wheel: Path) -> None:
    packed = {n for n in zipfile.ZipFile(wheel).namelist() if n.startswith("synthkit/data/")}
    for kind, place in DATA.items():
        files = {p.relative_to(ROOT / place).as_posix() for p in (ROOT / place).rglob("*.*")}
        wanted = {f"synthkit/data/{kind}/{name}" for name in files if "__pycache__" not in name}
        assert wanted <= packed, wanted - packed


def test_wheel_carries_its_licence(wheel: Path) -> None:
    names = [Path(name).name for name in zipfile.ZipFile(wheel).namelist()]
    assert {"LICENSE", "NOTICE", "py.typed"} <= set(names)


def test_the_package_is_the_installed_one(site: Path, tmp_path: Path) -> None:
    code = "import synthkit, synthkit.cli as c; print(synthkit.__file__); print(c.__file__)"
    out = run(sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(site))
    for line in out.splitlines():
        assert Path(line).is_relative_to(site)


def test_the_console_script_runs(site: Path, tmp_path: Path) -> None:
    (script,) = (site / "bin").glob("synthkit*")
    assert "0.1" in run(script, "--version", cwd=tmp_path, PYTHONPATH=str(site))


def test_voices_and_rooms_are_there(synthkit: Callable[..., str]) -> None:
    voices = synthkit("voices", "list")
    for name in ("mom", "dad", "teenf", "tvhost"):
        assert f"heart/{name} " in voices
    assert "living_room" in synthkit("rooms", "list")


def test_generates_and_verifies_its_packaged_example(
    synthkit: Callable[..., str], tmp_path: Path
) -> None:
    synthkit("generate", "cue_validity_eight.toml", "--limit", "1", "--out", "eight")
    assert len(list((tmp_path / "eight").rglob("*.wav"))) == 8
    assert "all good" in synthkit("verify", "eight")
