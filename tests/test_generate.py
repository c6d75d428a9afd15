"""Generating: what is computed, what is refused, and that nothing but the inputs matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from synthkit.errors import InputError
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.speech.engines import tone
from synthkit.verify import verify
from tests.conftest import DATA, ROOT, rows_of

RECIPE = DATA / "eight_tone.toml"


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("grid", ["pair", "six", "eight"])
def test_three_syntheses_a_command_whatever_the_number_of_conditions(tmp_path, monkeypatch, grid):
    spoken: Counter[tuple[str, str]] = Counter()
    speak = tone.Engine.speak

    def counting(self, text, card, seed):
        spoken[text, card.id] += 1
        return speak(self, text, card, seed)

    monkeypatch.setattr(tone.Engine, "speak", counting)
    generate(make_plan(read_recipe(RECIPE, [f"grid={grid}"]), limit=3), tmp_path / "set")
    # Wearer's context, wearer's trigger, bystander's trigger.
    assert sum(spoken.values()) == 9
    assert set(spoken.values()) == {1}


GENERATE = """
import sys
from pathlib import Path
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
recipe, limit = Path(sys.argv[1]), int(sys.argv[2])
voices = 'voices=["heart/mom", "heart/dad"]'
overrides = ["grid=pair", *([voices] if sys.argv[3] == "hibari" else [])]
assert not generate(make_plan(read_recipe(recipe, overrides), limit), Path("set")).failures
"""


@pytest.mark.parametrize("speech", ["tone", "hibari"])
def test_same_bytes_in_any_folder_locale_time_zone_and_hash_seed(tmp_path, speech):
    made = []
    for name, variables in {
        "a": {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "0", "PYTHONUTF8": "0"},
        "b ü": {"LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "4242"},
    }.items():
        folder = tmp_path / name
        folder.mkdir()
        recipe = os.path.relpath(RECIPE, folder) if name == "a" else str(RECIPE)
        subprocess.run(
            [sys.executable, "-c", GENERATE, recipe, "2", speech],
            cwd=folder,
            env={**os.environ, **variables},
            check=True,
        )
        made.append(files_of(folder / "set"))
    assert {"manifest.jsonl", "dataset.json", "SHA256SUMS"} <= set(made[0])
    assert made[0] == made[1]


def test_a_selection_is_a_part_of_the_whole_set(tmp_path):
    recipe = read_recipe(RECIPE, ["grid=pair"])
    generate(make_plan(recipe, limit=4), tmp_path / "whole")
    generate(make_plan(recipe, only=["place_order_01"]), tmp_path / "part")
    whole, part = rows_of(tmp_path / "whole"), rows_of(tmp_path / "part")
    assert part == {"place_order_01": whole["place_order_01"]}


def test_the_set_carries_what_makes_it_again(tmp_path):
    generate(make_plan(read_recipe(RECIPE, ["seed=7"]), limit=1), tmp_path / "first")
    again = read_recipe(tmp_path / "first" / "recipe" / "recipe.toml")
    generate(make_plan(again, limit=1), tmp_path / "second")
    assert files_of(tmp_path / "first") == files_of(tmp_path / "second")


def test_another_seed_gives_other_audio(tmp_path):
    for seed in (1, 2):
        plan = make_plan(read_recipe(RECIPE, [f"seed={seed}"]), limit=1)
        generate(plan, tmp_path / str(seed))
    first, second = (rows_of(tmp_path / str(seed)) for seed in (1, 2))
    assert [r["sha256"] for r in first.values() for r in r.values()] != [
        r["sha256"] for r in second.values() for r in r.values()
    ]


def test_what_fails_is_named_and_the_others_are_made(tmp_path, monkeypatch):
    speak = tone.Engine.speak

    def one_silent(self, text, card, seed):
        spoken = speak(self, text, card, seed)
        if text == "Unlock the front door." and card.id == cast.bystander:
            return spoken.with_samples(np.zeros_like(spoken.samples))
        return spoken

    plan = make_plan(read_recipe(RECIPE), limit=2)
    cast = plan.commands[0].cast
    monkeypatch.setattr(tone.Engine, "speak", one_silent)
    outcome = generate(plan, tmp_path / "set")
    assert {failure.id for failure in outcome.failures} == {
        f"unlock_door_01__different_{field}_{gap}" for field in ("near", "far") for gap in (0, 600)
    }
    where = f"trigger: voice {cast.bystander}: no speech"
    assert all(failure.reason.startswith(where) for failure in outcome.failures)
    assert outcome.audio == 12
    dataset = json.loads((tmp_path / "set" / "dataset.json").read_text())
    assert dataset["clips"] == {"planned": 16, "audio": 12, "text": 0, "failed": 4}
    # A set that lacks clips is not all good, and verify says which.
    report = verify(tmp_path / "set")
    assert not report.good
    assert {fault.where for fault in report.faults} == {f.id for f in outcome.failures}


@pytest.mark.parametrize("what", ["file in the way", "other files", "clips of another plan"])
def test_a_folder_with_other_things_in_it_is_refused_and_left_alone(tmp_path, what):
    folder = tmp_path / "set"
    plan = make_plan(read_recipe(RECIPE), limit=1)
    if what == "file in the way":
        folder.write_text("mine")
    elif what == "other files":
        folder.mkdir()
        (folder / "thesis.tex").write_text("mine")
    else:
        generate(make_plan(read_recipe(RECIPE), only=["place_order_01"]), folder)
    before = files_of(tmp_path)
    with pytest.raises(InputError, match="--out"):
        generate(plan, folder)
    assert files_of(tmp_path) == before


def test_running_again_in_the_same_folder_gives_the_same_set(tmp_path):
    plan = make_plan(read_recipe(RECIPE), limit=1)
    generate(plan, tmp_path / "set")
    before = files_of(tmp_path / "set")
    generate(plan, tmp_path / "set")
    assert files_of(tmp_path / "set") == before


def test_everything_heard_has_provenance_and_licence(tmp_path):
    recipe = read_recipe(ROOT / "examples" / "cue_validity_eight.toml")
    generate(make_plan(recipe, limit=1), tmp_path / "set")
    dataset = json.loads((tmp_path / "set" / "dataset.json").read_text())
    assert dataset["license"] == "Apache-2.0"
    for voice in dataset["voices"]:
        # The published hash of hibari 0.2.1's embedded model.
        assert voice["provenance"]["model_sha256"].startswith("5f70741d")
        assert "hibari-tts 0.2.1" in voice["provenance"]["version"]
    (room,) = dataset["rooms"]
    assert room["distance_m"] == pytest.approx(3.0, abs=0.01)
    assert 0.35 <= room["realised"]["rt60"] <= 0.45
    assert room["realised"]["drr"] < 0
