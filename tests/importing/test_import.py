"""Import: every recording and every prompt ends somewhere, with a reason, and nothing is lost."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from synthkit import schemas
from synthkit.importing.items import read_items
from synthkit.scripts.prompts import read_prompts
from tests.commands import synthkit
from tests.importing.recordings import RATE, checks, rows, script, talk, voiced, write

Make = Callable[[Path], object]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two good recordings of the prompts a and b."""
    script(tmp_path / "talk.jsonl", "a", "b")
    write(tmp_path / "in" / "a.wav", voiced(f0=120))
    write(tmp_path / "in" / "b.wav", voiced(f0=180))
    return tmp_path


def taken(home: Path, *options: object, out: str = "out") -> Any:
    arguments = ("--scripts", home / "talk.jsonl", "--out", home / out, *options)
    return synthkit("import", home / "in", *arguments)


def alone(home: Path, make: Make, name: str = "a.wav", *options: object) -> dict[str, Any]:
    """The row of a recording that ``make`` makes in the place of the good one of ``a``."""
    (home / "in" / "a.wav").unlink()
    make(home / "in" / name)
    assert taken(home, *options).exit_code in (0, 1)
    found = rows(home / "out")
    assert found["b"]["status"] == "retained"  # one costs no other
    return found["a"]


@pytest.mark.parametrize(
    ("name", "rate", "kind", "container", "subtype"),
    [
        ("a.flac", 44100, {}, "FLAC", "PCM_16"),
        ("A.WAV", 48000, {"subtype": "FLOAT"}, "WAV", "FLOAT"),
        ("sub/a.wav", 16000, {"subtype": "PCM_U8"}, "WAV", "PCM_U8"),
        ("a.aiff", 22050, {"subtype": "PCM_24"}, "AIFF", "PCM_24"),
        ("a.ogg", 44100, {}, "OGG", "VORBIS"),
        ("a.wav", 8000, {}, "WAV", "PCM_16"),
    ],
)
def test_any_kind_of_file_becomes_one_form_and_one_level(
    home: Path, name: str, rate: int, kind: dict[str, Any], container: str, subtype: str
) -> None:
    # The two channels hold one voice, one at half the other's level.
    samples = voiced(rate=rate, noise_dbfs=-60)
    row = alone(home, lambda p: write(p, np.stack((samples, samples / 2), 1), rate, **kind), name)
    assert (row["status"], row["reasons"]) == ("retained", [])
    source = row["source"]
    assert (source["container"], source["subtype"], source["channels"]) == (container, subtype, 2)
    assert row["inputs"] == [source["file"]] == [name]
    info = soundfile.info(home / "out" / "audio" / "a.wav")
    assert (info.format, info.subtype, info.samplerate, info.channels) == (
        "WAV",
        "PCM_16",
        16000,
        1,
    )
    pcm, _ = soundfile.read(home / "out" / "audio" / "a.wav", dtype="int16")
    window = pcm[row["speech_start"] : row["speech_end"]] / 32768
    assert 20 * np.log10(np.sqrt(np.mean(window**2))) == pytest.approx(-20, abs=0.01)
    # 1.6 s of speech, found to within a frame or two; 20 ms before it and 200 ms after it.
    assert len(window) / 16000 == pytest.approx(1.6, abs=0.05)
    assert (row["speech_start"], row["num_samples"]) == (320, 320 + len(window) + 3200)
    assert row["pcm_sha256"] == hashlib.sha256(pcm.astype("<i2").tobytes()).hexdigest()
    assert bool(row["remarks"] and "nothing over 4000 Hz" in row["remarks"][0]) == (rate == 8000)


def test_a_float_file_over_full_scale_is_not_clipped(home: Path) -> None:
    loud = 20 * voiced()
    assert np.abs(loud).max() > 1.5
    row = alone(home, lambda path: write(path, loud, subtype="FLOAT"))
    assert row["status"] == "retained"
    assert row["source"]["peak_dbfs"] > 3
    assert row["true_peak_dbtp"] <= 0


def cut(path: Path) -> None:
    whole = write(path, voiced()).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


@pytest.mark.parametrize(
    ("make", "check", "said"),
    [
        (lambda p: write(p, (12 * voiced()).clip(-1, 1)), "clipping", "allowed: none"),
        (lambda p: write(p, np.zeros(RATE)), "no_speech", "digital silence"),
        (
            lambda p: write(p, 0.02 * np.random.default_rng(1).standard_normal(2 * RATE)),
            "signal_to_noise",
            "allowed: 15 dB or more",
        ),
        (lambda p: write(p, voiced(noise_dbfs=-32)), "signal_to_noise", "dB over the noise"),
        (lambda p: write(p, voiced(0.7)), "length", "too short for its text: 0.7"),
        (lambda p: write(p, voiced(6.0)), "length", "too long for its text: 6.0"),
        (cut, "cut_short", "cut short: "),
        (lambda p: write(p, voiced(), format="FLAC"), "content_type", "extension .wav, found FLAC"),
        (lambda p: p.write_text("not sound"), "unreadable", "not a readable sound file"),
        (lambda p: p.write_bytes(b""), "unreadable", "not a readable sound file"),
        (lambda p: write(p, voiced(rate=6000), 6000), "sampling_rate", "allowed: 8000 Hz or more"),
        (lambda p: write(p, np.outer(voiced(), (1, -1))), "unreadable", "channels cancel"),
        (os.mkfifo, "unreadable", "not a regular file"),
        (lambda p: write(p, np.full(RATE, np.nan), subtype="FLOAT"), "unreadable", "finite"),
    ],
    ids=["clipped", "silent", "noise", "noisy", "short", "long", "cut", "flac", "text", "empty",
         "slow", "cancels", "pipe", "nan"],
)  # fmt: skip
def test_a_faulty_recording_is_rejected_with_what_was_found(
    home: Path, make: Make, check: str, said: str
) -> None:
    row = alone(home, make)
    assert row["status"] == "rejected"
    assert check in checks(row)
    assert any(said in reason["what"] for reason in row["reasons"])
    assert row["file"] is None and not (home / "out" / "audio" / "a.wav").exists()
    assert [one["id"] for one in read_items(home / "out")] == ["a", "b"]


def test_all_that_is_wrong_with_a_recording_is_told_at_once(home: Path) -> None:
    row = alone(home, lambda p: write(p, (12 * voiced(0.7, rate=6000)).clip(-1, 1), 6000))
    assert checks(row) == ["sampling_rate", "clipping", "length"]


@pytest.mark.parametrize(
    ("make", "option"),
    [
        (lambda p: write(p, (12 * voiced()).clip(-1, 1)), ("--max-clipped-runs", 100000)),
        (lambda p: write(p, voiced(noise_dbfs=-32)), ("--min-snr-db", 3)),
        (lambda p: write(p, voiced(6.0)), ("--letters-per-second", 1, 25)),
        (lambda p: write(p, voiced(rate=6000), 6000), ("--min-sampling-rate", 6000)),
        (lambda p: write(p, np.outer(voiced(), (1, -1))), ("--channel", 0)),
    ],
    ids=["clipped", "noisy", "long", "slow", "cancels"],
)
def test_a_researcher_may_allow_more(home: Path, make: Make, option: tuple[object, ...]) -> None:
    if "--channel" in option:
        write(home / "in" / "b.wav", np.outer(voiced(f0=180), (1, -1)))
    assert alone(home, make, "a.wav", *option)["status"] == "retained"


def test_a_level_that_the_peaks_do_not_allow_rejects(home: Path) -> None:
    clicks = 0.05 * voiced()
    clicks[RATE // 2 : -RATE // 2 : RATE // 5] = 0.9  # a knock on the microphone, again and again
    row = alone(home, lambda p: write(p, clicks))
    assert checks(row) == ["level"]
    assert "limiting" in row["reasons"][0]["what"]


def test_the_counts_cover_every_prompt_and_every_file(home: Path) -> None:
    script(home / "talk.jsonl", "a", "b", "c", "d")
    write(home / "in" / "d.wav", voiced())
    write(home / "in" / "more" / "D.flac", voiced())
    write(home / "in" / "stray.wav", voiced())
    (home / "in" / "notes.txt").write_text("of the session")
    (home / "in" / "b.txt").write_text("its words")
    run = taken(home, "--json", home / "told.json")
    assert run.exit_code == 1
    assert run.stdout.splitlines()[-1].endswith(
        "4 prompts: 2 retained, 1 rejected (ambiguous 1), 1 missing; 3 files of no prompt"
    )
    found = rows(home / "out")
    assert [row["status"] for row in found.values()] == [
        "retained", "retained", "missing", "rejected",
    ]  # fmt: skip
    assert found["d"]["inputs"] == ["d.wav", "more/D.flac"]
    told = json.loads((home / "told.json").read_text())
    assert told["unmatched"] == ["b.txt", "notes.txt", "stray.wav"]
    assert told["counts"] == {
        "prompts": 4, "retained": 2, "rejected": 1, "missing": 1, "files": 7, "unmatched": 3,
    }  # fmt: skip


def test_a_recording_of_a_kind_that_cannot_be_read_is_no_missing_one(home: Path) -> None:
    row = alone(home, lambda p: p.write_bytes(b"\0\0\0\x1cftypM4A "), "a.m4a")
    assert (row["status"], checks(row)) == ("rejected", ["unreadable"])


@pytest.mark.parametrize("copy", ["b.wav", "b.flac"], ids=["file", "sound"])
def test_one_sound_for_two_prompts_is_rejected_for_both(home: Path, copy: str) -> None:
    (home / "in" / "b.wav").unlink()
    samples, rate = soundfile.read(home / "in" / "a.wav", dtype="int16")
    write(home / "in" / copy, samples, rate)
    assert taken(home).exit_code == 1
    found = rows(home / "out")
    assert [checks(row) for row in found.values()] == [["duplicate"], ["duplicate"]]
    assert not list((home / "out" / "audio").iterdir())


def test_the_rows_keep_the_design_of_the_script(home: Path) -> None:
    taken(home)
    row, wanted = rows(home / "out")["a"], talk("a")
    for name in ("family", "configuration", "target"):
        assert row[name] == wanted[name]
    assert row["lines"] == [{"role": "assistant", "text": row["text"]}]
    (prompt, _) = read_prompts(home / "talk.jsonl")
    assert (prompt.id, prompt.text) == (row["id"], row["text"])
    schemas.check(json.loads((home / "out" / "import.json").read_text()), "import", "here")


def test_a_command_is_recorded_in_two_parts(home: Path) -> None:
    command = {
        "id": "c",
        "tool": "t",
        "context": "It is late and dark.",
        "trigger": "Call Anna now.",
    }
    (home / "talk.jsonl").write_text(json.dumps(command))
    write(home / "in" / "c__context.wav", voiced(1.1))
    write(home / "in" / "c__trigger.wav", voiced(0.9, f0=200))
    assert taken(home).exit_code == 0
    found = rows(home / "out")
    assert [(row["item"], row["tool"], row["target"]) for row in found.values()] == [
        ("c", "t", None)
    ] * 2


def test_stand_ins_are_marked_and_those_of_other_words_rejected(home: Path) -> None:
    text = talk("a")["utterances"][0]["text"]
    told = {"a": {"voice": "x/y", "text": text}, "b": {"voice": "x/y", "text": "Something else."}}
    content = {"schema_version": 1, "synthetic": True, "recordings": told}
    (home / "in" / "stand_ins.json").write_text(json.dumps(content))
    run = taken(home)
    found = rows(home / "out")
    assert (found["a"]["status"], found["a"]["stand_in"]) == ("retained", True)
    assert (checks(found["b"]), found["b"]["stand_in"]) == (["stand_in"], True)
    assert "2 prompts (2 stand-ins)" in run.stdout
    twice = json.dumps({**content, "recordings": {**told, "A": told["b"]}})
    false = json.dumps({**content, "synthetic": False})
    for broken in ("{}", false, twice, "[", "[]"):
        (home / "in" / "stand_ins.json").write_text(broken)
        assert taken(home, out="other").exit_code == 2
    assert not (home / "other").exists()


def test_verify_knows_what_was_imported_and_finds_what_changes(home: Path) -> None:
    taken(home)
    out = home / "out"
    asked = ("--level-dbfs", "-20", "--max-true-peak", "0", "--format", "wav/pcm16/16000/1")
    run = synthkit("verify", out, *asked)
    assert (run.exit_code, run.stdout.splitlines()[-1].endswith("all good")) == (0, True)
    run = synthkit("verify", out, "--sums", out / "SHA256SUMS")
    assert (run.exit_code, "5 files listed; 0 faults" in run.stdout) == (0, True)
    samples, rate = soundfile.read(out / "audio" / "a.wav", dtype="int16")
    soundfile.write(out / "audio" / "a.wav", samples // 2, rate)
    assert "a.wav: sha256 is" in synthkit("verify", out).stdout
    assert synthkit("verify", out, "--sums", out / "SHA256SUMS").exit_code == 1
