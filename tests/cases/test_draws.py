"""Draws come from the run's seed and the item's id: not from order, number or neighbours."""

from __future__ import annotations

import json
from pathlib import Path

from synthkit.plan import Plan, make_plan
from synthkit.recipe import read_recipe
from tests.cases.sets import ROW, VOICES, generate, write_jsonl, write_recipe
from tests.conftest import rows_of

# flairNLP/flair#2217, COSMIC-PopSynth/COSMIC#807: workers that share one random state.
ROWS = [{"id": f"item-{i:02}", **ROW} for i in range(40)]
BEDS = ('bed = "hum"', "[beds.hum]", 'kind = "pink"', "snr_db = 40")
# One voice, so that nothing is dealt: who speaks depends on the commands above, by design.
ALONE = ("[grid]", 'rule = "source"', 'field_applies_to = ["trigger"]', "[grid.factors]",
         'source = ["same"]', 'field = ["near"]', "gap_ms = [150]")  # fmt: skip
ROOMS = (
    'far = [{ renderer = "room", room = "$room" }]',
    "[nuisances]",
    'room = ["office/desk", "kitchen/table", "bedroom/bedside"]',
)


def planned(folder: Path, *lines: str, reverse: bool = False, only: tuple[str, ...] = ()) -> Plan:
    rows = ROWS[::-1] if reverse else ROWS
    script = write_jsonl(folder / "rows.jsonl", rows)
    return make_plan(read_recipe(write_recipe(folder / "case.toml", script, *lines)), only=only)


def draws(plan: Plan) -> dict[str, tuple[int, ...]]:
    """Every free draw of every clip."""
    return {
        clip.id: (*(s.seed for s in clip.segments), *([clip.bed.seed] if clip.bed else []))
        for clip in plan.clips()
    }


def test_free_draws_are_the_same_in_reversed_order_and_in_a_part(tmp_path: Path) -> None:
    whole = draws(planned(tmp_path, *BEDS))
    assert draws(planned(tmp_path, *BEDS, reverse=True)) == whole
    some = tuple(row["id"] for row in ROWS[10:20])
    part = draws(planned(tmp_path, *BEDS, only=some))
    assert part == {clip: found for clip, found in whole.items() if clip.split("__")[0] in some}


def test_items_draw_apart_from_one_another_and_from_another_seed(tmp_path: Path) -> None:
    seven = draws(planned(tmp_path, *BEDS))
    audio = {clip: found for clip, found in seven.items() if clip.endswith("__switch")}
    assert len({draw for found in audio.values() for draw in found}) == 3 * 40
    eight = draws(planned(tmp_path, "seed = 8", *BEDS))
    assert eight.keys() == seven.keys()
    assert all(set(eight[clip]).isdisjoint(audio[clip]) for clip in audio)


def test_dealt_rooms_are_those_of_the_whole_in_a_part_and_change_with_the_seed(
    tmp_path: Path,
) -> None:
    def rooms(*lines: str, only: tuple[str, ...] = ()) -> dict[str, object]:
        plan = planned(tmp_path, *lines, *ROOMS, only=only)
        return {a.command.id: a.nuisances for a in plan.commands}

    whole = rooms()
    some = tuple(row["id"] for row in ROWS[10:20])
    assert rooms(only=some) == {id_: whole[id_] for id_ in some}
    assert len(set(whole.values())) == 3
    assert rooms("seed = 8") != whole


def hashes(folder: Path) -> dict[str, object]:
    return {
        row["id"]: (row["sha256"], row["content_key"], json.dumps(row["segments"]))
        for command in rows_of(folder).values()
        for row in command.values()
    }


def test_the_same_wav_for_each_id_in_any_order_and_selection(tmp_path: Path) -> None:
    made = {}
    for name, rows, args, lines in (
        ("whole", ROWS, (), ()),
        ("reversed", ROWS[::-1], (), ()),
        ("part", ROWS, [a for row in ROWS[10:20] for a in ("--only", row["id"])], ()),
        ("seed 8", ROWS, ("--limit", "10"), ("seed = 8",)),
    ):
        script = write_jsonl(tmp_path / f"{name}.jsonl", rows)
        voices = VOICES[:1]
        recipe = write_recipe(tmp_path / f"{name}.toml", script, *lines, *BEDS[:1], *ALONE,
                              *BEDS[1:], voices=voices)  # fmt: skip
        code, said = generate(recipe, tmp_path / name, *args)
        assert code == 0, said
        made[name] = hashes(tmp_path / name)
    assert len(made["whole"]) == 40
    assert made["reversed"] == made["whole"]
    some = {row["id"] for row in ROWS[10:20]}
    assert made["part"] == {k: v for k, v in made["whole"].items() if k.split("__")[0] in some}
    assert len({sha256 for sha256, *_ in made["whole"].values()}) == 40
    assert all(made["whole"][clip][0] != found[0] for clip, found in made["seed 8"].items())
