"""Faults that other tools had in public: kinds of WAV, lengths in headers, what is no sound."""

from __future__ import annotations

import hashlib
import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest
import soundfile
from scipy import signal

from synthkit.audio import to_pcm16
from tests.cases.sets import run
from tests.cases.takes import CONTEXT, RATE, made, recipe, sine, speech, trigger

PAYLOAD = to_pcm16(speech(1, 1.2))  # 19200 samples


def written(samples: np.ndarray, rate: int, container: str, subtype: str) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, samples, rate, format=container, subtype=subtype)
    return file.getvalue()


def wav(pcm: np.ndarray, claimed: int | None = None, before: bytes = b"", after: bytes = b""):
    """A 16-bit WAV with chunks around its sound, whose header may claim another length."""
    fmt = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, RATE, 2 * RATE, 2, 16)
    data = struct.pack("<4sI", b"data", 2 * len(pcm) if claimed is None else claimed)
    content = b"WAVE" + fmt + before + data + pcm.astype("<i2").tobytes() + after
    return struct.pack("<4sI", b"RIFF", len(content)) + content


def heard(folder: Path, row: dict) -> np.ndarray:
    """The speech of a row's trigger as floats."""
    samples, _ = soundfile.read(folder / "set" / row["file"])
    return samples[trigger(row)["speech_start"] : trigger(row)["speech_end"]]


def window(row: dict) -> int:
    return int(trigger(row)["speech_end"] - trigger(row)["speech_start"])


@pytest.mark.parametrize(
    ("container", "subtype", "amplitude"),
    [
        ("WAVEX", "PCM_24", 0.5),  # WarrenWeckesser/wavio#4: format tag 0xFFFE
        ("WAVEX", "FLOAT", 0.5),
        ("RF64", "PCM_16", 0.5),
        ("W64", "PCM_16", 0.5),
        ("WAV", "PCM_U8", 0.5),
        ("WAV", "PCM_32", 0.5),
        ("WAV", "DOUBLE", 4.0),  # over full scale
        ("WAV", "ULAW", 0.5),
        ("WAV", "ALAW", 0.5),
        ("AIFF", "PCM_24", 0.5),
        ("FLAC", "PCM_24", 0.5),
    ],
)
def test_every_kind_of_file_is_as_loud_as_it_is(
    tmp_path: Path, container: str, subtype: str, amplitude: float
) -> None:
    tone = np.stack((sine(amplitude, 48000, 48000),) * 2, axis=1)
    take = written(tone, 48000, container, subtype)
    code, _, rows = made(tmp_path, {"context.wav": CONTEXT, "tone.wav": take})
    assert code == 0
    row = rows["tone"]["single"]
    assert window(row) == 16000
    # A sine is 3.01 dB below its amplitude: -9.03 dBFS at 0.5.
    level = 20 * np.log10(amplitude / np.sqrt(2))
    off = 0.05 if subtype in ("ULAW", "ALAW") else 0.02  # their steps are 1/16 of the sample
    assert trigger(row)["level"]["gain_db"] == pytest.approx(-20 - level, abs=off)


def test_floats_over_full_scale_are_turned_down_and_not_clipped(tmp_path: Path) -> None:
    # jiaaro/pydub#505: amplitude 2.0; clipped at 1.0 its third harmonic lies at -12.8 dB.
    take = written(sine(2.0, 96000, 48000), 48000, "WAV", "FLOAT")
    code, _, rows = made(tmp_path, {"context.wav": CONTEXT, "hot.wav": take})
    assert code == 0
    tone = heard(tmp_path, rows["hot"]["single"])[8000:24000]  # 1000 periods, no taper
    spectrum = np.abs(np.fft.rfft(tone))  # 1 Hz a bin
    assert spectrum[3000] < 1e-3 * spectrum[1000]
    tone = signal.resample(tone, 16 * len(tone))  # 16 samples a period need not hit the peak
    assert np.abs(tone).max() == pytest.approx(0.1414, abs=2e-4)
    assert 20 * np.log10(np.abs(tone).max() / tone.std()) == pytest.approx(3.01, abs=0.02)


@pytest.mark.parametrize("claimed", [0xFFFFFFFF, 0x7FFFF000, 0])
def test_a_length_that_the_recorder_did_not_know_is_counted(tmp_path: Path, claimed: int) -> None:
    # lhotse-speech/lhotse#913, naudio/NAudio#688.
    plain, stream = wav(PAYLOAD), wav(PAYLOAD, claimed)
    code, _, rows = made(
        tmp_path, {"context.wav": CONTEXT, "plain.wav": plain, "stream.wav": stream}
    )
    assert code == 0
    assert window(rows["stream"]["single"]) == 19200
    assert rows["stream"]["switch"]["sha256"] == rows["plain"]["switch"]["sha256"]


def test_a_recording_that_was_cut_short_is_refused_by_name(tmp_path: Path) -> None:
    takes = {"context.wav": CONTEXT, "cut.wav": wav(PAYLOAD, 64000), "whole.wav": wav(PAYLOAD)}
    code, said, rows = made(tmp_path, takes)
    assert code == 1
    assert (
        "cut__single: trigger: voice people/ann: cut.wav: cut short: 19200 of 32000 samples; "
        "allowed: a whole file" in said
    )
    assert {c: set(rows[c]) for c in rows} == {
        "cut": {"text_only"},
        "whole": {"single", "switch", "text_only"},
    }


def test_a_bed_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    more = 'bed = "cafe"\n[beds]\ncafe = { kind = "file", path = "cafe.wav", snr_db = 20 }'
    path = recipe(tmp_path, {"context.wav": CONTEXT, "a.wav": CONTEXT}, more)
    (tmp_path / "cafe.wav").write_bytes(wav(to_pcm16(speech(2, 3)), 200_000))
    code, said = run("generate", path, "--out", tmp_path / "set")
    assert code == 2
    assert "cafe.wav: cut short: 48000 of 100000 samples; allowed: a whole file" in said
    assert not (tmp_path / "set").exists()


def test_an_impulse_response_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    card = 'name = "H"\ndescription = "H."\nlicense = "CC0-1.0"\n[places.seat]\nrir = "hall.wav"\n'
    (tmp_path / "hall.toml").write_text(card)
    click = np.zeros(8000)
    click[100] = 0.9
    (tmp_path / "hall.wav").write_bytes(wav(to_pcm16(click), 64000))
    code, said = run("rooms", "show", tmp_path / "hall.toml")
    assert code == 2
    assert "hall.wav: cut short: 8000 of 32000 samples; allowed: a whole file" in said


JUNK = np.random.default_rng(3).bytes(4000)


@pytest.mark.parametrize(
    "around",
    [
        {"after": b"id3 " + struct.pack("<I", 4000) + JUNK},  # audiojs/decode#47
        {"before": b"LIST" + struct.pack("<I", 4000) + JUNK},  # mpruett/audiofile#3
        {"before": b"LIST" + struct.pack("<I", 3999) + JUNK},  # odd, with its pad byte
        {"after": JUNK},  # no chunk at all
    ],
    ids=["id3 after", "LIST before", "odd", "junk"],
)
def test_what_lies_beside_the_sound_is_not_heard(tmp_path: Path, around: dict) -> None:
    tone = to_pcm16(sine(0.25, 16000))
    takes = {"context.wav": CONTEXT, "plain.wav": wav(tone), "more.wav": wav(tone, **around)}
    code, _, rows = made(tmp_path, takes)
    assert code == 0
    more, plain = rows["more"], rows["plain"]
    assert window(more["single"]) == 16000
    assert trigger(more["single"])["level"]["gain_db"] == pytest.approx(-20 + 15.05, abs=0.01)
    for condition in ("single", "switch"):
        assert more[condition]["sha256"] == plain[condition]["sha256"]


HEADERS = {
    "cut short": lambda pcm: wav(pcm, 64000 + 2 * len(pcm)),
    "stream": lambda pcm: wav(pcm, 0xFFFFFFFF),
    "crashed": lambda pcm: wav(pcm, 0),
    "chunk after": lambda pcm: wav(pcm, after=b"id3 " + struct.pack("<I", 4) + b"text"),
    "chunk before": lambda pcm: wav(pcm, before=b"LIST" + struct.pack("<I", 4) + b"INFO"),
    "junk": lambda pcm: wav(pcm, after=b"junk"),
    "extensible": lambda pcm: written(pcm, RATE, "WAVEX", "PCM_16"),
    "RF64": lambda pcm: written(pcm, RATE, "RF64", "PCM_16"),
    "FLAC": lambda pcm: written(pcm, RATE, "FLAC", "PCM_16"),
}
SAID = {
    "cut short": "cut short: ",
    "stream": "length in header unknown (stream)",
    "crashed": "length in header 0: ",
    "chunk after": "56 bytes besides the samples",
    "chunk before": "56 bytes besides the samples",
    "junk": "4 bytes after the sound that are no chunk",
    "extensible": "found WAVEX/PCM_16, 1 channels; allowed: WAV/PCM_16, 1 channel",
    "RF64": "found RF64/PCM_16",
    "FLAC": "found FLAC/PCM_16",
}


@pytest.mark.parametrize("header", HEADERS)
def test_a_sets_file_with_another_header_is_a_fault_though_its_hashes_agree(
    tmp_path: Path, header: str
) -> None:
    code, _, rows = made(tmp_path, {"context.wav": CONTEXT, "a.wav": wav(PAYLOAD)})
    assert code == 0
    folder, name = tmp_path / "set", rows["a"]["switch"]["file"]
    pcm, _ = soundfile.read(folder / name, dtype="int16")
    (folder / name).write_bytes(HEADERS[header](pcm))
    # Manifest and checksums say what somebody who takes the file as it is would say.
    manifest = (folder / "manifest.jsonl").read_text()
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    manifest = manifest.replace(rows["a"]["switch"]["sha256"], digest)
    (folder / "manifest.jsonl").write_text(manifest)
    sums = {
        line[66:]: hashlib.sha256((folder / line[66:]).read_bytes()).hexdigest()
        for line in (folder / "SHA256SUMS").read_text().splitlines()
    }
    (folder / "SHA256SUMS").write_text("".join(f"{h}  {n}\n" for n, h in sums.items()))
    code, _ = run("verify", folder, "--json", tmp_path / "report.json")
    assert code == 1
    faults = json.loads((tmp_path / "report.json").read_text())["faults"]
    assert [fault["where"] for fault in faults] == ["a__switch"]
    assert faults[0]["what"].startswith("switch.wav: ")
    assert SAID[header] in faults[0]["what"]


def test_channels_that_cancel_are_refused_unless_one_is_named(tmp_path: Path) -> None:
    # m-bain/whisperX PR#750: right is minus left, and their mean exactly 0.
    tone = sine(0.2, 16000)
    take = written(np.stack((tone, -tone), axis=1), RATE, "WAV", "PCM_16")
    takes = {"context.wav": CONTEXT, "phase.wav": take}
    code, said, rows = made(tmp_path / "mean", takes)
    assert code == 1
    assert (
        "phase__single: trigger: voice people/ann: phase.wav: its channels cancel in their mean; "
        "allowed: a channel" in said
    )
    assert set(rows["phase"]) == {"text_only"}
    takes["context.wav"] = written(np.stack((speech(), speech()), axis=1), RATE, "WAV", "PCM_16")
    code, _, rows = made(tmp_path / "named", takes, card="channel = 1")
    assert code == 0
    # 0.2 is -16.99 dBFS RMS.
    gain = trigger(rows["phase"]["single"])["level"]["gain_db"]
    assert gain == pytest.approx(-20 + 16.99, abs=0.01)
