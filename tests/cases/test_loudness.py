"""Faults that other tools had in public: very short, silent, very quiet and very spiky items."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.audio import to_pcm16
from synthkit.wav import wav_bytes
from tests.cases.sets import run
from tests.cases.takes import CONTEXT, RATE, made, sine, trigger


def take(samples: np.ndarray) -> bytes:
    return wav_bytes(to_pcm16(samples), RATE)


def test_items_shorter_than_a_loudness_block_or_the_fades_come_out_at_the_level(
    tmp_path: Path,
) -> None:
    # CookiePPP/cookietts#8 (LUFS needs 400 ms), rsxdalv/chatterbox PR#19 (fades of 5 ms and 5 ms
    # in 6 ms): 280, 100, 10 and 6 ms at amplitude 0.05, -29.03 dBFS.
    lengths = {"ms280": 4480, "ms100": 1600, "ms10": 160, "ms6": 96}
    takes = {f"{name}.wav": take(sine(0.05, length)) for name, length in lengths.items()}
    code, _, rows = made(tmp_path, {"context.wav": CONTEXT, **takes})
    assert code == 0
    for name, length in lengths.items():
        for row in (rows[name]["single"], rows[name]["switch"]):
            segment = trigger(row)
            pcm, _ = soundfile.read(tmp_path / "set" / row["file"], dtype="int16")
            assert segment["speech_end"] - segment["speech_start"] == length
            heard = pcm[segment["speech_start"] : segment["speech_end"]] / 32768
            assert 10 * np.log10(np.mean(heard**2)) == pytest.approx(-20, abs=0.05)
            assert abs(pcm[segment["start"]]) <= 1
            assert abs(pcm[segment["end"] - 1]) <= 1
            # 20 ms before and 200 ms after: 280 ms of speech make 500.
            assert (segment["lufs"] is None) == (name != "ms280")
    gain = trigger(rows["ms280"]["single"])["level"]["gain_db"]
    assert gain == pytest.approx(9.03, abs=0.01)
    assert run("verify", tmp_path / "set")[0] == 0


def test_silence_among_items_is_refused_and_the_others_are_as_without_it(tmp_path: Path) -> None:
    # jiaaro/pydub#49, NVIDIA-NeMo/Speech#16180, tphakala/birdnet-go PR#3979.
    first, last = take(sine(0.1, 32000)), take(sine(0.1, 32000))
    zeros, faint = take(np.zeros(32000)), take(sine(0.0001, 32000))
    takes = {"a.wav": first, "b.wav": zeros, "c.wav": last, "d.wav": faint, "context.wav": CONTEXT}
    code, said, rows = made(tmp_path, takes)
    assert code == 1
    for name in ("b", "d"):
        assert set(rows[name]) == {"text_only"}
        assert not (tmp_path / "set" / "audio" / name).exists()
    assert (
        "b__single: trigger: voice people/bob: no speech: the loudest 10 ms read digital silence; "
        "allowed: over" in said
    )
    assert (
        "d__single: trigger: voice people/ann: no speech: the loudest 10 ms read -83.6579 dBFS; "
        "allowed: over -70"
    ) in said
    for condition in ("single", "switch"):
        one, other = rows["a"][condition], rows["c"][condition]
        assert one["sha256"] == other["sha256"]
        assert trigger(one)["level"]["realised_dbfs"] == pytest.approx(-20, abs=0.05)
    text = (tmp_path / "set" / "manifest.jsonl").read_text()
    text += (tmp_path / "set" / "dataset.json").read_text()
    assert "NaN" not in text
    assert "Infinity" not in text
    code, said = run("verify", tmp_path / "set")
    assert code == 1
    assert "b__single: was not made: trigger: voice people/bob: no speech" in said


def test_a_crest_that_does_not_fit_under_full_scale_is_refused_and_not_clipped(
    tmp_path: Path,
) -> None:
    # csteinmetz1/pyloudnorm#35, claritychallenge/clarity#311: two single samples of 1.0 in 2 s
    # are -42.04 dBFS, so -20 would need a peak of 12.65.
    spikes = np.zeros(32000)
    spikes[[8000, 24000]] = 1.0
    takes = {"context.wav": CONTEXT, "spikes.wav": take(spikes), "tone.wav": take(sine(0.1, 32000))}
    code, said, rows = made(tmp_path, takes)
    assert code == 1
    assert "spikes__single: " in said
    assert "dBTP" in said
    assert set(rows["spikes"]) == {"text_only"}
    assert not (tmp_path / "set" / "audio" / "spikes").exists()
    assert set(rows["tone"]) == {"single", "switch", "text_only"}
    failed = json.loads((tmp_path / "set" / "dataset.json").read_text())["failed"]
    assert {failure["id"] for failure in failed} == {"spikes__single", "spikes__switch"}


def test_peaks_that_would_pass_full_scale_are_limited_and_the_reduction_is_told(
    tmp_path: Path,
) -> None:
    # Noise of -21.9 dBFS with a pulse of 0.9 every 0.2 s: at -20 dBFS they would pass 1.0.
    noise = 0.08 * np.random.default_rng(5).standard_normal(32000)
    noise[::3200] = 0.9
    code, _, rows = made(tmp_path, {"context.wav": CONTEXT, "pulses.wav": take(noise)})
    assert code == 0
    for row in (rows["pulses"]["single"], rows["pulses"]["switch"]):
        assert row["true_peak_dbtp"] <= 0
        assert trigger(row)["level"]["realised_dbfs"] == pytest.approx(-20, abs=0.01)
        assert trigger(row)["crest_control"]["limited"]
        assert trigger(row)["crest_control"]["reduction_db"] > 0.5
    assert run("verify", tmp_path / "set")[0] == 0


def test_peaks_far_over_full_scale_are_refused_by_name(tmp_path: Path) -> None:
    # A pulse of 0.9 every 20 ms, 26 dB over the noise between them.
    noise = 0.02 * np.random.default_rng(5).standard_normal(32000)
    noise[::320] += 0.9
    code, said, rows = made(tmp_path, {"context.wav": CONTEXT, "pulses.wav": take(noise)})
    assert code == 1
    assert "pulses__single: trigger: voice people/bob: peaks need " in said
    assert "dB of limiting at this level; allowed: 12 dB" in said
    assert set(rows["pulses"]) == {"text_only"}
