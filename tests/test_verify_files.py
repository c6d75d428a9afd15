"""Any sound files against what is asked of them, by the command as it is called."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.commands import synthkit

RATE = 16000


def verify(*arguments: object) -> tuple[int, list[str]]:
    """Exit code, and the lines without the last."""
    run = synthkit("verify", *arguments)
    return run.exit_code, run.stdout.splitlines()[:-1]


def tone(amplitude: float, seconds: float = 0.5) -> np.ndarray:
    wave = np.sin(2 * np.pi * 997 * np.arange(round(seconds * RATE)) / RATE)
    pcm = np.rint(32768 * amplitude * wave)  # soundfile would cut off instead of rounding
    return np.clip(pcm, -32768, 32767).astype(np.int16)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sine of amplitude 0.141421, which is -20 dBFS RMS and -16.99 dBFS peak."""
    soundfile.write(tmp_path / "a.wav", tone(0.1 * np.sqrt(2)), RATE)
    return tmp_path


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("", None),
        ("--level-dbfs -20", None),
        ("--level-dbfs -20 --level-over file --tolerance-db 0.001", None),
        ("--level-dbfs -20.09", None),
        ("--level-dbfs -20.11", "level over the speech is -20.0000 dBFS; allowed: -20.11 dBFS"),
        ("--level-dbfs 0", "level over the speech is -20.0000 dBFS; allowed: 0 dBFS within 0.1 dB"),
        ("--level-dbfs -21 --tolerance-db 1.01", None),
        (
            "--level-dbfs -19 --level-over segments",
            "level over segment 1, 0.000 to 0.500 s, is -20",
        ),
        ("--level-dbfs -19 --level-over file", "level over the whole file is -20.0000 dBFS"),
        ("--lufs -20 --tolerance-db 0.7", None),
        ("--lufs -30", "LUFS; allowed: -30 LUFS within 0.1 dB"),
        ("--max-true-peak -16.9", None),
        ("--max-true-peak -17.1", "dBTP; allowed: up to -17.1"),
        ("--format pcm16/16000/1", None),
        ("--format WAV/PCM16/16000/1", None),
        ("--format any/any/any", None),
        ("--format flac/any/any/any", "container is wav; allowed: flac"),
        ("--format pcm24/16000/1", "encoding is pcm16; allowed: pcm24"),
        ("--format pcm16/8000/1", "sampling rate is 16000 Hz; allowed: 8000"),
        ("--format pcm16/16000/2", "channels: 1; allowed: 2"),
        ("--min-seconds 0.5 --max-seconds 0.5 --no-clipping", None),
        ("--min-seconds 0.6", "length is 0.5 s; allowed: 0.6 or more"),
        ("--max-seconds 0.4", "length is 0.5 s; allowed: up to 0.4"),
        ("--channel 1", "channel 1; allowed: 0 to 0"),
    ],
)
def test_a_file_is_checked_for_what_is_asked(folder: Path, options: str, fault: str | None) -> None:
    code, lines = verify(folder, *options.split())
    if fault is None:
        assert (code, lines) == (0, [])
    else:
        (line,) = lines
        assert code == 1
        assert line.startswith(f"{folder}/a.wav: ")
        assert fault in line


def test_clipping_and_only_if_it_is_asked_for(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", tone(2.0), RATE)
    assert verify(tmp_path) == (0, [])
    code, (line,) = verify(tmp_path, "--no-clipping")
    assert code == 1
    assert "clipped: runs of samples at its largest value: 997; allowed: none" in line


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.write_bytes(b""), "not a readable sound file"),
        (lambda path: path.write_text("hello"), "not a readable sound file"),
        (lambda path: soundfile.write(path, np.zeros(0), RATE), "0 samples"),
        (lambda path: soundfile.write(path, np.zeros(RATE), RATE), "no speech"),
        (lambda path: soundfile.write(path, np.array([0.1, np.nan]), RATE, "FLOAT"), "sample 1 is"),
        (lambda path: path.symlink_to("nowhere"), "not a readable sound file"),
        (lambda path: path.symlink_to(path), "not a readable sound file"),
        (os.mkfifo, "not a readable sound file"),
    ],
    ids=["empty", "text", "nothing", "silent", "nan", "dangling", "loop", "fifo"],
)
def test_whatever_is_asked_a_file_has_to_be_whole_finite_sound(
    tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    make(tmp_path / "a.wav")
    code, (line,) = verify(tmp_path, "--level-dbfs", "-20")
    assert code == 1
    assert said in line


def test_a_file_cut_short_is_a_fault(folder: Path) -> None:
    path = folder / "a.wav"
    path.write_bytes(path.read_bytes()[:-1000])
    assert verify(folder)[1] == [f"{path}: cut short: 7500 of 8000 samples"]


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "nowhere",
        "a.wav nowhere.wav",
        "empty",
        "a.wav --tolerance-db 1",
        "a.wav --level-over file",
        "a.wav --times times.csv",
        "a.wav --level-dbfs -20 --times nowhere.csv",
        "a.wav --level-dbfs -20 --level-over file --min-gap-ms 100",
        "a.wav --level-dbfs nan",
        "a.wav --max-true-peak inf",
        "a.wav --min-seconds 2 --max-seconds 1",
        "a.wav --format pcm16",
        "a.wav --format mp4/pcm16/16000/1",
        "a.wav --format pcm16/16k/1",
        "a.wav --format pcm16/0/1",
        "a.wav --format pcm16/16000/1/1",
        "a.wav --sums nowhere",
        "--sums nowhere",
        "--manifest nowhere",
        "--manifest a.wav",
        "a.wav --json .",
        "a.wav --json a.wav/report.json",
    ],
)
def test_what_cannot_be_checked_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.chdir(folder)
    (folder / "empty").mkdir()
    before = sorted(folder.rglob("*"))
    run = synthkit("verify", *arguments.split())
    assert run.exit_code == 2
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1 or "Invalid value" in run.stderr
    assert sorted(folder.rglob("*")) == before


def test_each_file_is_checked_once_and_links_to_folders_are_said(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "loop").symlink_to(folder)
    soundfile.write(folder / "sub" / "b.flac", tone(0.1), RATE)
    (folder / "sub" / ".hidden.wav").write_text("")
    (folder / "notes.txt").write_text("")
    path = folder / "a.wav"
    run = synthkit("verify", folder, path, path, f"{folder}/sub/../a.wav")
    assert run.exit_code == 0
    assert "2 files, 2 good, 0 faulty, without a manifest" in run.stdout
    assert f"{folder}/loop: a link to a folder, which is not followed" in run.stderr


def test_names_cannot_forge_lines(tmp_path: Path) -> None:
    for name in ("new\nline.wav", "\x1b[31mred.wav", "sp ace.wav"):
        (tmp_path / name).write_text("")
    (tmp_path / os.fsdecode(b"caf\xe9.wav")).write_text("")
    run = synthkit("verify", tmp_path, "--json", tmp_path / "r.json")
    assert run.exit_code == 1
    assert len(run.stdout.splitlines()) == 5
    assert "\x1b" not in run.stdout
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert (report["files"], report["faulty_files"], len(report["faults"])) == (4, 4, 4)


def test_each_segment_of_a_clip_is_checked_where_it_is_asked_for(tmp_path: Path) -> None:
    # -20 and -23.01 dBFS: the mean power of the two is that of -21.25.
    quiet, loud = tone(0.1), tone(0.1 * np.sqrt(2))
    clip = np.concatenate((loud, np.zeros(RATE // 2, np.int16), quiet))
    soundfile.write(tmp_path / "a.wav", clip, RATE)
    times = tmp_path / "times.csv"
    times.write_text("file,start,end,role\na.wav,0,0.5,context\na.wav,1,1.5,trigger\n")
    assert verify(tmp_path, "--level-dbfs", "-21.25")[0] == 0
    told = ("--times", times, "--level-over", "segments")
    code, (line,) = verify(tmp_path, "--level-dbfs", "-20", *told)
    assert code == 1
    assert "level over segment 2 (trigger), 1.000 to 1.500 s, is -23.0103 dBFS" in line


def test_the_report_tells_what_was_expected(folder: Path) -> None:
    report = folder / "report.json"
    verify(folder, "--level-dbfs", "-23", "--format", "pcm16/16000/1", "--json", report)
    told = json.loads(report.read_text())
    assert (told["good"], told["files"], told["good_files"]) == (False, 1, 0)
    assert told["expected"]["level_dbfs"] == -23
    assert told["expected"]["format"] == "any/pcm16/16000/1"
    printed = synthkit("verify", folder, "--json", "-")
    assert json.loads(printed.stdout)["good"]


def test_a_set_is_checked_by_its_manifest_with_the_tolerances_asked_for(
    tone_set: Callable[[str], Path],
) -> None:
    folder = tone_set("pair")
    assert synthkit("verify", folder).exit_code == 0
    assert synthkit("verify", folder, "--tolerance-db", "0.05").exit_code == 0
    code, lines = verify(folder, "--max-true-peak", "-19")
    assert code == 1
    assert all("dBTP; allowed: -19" in line for line in lines)
    refused = synthkit("verify", folder, "--level-dbfs", "-20")
    assert refused.exit_code == 2
    assert "allowed: --tolerance-db, --max-true-peak" in refused.stderr
    assert synthkit("verify", folder, folder / "audio").exit_code == 2


def test_a_sets_manifest_may_lie_elsewhere(tone_set: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tone_set("pair")
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    other = tmp_path / "reference.jsonl"
    other.write_text("".join(lines), encoding="utf-8")
    assert synthkit("verify", folder, "--manifest", other).exit_code == 0
    other.write_text("".join(lines[1:]), encoding="utf-8")
    code, faults = verify(folder, "--manifest", other)
    assert code == 1
    assert any("extra file: no row names it" in fault for fault in faults)


def test_the_near_clips_of_a_set_read_their_level_without_its_manifest(speech_set: Path) -> None:
    """The speech that is found by energy is the speech that was put there."""
    near = sorted(speech_set.glob("audio/*/*_near_*.wav"))
    assert len(near) == 16
    options = ("--level-dbfs", "-20", "--max-true-peak", "0", "--format", "wav/pcm16/16000/1")
    assert verify(*near, *options) == (0, [])
