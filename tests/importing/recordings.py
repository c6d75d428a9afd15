"""Recordings made for tests: pulses of harmonics, a pulse a syllable, in faint noise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

RATE = 44100
TEXT = "Unlock the front door for me."  # 23 letters
SCRIPT = {"family": "side_talk", "configuration": "assistant_first"}


def talk(id_: str, text: str = TEXT) -> dict[str, Any]:
    """A row of talk with one utterance."""
    target = {"action": "call", "name": "unlock", "params": {"door": "front"}}
    return SCRIPT | {"id": id_, "utterances": [{"to": "assistant", "text": text}], "target": target}


def script(path: Path, *ids: str) -> Path:
    rows = [json.dumps(talk(id_)) for id_ in ids]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def voiced(
    seconds: float = 1.6,
    rate: int = RATE,
    f0: float = 140.0,
    noise_dbfs: float | None = -70.0,
    seed: int = 1,
) -> np.ndarray:
    """Speech-like sound, 0.4 s of noise alone on both sides; shape (num_samples,)."""
    time = np.arange(int(seconds * rate)) / rate
    tone = sum(np.sin(2 * np.pi * f0 * h * time + h * h) / h for h in range(1, 20))
    speech = 0.08 * (0.6 - 0.4 * np.cos(2 * np.pi * time / 0.16)) * tone
    whole = np.pad(speech, int(0.4 * rate))
    if noise_dbfs is not None:
        rng = np.random.default_rng(seed)
        whole = whole + 10 ** (noise_dbfs / 20) * rng.standard_normal(len(whole))
    return whole


def write(path: Path, samples: np.ndarray, rate: int = RATE, **kind: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, rate, **kind)
    return path


def rows(out: Path) -> dict[str, dict[str, Any]]:
    """The items by id, read by plain json."""
    lines = (out / "items.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def checks(row: dict[str, Any]) -> list[str]:
    return [reason["check"] for reason in row["reasons"]]
