"""A bed has its level to the hundredth of a dB, and the seed decides its every byte."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthkit.beds.babble import Talkers
from synthkit.beds.file import read_recording
from synthkit.beds.make import bed_sha256, make_bed
from synthkit.beds.spec import BedSpec
from synthkit.errors import AudioError, InputError
from synthkit.wav import wav_bytes

RATE = 16000
Make = Callable[..., np.ndarray]
KINDS = pytest.mark.parametrize("kind", ["pink", "room_tone", "babble", "file"])


def level(bed: np.ndarray) -> float:
    """RMS in dBFS from int16, by nothing of ours."""
    return 10 * math.log10(np.mean((bed.astype(np.float64) / 32768) ** 2))


@pytest.fixture
def make(talkers: Talkers, recorded: Callable[..., Path]) -> Make:
    """Make a bed of any kind; the file is 1.5 s of stereo at 48 kHz."""
    path = recorded(0.01 * np.random.default_rng(3).standard_normal((72000, 2)), 48000)

    def bed(kind: str, num_samples: int = 40000, seed: int = 1, **asked: float) -> np.ndarray:
        extra = {"babble": {"num_talkers": 5}, "file": {"recording": read_recording(path)}}
        spec = BedSpec(kind, **(asked or {"level_dbfs": -50.0}), **extra.get(kind, {}))  # type: ignore[arg-type]
        return make_bed(spec, num_samples, seed, -20.0, talkers if kind == "babble" else None)

    return bed


@KINDS
@pytest.mark.parametrize("asked", [-90.0, -83.3, -60.0, -45.0, -20.0])
def test_the_level_is_exact(make: Make, kind: str, asked: float) -> None:
    bed = make(kind, level_dbfs=asked)
    assert bed.dtype == np.int16
    assert level(bed) == pytest.approx(asked, abs=0.01)


@KINDS
@pytest.mark.parametrize("snr_db", [0.0, 12.5, 70.0])
def test_the_snr_is_exact(make: Make, kind: str, snr_db: float) -> None:
    assert level(make(kind, snr_db=snr_db)) == pytest.approx(-20.0 - snr_db, abs=0.01)


@KINDS
@pytest.mark.parametrize("num_samples", [20000, 65537, 100000])
def test_it_is_as_long_as_asked(make: Make, kind: str, num_samples: int) -> None:
    bed = make(kind, num_samples)
    assert bed.shape == (num_samples,)
    assert level(bed) == pytest.approx(-50, abs=0.01)


@KINDS
def test_the_seed_decides_every_byte(make: Make, kind: str) -> None:
    first, again, other = make(kind, seed=1), make(kind, seed=1), make(kind, seed=2)
    assert wav_bytes(first, RATE) == wav_bytes(again, RATE)
    assert bed_sha256(first) == bed_sha256(again) != bed_sha256(other)
    assert np.mean(first == other) < 0.1


@KINDS
def test_there_is_no_offset(make: Make, kind: str) -> None:
    bed = make(kind).astype(np.float64)
    assert 20 * math.log10(max(abs(bed.mean()), 1e-12) / bed.std()) < -60


def test_a_cut_through_a_hum_leaves_no_offset(recorded: Callable[..., Path]) -> None:
    # Half a period more than 15: the half's mean, 2 / pi of its peak, stays over all of it.
    hum = 0.1 * np.sin(2 * np.pi * 100 * np.arange(3 * RATE) / RATE)
    spec = BedSpec("file", level_dbfs=-30.0, recording=read_recording(recorded(hum)))
    for seed in range(5):
        bed = make_bed(spec, 15 * 160 + 80, seed, -20.0).astype(np.float64)
        assert 20 * math.log10(max(abs(bed.mean()), 1e-12) / bed.std()) < -60


@KINDS
def test_a_shorter_bed_is_no_beginning_of_a_longer_one(make: Make, kind: str) -> None:
    # Levels are those of whole beds. Whoever needs one beginning makes the longest bed alone.
    short, long = make(kind, 20000), make(kind, 60000)
    assert not np.array_equal(short, long[:20000])


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**31 - 1),
    num_samples=st.integers(RATE, 4 * RATE),
    asked=st.floats(-90, -20),
    kind=st.sampled_from(["pink", "room_tone"]),
)
def test_any_level_length_and_seed(seed: int, num_samples: int, asked: float, kind: str) -> None:
    bed = make_bed(BedSpec(kind, level_dbfs=asked), num_samples, seed, -20.0)
    assert level(bed) == pytest.approx(asked, abs=0.01)


def test_the_name_of_a_bed_is_the_hash_of_its_file(make: Make, tmp_path: Path) -> None:
    bed = make("pink")
    path = tmp_path / "bed.wav"
    path.write_bytes(wav_bytes(bed, RATE))
    if not shutil.which("sha256sum"):
        pytest.skip("no sha256sum here")
    said = subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True).stdout
    assert said.split()[0] == bed_sha256(bed)


def test_a_loud_bed_with_high_peaks_is_refused(recorded: Callable[..., Path]) -> None:
    # A click a second at -20 dBFS RMS is sqrt(16000 * 0.01), or 12.6 times full scale.
    clicks = np.zeros(3 * RATE)
    clicks[::RATE] = 0.5
    spec = BedSpec("file", level_dbfs=-20.0, recording=read_recording(recorded(clicks)))
    with pytest.raises(AudioError, match=r"^bed file at -20 dBFS: sample \d+ is .*; allowed"):
        make_bed(spec, RATE, 1, -20.0)


def test_a_level_that_16_bits_cannot_hold_is_refused() -> None:
    # Seven samples at -90 dBFS have a sum of squares of 7.5 steps; there is 7 or 8.
    with pytest.raises(AudioError, match=r"reads .* dBFS after rounding to 16 bits"):
        make_bed(BedSpec("pink", level_dbfs=-90.0), 7, 1, -20.0)


@pytest.mark.parametrize("num_samples", [-1, 0])
def test_no_samples_are_refused(num_samples: int) -> None:
    with pytest.raises(AudioError, match=f"bed: {num_samples} samples; allowed: 1 or more"):
        make_bed(BedSpec("pink", level_dbfs=-50.0), num_samples, 1, -20.0)


def test_one_sample_is_no_noise() -> None:
    with pytest.raises(AudioError, match="silence"):
        make_bed(BedSpec("pink", level_dbfs=-50.0), 1, 1, -20.0)


def test_babble_needs_talkers() -> None:
    with pytest.raises(InputError, match="babble without talkers"):
        make_bed(BedSpec("babble", level_dbfs=-50.0, num_talkers=3), RATE, 1, -20.0)


def test_babble_of_more_talkers_than_there_are_is_refused(talkers: Talkers) -> None:
    few = Talkers(talkers.voices[:2], talkers.texts, talkers.say)
    with pytest.raises(InputError, match="num_talkers is 3; allowed: up to 2"):
        make_bed(BedSpec("babble", level_dbfs=-50.0, num_talkers=3), RATE, 1, -20.0, few)
