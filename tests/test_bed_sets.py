"""Sets with a noise bed: the same noise in every condition, and off again to the bit."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.errors import InputError
from synthkit.generate import Outcome, generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.verify import verify
from tests.conftest import DATA, ROOT, rows_of
from tests.test_generate import files_of

RECIPE = DATA / "eight_tone.toml"
KINDS = {
    "pink": 'kind="pink", snr_db=20',
    "room_tone": 'kind="room_tone", level_dbfs=-45',
}


def made(folder: Path, *overrides: str, limit: int = 2) -> Outcome:
    return generate(make_plan(read_recipe(RECIPE, overrides), limit=limit), folder)


def pcm(path: Path) -> np.ndarray:
    samples, rate = soundfile.read(path, dtype="int16")
    assert rate == 16000
    return samples


@pytest.mark.parametrize("kind", KINDS)
def test_a_set_with_its_bed_taken_off_is_the_plain_set(tmp_path: Path, kind: str) -> None:
    bed = f"beds.under={{{KINDS[kind]}}}"
    assert not made(tmp_path / "noisy", bed, "bed=under").failures
    assert not made(tmp_path / "plain").failures
    report = verify(tmp_path / "noisy")
    assert report.good, report.faults
    plain = rows_of(tmp_path / "plain")
    for command, rows in rows_of(tmp_path / "noisy").items():
        for name, row in rows.items():
            other = plain[command][name]
            noise = pcm(tmp_path / "noisy" / row["bed"]["file"]).astype(int)
            clip = pcm(tmp_path / "noisy" / row["file"]).astype(int) - noise[: row["num_samples"]]
            assert np.array_equal(clip, pcm(tmp_path / "plain" / other["file"]))
            for part, same in zip(row["segments"], other["segments"], strict=True):
                assert part["pcm_sha256"] == same["pcm_sha256"]
                assert part["level"] == same["level"]


def test_one_bed_a_command_the_same_in_all_conditions(tmp_path: Path) -> None:
    made(tmp_path / "set", f"beds.under={{{KINDS['pink']}}}", "bed=under")
    files = set()
    for rows in rows_of(tmp_path / "set").values():
        (file,) = {row["bed"]["file"] for row in rows.values()}
        files.add(file)
        longest = max(row["num_samples"] for row in rows.values())
        noise = pcm(tmp_path / "set" / file)
        assert len(noise) == longest
        # 20 dB under speech at -20 dBFS, over the whole bed.
        assert 10 * np.log10(np.mean((noise / 32768) ** 2)) == pytest.approx(-40, abs=0.01)
        content = (tmp_path / "set" / file).read_bytes()
        assert Path(file).stem == hashlib.sha256(content).hexdigest()
    assert len(files) == 2
    assert {f"beds/{p.name}" for p in (tmp_path / "set" / "beds").iterdir()} == files


def test_a_bed_as_a_factor_is_declared_and_changes_nothing_else(tmp_path: Path) -> None:
    outcome = made(
        tmp_path / "set", f"beds.under={{{KINDS['pink']}}}", "bed=$noise", "grid=six",
        'factors.noise=["none", "under"]', limit=1,
    )  # fmt: skip
    assert not outcome.failures
    assert verify(tmp_path / "set").good
    (rows,) = rows_of(tmp_path / "set").values()
    assert len(rows) == 12
    quiet, noisy = rows["same_near_0_none"], rows["same_near_0_under"]
    assert quiet["bed"] is None
    assert noisy["bed"]["name"] == "under"
    keys = [[s["segment_key"] for s in row["segments"]] for row in (quiet, noisy)]
    assert keys[0] == keys[1]


def test_two_levels_of_one_noise_are_one_noise(tmp_path: Path) -> None:
    beds = ['beds.soft={kind="pink", snr_db=30}', 'beds.loud={kind="pink", snr_db=20}']
    outcome = made(
        tmp_path / "set", *beds, "bed=$noise", "grid=pair", 'factors.noise=["soft", "loud"]',
        limit=1,
    )  # fmt: skip
    assert not outcome.failures
    assert outcome.text == 1
    (rows,) = rows_of(tmp_path / "set").values()
    soft, loud = (
        pcm(tmp_path / "set" / rows[f"switch_{name}"]["bed"]["file"]) for name in ("soft", "loud")
    )
    # 10 dB is a factor of 3.1623; each is rounded to a step.
    np.testing.assert_allclose(loud, 3.1623 * soft, atol=2.2)


def test_a_clip_whose_peak_passes_full_scale_with_its_bed_fails_by_name(tmp_path: Path) -> None:
    outcome = made(tmp_path / "set", "level.dbfs=-12", 'beds.n={kind="pink", snr_db=14}', "bed=n")
    assert outcome.failures
    assert all("with its bed is" in failure.reason for failure in outcome.failures)
    told = {fault.where for fault in verify(tmp_path / "set").faults}
    assert told == {failure.id for failure in outcome.failures}


def test_a_babble_is_of_voices_that_are_not_in_the_command(tmp_path: Path) -> None:
    recipe = read_recipe(
        ROOT / "examples" / "demo.toml",
        ['beds.cafe={kind="babble", num_talkers=5, snr_db=15}', "bed=cafe", "grid=pair"],
    )
    plan = make_plan(recipe, limit=1)
    (assignment,) = plan.commands
    talkers = next(clip.bed.talkers for clip in plan.clips() if clip.bed)
    assert len(talkers) == 7
    assert not {assignment.cast.wearer, assignment.cast.bystander} & set(talkers)
    assert not generate(plan, tmp_path / "set").failures
    assert verify(tmp_path / "set").good


def test_a_babble_in_one_split_has_no_voice_that_another_holds_out() -> None:
    recipe = read_recipe(
        ROOT / "examples" / "held_out_rooms.toml",
        ['beds.cafe={kind="babble", num_talkers=3, snr_db=15}', "bed=cafe"],
    )
    own = {name: set(table["voices"]) for name, table in recipe.values["splits"].items()}
    for clip in make_plan(recipe).clips():
        other = "test" if clip.assignment.split == "train" else "train"
        assert clip.bed is not None
        assert not own[other] & set(clip.bed.talkers)


def test_a_users_file_travels_with_the_set(tmp_path: Path) -> None:
    hum = 0.1 * np.random.default_rng(3).standard_normal((48000 * 3, 2))
    soundfile.write(tmp_path / "street.flac", hum, 48000)
    bed = f'beds.street={{kind="file", path="{tmp_path / "street.flac"}", snr_db=25}}'
    assert not made(tmp_path / "first", bed, "bed=street", limit=1).failures
    (tmp_path / "street.flac").unlink()
    again = read_recipe(tmp_path / "first" / "recipe" / "recipe.toml")
    assert not generate(make_plan(again), tmp_path / "second").failures
    assert files_of(tmp_path / "first") == files_of(tmp_path / "second")
    assert verify(tmp_path / "first").good


def test_a_sum_that_passes_16_bits_fails_by_name(tmp_path: Path) -> None:
    # Speech near full scale and a bed at -20 dBFS: their sum cannot hold everywhere.
    outcome = made(
        tmp_path / "set", "level.dbfs=-11", 'beds.loud={kind="pink", level_dbfs=-20}', "bed=loud",
        limit=1,
    )  # fmt: skip
    assert outcome.failures
    assert all("with its bed is" in failure.reason for failure in outcome.failures)
    assert outcome.audio + len(outcome.failures) == 8


def test_another_bed_under_one_condition_is_seen(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    made(folder, f"beds.under={{{KINDS['pink']}}}", "bed=under", limit=1)
    path = next((folder / "beds").iterdir())
    noise = pcm(path)
    soundfile.write(path, np.roll(noise, 1), 16000, subtype="PCM_16")
    found = [str(fault) for fault in verify(folder).faults]
    assert any("sha256" in fault for fault in found)
    assert any("pcm_sha256 of its samples is not the manifest's" in fault for fault in found)


def test_an_altered_bed_is_made_again_by_the_next_run(tmp_path: Path) -> None:
    overrides = (f"beds.under={{{KINDS['pink']}}}", "bed=under")
    made(tmp_path / "set", *overrides, limit=1)
    before = files_of(tmp_path / "set")
    next((tmp_path / "set" / "beds").iterdir()).write_bytes(b"RIFF")
    made(tmp_path / "set", *overrides, limit=1)
    assert files_of(tmp_path / "set") == before


def test_a_row_without_the_beds_name_is_seen(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    made(folder, f"beds.under={{{KINDS['pink']}}}", "bed=under", limit=1)
    lines = (folder / "manifest.jsonl").read_text().splitlines()
    row = json.loads(lines[0])
    row["bed"] = None
    (folder / "manifest.jsonl").write_text("\n".join([json.dumps(row), *lines[1:]]) + "\n")
    found = [str(fault) for fault in verify(folder).faults]
    assert any("bed is none; allowed in this condition: under" in fault for fault in found)
    assert any("gap has" in fault or "pcm_sha256" in fault for fault in found)


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (
            ["level={lufs=-23}", 'beds.a={kind="pink", snr_db=20}', "bed=a"],
            "beds.a.snr_db: allowed with a level in dbfs",
        ),
        (["bed=rain"], "field bed: found 'rain'; allowed: none"),
        (["bed=$rain"], "field bed: $rain is no variable"),
        (['beds.a={kind="pink"}', "bed=a"], "field beds.a"),
        (['beds.a={kind="pink", snr_db=90}'], "field beds.a"),
        (["factors.noise=['none', 'x']", "bed=$noise"], "field bed: found 'x'; allowed: none"),
        (['beds.a={kind="file", path="nowhere.wav", snr_db=10}'], "field beds.a"),
    ],
)
def test_beds_that_cannot_be_are_refused(overrides: list[str], told: str) -> None:
    with pytest.raises(InputError) as error:
        make_plan(read_recipe(RECIPE, overrides))
    assert told in str(error.value)
