"""What is planted in whole sets, read from files and rows: who sounds where, by which name."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.audio import Pcm16
from synthkit.manifest import Row
from tests.audit.fault import Fault
from tests.audit.faults import FAULTS
from tests.audit.planting import PlantedSet
from tests.audit.sealing import read_rows
from tests.conftest import rows_of

BY_NAME = {fault.name: fault for fault in FAULTS}
Plant = Callable[[str], Path]


@pytest.fixture
def plant(planted: Callable[[Fault, int | None], PlantedSet]) -> Plant:
    """Return the folder of a sealed set with the fault of a name, of its first four commands."""

    def make(name: str) -> Path:
        fault = BY_NAME[name]
        return planted(fault, 4 if fault.grid in ("eight", "six") else None).folder

    return make


def segment(folder: Path, row: Row, role: str) -> Pcm16:
    """A segment's samples, by the row's places, from the file."""
    pcm, _ = soundfile.read(folder / row["file"], dtype="int16")
    found = next(s for s in row["segments"] if s["role"] == role)
    return np.asarray(pcm[found["start"] : found["end"]])


def sounds(folder: Path, role: str) -> dict[tuple[str, str], str]:
    """A hash of the segment of ``role`` by command and condition."""
    return {
        (row["command"], row["condition"]): hashlib.sha256(
            segment(folder, row, role).tobytes()
        ).hexdigest()
        for row in read_rows(folder)
        if row["file"]
    }


def other(condition: str, one: str, another: str) -> str:
    """``same_far_0`` of ``different_far_0``, and back."""
    return condition.replace(one, "*").replace(another, one).replace("*", another)


@pytest.mark.parametrize(
    ("name", "one", "another", "role"),
    [
        ("triggers_swapped", "same", "different", "trigger"),
        ("near_and_far_swapped", "near", "far", "trigger"),
        ("near_and_far_swapped", "near", "far", "context"),
    ],
)
def test_sounds_are_swapped_between_conditions(
    plant: Plant, clean_set: Callable[[str], Path], name: str, one: str, another: str, role: str
) -> None:
    clean, found = sounds(clean_set("eight"), role), sounds(plant(name), role)
    moved = {key for key, sound in found.items() if clean[key] != sound}
    assert all(found[c, at] == clean[c, other(at, one, another)] for c, at in moved)
    assert len(moved) == (32 if name == "triggers_swapped" else 8)


def test_gap_conditions_are_swapped(plant: Plant) -> None:
    """The words after 600 ms stand in the file that is said to have no gap."""
    folder = plant("gap_conditions_swapped")
    gaps = Counter((r["factors"]["gap_ms"], r["gaps"][0]["num_samples"]) for r in read_rows(folder))
    assert gaps == {(0, 0): 12, (600, 9600): 12, (0, 9600): 4, (600, 0): 4}


@pytest.mark.parametrize(("name", "samples"), [("short", 9599), ("long", 9601)])
def test_one_gap_is_one_sample_off(plant: Plant, name: str, samples: int) -> None:
    folder = plant(f"gap_one_sample_{name}")
    gaps = Counter(row["gaps"][0]["num_samples"] for row in read_rows(folder))
    assert gaps == {0: 16, 9600: 15, samples: 1}
    for row in read_rows(folder):
        assert soundfile.info(folder / row["file"]).frames == row["num_samples"]


def test_gaps_hold_noise_at_80_db_below_full_scale(plant: Plant) -> None:
    folder = plant("noise_in_the_gap")
    for row in read_rows(folder):
        if row["gaps"][0]["num_samples"]:
            (gap,) = row["gaps"]
            pcm, _ = soundfile.read(folder / row["file"])
            rms = np.sqrt(np.mean(pcm[gap["start"] : gap["end"]] ** 2))
            assert 20 * np.log10(rms) == pytest.approx(-80, abs=0.3)


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        ("context_of_another_command", {"context"}),
        ("trigger_of_another_command", {"trigger"}),
        ("one_sound_for_two_commands", {"context", "trigger"}),
    ],
)
def test_a_command_sounds_like_another_one(
    plant: Plant, clean_set: Callable[[str], Path], name: str, roles: set[str]
) -> None:
    folder = plant(name)
    here, there = list(rows_of(folder))[1:3]
    for role in ("context", "trigger"):
        found, clean = sounds(folder, role), sounds(clean_set("eight"), role)
        taken = there if role in roles else here
        assert all(found[here, at] == clean[taken, at] for command, at in found if command == here)
    texts = {row["texts"]["trigger"] for row in read_rows(folder)}
    assert len(texts) == 4


@pytest.mark.parametrize("name", ["bystander_is_the_wearer", "bystander_is_the_wearer_once"])
def test_different_sounds_like_same(plant: Plant, name: str) -> None:
    found = sounds(plant(name), "trigger")
    alike = Counter(
        command
        for (command, at), sound in found.items()
        if at.startswith("same") and sound == found[command, other(at, "same", "different")]
    )
    assert list(alike.values()) == [4] * (1 if name.endswith("once") else 4)


@pytest.mark.parametrize(
    ("name", "roles"), [("far_is_dry", ["context", "trigger"]), ("contexts_stay_near", ["context"])]
)
def test_far_sounds_like_near(plant: Plant, name: str, roles: list[str]) -> None:
    folder = plant(name)
    for role in ("context", "trigger"):
        found = sounds(folder, role)
        alike = {
            c for (c, at), sound in found.items() if sound == found[c, other(at, "near", "far")]
        }
        assert len(alike) == (0 if role not in roles else 1 if name == "far_is_dry" else 4)


def test_levels_stand_apart_within_what_is_allowed(plant: Plant) -> None:
    for name, factor in (("level_tells_the_field", "field"), ("level_tells_the_source", "source")):
        found: dict[str, set[float]] = defaultdict(set)
        for row in read_rows(plant(name)):
            level = row["segments"][1]["level"]["realised_dbfs"]
            found[row["factors"][factor]].add(round(level, 2))
        assert found in (
            {"near": {-19.92}, "far": {-20.08}},
            {"same": {-19.92}, "different": {-20.08}},
        )


def test_a_chunk_stands_before_the_sound_which_is_the_same(
    plant: Plant, clean_set: Callable[[str], Path]
) -> None:
    folder = plant("chunk_in_one_condition")
    for row in read_rows(folder):
        content, clean = ((f / row["file"]).read_bytes() for f in (folder, clean_set("eight")))
        extra = 24 if row["condition"].startswith("different_far") else 0
        assert len(content) == len(clean) + extra
        assert content[44 + extra :] == clean[44:]
        assert int.from_bytes(content[4:8], "little") == len(content) - 8
        assert soundfile.info(folder / row["file"]).frames == row["num_samples"]


def test_rows_are_gone_and_counted_as_if_never_there(plant: Plant) -> None:
    assert len(read_rows(plant("condition_left_out"))) == 4 * 8 - 3
    folder = plant("mute_rows_alone")
    rows = rows_of(folder)
    mute = [c for c, r in rows.items() if {x["target"]["action"] for x in r.values()} == {"mute"}]
    assert len(mute) == 6 == len(rows) // 2
    assert {p.stem for c in mute for p in (folder / "audio" / c).iterdir()} <= {
        at for c in mute for at in rows[c]
    }


def cast(folder: Path) -> list[tuple[str, str, str, str]]:
    """Tool, split, wearer and bystander of each command."""
    rows = [next(r for r in c.values() if r["file"]) for c in rows_of(folder).values()]
    return [(r["tool"], r["split"], r["wearer"], r["bystander"]) for r in rows]


def test_voices_are_dealt_as_meant(plant: Plant) -> None:
    dealt = cast(plant("wearers_of_one_pool"))
    wearers, bystanders = ({row[place] for row in dealt} for place in (2, 3))
    assert len(wearers) == len(bystanders) == 4
    assert not wearers & bystanders

    tools: dict[str, set[str]] = defaultdict(set)
    for tool, _, *voices in cast(plant("voice_of_one_tool")):
        for voice in voices:
            tools[voice].add(tool)
    assert sum(len(found) == 1 for found in tools.values()) == 1

    by_split: dict[str, set[str]] = defaultdict(set)
    for _, split, *voices in cast(plant("voices_by_split")):
        by_split[split] |= set(voices)
    assert len(by_split["test"]) == 3
    assert not by_split["test"] & by_split["train"]


@pytest.mark.parametrize(
    ("name", "cue"), [("near_tells_the_action", 1), ("pause_tells_the_action", 2)]
)
def test_a_condition_tells_the_action_in_training_slots(plant: Plant, name: str, cue: int) -> None:
    """The wearer has one level of the cue alone, the bystander the other in two rows of three."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in read_rows(plant(name)):
        if row["file"]:
            source = row["condition"].split("_")[0]
            found[source][row["condition"].split("_")[cue]] += 1
    assert sorted(found["same"].values()) == [12]
    assert sorted(found["different"].values()) == [12, 24]
    (level,) = found["same"]
    assert found["different"][level] == 12


def test_splits_share_words_or_sound(plant: Plant) -> None:
    folder = plant("same_words_in_two_splits")
    splits: dict[str, set[str]] = defaultdict(set)
    for row in read_rows(folder):
        splits[row["texts"]["trigger"].casefold().strip(".!")].add(row["split"])
    assert sum(len(found) == 2 for found in splits.values()) == 1

    for name, files in (("same_sound_in_two_splits", 0), ("one_command_under_two_ids", 2)):
        folder = plant(name)
        split_of = {(r["command"], r["condition"]): r["split"] for r in read_rows(folder)}
        heard: dict[str, set[str]] = defaultdict(set)
        for key, sound in sounds(folder, "trigger").items():
            heard[sound].add(split_of[key])
        assert sum(len(found) == 2 for found in heard.values()) == 2
        hashes = Counter(row["sha256"] for row in read_rows(folder) if row["file"])
        assert sum(number == 2 for number in hashes.values()) == files


@pytest.mark.parametrize(
    ("name", "rows"), [("command_in_two_splits", 1), ("text_row_in_another_split", 1)]
)
def test_a_row_has_another_split_than_its_command(plant: Plant, name: str, rows: int) -> None:
    splits = [Counter(r["split"] for r in c.values()) for c in rows_of(plant(name)).values()]
    (mixed,) = (found for found in splits if len(found) == 2)
    assert mixed == {"train": 3 - rows, "test": rows}
