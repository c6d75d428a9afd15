"""Sets that several tests read: made once, by the tone engine, so that they are fast."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from tests.homes import Home, programs

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"
Rows = dict[str, dict[str, dict[str, Any]]]


def rows_of(folder: Path) -> Rows:
    """Manifest rows by command and condition, read by plain json."""
    rows: Rows = {}
    for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.setdefault(row["command"], {})[row["condition"]] = row
    return rows


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The tests keep no speech in the user's cache, and find none there."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYNTHKIT_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def tone_set(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of a set of four commands over a named grid."""
    made: dict[str, Path] = {}

    def make(grid: str) -> Path:
        if grid not in made:
            folder = tmp_path_factory.mktemp(grid) / "set"
            recipe = read_recipe(DATA / "eight_tone.toml", [f"grid={grid}"])
            outcome = generate(make_plan(recipe, limit=4), folder)
            assert not outcome.failures
            made[grid] = folder
        return made[grid]

    return make


@pytest.fixture(scope="session")
def speech_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four commands of `eight` in real speech, by the two voices with the highest peaks."""
    folder = tmp_path_factory.mktemp("speech") / "set"
    recipe = read_recipe(
        ROOT / "examples" / "cue_validity_eight.toml", ['voices=["heart/grandma", "heart/teenf"]']
    )
    outcome = generate(make_plan(recipe, limit=4), folder)
    assert not outcome.failures
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A set of three commands by three tones, as a recipe that a test may change."""
    folder = tmp_path / "home"
    folder.mkdir()
    tones = ("low", "mid", "high")
    made = Home(folder, [str(DATA / "voices" / "tone" / f"{name}.toml") for name in tones])
    made.write_script(3)
    return made


@pytest.fixture
def spoken_home(tmp_path: Path) -> Home:
    """A set of eight commands by a program of two voices."""
    folder = tmp_path / "spoken"
    folder.mkdir()
    made = Home(folder, programs(folder))
    made.write_script(8)
    return made
