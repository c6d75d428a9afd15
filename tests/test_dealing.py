"""Factors, nuisances and splits: crossed, dealt evenly, held out, unchanged by appending."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from synthkit import dataset
from synthkit.casting import Cast, cast
from synthkit.dealing import deal_levels, deal_splits
from synthkit.errors import InputError
from synthkit.generate import generate
from synthkit.plan import Plan, make_plan
from synthkit.recipe import read_recipe
from synthkit.scripts import Command
from synthkit.verify import verify
from tests.conftest import DATA, ROOT, rows_of
from tests.test_generate import files_of

RECIPE = DATA / "eight_tone.toml"
PLACES = '["across", "wearer"]'


def script(number: int) -> list[Command]:
    return [Command(f"c{i}", f"tool{i % 10}", "context", "trigger") for i in range(number)]


def planned(*overrides: str, limit: int | None = None) -> Plan:
    return make_plan(read_recipe(RECIPE, overrides), limit=limit)


def room(place: str) -> str:
    return f'fields.far=[{{renderer="room", room="living_room", place="{place}"}}]'


@pytest.mark.parametrize("number", [40, 320])
def test_shares_are_kept_in_every_tool(number: int) -> None:
    commands = script(number)
    dealt = deal_splits(commands, {"train": 4, "test": 1}, seed=3)
    found = Counter(zip((c.tool for c in commands), dealt, strict=True))
    a_tool = number // 10
    # 40 commands: 4 a tool, the block of five not full; 320: 32 a tool, six full blocks and two.
    for tool in {c.tool for c in commands}:
        assert abs(found[tool, "train"] - 4 * found[tool, "test"]) <= 5
        assert found[tool, "train"] + found[tool, "test"] == a_tool


def test_the_published_split_is_32_and_8_a_tool() -> None:
    commands = script(400)
    found = Counter(
        zip(
            (c.tool for c in commands),
            deal_splits(commands, {"train": 4, "test": 1}, 1),
            strict=True,
        )
    )
    assert set(found.values()) == {32, 8}


@pytest.mark.parametrize("levels", [2, 3, 10])
def test_levels_are_balanced_over_tools_and_voices(levels: int) -> None:
    commands = script(320)
    casts = list(cast(commands, list("abcd"), 1))
    dealt = list(deal_levels(commands, casts, list(range(levels)), 1, "room"))

    def spread(keys: list[object]) -> int:
        counts = Counter(zip(keys, dealt, strict=True))
        return max(
            max(counts[k, level] for level in range(levels))
            - min(counts[k, level] for level in range(levels))
            for k in set(keys)
        )

    assert spread([""] * 320) <= 1
    assert spread([c.tool for c in commands]) <= 4
    assert spread([c.wearer for c in casts]) <= 4
    assert spread([c.bystander for c in casts]) <= 4


def test_appending_changes_nothing_before() -> None:
    commands = script(80)
    casts = [Cast("a", "b")] * 80
    whole = list(deal_levels(commands, casts, [1, 2, 3], 5, "x"))
    splits = deal_splits(commands, {"a": 2, "b": 1}, 5)
    for number in (1, 13, 79):
        assert (
            list(deal_levels(commands[:number], casts[:number], [1, 2, 3], 5, "x"))
            == whole[:number]
        )
        assert deal_splits(commands[:number], {"a": 2, "b": 1}, 5) == splits[:number]


def test_a_factor_multiplies_the_conditions_and_names_them() -> None:
    plan = planned(f"factors.place={PLACES}", room("$place"), limit=1)
    names = [clip.condition.name for clip in plan.clips()]
    assert len(names) == 16
    assert names[:2] == ["same_near_0_across", "same_near_0_wearer"]


def test_a_segment_that_does_not_use_a_factor_is_shared_over_its_levels(tmp_path: Path) -> None:
    plan = planned(f"factors.place={PLACES}", room("$place"), limit=1)
    assert not generate(plan, tmp_path / "set").failures
    (rows,) = rows_of(tmp_path / "set").values()
    near = {rows[f"same_near_0_{place}"]["sha256"] for place in ("across", "wearer")}
    far = {rows[f"same_far_0_{place}"]["sha256"] for place in ("across", "wearer")}
    assert (len(near), len(far)) == (1, 2)
    assert rows["same_far_0_wearer"]["factors"]["place"] == "wearer"
    assert rows["same_far_0_wearer"]["segments"][1]["room"]["place"] == "wearer"
    assert verify(tmp_path / "set").good


def test_a_nuisance_is_one_level_a_command_in_all_its_conditions(tmp_path: Path) -> None:
    plan = planned(f"nuisances.place={PLACES}", room("$place"), limit=4)
    assert plan.num_clips == 32
    assert not generate(plan, tmp_path / "set").failures
    for rows in rows_of(tmp_path / "set").values():
        (place,) = {row["nuisances"]["place"] for row in rows.values()}
        far = [s["room"]["place"] for r in rows.values() for s in r["segments"] if s["room"]]
        assert set(far) == {place}
    dealt = Counter(dict(a.nuisances)["place"] for a in plan.commands)
    assert dealt == {"across": 2, "wearer": 2}
    assert verify(tmp_path / "set").good


def test_a_split_holds_out_levels_and_voices(tmp_path: Path) -> None:
    plan = planned(
        f"nuisances.place={PLACES}",
        room("$place"),
        'splits.train={share=3, place=["across"], voices=["tone/low", "tone/mid"]}',
        'splits.test={share=1, place=["wearer"], voices=["tone/mid", "tone/high"]}',
    )
    splits = Counter(assignment.split for assignment in plan.commands)
    assert splits == {"train": 30, "test": 10}
    for assignment in plan.commands:
        voices = {assignment.cast.wearer, assignment.cast.bystander}
        if assignment.split == "train":
            assert dict(assignment.nuisances) == {"place": "across"}
            assert voices == {"tone/low", "tone/mid"}
        else:
            assert dict(assignment.nuisances) == {"place": "wearer"}
            assert voices == {"tone/mid", "tone/high"}


def test_a_split_holds_out_levels_of_a_factor(tmp_path: Path) -> None:
    recipe = read_recipe(
        RECIPE,
        [
            "grid=six",
            f"factors.place={PLACES}",
            room("$place"),
            'splits.a={share=1, place=["across"]}',
            "splits.b={share=1}",
        ],
    )
    plan = make_plan(recipe, only=["unlock_door_01", "unlock_door_02"])
    clips = Counter(
        (clip.assignment.split, dict(clip.condition.extra)["place"]) for clip in plan.clips()
    )
    assert clips == {("a", "across"): 6, ("b", "across"): 6, ("b", "wearer"): 6}
    assert not generate(plan, tmp_path / "set").failures
    assert verify(tmp_path / "set").good


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["factors.field=['x']"], "'field' is a factor already"),
        (["factors.a=[1]", "nuisances.a=[2]"], "'a' is a factor already"),
        ([room("$place")], "fields.far: $place is no variable; allowed: none"),
        ([f"nuisances.place={PLACES}", room("$places")], "$places is no variable; allowed: place"),
        (["nuisances.place=['attic']", room("$place")], "no place 'attic'"),
        (["factors.room=['den.toml']"], "found 'den.toml'; allowed: a name; give a card's path"),
        (["factors.name=['x']", room("$name")], "'name': the name has a meaning of its own"),
        (["factors.share=[1]"], "'share': the name has a meaning of its own"),
        (["factors.a=[1, 2]"], "'a' is used by no field, bed or rule"),
        (["factors.a=['']", room("$a")], 'field factors.a[0]: found ""; allowed: text of 1'),
        (
            [
                "nuisances.c=[3000, 4000]",
                "fields.far=[{renderer='lowpass', cutoff='$c'}]",
                "splits.a={share=1, c=[true]}",
            ],
            "field splits.a.c[0]: found true",
        ),
        (['rooms.den="nowhere.toml"'], "nowhere.toml: cannot be read"),
        (["factors.a=[1, 1]"], "field factors.a: found [1, 1]; allowed: one or more different"),
        (["splits.a={share=0}"], "field splits.a.share: found 0; allowed: 1 to 100"),
        (["splits.a={share=1, room=['x']}"], "field splits.a.room: found 'x'; allowed: none"),
        (
            [f"nuisances.place={PLACES}", room("$place"), "splits.a={share=1, place=['x']}"],
            "field splits.a.place: found 'x'; allowed: across, wearer",
        ),
        (["splits.a={share=1, voices=['tone/low']}"], "split a has 1 voice; allowed: 2 or more"),
        (
            ["splits.a={share=1, voices=['x', 'y']}"],
            "splits.a.voices: found 'x'; allowed: tone/low",
        ),
    ],
)
def test_variables_at_odds_are_refused(overrides: list[str], told: str) -> None:
    with pytest.raises(InputError) as error:
        planned(*overrides)
    assert told in str(error.value)


def test_a_level_may_name_a_room_and_its_place_and_a_card_of_the_recipe(tmp_path: Path) -> None:
    card = (ROOT / "room_presets" / "living_room.toml").read_text()
    (tmp_path / "den.toml").write_text(card)
    far = '[{renderer="room", room="$scene"}]'
    recipe = read_recipe(
        RECIPE,
        [
            f'rooms.study="{tmp_path / "den.toml"}"',
            'nuisances.scene=["living_room/across", "study/wearer"]',
            f"fields.far={far}",
            "grid=pair",
        ],
    )
    generate(make_plan(recipe, limit=2), tmp_path / "first")
    rows = rows_of(tmp_path / "first").values()
    rooms = {r["switch"]["nuisances"]["scene"]: r["switch"]["segments"][1]["room"] for r in rows}
    places = {scene: (room["id"], room["place"]) for scene, room in rooms.items()}
    assert places == {
        "living_room/across": ("living_room", "across"),
        "study/wearer": ("den", "wearer"),
    }
    assert verify(tmp_path / "first").good
    again = read_recipe(tmp_path / "first" / "recipe" / "recipe.toml")
    generate(make_plan(again), tmp_path / "second")
    assert files_of(tmp_path / "first") == files_of(tmp_path / "second")


def test_ten_rooms_as_a_factor_are_crossed_with_every_voice_and_tool(tmp_path: Path) -> None:
    recipe = read_recipe(ROOT / "examples" / "ten_rooms.toml")
    plan = make_plan(recipe, limit=5)
    assert plan.num_clips == 10 * 8 * 5
    uses = Counter(
        (dict(clip.condition.extra)["scene"], clip.command.tool, clip.assignment.cast.wearer)
        for clip in plan.clips()
    )
    assert len({scene for scene, _, _ in uses}) == 10
    assert set(uses.values()) == {8}
    assert not generate(make_plan(recipe, limit=1), tmp_path / "set").failures
    report = verify(tmp_path / "set")
    assert report.good, report.faults
    assert report.rows == 80


def test_the_order_of_factors_and_splits_counts_and_travels(tmp_path: Path) -> None:
    far = 'fields.far=[{renderer="lowpass", cutoff="$z"}, {renderer="lowpass", cutoff="$a"}]'
    recipe = read_recipe(
        RECIPE,
        [
            "grid=pair",
            "factors.z=[3000, 4000]",
            "factors.a=[5000, 6000]",
            far,
            "splits.train={share=2}",
            "splits.test={share=1}",
        ],
    )
    generate(make_plan(recipe, limit=3), tmp_path / "first")
    names = list(next(iter(rows_of(tmp_path / "first").values())))
    assert names[:2] == ["single_3000_5000", "single_3000_6000"]
    assert verify(tmp_path / "first").good
    again = read_recipe(tmp_path / "first" / "recipe" / "recipe.toml")
    generate(make_plan(again), tmp_path / "second")
    assert files_of(tmp_path / "first") == files_of(tmp_path / "second")


def test_two_cards_of_one_file_name_are_refused_though_one_is_unused(tmp_path: Path) -> None:
    text = (ROOT / "room_presets" / "living_room.toml").read_text()
    for name, height in (("a", 2.6), ("b", 2.7)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "den.toml").write_text(text.replace("4.1, 2.6]", f"4.1, {height}]"))
    rooms = [f'rooms.{name}="{tmp_path / name / "den.toml"}"' for name in "ab"]
    with pytest.raises(InputError, match=r"two different room cards are both called den\.toml"):
        planned(*rooms, 'fields.far=[{renderer="room", room="a", place="across"}]')


def test_held_out_rooms_and_voices_share_nothing_between_splits() -> None:
    plan = make_plan(read_recipe(ROOT / "examples" / "held_out_rooms.toml"))
    heard: dict[str, set[object]] = {}
    for assignment in plan.commands:
        used = {
            assignment.cast.wearer,
            assignment.cast.bystander,
            *dict(assignment.nuisances).values(),
        }
        heard.setdefault(assignment.split, set()).update(used)
    assert not heard["train"] & heard["test"]
    assert Counter(a.split for a in plan.commands) == {"train": 32, "test": 8}


def test_distance_and_reverberation_time_may_be_factors(tmp_path: Path) -> None:
    far = (
        '[{renderer="room", room="living_room", place="across", distance="$metres", rt60="$rt60"}]'
    )
    plan = planned(
        "grid=pair",
        "factors.metres=[1, 2.5]",
        "factors.rt60=[0.3, 0.6]",
        f"fields.far={far}",
        limit=1,
    )
    assert not generate(plan, tmp_path / "set").failures
    assert verify(tmp_path / "set").good
    rooms = dataset.read_dataset(tmp_path / "set")["rooms"]
    found = {(r["distance_m"], r["requested_rt60"]): r["realised"] for r in rooms}
    assert set(found) == {(1.0, 0.3), (1.0, 0.6), (2.5, 0.3), (2.5, 0.6)}
    for rt60 in (0.3, 0.6):
        assert found[1.0, rt60]["drr"] > found[2.5, rt60]["drr"] + 3
    for metres in (1.0, 2.5):
        assert found[metres, 0.6]["rt60"] > 1.5 * found[metres, 0.3]["rt60"]
    (rows,) = rows_of(tmp_path / "set").values()
    assert "switch_2-5_0-3" in rows
