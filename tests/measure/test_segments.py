"""Segments and gaps: found by energy, told by times, told by a manifest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.errors import AudioError, InputError
from synthkit.measure.activity import activity
from synthkit.measure.file import Ask, Measured, measure
from synthkit.measure.manifests import is_set, told_by_manifests
from synthkit.measure.segments import by_energy, gaps
from synthkit.measure.times import read_times

RATE = 16000
FRAME = 160


def bursts(*lengths: int, amplitude: float = 0.1) -> np.ndarray:
    """Silence and noise by turns, silence first, lengths in samples."""
    rng = np.random.default_rng(3)
    parts = [
        amplitude * rng.standard_normal(length) if number % 2 else np.zeros(length)
        for number, length in enumerate(lengths)
    ]
    return np.concatenate(parts)


def test_bursts_and_the_pause_between_them_are_found_within_frames() -> None:
    samples = bursts(1600, 8000, 6400, 4800, 3200)
    found = by_energy(activity(samples, RATE), min_gap=3200)
    edges = [edge for segment in found for edge in segment.span]
    np.testing.assert_allclose(edges, [1600, 9600, 16000, 20800], atol=4 * FRAME)
    (gap,) = gaps(found, 3200)
    assert gap.num_samples == pytest.approx(6400, abs=4 * FRAME)


def test_a_pause_parts_segments_from_the_least_length_on() -> None:
    samples = bursts(0, 8000, 3200, 8000)
    pause = activity(samples, RATE)
    silent = FRAME * int((~pause.active).sum())
    assert len(by_energy(pause, silent)) == 2
    (one,) = by_energy(pause, silent + 1)
    assert one.span == (0, len(samples))
    assert gaps((one,), 0) == ()


def test_a_shortest_gap_of_nothing_does_not_cut_speech_into_frames() -> None:
    found = by_energy(activity(bursts(0, 8000, 3200, 8000), RATE), 0)
    assert len(found) == 2
    assert len(gaps(found, 0)) == 1


def test_noise_between_utterances_is_a_gap_though_it_is_not_silent() -> None:
    samples = bursts(3200, 8000, 8000, 8000, 3200)
    samples += 10 ** (-55 / 20) * np.random.default_rng(8).standard_normal(len(samples))
    assert len(by_energy(activity(samples, RATE), 3200)) == 2


def write(path: Path, samples: np.ndarray) -> Path:
    soundfile.write(path, samples, RATE, subtype="FLOAT")
    return path


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """Half a second at 0.1, a pause, half a second at 0.2."""
    tone = np.sin(2 * np.pi * 500 * np.arange(8000) / RATE)
    return write(tmp_path / "clip.wav", np.concatenate((0.1 * tone, np.zeros(8000), 0.2 * tone)))


def told(clip: Path, text: str) -> Measured:
    times = clip.parent / "times.csv"
    times.write_bytes(text.encode("utf-8"))
    return measure(clip, "clip", Ask(told=read_times(times, [clip], [])))


def test_levels_are_read_over_what_the_times_say(clip: Path) -> None:
    found = told(clip, "file,start,end,role\nclip.wav,1.0,1.5,trigger\nclip.wav,0,0.5,context\n")
    assert found.segments_from == "times"
    spans = [(part["role"], part["start"], part["end"]) for part in found.segments]
    assert spans == [("context", 0, 8000), ("trigger", 16000, 24000)]
    # Sines of 0.1 and 0.2: -20 and -13.98 dB, less 3.01; their mean power is 0.025 / 2.
    levels = [part["rms_dbfs"] for part in found.segments]
    assert levels == pytest.approx([-23.0103, -16.9897], abs=1e-3)
    assert found.readings.speech_dbfs == pytest.approx(10 * np.log10(0.0125), abs=1e-3)
    assert found.gaps == ({"start": 8000, "end": 16000, "ms": 500.0, "rms_dbfs": None},)


@pytest.mark.parametrize(
    "text",
    [
        "\ufefffile,start,end\nclip.wav,0,0.5\n",
        "file,start,end\r\nclip.wav,0,0.5\r\n",
        "\nstart,end,file,note\n0,0.5,./clip.wav,x\n\n",
        "file,start,end,label\nother.wav,0,0.5,\nclip.wav,0,0.5,\n",
    ],
    ids=["bom", "crlf", "order", "others"],
)
def test_times_are_read_in_any_spelling_of_csv(clip: Path, text: str) -> None:
    write(clip.parent / "other.wav", np.zeros(10))
    found = told(clip, text)
    assert [(part["start"], part["end"]) for part in found.segments] == [(0, 8000)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("file,start\nclip.wav,0\n", "row 2: columns end missing"),
        ("file,start,end\n", "no row is of a file"),
        ("", "no row is of a file"),
        ("file,start,end\nnone.wav,0,1\n", "row 2: file 'none.wav' is not there"),
        ("file,start,end\n,0,1\n", "row 2: file ''"),
        ("file,start,end\nclip.wav,-1,1\n", "row 2: start is '-1'; allowed: seconds"),
        ("file,start,end\nclip.wav,0,nan\n", "row 2: end is 'nan'"),
        ("file,start,end\nclip.wav,0,inf\n", "row 2: end is 'inf'"),
        ("file,start,end\nclip.wav,0,x\n", "row 2: end is 'x'"),
        ("file,start,end\nclip.wav,1,1\n", "row 2: 1 to 1 s; allowed: an end after"),
        ("file,start,end\nclip.wav,0,1,5\n", "row 2: the number of cells"),
        ("file,start,end\nclip.wav,0,1\nclip.wav,0.9,1.2\n", "row 3: starts at 0.9 s, before"),
    ],
)
def test_times_that_mean_nothing_are_refused_with_their_row(
    clip: Path, text: str, said: str
) -> None:
    with pytest.raises(InputError, match=r"times\.csv: ") as error:
        told(clip, text)
    assert said in str(error.value)


def test_a_time_after_the_files_end_fails_the_file(clip: Path) -> None:
    for late, shown in (("1.6", "1.6"), ("1e308", r"1e\+308")):
        with pytest.raises(
            AudioError, match=f"row 2: ends at {shown} s; allowed: up to the file's"
        ):
            told(clip, f"file,start,end\nclip.wav,0,{late}\n")
    rounded_up = told(clip, "file,start,end\nclip.wav,1,1.5009\n")
    assert rounded_up.segments[0]["end"] == 24000


def test_a_file_without_times_fails_where_times_are_given(clip: Path) -> None:
    other = write(clip.parent / "other.wav", np.ones(10))
    (clip.parent / "times.csv").write_text("file,start,end\nclip.wav,0,1\n")
    ask = Ask(told=read_times(clip.parent / "times.csv", [clip, other], []))
    with pytest.raises(AudioError, match="no times are given"):
        measure(other, "other", ask)


def test_names_are_relative_to_the_table_or_to_the_folder_that_is_measured(clip: Path) -> None:
    elsewhere = clip.parent / "elsewhere"
    elsewhere.mkdir()
    times = elsewhere / "times.csv"
    times.write_text("file,start,end\nclip.wav,0,1\n")
    assert len(read_times(times, [clip], [clip.parent]).by_file) == 1
    with pytest.raises(InputError, match="is not there"):
        read_times(times, [clip], [])
    write(elsewhere / "clip.wav", np.ones(10))
    with pytest.raises(InputError, match="or another"):
        read_times(times, [clip, elsewhere / "clip.wav"], [clip.parent])


def test_a_sets_segments_are_the_speech_windows_of_its_manifest(
    tone_set: Callable[[str], Path],
) -> None:
    folder = tone_set("eight")
    assert is_set(folder)
    rows = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    row = next(row for row in rows if row["condition"] == "different_far_600")
    found = measure(folder / row["file"], "x", Ask(told=told_by_manifests([folder])))
    assert found.segments_from == "manifest"
    for part, segment in zip(found.segments, row["segments"], strict=True):
        window = (segment["role"], segment["speech_start"], segment["speech_end"])
        assert (part["role"], part["start"], part["end"]) == window
        assert part["rms_dbfs"] == segment["level"]["realised_dbfs"]
    (gap,) = found.gaps
    assert gap["end"] - gap["start"] == row["gaps"][0]["pause_samples"]


@pytest.mark.parametrize("name", ["manifest.jsonl", "dataset.json", "recipe/recipe.toml"])
def test_a_set_that_lost_a_file_is_one_still_and_a_single_file_makes_none(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "recipe").mkdir()
    for other in {"manifest.jsonl", "dataset.json", "recipe/recipe.toml"} - {name}:
        (tmp_path / other).write_text("")
    assert is_set(tmp_path)
    lone = tmp_path / "lone"
    (lone / "recipe").mkdir(parents=True)
    (lone / name).write_text("")
    assert not is_set(lone)
