"""Tables of sets that others made: what they mean, and that hostile ones are refused by row."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from synthkit.audio import Span
from synthkit.audit.foreign import read_table
from synthkit.errors import InputError

RATE = 8000
ROW = {
    "file": "a.wav",
    "command": "lock",
    "source": "same",
    "field": "near",
    "gap_ms": "600",
    "context_start": "0",
    "context_end": "0.5",
    "trigger_start": "1.1",
    "trigger_end": "2",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four sounds of 2 s, of different kinds and rates."""
    noise = np.random.default_rng(0).uniform(-0.1, 0.1, 2 * 44100)
    for name, rate in (("a.wav", RATE), ("b.flac", 44100), ("c.wav", RATE), ("d.wav", 16000)):
        soundfile.write(tmp_path / name, noise[: 2 * rate], rate)
    return tmp_path


def as_csv(folder: Path, *rows: Mapping[str, str]) -> Path:
    path = folder / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def as_jsonl(folder: Path, *rows: Mapping[str, Any]) -> Path:
    path = folder / "table.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def refused(table: Path, folder: Path, **options: Any) -> str:
    with pytest.raises(InputError) as found:
        read_table(table, folder, **options)
    assert "\n" not in str(found.value)
    return str(found.value)


def test_a_row_is_an_item_whose_times_are_samples_of_its_own_file(folder):
    rows = (ROW, ROW | {"file": "b.flac", "source": "different"})
    _, (first, second) = read_table(as_csv(folder, *rows), folder)
    assert first.part("context").span == (0, 4000)
    assert first.part("trigger").span == (8800, 16000)
    assert second.part("trigger").span == (48510, 88200)
    # The speech window is the whole part where nobody tells another.
    assert second.part("trigger").window == Span(0, 88200 - 48510)
    assert first.factors == {"source": "same", "field": "near", "gap_ms": 600}
    assert (first.id, first.condition, first.wearer) == ("a.wav", "same_near_600", None)
    assert [part.speaker for part in second.parts] == ["wearer", "bystander"]
    assert first.part("context").field == "near"


def test_optional_columns_say_who_speaks_what_and_where_within_the_part(folder):
    row = ROW | {
        "id": "one",
        "condition": "quiet",
        "context_field": "far",
        "wearer": "ann",
        "bystander": "bob",
        "target": "call",
        "tool": "lock_door",
        "split": "test",
        "context_text": "It is late.",
        "trigger_text": "Lock the door.",
        "trigger_speech_start": "1.2",
        "trigger_speech_end": "1.9",
        "factor_room": "hall",
    }
    other = row | {"id": "two", "file": "c.wav", "source": "different", "target": "mute"}
    other["condition"] = "loud"
    design, (one, two) = read_table(as_csv(folder, row, other), folder, dry=["near"])
    assert (one.id, one.condition, one.split, one.called) == ("one", "quiet", "test", "lock_door")
    assert one.texts == {"context": "It is late.", "trigger": "Lock the door."}
    assert one.factors["room"] == "hall"
    assert one.part("trigger").window == Span(800, 6400)
    assert one.part("context").field == "far"
    assert [part.voice for part in two.parts] == ["ann", "bob"]
    assert (two.action, two.called) == ("mute", None)
    assert design.dry == {"near"}
    assert design.chains is None
    assert design.call_at == {"source": ["same"]}
    assert [one["name"] for one in design.conditions] == ["quiet", "loud"]


def test_voices_are_those_that_other_rows_of_the_command_name(folder):
    near, other = ROW | {"voice": "ann"}, {"source": "different", "voice": "bob"}
    rows = (near, ROW | other | {"file": "c.wav"}, ROW | {"command": "play", "file": "d.wav"})
    rows = tuple({"voice": "", **row} for row in rows)
    _, (one, two, third) = read_table(as_csv(folder, *rows), folder)
    assert (one.wearer, one.bystander) == (two.wearer, two.bystander) == ("ann", "bob")
    assert [part.voice for part in two.parts] == ["ann", "bob"]
    assert (third.wearer, third.bystander) == (None, None)


def test_json_lines_mean_what_the_same_csv_means(folder):
    numbers = {key: float(value) for key, value in ROW.items() if value[0].isdigit()}
    row = ROW | {"factor_snr": "20", "wearer": ""}
    plain = ROW | numbers | {"factor_snr": 20, "wearer": None, "gap_ms": 600}
    _, from_csv = read_table(as_csv(folder, row), folder)
    _, from_json = read_table(as_jsonl(folder, plain), folder)
    assert from_json == from_csv


def test_the_rule_is_what_most_rows_of_a_condition_say(folder):
    # One row of seven is labelled wrongly: the rule is the others', so that it can be found.
    rows = []
    for number, command in enumerate(("lock", "call", "play")):
        for source, field in (("same", "near"), ("same", "far"), ("different", "near")):
            name = f"{number}{source}{field}.wav"
            soundfile.write(folder / name, np.full(2 * RATE, 0.1), RATE)
            wrong = command == "play" and field == "far"
            call = (source, field) == ("same", "near") or wrong
            told = {"command": command, "source": source, "field": field, "file": name}
            rows.append(ROW | told | {"target": "call" if call else "mute"})
    design, _ = read_table(as_csv(folder, *rows), folder)
    assert design.call_at == {"source": ["same"], "field": ["near"]}
    either = [row | {"target": "mute" if row["field"] == "near" else "call"} for row in rows]
    either = [row | {"target": "call"} if row["source"] == "different" else row for row in either]
    design, _ = read_table(as_csv(folder, *either), folder)
    assert design.call_at is None  # far or another's: no level of one factor at a time


def test_times_may_be_rounded_by_a_millisecond_and_no_more(folder):
    _, (item,) = read_table(as_csv(folder, ROW | {"trigger_end": "2.001"}), folder)
    assert item.part("trigger").span.end == 2 * RATE
    told = refused(as_csv(folder, ROW | {"trigger_end": "2.002"}), folder)
    assert (
        "row 2: trigger_start and trigger_end are 1.1 and 2.002 s; allowed: within 0 to 2" in told
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"gap_ms": "nan"}, "gap_ms is 'nan'; allowed: milliseconds, 0 or more"),
        ({"gap_ms": "-1"}, "gap_ms is '-1'"),
        ({"gap_ms": "1_000"}, "gap_ms is '1_000'"),
        ({"trigger_end": "inf"}, "trigger_end is 'inf'; allowed: seconds, 0 or more"),
        ({"trigger_end": "1e308"}, "trigger_end is '1e308'"),
        ({"trigger_start": ""}, "trigger_start is empty; allowed: seconds, 0 or more"),
        ({"command": ""}, "command is empty"),
        ({"source": "Same"}, "source is 'Same'; allowed: same, different"),
        ({"field": " near"}, "field is ' near'; allowed: no space around it"),
        ({"target": "tool"}, "target is 'tool'; allowed: call, mute"),
        ({"factor_room": ""}, "factor_room is empty"),
        ({"factor_field": "x"}, "column 'factor_field'; allowed: a name that is not taken"),
        ({"factor_action": "x"}, "column 'factor_action'"),
        ({"wearr": "ann"}, "unknown column 'wearr'; allowed: file, command"),
        ({"trigger_start": "0.4"}, "trigger_start is 0.4 s, before context_end 0.5 s"),
        ({"context_end": "0"}, "context_start and context_end are 0 and 0 s; allowed: an end"),
        ({"context_speech_start": "0.1"}, "context_speech_start alone; allowed"),
        (
            {"context_speech_start": "0.1", "context_speech_end": "0.6"},
            "context_speech_start and context_speech_end are 0.1 and 0.6 s; allowed: within 0 to",
        ),
        ({"file": "no.wav"}, "file 'no.wav': missing, or a link"),
        ({"file": "../a.wav"}, "file '../a.wav': an unsafe path"),
        ({"file": "/etc/hostname"}, "file '/etc/hostname': an unsafe path"),
        ({"file": "a\0.wav"}, "file 'a\\x00.wav'"),
        ({"file": "x" * 5000}, "row 2: file"),
        ({"file": "table.csv"}, "file 'table.csv': not a readable sound file"),
        ({"field": "close"}, "no context_field; allowed: one of close"),
    ],
)
def test_what_a_cell_may_not_hold_is_refused_with_its_row(folder, change, says):
    told = refused(as_csv(folder, ROW | change), folder)
    assert "table.csv: row 2: " in told
    assert says in told


def test_links_out_of_the_folder_are_not_followed(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.wav"
    soundfile.write(outside, np.full(2 * RATE, 0.1), RATE)
    (folder / "link.wav").symlink_to(outside)
    assert "a link" in refused(as_csv(folder, ROW | {"file": "link.wav"}), folder)
    (folder / "inner").symlink_to(outside.parent)
    told = refused(as_csv(folder, ROW | {"file": "inner/secret.wav"}), folder)
    assert "a link that leaves the folder" in told


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"file": "./a.wav", "gap_ms": "0"}, "file 'a.wav' stands in row 2 already"),
        ({"id": "one", "file": "c.wav", "gap_ms": "0"}, "id 'one' stands in row 2 already"),
        ({"id": "two", "file": "c.wav"}, "'lock' stands in row 2 already"),
        (
            {"id": "two", "file": "c.wav", "gap_ms": "0", "condition": "quiet"},
            "condition 'quiet' has rows of different factors",
        ),
    ],
)
def test_what_stands_twice_is_named_with_both_rows(folder, change, says):
    row = ROW | {"id": "one", "condition": "quiet"}
    assert says in refused(as_csv(folder, row, row | change), folder)


def test_two_names_for_one_condition_are_refused(folder):
    row = ROW | {"condition": "quiet"}
    other = row | {"file": "c.wav", "command": "play", "condition": "loud"}
    told = refused(as_csv(folder, row, other), folder)
    assert "condition 'loud' has the factors of 'quiet'" in told


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "row 1: found []; allowed: an object"),
        ('{"file": NaN}', "NaN is not JSON"),
        ('{"file": "a.wav", "file": "a.wav"}', "stands twice"),
        ('{"file": ["a.wav"]}', "file is ['a.wav']; allowed: text, a number"),
        ('{"file": "a.wav"}', "columns command, source, field"),
        ("[" * 100000, "not strict JSON"),
        ("", "no rows; allowed: a row for each file"),
    ],
)
def test_json_that_is_no_row_is_refused(folder, text, says):
    path = folder / "table.jsonl"
    path.write_text(text, encoding="utf-8")
    assert says in refused(path, folder)


def test_rows_of_other_factors_than_the_firsts_are_refused(folder):
    path = as_jsonl(folder, ROW | {"factor_room": "hall"}, ROW | {"file": "c.wav", "factor_x": 1})
    assert "row 2: factors ['x']; allowed: those of the first row, ['room']" in refused(
        path, folder
    )


def test_tables_of_other_kinds_and_unknown_dry_fields_are_refused(folder):
    (folder / "table.xlsx").write_bytes(b"PK")
    assert "allowed: .csv, .jsonl" in refused(folder / "table.xlsx", folder)
    told = refused(as_csv(folder, ROW), folder, dry=["far"])
    assert "dry field 'far'; allowed: 'near'" in told
