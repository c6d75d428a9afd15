"""Level policies of a recipe: after the room, before it, and by loudness."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.errors import InputError
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.verify import verify
from tests.conftest import DATA, rows_of

RECIPE = DATA / "eight_tone.toml"


def made(folder: Path, *overrides: str) -> dict:
    plan = make_plan(read_recipe(RECIPE, ["grid=eight", *overrides]), limit=1)
    assert not generate(plan, folder).failures
    report = verify(folder)
    assert report.good, report.faults
    (rows,) = rows_of(folder).values()
    return rows


def speech_dbfs(folder: Path, row: dict, number: int) -> float:
    samples, _ = soundfile.read(folder / row["file"])
    segment = row["segments"][number]
    speech = samples[segment["speech_start"] : segment["speech_end"]]
    return float(10 * np.log10(np.mean(speech**2)))


def test_before_the_room_distance_keeps_its_level(tmp_path: Path) -> None:
    rows = made(tmp_path / "s", "level.at=before_room", 'fields.far=[{renderer="room", '
                'room="living_room", place="across"}]')  # fmt: skip
    near, far = rows["same_near_0"], rows["same_far_0"]
    assert speech_dbfs(tmp_path / "s", near, 1) == pytest.approx(-20, abs=0.01)
    # Direct sound falls by 20 lg(3.0 / 0.2) = 23.5 dB; the room adds about 1 + 10 ** 1.07 times
    # its energy (DRR -10.7 dB), 11.0 dB, some of it after the speech.
    drop = speech_dbfs(tmp_path / "s", near, 1) - speech_dbfs(tmp_path / "s", far, 1)
    assert 10 < drop < 16
    level = far["segments"][1]["level"]
    assert level["requested_dbfs"] is None
    assert level["source_gain_db"] == near["segments"][1]["level"]["source_gain_db"]


def test_the_reference_distance_is_a_factor_on_the_far_level(tmp_path: Path) -> None:
    far = 'fields.far=[{renderer="room", room="living_room", place="across"}]'
    levels = []
    for number, metres in enumerate((0.2, 0.4)):
        folder = tmp_path / str(number)
        rows = made(folder, "level.at=before_room", f"level.reference_m={metres}", far)
        levels.append(speech_dbfs(folder, rows["same_far_0"], 1))
    assert levels[1] - levels[0] == pytest.approx(6.02, abs=0.02)


def test_by_loudness_every_segment_reads_its_lufs(tmp_path: Path) -> None:
    rows = made(tmp_path / "s", "level={lufs=-23}")
    for row in rows.values():
        for segment in row["segments"]:
            assert segment["lufs"] == pytest.approx(-23, abs=0.05)
            assert segment["level"]["requested_dbfs"] is None
            assert segment["level"]["requested_lufs"] == -23


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("level={dbfs=-20, lufs=-23}", "allowed: dbfs or lufs, not both"),
        ("level={lufs=-23, at='before_room'}", "level.lufs: allowed after the room alone"),
        ("level.reference_m=1", 'level.reference_m: allowed with at = "before_room" alone'),
        ("level.at=outside", 'field level.at: found "outside"; allowed: after_room, before_room'),
    ],
)
def test_policies_at_odds_are_refused(override: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        read_recipe(RECIPE, [override])
    assert told in str(error.value)
