"""Verify must see every kind of damage, name it on one line, and never take it for good."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.verify import verify


@pytest.fixture
def pair(tone_set, tmp_path) -> Path:
    """A fresh copy of a good pair set, to be damaged."""
    return Path(shutil.copytree(tone_set("pair"), tmp_path / "copy"))


CLIP = "unlock_door_01__switch"
FILE = "audio/unlock_door_01/switch.wav"


def whats(folder: Path) -> list[str]:
    report = verify(folder)
    assert not report.good
    assert all("\n" not in str(fault) for fault in report.faults)
    return [str(fault) for fault in report.faults]


def edit_row(folder: Path, clip: str, change) -> None:
    """Change a manifest row, and the checksums with it, as somebody careful would."""
    path = folder / "manifest.jsonl"
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["id"] == clip:
            change(row)
        lines.append(json.dumps(row, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    refresh_sums(folder, "manifest.jsonl")


def edit_samples(folder: Path, change) -> None:
    """Change a clip's samples and mend every hash of the whole file."""
    pcm, rate = soundfile.read(folder / FILE, dtype="int16")
    pcm = change(pcm)
    soundfile.write(folder / FILE, pcm, rate, subtype="PCM_16")
    digest = hashlib.sha256((folder / FILE).read_bytes()).hexdigest()
    edit_row(folder, CLIP, lambda row: row.update(sha256=digest))
    refresh_sums(folder, FILE)


def refresh_sums(folder: Path, name: str) -> None:
    path = folder / "SHA256SUMS"
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    lines = [
        f"{digest}  {name}" if line.endswith(f"  {name}") else line
        for line in path.read_text().splitlines()
    ]
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("grid", ["pair", "six", "eight"])
def test_a_fresh_set_is_all_good_and_counted(tone_set, grid):
    report = verify(tone_set(grid))
    clips = {"pair": 3, "six": 6, "eight": 8}[grid] * 4
    assert report.good
    assert report.rows == report.audio + report.text == clips
    assert report.segments == 2 * report.audio
    assert report.gaps == report.audio


def test_an_empty_manifest_is_not_all_good(pair):
    (pair / "manifest.jsonl").write_text("")
    shutil.rmtree(pair / "audio")
    assert any("nothing was checked" in what for what in whats(pair))


def test_an_empty_folder_is_not_all_good(tmp_path):
    assert any("manifest.jsonl" in what for what in whats(tmp_path))


def test_one_changed_sample_is_seen_in_file_and_segment(pair):
    def bump(pcm):
        pcm[2000] += 1
        return pcm

    edit_samples(pair, bump)
    assert whats(pair) == [f"{CLIP}: context: pcm_sha256 of its samples is not the manifest's"]


def test_a_changed_file_is_seen_by_its_hash(pair):
    path = pair / FILE
    path.write_bytes(path.read_bytes() + b"\0\0")
    found = whats(pair)
    assert any(what.startswith(f"{CLIP}: sha256 is") for what in found)
    assert any("SHA256SUMS" in what for what in found)


def test_a_sound_in_the_gap_is_counted(pair):
    gap = next(
        json.loads(line)["gaps"][0]
        for line in (pair / "manifest.jsonl").read_text().splitlines()
        if json.loads(line)["id"] == CLIP
    )

    def bump(pcm):
        pcm[[gap["start"], gap["end"] - 1]] = 1
        return pcm

    edit_samples(pair, bump)
    assert whats(pair) == [f"{CLIP}: gap has 2 samples that are not zero; allowed: digital silence"]


def test_a_quieter_clip_is_seen_by_its_level(pair):
    edit_samples(pair, lambda pcm: np.rint(pcm * 10 ** (-0.2 / 20)).astype("int16"))
    found = whats(pair)
    levels = [what for what in found if "speech level is -20.2" in what]
    assert len(levels) == 2
    assert "allowed: -20 within 0.1 dB" in levels[0]


def test_a_level_within_tolerance_still_has_to_be_the_recorded_one(pair):
    edit_samples(pair, lambda pcm: np.rint(pcm * 10 ** (-0.05 / 20)).astype("int16"))
    assert any(
        "speech level in dBFS is -20.05" in what and "manifest: -20.0" in what
        for what in whats(pair)
    )


def test_a_true_peak_over_full_scale_is_seen_though_no_sample_is(pair):
    def peaky(pcm):
        # Samples of a quarter-rate sine at 45 degrees: peak between samples 3 dB higher.
        pcm[2000:2040] = np.tile([30000, 30000, -30000, -30000], 10)
        return pcm

    edit_samples(pair, peaky)
    assert any("true peak is" in what and "allowed: 0" in what for what in whats(pair))


def test_a_missing_and_an_extra_file_are_named(pair):
    (pair / FILE).rename(pair / "audio" / "unlock_door_01" / "other.wav")
    found = whats(pair)
    assert f"{CLIP}: file {FILE} is missing" in found
    assert "audio/unlock_door_01/other.wav: extra file: no row names it" in found


def test_a_wrong_format_is_named(pair):
    soundfile.write(pair / FILE, np.zeros((100, 2)), 16000, subtype="PCM_24")
    assert any("WAV/PCM_24, 2 channels; allowed: WAV/PCM_16" in what for what in whats(pair))


def test_another_sampling_rate_is_named(pair):
    pcm, _ = soundfile.read(pair / FILE, dtype="int16")
    soundfile.write(pair / FILE, pcm, 8000, subtype="PCM_16")
    assert any("sampling rate is 8000 Hz; manifest: 16000" in what for what in whats(pair))


def test_a_shortened_file_is_seen_by_its_decoded_length(pair):
    data = (pair / FILE).read_bytes()
    (pair / FILE).write_bytes(data[:-2000])  # the header still claims all
    num_samples = (len(data) - 44) // 2
    cut = f"{CLIP}: switch.wav: cut short: {num_samples - 1000} of {num_samples} samples; allowed:"
    assert any(what.startswith(cut) for what in whats(pair))


def test_a_target_against_the_rule_is_seen(pair):
    call = {"action": "call", "name": "unlock_door", "params": {}}
    edit_row(pair, CLIP, lambda row: row.update(target=call))
    assert f"{CLIP}: target is call; allowed by the rule: mute" in whats(pair)


def test_factors_that_are_not_the_conditions_are_seen(pair):
    edit_row(pair, CLIP, lambda row: row["factors"].update(source="same"))
    assert any("factor source is same" in what for what in whats(pair))


def test_a_voice_in_the_wrong_role_is_seen(pair):
    edit_row(pair, CLIP, lambda row: row["segments"][1].update(voice=row["wearer"]))
    assert any(what.startswith(f"{CLIP}: trigger is") for what in whats(pair))


def test_a_row_twice_is_seen(pair):
    path = pair / "manifest.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines, lines[1]]) + "\n", encoding="utf-8")
    assert any("id stands twice" in what for what in whats(pair))


def test_a_row_taken_out_is_seen_by_the_count(pair):
    path = pair / "manifest.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[1:]) + "\n", encoding="utf-8")
    assert any("counts 8 audio rows; manifest: 7" in what for what in whats(pair))


@pytest.mark.parametrize("file", ["../outside.wav", "/etc/passwd.wav", "audio/../../outside.wav"])
def test_a_path_out_of_the_folder_is_reported_and_not_followed(pair, file):
    shutil.copy(pair / FILE, pair.parent / "outside.wav")
    edit_row(pair, CLIP, lambda row: row.update(file=file))
    found = whats(pair)
    assert any("leaves the set's folder" in what or "field file: found" in what for what in found)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_link_out_of_the_folder_is_reported_and_not_followed(pair):
    shutil.move(pair / FILE, pair.parent / "outside.wav")
    (pair / FILE).symlink_to(pair.parent / "outside.wav")
    assert any("leaves the set's folder or is a link" in what for what in whats(pair))


@pytest.mark.parametrize(
    "line", ["{", "[]", "null", '{"id": NaN}', '{"id": 1, "id": 2}', "[" * 5000, "\x00"]
)
def test_a_line_that_is_no_row_is_one_fault_and_the_others_are_checked(pair, line):
    path = pair / "manifest.jsonl"
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    refresh_sums(pair, "manifest.jsonl")
    report = verify(pair)
    assert len(report.faults) == report.faulty_rows == 1
    assert report.rows == 13
    assert report.faults[0].where == "manifest.jsonl: row 13"


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(pair):
    path = pair / "manifest.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    refresh_sums(pair, "manifest.jsonl")
    assert verify(pair).good


def test_a_damaged_description_is_a_fault(pair):
    (pair / "dataset.json").write_text("{}")
    assert any(what.startswith("dataset.json: ") for what in whats(pair))
