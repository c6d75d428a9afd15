"""Sets of slots and of some splits, made and verified; and what verify says of altered ones."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.commands import synthkit
from tests.conftest import rows_of
from tests.homes import Home

SLOTS = "[slots]\nsame = 5\ndifferent = 12\ntext = 3\n"
SPLITS = "[splits.train]\nshare = 4\n[splits.test]\nshare = 1\n"


def made(home: Home, extra: str, count: int = 6) -> Path:
    home.write_script(count)
    home.write_recipe(grid="balanced", extra=extra)
    folder = home.recipe.parent / "set"
    assert synthkit("generate", home.recipe, "--out", folder, "--no-cache").exit_code == 0
    return folder


def altered(folder: Path, change: str) -> str:
    """What verify says when rows of the manifest are gone."""
    path = folder / "manifest.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    kept = [row for row in rows if not row["id"].endswith(change)]
    assert len(kept) < len(rows)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in kept))
    return synthkit("verify", folder).output


def test_slots_are_filled_and_the_set_verifies(home: Home) -> None:
    folder = made(home, SLOTS)
    rows = rows_of(folder)
    assert len(rows) == 5
    sources = Counter(
        row["factors"]["source"] or "text" for of in rows.values() for row in of.values()
    )
    assert sources == {"same": 5, "different": 12, "text": 3}
    for of in rows.values():
        sources = Counter(row["factors"]["source"] or "text" for row in of.values())
        assert sources["same"] == 1 and sources["different"] in (2, 3) and sources["text"] < 2
        for row in of.values():  # the source rule: far wearers call too
            wanted = "mute" if row["factors"].get("source") == "different" else "call"
            assert row["target"]["action"] == wanted
    done = synthkit("verify", folder)
    assert done.exit_code == 0, done.output


def test_verify_misses_slots_by_command_and_by_condition(home: Home) -> None:
    folder = made(home, SLOTS)
    wearer = next(
        row
        for of in rows_of(folder).values()
        for row in of.values()
        if row["factors"].get("source") == "same"
    )
    told = altered(folder, wearer["id"])
    assert f"{wearer['command']}: 0 rows of source same; allowed by the slots: 1" in told
    assert f"rows of condition {wearer['condition']}; allowed by the slots: " in told


def test_only_splits_makes_what_the_whole_set_has_of_them(home: Home) -> None:
    whole = rows_of(made(home, SPLITS, 10))
    folder = home.recipe.parent / "part"
    home.write_recipe(grid="balanced", extra=f'only_splits = ["test"]\n{SPLITS}')
    assert synthkit("generate", home.recipe, "--out", folder, "--no-cache").exit_code == 0
    part = rows_of(folder)
    assert {id_ for id_, rows in whole.items() if rows["text_only"]["split"] == "test"} == set(part)
    assert len(part) == 2
    for id_, rows in part.items():
        for name, row in rows.items():
            assert row["sha256"] == whole[id_][name]["sha256"]
    assert synthkit("verify", folder).exit_code == 0


@pytest.mark.parametrize(
    ("extra", "argument", "told"),
    [
        ('only_splits = ["dev"]\n' + SPLITS, (), "only_splits: found 'dev'; allowed: test, train"),
        ('only_splits = ["train"]\n', (), "only_splits: found 'train'; allowed: test"),
        ("[slots]\nsame = 1\ndifferent = 0\n", (), "slots: text missing"),
        ("[slots]\nsame = 9\ndifferent = 0\ntext = 0\n", (), "up to 3 commands"),
    ],
)
def test_what_cannot_be_selected_is_refused(
    home: Home, extra: str, argument: tuple[str, ...], told: str
) -> None:
    home.write_recipe(grid="balanced", extra=extra)
    done = synthkit("generate", home.recipe, "--out", home.recipe.parent / "set", "--dry-run")
    assert done.exit_code == 2 and told in done.output


def test_a_command_that_the_recipe_leaves_out_is_told_so(home: Home) -> None:
    home.write_script(10)
    home.write_recipe(grid="pair", extra=f'only_splits = ["test"]\n{SPLITS}')
    asked = [f"--only=c{n}" for n in range(10)]
    done = synthkit("generate", home.recipe, "--out", home.recipe.parent / "s", "--dry-run", *asked)
    assert done.exit_code == 2 and "the recipe leaves this command out" in done.output


def test_a_set_takes_the_splits_of_its_script(home: Home) -> None:
    home.write_script(4)
    rows = [json.loads(line) for line in home.script.read_text().splitlines()]
    parts = ["train", "dev", "train", "test"]
    for row, part in zip(rows, parts, strict=True):
        row["split"] = part
    home.script.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    folder = home.recipe.parent / "set"
    assert synthkit("generate", home.recipe, "--out", folder, "--no-cache").exit_code == 0
    found = {id_: of["single"]["split"] for id_, of in rows_of(folder).items()}
    assert found == dict(zip(("c0", "c1", "c2", "c3"), parts, strict=True))
    done = synthkit("verify", folder)
    assert done.exit_code == 0, done.output
    path = folder / "manifest.jsonl"
    path.write_text(path.read_text().replace('"split": "dev"', '"split": "test"'))
    assert "c1__single: split is not the script's" in synthkit("verify", folder).output
