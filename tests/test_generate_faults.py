"""Folders, kills and failures: nothing of the user's is touched, nothing wrong is left behind."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import filelock
import numpy as np
import pytest
import soundfile

from synthkit import dataset
from synthkit.errors import InputError
from synthkit.generate import LOCK, check_folder, generate
from synthkit.plan import Plan, make_plan
from synthkit.recipe import read_recipe
from synthkit.speech.engines import tone
from synthkit.verify import verify
from tests.conftest import DATA, ROOT
from tests.test_generate import files_of

RECIPE = DATA / "eight_tone.toml"


def pair(*overrides: str, limit: int = 1) -> Plan:
    return make_plan(read_recipe(RECIPE, ["grid=pair", *overrides]), limit=limit)


def test_a_users_own_recipe_folder_is_not_taken_for_a_set(tmp_path: Path) -> None:
    home = tmp_path / "recipe"
    shutil.copytree(DATA / "voices", home / "voices")
    shutil.copy(ROOT / "examples" / "commands.jsonl", home / "commands.jsonl")
    text = RECIPE.read_text().replace("../../examples/commands.jsonl", "commands.jsonl")
    (home / "recipe.toml").write_text(f"# my comment\n{text}")
    before = files_of(tmp_path)
    with pytest.raises(InputError, match="holds other files"):
        generate(make_plan(read_recipe(home / "recipe.toml"), limit=1), tmp_path)
    assert files_of(tmp_path) == before


def test_another_recipe_does_not_replace_a_set(tmp_path: Path) -> None:
    generate(pair(), tmp_path / "set")
    before = files_of(tmp_path / "set")
    with pytest.raises(InputError, match="holds the set of another recipe"):
        generate(pair("level.dbfs=-30"), tmp_path / "set")
    assert files_of(tmp_path / "set") == before


def test_more_commands_of_the_same_recipe_go_into_the_same_folder(tmp_path: Path) -> None:
    generate(pair(limit=1), tmp_path / "grown")
    generate(pair(limit=2), tmp_path / "grown")
    generate(pair(limit=2), tmp_path / "whole")
    assert files_of(tmp_path / "grown") == files_of(tmp_path / "whole")
    assert verify(tmp_path / "grown").good


def test_what_a_killed_run_left_is_cleared_and_does_not_block(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    generate(pair(), folder)
    whole = files_of(folder)
    # As a kill leaves it: no manifest yet, a half-written file, a finished clip.
    for name in ("manifest.jsonl", "dataset.json", "SHA256SUMS"):
        (folder / name).unlink()
    (folder / "audio" / "unlock_door_01" / ".synthkit-99-single.wav.tmp").write_bytes(b"RIFF")
    (folder / "recipe" / ".synthkit-99-recipe.toml.tmp").write_bytes(b"x")
    generate(pair(), folder)
    assert files_of(folder) == whole
    assert verify(folder).good


def test_a_second_run_into_the_folder_is_refused_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    with (
        filelock.FileLock(folder / LOCK),
        pytest.raises(InputError, match="another run is writing there"),
    ):
        generate(pair(), folder)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
def test_a_folder_that_cannot_be_written_is_noticed_before_the_first_synthesis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setattr(tone.Engine, "speak", lambda *a: pytest.fail("spoke"))
    with pytest.raises(InputError, match="cannot be written"):
        generate(pair(), tmp_path / "file" / "set")


def test_a_clip_that_cannot_be_written_is_named_and_the_others_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from synthkit.generate import work as module  # whose writer is replaced

    write = module.write_bytes

    def full_for_switch(path: Path, content: bytes) -> None:
        if path.name == "switch.wav":
            raise OSError(28, "No space left on device")
        write(path, content)

    monkeypatch.setattr(module, "write_bytes", full_for_switch)
    outcome = generate(pair(), tmp_path / "set")
    assert [failure.id.partition("__")[2] for failure in outcome.failures] == ["switch"]
    assert "No space left on device" in outcome.failures[0].reason
    assert (outcome.audio, outcome.text) == (1, 1)


def test_an_engine_that_breaks_fails_its_text_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak = tone.Engine.speak

    def breaking(self, text, card, seed):
        if text == "Tell Sam I am running late.":
            raise RuntimeError("out of\nmemory")
        return speak(self, text, card, seed)

    monkeypatch.setattr(tone.Engine, "speak", breaking)
    outcome = generate(pair(limit=2), tmp_path / "set")
    assert {f.id.partition("__")[0] for f in outcome.failures} == {"send_message_01"}
    assert "engine tone failed with RuntimeError: out of" in outcome.failures[0].reason
    assert "\n" not in outcome.failures[0].reason
    assert outcome.audio == 2


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A recipe with a recorded speaker and one more, and an own room, all by path."""
    home = tmp_path / "own"
    rng = np.random.default_rng(1)
    texts = ["Good morning.", "Lights on."]
    for name in ("ann", "bob"):
        cast = home / "cards" / "people"
        (cast / "takes").mkdir(parents=True, exist_ok=True)
        index = {}
        for number, text in enumerate(texts):
            take = np.zeros(24000)
            take[6000:18000] = 0.1 * rng.standard_normal(12000)
            soundfile.write(cast / "takes" / f"{name}{number}.wav", take, 16000, subtype="PCM_24")
            index[text] = f"takes/{name}{number}.wav"
        (cast / f"{name}.json").write_text(json.dumps(index))
        (cast / f"{name}.toml").write_text(
            f'name = "{name}"\ndescription = ""\nengine = "recorded"\nlanguage = "en-US"\n'
            'checkpoint = "studio"\nprocessing = "none"\ncode_license = "Apache-2.0"\n'
            'voice_license = "CC-BY-NC-4.0"\nattribution = ""\n[parameters]\n'
            f'index = "{name}.json"\n'
        )
    shutil.copy(ROOT / "room_presets" / "living_room.toml", home / "den.toml")
    (home / "s.csv").write_text("id,tool,context,trigger\nc,t,Good morning.,Lights on.\n")
    (home / "r.toml").write_text(
        'name = "own"\nscripts = "s.csv"\nseed = 1\ngrid = "pair"\n'
        'voices = ["cards/people/ann.toml", "cards/people/bob.toml"]\n[fields]\nnear = []\n'
        'far = [{ renderer = "room", room = "den.toml", place = "across" }]\n'
    )
    return home / "r.toml"


def test_a_set_of_own_cards_and_recordings_is_made_again_from_its_copy(
    recorded: Path, tmp_path: Path
) -> None:
    generate(make_plan(read_recipe(recorded)), tmp_path / "first")
    assert verify(tmp_path / "first").good
    shutil.rmtree(recorded.parent)
    again = read_recipe(tmp_path / "first" / "recipe" / "recipe.toml")
    generate(make_plan(again), tmp_path / "second")
    assert files_of(tmp_path / "first") == files_of(tmp_path / "second")
    assert dataset.read_dataset(tmp_path / "first")["license"] == "CC-BY-NC-4.0"


def test_a_text_without_a_recording_is_refused_before_any_work(
    recorded: Path, tmp_path: Path
) -> None:
    (recorded.parent / "s.csv").write_text(
        "id,tool,context,trigger\nc,t,Good morning.,Lights off.\n"
    )
    with pytest.raises(InputError, match=r"voice people/\w+: no recording of 'Lights off.'"):
        generate(make_plan(read_recipe(recorded)), tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_two_room_cards_of_one_name_are_refused(recorded: Path) -> None:
    other = recorded.parent / "other"
    other.mkdir()
    text = (recorded.parent / "den.toml").read_text()
    (other / "den.toml").write_text(text.replace("absorption = 0.30", "absorption = 0.50"))
    near = 'fields.near=[{renderer="room", room="other/den.toml", place="wearer"}]'
    with pytest.raises(InputError, match=r"two different room cards are both called den\.toml"):
        make_plan(read_recipe(recorded, [near]))


def test_the_selection_is_part_of_what_makes_the_set_again(tmp_path: Path) -> None:
    recipe = read_recipe(RECIPE, ["grid=pair"])
    generate(make_plan(recipe, limit=3, only=["place_order_01", "call_contact_02"]), tmp_path / "a")
    generate(make_plan(read_recipe(tmp_path / "a" / "recipe" / "recipe.toml")), tmp_path / "b")
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    assert len(list((tmp_path / "a").rglob("*.wav"))) == 4


def test_checking_a_folder_makes_nothing(tmp_path: Path) -> None:
    check_folder(pair(), tmp_path / "set")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("part", ["audio", "audio/unlock_door_01", "beds", "recipe"])
def test_a_link_in_a_sets_folder_is_not_written_through(tmp_path: Path, part: str) -> None:
    plan = make_plan(read_recipe(RECIPE, ["grid=pair"]), limit=1)
    folder, elsewhere = tmp_path / "set", tmp_path / "elsewhere"
    generate(plan, folder)
    if (folder / part).is_dir():
        (folder / part).rename(elsewhere)
    else:
        elsewhere.mkdir()
    before = sorted(elsewhere.rglob("*"))
    (folder / part).symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(InputError, match=rf"{part} is a link, which could lead out of the folder"):
        generate(plan, folder)
    assert sorted(elsewhere.rglob("*")) == before
