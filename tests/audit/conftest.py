"""Clean sets in real speech, made once, for faults to be planted in copies of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.speech.cache import default_cache
from tests.audit.fault import Fault
from tests.audit.planting import PlantedSet
from tests.conftest import DATA, ROOT

# By grid: its recipe, how many commands are kept, and what else is asked for.
BASES: dict[str, tuple[str, int | None, tuple[str, ...]]] = {
    "eight": ("cue_validity_eight.toml", 24, ()),
    "six": ("cue_validity_six.toml", 12, ()),
    "pair": ("switch_pairs.toml", 20, ()),
    "tones": ("switch_pairs.toml", 100, ("voices=TONES",)),
    "balanced": (
        "cue_balanced.toml",
        None,
        ("slots.same=12", "slots.different=36", "slots.text=11"),
    ),
}


def _tones(folder: Path) -> list[Path]:
    """Cards of six voices that speak in no time, for faults of dealing that take many commands."""
    card = (DATA / "voices" / "tone" / "low.toml").read_text("utf-8")
    made = [folder / f"tone{number}.toml" for number in range(6)]
    for number, path in enumerate(made):
        path.write_text(card.replace("f0 = 110", f"f0 = {110 + 20 * number}"), "utf-8")
    return made


@pytest.fixture(scope="session")
def clean_set(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of a sound set over a named grid; not to be written to."""
    made: dict[str, Path] = {}

    def make(grid: str) -> Path:
        if grid not in made:
            name, limit, overrides = BASES[grid]
            folder = tmp_path_factory.mktemp(grid) / "set"
            tones = json.dumps([str(tone) for tone in _tones(folder.parent)])
            given = [value.replace("TONES", tones) for value in overrides]
            recipe = read_recipe(ROOT / "examples" / name, given)
            outcome = generate(make_plan(recipe, limit=limit), folder, cache=default_cache())
            assert not outcome.failures
            made[grid] = folder
        return made[grid]

    return make


@pytest.fixture
def planted(
    clean_set: Callable[[str], Path], tmp_path: Path
) -> Callable[[Fault, int | None], PlantedSet]:
    """Return a sealed copy of a clean set with a fault in it, of its first commands or of all."""

    def make(fault: Fault, limit: int | None = None) -> PlantedSet:
        made = PlantedSet.copy(clean_set(fault.grid), tmp_path / fault.name, limit)
        fault.plant(made)
        made.seal()
        return made

    return make
