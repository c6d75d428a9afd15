"""The published sets: counts to the last row in written manifests, and their frozen plans."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from synthkit.files import read_toml
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.plan_rows import write_plan
from synthkit.recipe import read_recipe

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
PLANS = ROOT / "manifests" / "plans"
TONE = ROOT / "tests" / "data" / "voices" / "tone" / "low.toml"
TRAINING = {"M000", "M008", "mom", "dad", "kid_m", "grandma"}  # SPEC.md section 5
HELD_OUT = {"teenf", "phonecaller", "tvhost"}
Rows = list[dict[str, Any]]


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Rows]:
    """Rows of the manifest of a whole set; tones stand for its voices, under their names."""

    def make(name: str) -> Rows:
        folder = tmp_path / "set"
        plan = make_plan(read_recipe(_of_tones(name, tmp_path)))
        assert not generate(plan, folder, cache=None).failures
        lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    return make


def _of_tones(name: str, home: Path) -> Path:
    """The recipe with a tone's card in the place of each voice, under the same id."""
    recipe, card = read_toml(EXAMPLES / f"{name}.toml"), read_toml(TONE)
    for number, voice in enumerate(recipe["voices"]):
        card["parameters"]["f0"] = 100 + 15 * number
        path = home / name / f"{voice}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tomli_w.dumps(card), encoding="utf-8")
    recipe["voices"] = [str(home / name / f"{voice}.toml") for voice in recipe["voices"]]
    recipe["scripts"] = str(EXAMPLES / recipe["scripts"])
    path = home / name / "recipe.toml"
    path.write_text(tomli_w.dumps(recipe), encoding="utf-8")
    return path


def heard(rows: Rows) -> set[str]:
    """Names of the voices that speak."""
    return {segment["voice"].split("/")[1] for row in rows for segment in row["segments"]}


def of_pairs(split: str) -> set[str]:
    """Commands of a split of the switch pairs, by their frozen plan."""
    lines = (PLANS / "switch_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    rows = map(json.loads, lines)
    return {row["id"].split("__")[0] for row in rows if row["split"] == split}


def balanced(counts: Counter[Any], within: int) -> bool:
    return max(counts.values()) - min(counts.values()) <= within


def test_400_switch_pairs_are_1200_rows_and_800_wavs(written: Callable[[str], Rows]) -> None:
    rows = written("switch_pairs")
    assert Counter((row["condition"], row["modality"]) for row in rows) == {
        ("single", "audio"): 400,
        ("switch", "audio"): 400,
        ("text_only", "text"): 400,
    }
    assert len({row["file"] for row in rows} - {None}) == 800
    targets = Counter((row["condition"], row["target"]["action"]) for row in rows)
    assert targets == {("single", "call"): 400, ("switch", "mute"): 400, ("text_only", "call"): 400}
    of_tools = Counter((row["tool"], row["split"]) for row in rows if row["condition"] == "single")
    assert set(of_tools.values()) == {32, 8} and len(of_tools) == 20
    pairs = Counter((r["wearer"], r["bystander"]) for r in rows if r["condition"] == "switch")
    assert len(pairs) == 8 * 7
    # Each split is dealt by itself, each within 1.
    assert balanced(pairs, 2)


@pytest.mark.parametrize(
    ("name", "conditions", "wavs"),
    [
        ("cue_validity_six", 6, 480),
        ("cue_validity_eight", 8, 640),
        ("cue_validity_eight_held_out_voices", 8, 640),
    ],
)
def test_cue_validity_is_80_test_commands_in_all_conditions(
    written: Callable[[str], Rows], name: str, conditions: int, wavs: int
) -> None:
    rows = written(name)
    assert len(rows) == len({row["file"] for row in rows} - {None}) == wavs
    of_conditions = Counter(row["condition"] for row in rows)
    assert set(of_conditions.values()) == {80} and len(of_conditions) == conditions
    commands = {row["command"]: row["tool"] for row in rows}
    assert set(Counter(commands.values()).values()) == {8}
    assert set(commands) == of_pairs("test")
    assert {row["split"] for row in rows} == {"test"}
    if "held_out_voices" in name:
        assert heard(rows) == HELD_OUT
    else:
        assert heard(rows) >= HELD_OUT - {"phonecaller"}


def test_cue_balanced_fills_the_published_slots(written: Callable[[str], Rows]) -> None:
    """77, 77, 76, 76 wearer rows, 227, 227, 226, 226 bystander rows, 286 rows of text."""
    rows = written("cue_balanced")
    cells = ("near_0", "near_600", "far_0", "far_600")
    wanted = dict(zip((f"same_{cell}" for cell in cells), (77, 77, 76, 76), strict=True))
    wanted |= dict(zip((f"different_{c}" for c in cells), (227, 227, 226, 226), strict=True))
    assert Counter(row["condition"] for row in rows) == {**wanted, "text_only": 286}
    assert sum(row["modality"] == "audio" for row in rows) == 1212
    for row in rows:  # the source rule: whatever the field
        muted = row["factors"]["source"] == "different"
        assert row["target"]["action"] == ("mute" if muted else "call")
    by_command: dict[str, Counter[str]] = {}
    for row in rows:
        of = by_command.setdefault(row["command"], Counter())
        of[row["factors"]["source"] or "text"] += 1
    assert len(by_command) == 306
    assert all(of["same"] == 1 and of["different"] in (2, 3) for of in by_command.values())
    tools = {row["command"]: row["tool"] for row in rows}
    assert balanced(Counter(tools.values()), 1)
    assert set(tools) < of_pairs("train")
    assert heard(rows) == TRAINING


@pytest.mark.parametrize("path", sorted(PLANS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_frozen_plan_is_rebuilt_byte_for_byte(path: Path, tmp_path: Path) -> None:
    write_plan(make_plan(read_recipe(EXAMPLES / f"{path.stem}.toml")), tmp_path / "plan.jsonl")
    assert (tmp_path / "plan.jsonl").read_bytes() == path.read_bytes()


def test_every_published_set_has_its_plan_frozen() -> None:
    assert {path.stem for path in PLANS.glob("*.jsonl")} == {
        "switch_pairs",
        "cue_validity_six",
        "cue_validity_eight",
        "cue_validity_eight_held_out_voices",
        "cue_balanced",
    }
