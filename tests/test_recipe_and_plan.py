"""Recipes, grids and plans: everything is refused or decided before the first sample."""

from __future__ import annotations

import dataclasses
import shutil

import pytest

from synthkit import grids
from synthkit.errors import InputError
from synthkit.plan import make_plan
from synthkit.recipe import find_recipe, read_recipe
from synthkit.scripts import Command
from tests.conftest import DATA, ROOT

RECIPE = DATA / "eight_tone.toml"
COMMAND = Command("c", "unlock_door", "context", "trigger", {"door": "front"})
CALL = {"action": "call", "name": "unlock_door", "params": {"door": "front"}}
MUTE = {"action": "mute"}


def planned(*overrides: str, **selection):
    return make_plan(read_recipe(RECIPE, overrides), **selection)


def targets(grid: grids.Grid) -> dict[str, dict]:
    return {c.name: grid.target(c, COMMAND) for c in grid.conditions}


def test_proximity_rule_calls_for_a_near_wearer_alone():
    assert targets(grids.named("eight")) == {
        f"{source}_{field}_{gap}": CALL if (source, field) == ("same", "near") else MUTE
        for source in ("same", "different")
        for field in ("near", "far")
        for gap in (0, 600)
    }
    assert targets(grids.named("pair")) == {"single": CALL, "switch": MUTE, "text_only": CALL}


def test_source_rule_calls_for_the_wearer_in_any_field():
    table = {
        "rule": "source",
        "field_applies_to": ["context", "trigger"],
        "factors": {"source": ["same", "different"], "field": ["near", "far"], "gap_ms": [0]},
    }
    assert targets(grids.grid_from(table, "own", "grid")) == {
        "same_near_0": CALL,
        "same_far_0": CALL,
        "different_near_0": MUTE,
        "different_far_0": MUTE,
    }


def test_a_grid_of_a_recipes_own_factors_and_rule():
    plan = planned(
        'grid={rule={field=["near","close"]}, field_applies_to=["trigger"], '
        'factors={source=["different"], field=["near","close","far"], gap_ms=[0, 250.5]}}',
        "fields.close=[]",
        limit=1,
    )
    clips = list(plan.clips())
    assert [clip.condition.name for clip in clips] == [
        "different_near_0", "different_near_250-5", "different_close_0",
        "different_close_250-5", "different_far_0", "different_far_250-5",
    ]  # fmt: skip
    assert [clip.target["action"] for clip in clips] == ["call"] * 4 + ["mute"] * 2
    assert {clip.segments[0].field for clip in clips} == {"near"}


def test_six_is_the_published_table():
    rows = [(c.source, c.field, c.gap_ms, c.context_field) for c in grids.named("six").conditions]
    assert rows == [
        ("same", "near", 0, "near"),
        ("same", "near", 600, "near"),
        ("same", "far", 600, "near"),
        ("different", "near", 0, "near"),
        ("different", "near", 600, "near"),
        ("different", "far", 600, "near"),
    ]


def test_pair_and_six_use_the_room_alone_eight_room_and_low_pass():
    used = {}
    for name in ("switch_pairs", "cue_validity_six", "cue_validity_eight"):
        plan = make_plan(read_recipe(ROOT / "examples" / f"{name}.toml"))
        used[name] = [renderer.name for renderer in plan.fields["far", ()].renderers]
        assert plan.fields["near", ()].renderers == ()
    assert used == {
        "switch_pairs": ["room"],
        "cue_validity_six": ["room"],
        "cue_validity_eight": ["room", "lowpass"],
    }


def test_a_draw_depends_on_run_seed_and_command_alone():
    whole = {clip.id: clip for clip in planned().clips()}
    part = {clip.id: clip for clip in planned(only=["call_contact_02", "place_order_01"]).clips()}
    assert part == {id_: whole[id_] for id_ in part}
    other = {clip.id: clip for clip in planned("seed=8").clips()}
    assert all(other[id_].segments[0].seed != clip.segments[0].seed for id_, clip in whole.items())


def test_limit_cuts_after_casting():
    assert planned(limit=5).commands == planned().commands[:5]
    assert planned(limit=5).num_clips == 40


def test_both_voices_share_the_draw_of_a_text():
    clips = {clip.condition.name: clip for clip in planned(limit=1).clips()}
    same, different = (clips[f"{s}_near_0"].segments[1] for s in ("same", "different"))
    assert same.voice != different.voice
    assert dataclasses.replace(different, speaker="wearer", voice=same.voice) == same


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("sed=3", "unknown sed; allowed: name, description, scripts"),
        ("seed=-1", "field seed: found -1; allowed: an integer from 0"),
        ("seed=1.5", "field seed: found 1.5; allowed: integer"),
        ("seed=nan", "--set: field seed: found nan; allowed: finite numbers"),
        ("level.dbfs=0", "field level.dbfs: found 0; allowed: -60 to -10 dBFS RMS"),
        ("level.dbfs=inf", "--set: field level.dbfs: found inf; allowed: finite numbers"),
        ("level.peak=clip", 'field level.peak: found "clip"; allowed: limit, refuse'),
        ("post_ms=-1", "field post_ms: found -1"),
        ("fade_ms=0", "field fade_ms: found 0; allowed: 1 to 15 ms"),
        ("grid=nine", "field grid: found 'nine'; allowed: balanced, eight, pair, six"),
        ("grid={}", "missing"),
        ("scripts=missing.jsonl", "missing.jsonl: cannot be read"),
        ("scripts=x.txt", "a .jsonl or .csv script"),
        ('voices=["heart/nobody", "heart/mom"]', "voice 'heart/nobody' is unknown; allowed: "),
        ('voices=["heart/mom", "heart/mom"]', "field voices"),
        ('voices=["heart/mom"]', "1 voice; allowed: 2 or more"),
        ('voices=["heart/mom", "voices/tone/low.toml"]', "allowed: voices of one checkpoint"),
        (
            "fields.far=[{renderer='echo'}]",
            "renderer 'echo' is unknown; allowed: bandpass, lowpass, room",
        ),
        ("fields.far=[{renderer='lowpass'}]", "allowed: cutoff"),
        ("fields.far=[{renderer='lowpass', cutoff=9000}]", "cutoff is 9000; allowed"),
        ("fields.far=[{renderer='room', room='attic', place='x'}]", "room 'attic' is unknown"),
        ("fields.far=[{renderer='room', room='living_room', place='sofa'}]", "no place 'sofa'"),
        ("fields={near=[]}", "'far' missing, which the grid uses"),
        ("seed", "allowed: KEY=VALUE"),
        ("seed.x=1", "'seed' is a value, not a table"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line_with_what_is_allowed(override, told):
    with pytest.raises(InputError) as error:
        planned(override)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_command_is_refused():
    with pytest.raises(InputError, match="--only 'nobody'"):
        planned(only=["nobody"])


def test_a_command_in_another_language_than_the_voices_is_refused(tmp_path):
    (tmp_path / "s.csv").write_text(
        "id,tool,context,trigger,language\na,t,Bonjour.,Ouvre la porte.,fr-FR\n"
    )
    with pytest.raises(InputError, match="command a: field language: found fr-FR; allowed: en-US"):
        planned(f"scripts={tmp_path / 's.csv'}")


def test_an_example_is_found_by_name_and_a_users_file_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "cue_validity_six.toml"
    assert find_recipe(tmp_path.__class__(name)).parent != tmp_path
    shutil.copy(ROOT / "examples" / name, tmp_path / name)
    assert find_recipe(tmp_path.__class__(name)).resolve().parent == tmp_path.resolve()
    with pytest.raises(InputError, match="examples: "):
        find_recipe(tmp_path / "none.toml")
