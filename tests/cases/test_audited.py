"""Faults that other tools had in public, in sets that others made: an audit of their table says so.

Each set is sound but for the one fault; speech is noise in syllables, and a voice is its colour.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import soundfile
from scipy.signal import butter, lfilter, sosfilt

from synthkit.audit import audit
from synthkit.audit.report import Report
from synthkit.errors import InputError

RATE = 16000
GAP = np.zeros(RATE * 600 // 1000)
COMMANDS = ("lock", "call", "order", "start")
MANY = tuple(f"say{number:02}" for number in range(24))  # enough for p < 0.01 in all probes
BRIGHT = {"ann": 0.2, "bob": 0.4, "cleo": 0.6, "dan": 0.8}
CASTS = tuple(permutations(BRIGHT, 2))
Row = dict[str, str]


def said(voice: str, text: str) -> np.ndarray:
    """One second at -20 dBFS: syllables of noise with pauses between, a colour for each voice."""
    rng = np.random.default_rng(list(f"{voice} {text}".encode()))
    loud = np.array([0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0]) * rng.uniform(0.4, 1, 13)
    syllables = np.repeat(loud, -(-RATE // len(loud)))[:RATE]
    ramp = np.hanning(RATE // 100)
    speech = lfilter([1], [1, -BRIGHT[voice]], rng.standard_normal(RATE))
    speech = sosfilt(butter(6, 150, "highpass", fs=RATE, output="sos"), speech)
    return levelled(speech * np.convolve(syllables, ramp / ramp.sum(), "same"))


def far(speech: np.ndarray) -> np.ndarray:
    """In a room that decays by 60 dB in 0.2 s, at the same level, and as long as before."""
    times = np.arange(RATE * 3 // 10) / RATE
    response = np.random.default_rng(1).standard_normal(len(times)) * 10 ** (-15 * times) / 10
    response[0] = 1.0
    return levelled(np.convolve(speech, response)[: len(speech)])


def levelled(samples: np.ndarray) -> np.ndarray:
    return samples / np.sqrt(np.mean(samples**2)) / 10


class Set:
    """Files and rows of four commands: source by field, 600 ms between context and trigger."""

    def __init__(self, folder: Path, commands: tuple[str, ...] = COMMANDS) -> None:
        self.folder = folder
        self.rows: list[Row] = []
        for number, command in enumerate(commands):
            cast = CASTS[number * 5 % len(CASTS)]
            for source, speaker in zip(("same", "different"), cast, strict=True):
                for field, heard in (("near", np.copy), ("far", far)):
                    self.add(command, source, field, speaker, cast, heard)

    def add(
        self,
        command: str,
        source: str,
        field: str,
        speaker: str,
        cast: tuple[str, str],
        heard: Callable[[np.ndarray], np.ndarray],
    ) -> None:
        context, trigger = said(cast[0], f"{command} first"), heard(said(speaker, command))
        row = {
            "file": f"{command}_{source}_{field}.wav",
            "command": command,
            "source": source,
            "field": field,
            "gap_ms": "600",
            "context_start": "0",
            "context_end": "1",
            "trigger_start": "1.6",
            "trigger_end": "2.6",
            "wearer": cast[0],
            "bystander": cast[1],
            "split": "test",
        }
        self.rows.append(row)
        self.write(row, np.concatenate([context, GAP, trigger]))

    def write(self, row: Row, samples: np.ndarray, subtype: str = "PCM_16") -> None:
        soundfile.write(self.folder / row["file"], samples, RATE, subtype=subtype)

    def read(self, row: Row) -> np.ndarray:
        return soundfile.read(self.folder / row["file"])[0]

    def of(self, field: str) -> list[Row]:
        return [row for row in self.rows if row["field"] == field]

    def audit(self) -> Report:
        table = self.folder / "files.csv"
        with table.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(self.rows[0]))
            writer.writeheader()
            writer.writerows(self.rows)
        return audit(self.folder, table, dry=["near"])

    def found(self) -> set[str]:
        return {finding.check for finding in self.audit().findings}


@pytest.fixture
def made(tmp_path: Path) -> Set:
    return Set(tmp_path)


@pytest.mark.parametrize("commands", [COMMANDS, MANY])
def test_the_set_is_sound_before_a_fault_is_in_it(
    tmp_path: Path, commands: tuple[str, ...]
) -> None:
    report = Set(tmp_path, commands).audit()
    assert report.findings == ()
    assert [probe.told for probe in report.probes if probe.suspect] == []


def test_what_the_table_does_not_tell_is_not_said_to_be_compared(made: Set) -> None:
    for row in made.rows:
        del row["wearer"], row["bystander"]
    compared = {tally.check for tally in made.audit().tallies}
    assert {"field.applied", "source.bytes", "gap.silence"} <= compared
    assert not {name for name in compared if name.startswith("text.")}
    assert not compared & {"source.words", "source.cast", "design.speakers", "part.room"}


def test_a_gain_that_wraps_or_clips_without_a_word(made: Set) -> None:
    # claritychallenge/clarity#311, csteinmetz1/pyloudnorm#35: one file 20 dB up, cut off at 1.
    row = made.of("far")[0]
    samples = made.read(row)
    samples[25600:] = np.clip(samples[25600:] * 10, -1, 1)
    made.write(row, samples)
    assert made.found() == {"part.clipped"}


def test_samples_over_full_scale_in_a_float_file_are_no_clipping(made: Set) -> None:
    # jiaaro/pydub#505: peaks of 2 stand in the file as they are.
    for row in made.rows:
        made.write(row, made.read(row) * 5, "FLOAT")
    assert made.found() == set()


def test_a_silent_item_and_one_with_not_a_number(made: Set) -> None:
    # jiaaro/pydub#49: gain on silence is infinite, and infinity times zero not a number.
    silent, broken = made.of("near")[:2]
    made.write(silent, np.zeros(len(made.read(silent))))
    assert "part.level" in made.found()
    samples = made.read(broken)
    samples[30000] = np.nan
    made.write(broken, samples, "FLOAT")
    with pytest.raises(InputError, match=broken["file"]):
        made.audit()


def test_a_header_that_promises_more_than_the_file_holds(made: Set) -> None:
    # lhotse-speech/lhotse#913: the end of the trigger is not there.
    row = made.rows[0]
    path = made.folder / row["file"]
    path.write_bytes(path.read_bytes()[:-16000])
    with pytest.raises(InputError, match=rf"row 2: .*{row['file']}|row 2: trigger_start"):
        made.audit()


def test_a_filters_delay_that_stays_in_all_far_files(tmp_path: Path) -> None:
    # LCAV/pyroomacoustics#161: 40 samples late, in every room.
    many = Set(tmp_path, MANY)
    for row in many.of("far"):
        samples = many.read(row)
        samples[25600:] = np.roll(samples[25600:], 40)
        many.write(row, samples)
    assert many.found() == {"probe.lag"}


def test_a_filters_delay_is_shown_where_commands_are_too_few_for_proof(made: Set) -> None:
    for row in made.of("far"):
        samples = made.read(row)
        samples[25600:] = np.roll(samples[25600:], 40)
        made.write(row, samples)
    assert "lag" in {probe.meter for probe in made.audit().probes if probe.suspect}


def test_an_offset_put_into_the_far_files_by_shifting_a_response(tmp_path: Path) -> None:
    # NVIDIA-NeMo/Speech#6429: a constant in every far sound.
    many = Set(tmp_path, MANY)
    for row in many.of("far"):
        samples = many.read(row)
        samples[25600:] += 0.01
        many.write(row, samples)
    assert "probe.dc" in many.found()


def test_one_file_under_two_spellings_of_its_path(made: Set) -> None:
    # pytorch/tutorials#1830
    made.rows[1]["file"] = f"./{made.rows[0]['file']}"
    with pytest.raises(InputError, match="stands in row 2 already"):
        made.audit()


def test_one_recording_in_two_parts_under_two_names(made: Set) -> None:
    first, other = made.rows[0], made.rows[4]
    for row in made.rows[4:]:
        row["split"] = "train"
    made.write(other, made.read(first))
    assert "leak.segment" in made.found()


def test_two_commands_share_one_recording(made: Set) -> None:
    # openai/openai-cookbook PR#3008: the second item has the first one's sound; no texts are told.
    for row, other in zip(made.rows[4:8], made.rows[:4], strict=True):
        made.write(row, made.read(other))
        row["wearer"], row["bystander"] = other["wearer"], other["bystander"]
    assert made.found() == {"leak.segment_said"}


def test_two_texts_that_differ_in_case_and_full_stop_in_two_parts(made: Set) -> None:
    # common-voice/common-voice#806
    texts = {"lock": "Lamp on.", "call": "lamp ON", "order": "Two pizzas.", "start": "Start it."}
    for row in made.rows:
        row["context_text"] = f"{row['command']} comes next."
        row["trigger_text"] = texts[row["command"]]
        row["split"] = "train" if row["command"] == "lock" else "test"
    assert made.found() == {"leak.trigger"}


def test_everybody_of_the_test_part_has_been_in_training_too(made: Set) -> None:
    # pytorch/tutorials#1830: no fault by itself, but whoever reads the report must know.
    for row in made.rows:
        row["split"] = "test" if row["command"] == "lock" else "train"
    assert "splits train and test: 2 of 3 voices in both" in made.audit().declared


def test_words_that_look_like_missing_values_are_words(made: Set) -> None:
    # huggingface/datasets#4467
    texts = dict(zip(COMMANDS, ("null", "NA", "None", "nan"), strict=True))
    for row in made.rows:
        row["context_text"] = texts[row["command"]]
        row["trigger_text"] = f"{texts[row['command']]} then"
    assert made.found() == set()
    for row in made.rows:
        row["trigger_text"] = "null"
    assert "leak.repeated_trigger" in made.found()
