"""Level meters against hand-computed levels and the standards they follow."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import signal

from synthkit import levels
from synthkit.loudness import lufs

RATE = 16000


def sine(hertz: float, seconds: float, amplitude: float = 1.0, phase: float = 0.0) -> np.ndarray:
    time = np.arange(round(seconds * RATE)) / RATE
    return amplitude * np.sin(2 * np.pi * hertz * time + phase)


def test_full_scale_sine_reads_minus_3_01_dbfs() -> None:
    # RMS of a sine is 1/sqrt(2): 10 log10(1/2) = -3.0103 dB.
    assert levels.rms_dbfs(sine(1000, 1.0)) == pytest.approx(-3.0103, abs=1e-4)


def test_full_scale_square_reads_0_dbfs() -> None:
    assert levels.rms_dbfs(np.tile([1.0, -1.0], 800)) == pytest.approx(0.0, abs=1e-12)


def test_half_the_amplitude_is_6_02_db_less() -> None:
    assert levels.peak_dbfs(np.array([0.1, -0.5, 0.2])) == pytest.approx(-6.0206, abs=1e-4)


@pytest.mark.parametrize("samples", [np.zeros(0), np.zeros(1), np.zeros(16000)])
def test_silence_has_no_level(samples: np.ndarray) -> None:
    assert levels.rms_dbfs(samples) is None
    assert levels.peak_dbfs(samples) is None
    assert levels.true_peak(samples) == 0.0
    assert levels.true_peak_dbtp(samples) is None
    assert lufs(samples, RATE) is None


def test_true_peak_sees_between_the_samples() -> None:
    # A quarter-rate sine sampled at 45 degrees: every sample is +-0.7071, the wave reaches 1.
    wave = sine(RATE / 4, 0.1, phase=math.pi / 4)
    np.testing.assert_allclose(np.abs(wave), math.sqrt(0.5), atol=1e-9)
    wave = wave * signal.windows.tukey(len(wave), 0.5)
    assert levels.peak_dbfs(wave) == pytest.approx(-3.0103, abs=0.01)
    assert levels.true_peak_dbtp(wave) == pytest.approx(0.0, abs=0.1)


@pytest.mark.parametrize("hertz", [100, 997, 2500, 5000])
def test_true_peak_of_a_sine_is_its_amplitude(hertz: float) -> None:
    wave = sine(hertz, 0.2, 0.25, phase=0.3) * signal.windows.tukey(3200, 0.5)
    # BS.1770-5 Annex 2, table of maximum under-read at 4x: 0.17 dB below a quarter of the rate.
    assert levels.true_peak_dbtp(wave) == pytest.approx(20 * math.log10(0.25), abs=0.17)


def full_true_peak(samples: np.ndarray) -> float:
    """The whole signal oversampled by another routine, with room for what rings over its ends."""
    return float(np.abs(signal.resample_poly(np.pad(samples, 20), 4, 1)).max())


@settings(max_examples=150, deadline=None, derandomize=True)
@given(arrays(np.float64, st.integers(1, 400), elements=st.floats(-1, 1, width=32)))
def test_true_peak_equals_oversampling_the_whole_signal(samples: np.ndarray) -> None:
    assert levels.true_peak(samples) == pytest.approx(full_true_peak(samples), rel=1e-3)


@pytest.mark.parametrize("seed", range(20))
def test_true_peak_equals_oversampling_the_whole_of_long_noise(seed: int) -> None:
    rng = np.random.default_rng(seed)
    loudness = np.repeat(rng.uniform(0, 0.3, 40), 400)  # quiet and loud stretches
    noise = rng.standard_normal(16000) * loudness
    assert levels.true_peak(noise) == pytest.approx(full_true_peak(noise), rel=1e-3)


def test_true_peak_is_never_below_the_sample_peak() -> None:
    click = np.zeros(1000)
    click[500] = -0.8
    assert 0.8 <= levels.true_peak(click) <= 0.8 * 10 ** (0.01 / 20)  # within 0.01 dB


def test_oversampled_envelope_holds_samples_and_true_peak() -> None:
    noise = np.random.default_rng(3).standard_normal(4000) * np.hanning(4000)
    envelope = levels.oversampled_envelope(noise)
    assert envelope.shape == noise.shape
    assert (envelope >= np.abs(noise)).all()
    assert envelope.max() == pytest.approx(full_true_peak(noise), rel=1e-3)


@pytest.mark.parametrize("rate", [16000, 48000])
def test_lufs_of_a_full_scale_997_hz_sine_is_minus_3_01(rate: int) -> None:
    # BS.1770-5, Annex 1: a 0 dBFS, 997 Hz sine in one front channel reads -3.01 LKFS.
    wave = np.sin(2 * np.pi * 997 * np.arange(3 * rate) / rate)
    assert lufs(wave, rate) == pytest.approx(-3.01, abs=0.1)
    assert lufs(0.1 * wave, rate) == pytest.approx(-23.01, abs=0.1)


def test_lufs_gates_out_pauses_and_quiet_stretches() -> None:
    # EBU Tech 3341, case 3, shortened: what is 13 LU quieter is under the relative gate, so
    # the loud part alone counts; ungated the whole would read 3 LU less.
    loud, quiet = sine(997, 4.0, 0.1), sine(997, 2.0, 0.1 * 10 ** (-13 / 20))
    assert lufs(np.concatenate((quiet, loud, quiet)), RATE) == pytest.approx(-23.01, abs=0.3)
    pause = np.zeros(2 * RATE)
    assert lufs(np.concatenate((pause, loud, pause)), RATE) == pytest.approx(-23.01, abs=0.3)


def test_lufs_hears_less_of_low_frequencies() -> None:
    # The RLB high-pass of BS.1770-5 (38 Hz): 20 Hz lies over 12 dB below 997 Hz.
    low, mid = lufs(sine(20, 2.0), RATE), lufs(sine(997, 2.0), RATE)
    assert low is not None
    assert mid is not None
    assert mid - low > 12


def test_there_is_no_loudness_below_one_block_of_400_ms() -> None:
    wave = sine(997, 0.4)
    assert lufs(wave[:-1], RATE) is None
    assert lufs(wave, RATE) == pytest.approx(-3.01, abs=0.2)


def test_there_is_no_loudness_under_the_absolute_gate() -> None:
    # BS.1770-5: blocks under -70 LKFS do not count.
    assert lufs(sine(997, 1.0, 10 ** (-75 / 20)), RATE) is None


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.floats(-120, 20))
def test_decibels_and_amplitudes_are_inverse(level_db: float) -> None:
    assert levels.to_db(levels.from_db(level_db)) == pytest.approx(level_db, abs=1e-9)


def test_recorded_levels_have_4_decimals_and_no_minus_zero() -> None:
    assert levels.rounded(-20.000049) == -20.0
    assert levels.rounded(-3.010299957) == -3.0103
    assert math.copysign(1, levels.rounded(-0.00001) or 0.0) == 1
    assert levels.rounded(None) is None


def test_the_true_peak_of_joined_parts_is_that_of_the_whole():
    rng = np.random.default_rng(5)
    ramp = np.minimum(1.0, np.arange(400) / 80)
    for faded in (True, False):
        for gap in (0, 1, 7, 500):
            parts = [rng.standard_normal(400) * 0.2 for _ in range(2)]
            if faded:
                parts = [part * ramp * ramp[::-1] for part in parts]
            samples = np.concatenate([parts[0], np.zeros(gap), parts[1]])
            edges = (0, 400, 400 + gap, len(samples))
            found = levels.joined_true_peak_dbtp(samples, edges, map(levels.true_peak_dbtp, parts))
            assert found == pytest.approx(levels.true_peak_dbtp(samples), abs=1e-9)
    silence = np.zeros(100)
    assert levels.joined_true_peak_dbtp(silence, (0, 100), [None]) is None


def test_a_peak_between_samples_that_only_the_joint_makes_is_read():
    # Ones that meet: between the two the interpolator rises over both, in neither part alone.
    parts = [np.concatenate((np.zeros(40), [1.0])), np.concatenate(([1.0], np.zeros(40)))]
    found = levels.joined_true_peak_dbtp(
        np.concatenate(parts), (0, 41, 82), map(levels.true_peak_dbtp, parts)
    )
    assert found is not None and found > 1.0  # 1.27 at the middle: 2.1 dBTP
    assert all(levels.true_peak_dbtp(part) < 0.1 for part in parts)
