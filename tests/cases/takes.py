"""A recipe of two recorded speakers, whose takes a test gives as files or samples."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from synthkit.audio import to_pcm16
from synthkit.wav import wav_bytes
from tests.cases.sets import run
from tests.conftest import Rows, rows_of

RATE = 16000
CARD = """name = "{name}"
description = ""
engine = "recorded"
language = "en-US"
checkpoint = "studio"
processing = "none"
code_license = "Apache-2.0"
voice_license = "CC0-1.0"
attribution = ""
[parameters]
index = "index.json"
{more}
"""
RECIPE = """name = "takes"
scripts = "script.csv"
seed = 1
voices = ["people/ann.toml", "people/bob.toml"]
grid = "pair"
{more}
[fields]
near = []
far = [{{ renderer = "lowpass", cutoff = 4000 }}]
"""


def speech(seed: int = 0, seconds: float = 1.0) -> np.ndarray:
    """Noise as loud as speech is, at 16 kHz."""
    return 0.1 * np.random.default_rng(seed).standard_normal(int(seconds * RATE))


def sine(
    amplitude: float, num_samples: int, sampling_rate: int = RATE, hz: float = 1000
) -> np.ndarray:
    return amplitude * np.sin(2 * np.pi * hz / sampling_rate * np.arange(num_samples))


CONTEXT = wav_bytes(to_pcm16(speech()), RATE)


def recipe(folder: Path, takes: Mapping[str, bytes], more: str = "", card: str = "") -> Path:
    """A recipe with a command for each take: both speakers say it after the same context.

    ``takes`` is content by file name; "context.wav" has to be among them.
    """
    people = folder / "people"
    people.mkdir(parents=True)
    for name, content in takes.items():
        (people / name).write_bytes(content)
    index = {Path(name).stem: name for name in takes}
    (people / "index.json").write_text(json.dumps(index))
    for name in ("ann", "bob"):
        (people / f"{name}.toml").write_text(CARD.format(name=name, more=card))
    said = [stem for stem in index if stem != "context"]
    rows = [f"{stem},light,context,{stem}\n" for stem in said]
    (folder / "script.csv").write_text("id,tool,context,trigger\n" + "".join(rows))
    (folder / "recipe.toml").write_text(RECIPE.format(more=more))
    return folder / "recipe.toml"


def trigger(row: Mapping[str, Any]) -> dict[str, Any]:
    """The segment of a row that is its take."""
    (segment,) = (s for s in row["segments"] if s["role"] == "trigger")
    return segment


def made(
    folder: Path, takes: Mapping[str, bytes], more: str = "", card: str = ""
) -> tuple[int, str, Rows]:
    """Generate a set of takes into ``folder / "set"``: exit code, what was said, rows."""
    code, said = run("generate", recipe(folder, takes, more, card), "--out", folder / "set")
    manifest = folder / "set" / "manifest.jsonl"
    return code, said, rows_of(folder / "set") if manifest.exists() else {}
