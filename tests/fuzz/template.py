"""The good files that mutants are made from: recipes, scripts, cards, sounds and a set."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import soundfile

from synthkit.generate import Shard, generate
from synthkit.measure.adopt import adopted_rows, write_adopted
from synthkit.measure.file import Ask, measure
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.speech.voice import voice

VOICE = """name = "{name}"
description = "For tests."
engine = "tone"
language = "en-US"
checkpoint = "tone"
processing = "none"
code_license = "Apache-2.0"
voice_license = "CC0-1.0"
attribution = ""
[parameters]
f0 = {f0}
"""
RECORDED = VOICE.replace("f0 = {f0}", 'index = "index.json"').replace("tone", "recorded")
DEN = """name = "Den"
description = "A small room."
license = "CC0-1.0"
dimensions = [3.0, 2.5, 2.4]
absorption = 0.5
microphone = [1.0, 1.0, 1.2]
[places.desk]
position = [2.0, 1.5, 1.3]
facing = "device"
[places.door]
position = [2.6, 2.1, 1.6]
facing = { azimuth = -90, elevation = 10 }
directivity = "cardioid"
"""
HALL = """name = "Hall"
description = "Measured."
license = "CC-BY-4.0"
[places.stage]
rir = "rir.wav"
[places.back]
rir = "two.wav"
channel = 1
distance_m = 4.5
"""
SIMPLE = """name = "simple"
scripts = "script.jsonl"
seed = 7
voices = ["tone/low.toml", "tone/high.toml"]
grid = "pair"
[fields]
near = []
far = [{ renderer = "lowpass", cutoff = 4000 }]
"""
FULL = """name = "full"
description = "All that a recipe may have."
scripts = "script.csv"
seed = 7
limit = 2
voices = ["tone/low.toml", "tone/mid.toml", "tone/high.toml"]
bed = "$noise"
post_ms = 150
fade_ms = 4
[level]
dbfs = -23
peak = "limit"
[grid]
rule = "proximity"
field_applies_to = ["trigger"]
[grid.factors]
source = ["same", "different"]
field = ["near", "far"]
gap_ms = [0, 300.5]
[factors]
noise = ["none", "hum", "street"]
[nuisances]
room = ["den/desk", "den/door"]
cutoff = [3000, 5000.5]
[rooms]
den = "rooms/den.toml"
[beds.hum]
kind = "pink"
snr_db = 30
[beds.street]
kind = "file"
path = "bed.wav"
level_dbfs = -60
[splits]
train = { share = 2, room = ["den/desk"], voices = ["tone/low", "tone/mid"] }
test = { share = 1, room = ["den/door"] }
[fields]
near = []
far = [
    { renderer = "room", room = "$room" },
    { renderer = "lowpass", cutoff = "$cutoff" },
    { renderer = "bandpass", low = 100, high = 6000 },
]
"""
SET = """name = "set"
scripts = "one.jsonl"
seed = 7
voices = ["tone/low.toml", "tone/high.toml"]
bed = "hum"
[grid]
rule = "proximity"
field_applies_to = ["trigger"]
[[grid.conditions]]
name = "single"
source = "same"
field = "near"
gap_ms = 0
[[grid.conditions]]
name = "switch"
source = "different"
field = "far"
gap_ms = 50
[[grid.conditions]]
name = "text_only"
modality = "text"
[beds.hum]
kind = "pink"
snr_db = 40
[nuisances]
place = ["desk", "door"]
[factors]
cutoff = [2000]
[splits]
train = { share = 1, place = ["desk"] }
test = { share = 1, place = ["door"], voices = ["tone/low", "tone/high"] }
[fields]
near = []
far = [
    { renderer = "room", room = "rooms/den.toml", place = "$place" },
    { renderer = "lowpass", cutoff = "$cutoff" },
]
"""
ROWS: list[dict[str, object]] = [
    {"id": f"cmd-{i}", "tool": f"tool_{i % 2}", "context": context, "trigger": trigger}
    for i, (context, trigger) in enumerate(
        (
            ("Hello there.", "Lamp on."),
            ("Don\u2019t worry.", "Unlock door 3."),
            ('He said, "fine".', "Play null."),
        )
    )
]


def make_template(folder: Path) -> None:
    """Write all of them; the set, of one command, goes into ``folder/set``."""
    for name, text in {
        "simple.toml": SIMPLE,
        "full.toml": FULL,
        "set.toml": SET,
        "rooms/den.toml": DEN,
        "rooms/hall.toml": HALL,
        "tone/low.toml": VOICE.format(name="Low", f0=110),
        "tone/mid.toml": VOICE.format(name="Mid", f0=170),
        "tone/high.toml": VOICE.format(name="High", f0=230.5),
        "rec/anna.toml": RECORDED.format(name="Anna"),
        "times.csv": "file,start,end,role\nbed.wav,0,0.1,context\nbed.wav,0.2,0.25,trigger\n",
        "rec/index.json": json.dumps({"Lamp on.": "lamp.wav", "Hello there.": "sub/hello.wav"}),
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    rows = [{**row, "params": {"n": i, "deep": {"on": True}}} for i, row in enumerate(ROWS)]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    (folder / "script.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "one.jsonl").write_text(lines[0] + "\n", encoding="utf-8")
    with (folder / "script.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], "language"])
        writer.writeheader()
        writer.writerows(
            {**row, "params": json.dumps(row["params"]), "language": "en-US"} for row in rows
        )
    _sounds(folder)
    plan = make_plan(read_recipe(folder / "set.toml"))
    for name, shard in (("set", None), ("parts", Shard(1, 1))):
        outcome = generate(plan, folder / name, shard=shard)
        assert not outcome.failures, outcome.failures
    measured = measure(folder / "adopted" / "a.wav", "a.wav", Ask())
    write_adopted(folder / "adopted", adopted_rows(folder / "adopted", [measured]))


def _sounds(folder: Path) -> None:
    rng = np.random.default_rng(1)
    said = voice(str(folder / "tone" / "low.toml")).speak("Lamp on.")
    (folder / "rec" / "sub").mkdir()
    soundfile.write(folder / "rec" / "lamp.wav", said.samples, said.sampling_rate)
    soundfile.write(
        folder / "rec" / "sub" / "hello.wav",
        np.stack((said.samples, said.samples / 2), axis=1),
        said.sampling_rate,
        subtype="PCM_24",
        format="WAVEX",
    )
    decay = rng.standard_normal(800) * np.exp(-np.arange(800) / 90)
    soundfile.write(folder / "rooms" / "rir.wav", 0.3 * decay, 16000, subtype="FLOAT")
    soundfile.write(folder / "rooms" / "two.wav", 0.3 * np.stack((decay, decay), 1), 8000)
    noise = 0.05 * rng.standard_normal(8800)
    soundfile.write(folder / "bed.wav", noise, 8000, subtype="PCM_U8")
    (folder / "adopted").mkdir()
    soundfile.write(folder / "adopted" / "a.wav", noise, 8000)
