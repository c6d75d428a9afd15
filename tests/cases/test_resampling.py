"""Faults that other tools had in public: a sample too few or too many after resampling."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.renderers.resample import Resample
from synthkit.wav import read_mono
from tests.cases.sets import run
from tests.cases.takes import CONTEXT, made, sine

# bmcfee/resampy#111, librosa/librosa#1242: int(n * (16000 / rate)) is 15999 at 12499, 44056 and
# 47952 Hz, a ceiling 16001 at 43779 Hz. 44056 and 47952 are real pull-down rates.
RATES = [8000, 11025, 12499, 22050, 43779, 44056, 44100, 47952, 48000, 96000]


def written(samples: np.ndarray, rate: int) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, samples, rate, format="WAV", subtype="PCM_24")
    return file.getvalue()


def test_a_second_is_a_second_at_every_rate(tmp_path: Path) -> None:
    takes = {f"hz{rate}.wav": written(sine(0.1, rate, rate), rate) for rate in RATES}
    code, _, rows = made(tmp_path, {"context.wav": CONTEXT, **takes})
    assert code == 0
    for rate in RATES:
        audio = read_mono(tmp_path / "people" / f"hz{rate}.wav")
        assert Resample(16000)(audio).num_samples == 16000
        row = rows[f"hz{rate}"]["single"]
        (segment,) = (s for s in row["segments"] if s["role"] == "trigger")
        assert segment["speech_end"] - segment["speech_start"] == 16000
        assert soundfile.info(tmp_path / "set" / row["file"]).frames == row["num_samples"]
    assert run("verify", tmp_path / "set")[0] == 0


@pytest.mark.parametrize(
    ("num_samples", "rate", "allowed"),
    [(44101, 44100, {16000, 16001}), (1, 48000, {0, 1}), (2, 48000, {0, 1}), (3, 48000, {1})],
)
def test_lengths_that_are_no_whole_number_are_within_a_sample(
    tmp_path: Path, num_samples: int, rate: int, allowed: set[int]
) -> None:
    (tmp_path / "a.wav").write_bytes(written(sine(0.1, num_samples, rate), rate))
    assert Resample(16000)(read_mono(tmp_path / "a.wav")).num_samples in allowed


def test_one_sample_at_another_rate_is_refused_by_name(tmp_path: Path) -> None:
    takes = {"context.wav": CONTEXT, "one.wav": written(np.array([0.5]), 48000)}
    code, said, rows = made(tmp_path, takes)
    assert code == 1
    assert "one__single: trigger: voice people/ann: no speech" in said
    assert set(rows["one"]) == {"text_only"}
