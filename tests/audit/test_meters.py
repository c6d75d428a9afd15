"""Meters against values computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from synthkit.audio import Samples, Span
from synthkit.audit.meters import METERS, measure
from tests.conftest import ROOT

RATE = 16000
PART = Span(1600, 1600 + RATE)  # 100 ms, then a second of speech, then 200 ms
AROUND = (1600, 3200)


def part(speech: Samples, front: Samples | float = 0.0, after: Samples | float = 0.0) -> Samples:
    return np.concatenate(
        [np.full(AROUND[0], 0.0) + front, speech, np.full(AROUND[1], 0.0) + after]
    )


def tone(hz: float, amplitude: float = 0.5, num_samples: int = RATE) -> Samples:
    return amplitude * np.sin(2 * np.pi * hz * np.arange(num_samples) / RATE)


def square(amplitude: float, num_samples: int = RATE) -> Samples:
    """A square wave of 1 kHz: its RMS is its amplitude in every frame."""
    return np.tile(np.repeat([amplitude, -amplitude], 8), num_samples // 16)


def noise(num_samples: int = 10 * RATE) -> Samples:
    return 0.1 * np.random.default_rng(1).standard_normal(num_samples)


def read(meter: str, samples: Samples, window: Span = PART) -> float:
    value = measure(samples, window, RATE)[meter]
    assert value is not None
    return value


def test_every_meter_but_lag_reads_speech_and_none_reads_silence() -> None:
    assert set(measure(part(noise(RATE)), PART, RATE)) == set(METERS) - {"lag"}
    silent = measure(part(np.zeros(RATE), 0.1), PART, RATE)
    assert set(silent) == set(METERS) - {"lag"}
    assert set(silent.values()) == {None}


@pytest.mark.parametrize("num_samples", [1, 5, 79, 80, 511, 512])
def test_speech_shorter_than_any_frame_is_read_or_not_but_finite(num_samples: int) -> None:
    values = measure(noise(num_samples), Span(0, num_samples), RATE)
    assert all(value is None or math.isfinite(value) for value in values.values())
    assert values["speech_duration"] == num_samples


def test_the_docs_say_of_every_meter_what_it_reads() -> None:
    told = (ROOT / "docs" / "audit_meters.md").read_text("utf-8").splitlines()
    rows = [line for line in told if line.startswith("| `")]
    assert rows == [f"| `{name}` | {m.unit} | {m.reads} |" for name, m in METERS.items()]


def test_level_is_the_speech_windows_alone() -> None:
    # 20 log10(0.5 / sqrt 2)
    assert read("level", part(tone(1000), front=0.9)) == pytest.approx(-9.0309, abs=1e-4)


def test_timing_of_the_window_is_counted_in_samples() -> None:
    values = measure(part(tone(1000)), PART, RATE)
    timing = [values[name] for name in ("front_margin", "speech_duration", "post_window")]
    assert timing == [1600, 16000, 3200]


def test_onset_and_duration_are_what_is_heard_not_what_is_declared() -> None:
    late = tone(1000)
    late[: RATE // 4] = 0
    late[-RATE // 10 :] *= 10 ** (-40 / 20)  # 40 dB below the loudest is not heard
    assert read("audible_onset", part(late)) == 350
    assert read("audible_duration", part(late)) == 650


def test_constant_offset_reads_against_the_speech() -> None:
    # 20 log10(0.001 / 0.1); the tone fills whole periods and adds nothing.
    assert read("dc", square(0.1) + 0.001, Span(0, RATE)) == pytest.approx(-40, abs=0.01)
    assert read("dc", square(0.1), Span(0, RATE)) == -120


def test_sub_bass_counts_what_lies_below_40_hz() -> None:
    whole = Span(0, RATE)
    low = tone(1000) + tone(20, 0.005)
    assert read("sub_bass", low, whole) == pytest.approx(-40, abs=0.01)
    assert read("sub_bass", tone(1000) + tone(40, 0.005), whole) == -120
    odd = low[:-1]  # an odd length has no middle bin
    assert read("sub_bass", odd, Span(0, RATE - 1)) == pytest.approx(-40, abs=0.1)


def test_steps_read_what_stands_just_inside_the_fades_or_at_the_very_end() -> None:
    front = np.zeros(AROUND[0])
    front[80:160] = 0.001
    stepped = part(square(0.1), front=front)
    assert read("start_step", stepped) == pytest.approx(-40, abs=1e-3)
    assert read("end_step", stepped) == -120
    jump = part(square(0.1))
    jump[-1] = 0.01
    assert read("end_step", jump) == pytest.approx(-20, abs=1e-3)


def test_margin_and_tail_read_what_lies_around_the_speech() -> None:
    after = np.full(AROUND[1], 0.01)
    after[:800] = 0.1  # up to 50 ms: what trimming leaves
    values = measure(part(square(0.1), 0.001, after), PART, RATE)
    assert values["margin"] == pytest.approx(-40, abs=1e-3)
    assert values["tail"] == pytest.approx(-20, abs=1e-3)


def test_floor_is_what_the_pauses_hold() -> None:
    half = np.concatenate([square(0.1, RATE // 2), square(0.0001, RATE // 2)])
    # Pauses 60 dB below the loud half, whose power the whole has half of: 3.01 dB more.
    assert read("floor", part(half)) == pytest.approx(-60 + 3.0103, abs=1e-3)


def test_crest_is_the_largest_sample_against_the_rms() -> None:
    assert read("crest", part(tone(1000))) == pytest.approx(3.0103, abs=1e-4)
    assert read("crest", part(square(0.1))) == pytest.approx(0, abs=1e-6)


def test_skewness_turns_with_the_polarity() -> None:
    # 3 a quarter of the time, -1 else: mean 0, variance 3, third moment 6; 6 / 3 ** 1.5
    skewed = np.tile([3.0, -1.0, -1.0, -1.0], RATE // 4) / 10
    assert read("skewness", part(skewed)) == pytest.approx(1.154701, abs=1e-6)
    assert read("skewness", part(-skewed)) == pytest.approx(-1.154701, abs=1e-6)


def test_odd_share_counts_loud_16_bit_steps() -> None:
    steps = np.tile([101, -102, 103, 205, 7, 9, 0, 1], RATE // 8)
    assert read("odd_share", part(steps / 32768)) == 0.75
    assert read("odd_share", part(np.tile([400, -64], RATE // 2) / 32768)) == 0  # coarse steps
    assert measure(part(np.tile([101.5, 200], RATE // 2) / 32768), PART, RATE)["odd_share"] is None


def test_bands_read_their_share_of_the_energy() -> None:
    assert read("low_band", part(tone(150) + tone(1000))) == pytest.approx(-3.01, abs=0.01)
    # Hann's frames of 32 ms spread a tone over 62.5 Hz either way: neither reaches the band.
    assert read("low_band", part(tone(1000) + tone(350, 0.05))) < -60
    assert read("high_band", part(tone(1000) + tone(5000))) == pytest.approx(-3.01, abs=0.01)
    assert read("top_band", part(tone(1000) + tone(7500, 0.05))) == pytest.approx(-20.04, abs=0.02)


def test_bandwidth_is_where_99_percent_of_the_energy_end() -> None:
    assert read("bandwidth", part(tone(500) + tone(2000, 0.2))) == pytest.approx(2000, abs=40)
    assert read("bandwidth", part(tone(500) + tone(2000, 0.02))) == pytest.approx(500, abs=40)


@pytest.mark.parametrize(("slope", "db_per_octave"), [(0.0, 0.0), (-1.0, -6.02), (-2.0, -12.04)])
def test_tilt_is_the_slope_of_the_spectrum(slope: float, db_per_octave: float) -> None:
    spectrum = np.fft.rfft(noise())
    spectrum[1:] *= np.arange(1, len(spectrum)) ** slope
    spectrum[:1000] = 0  # below 100 Hz: nothing that would leak upwards
    shaped = np.fft.irfft(spectrum)
    assert read("tilt", shaped, Span(0, len(shaped))) == pytest.approx(db_per_octave, abs=0.35)


def test_flatness_and_valleys_of_noise_and_of_a_voice() -> None:
    whole = Span(0, 10 * RATE)
    # Bins of noise are exponential: the mean of their log is -0.5772 (Euler) or -2.507 dB. The
    # tenth percentile of 99 is their 10.8th, on average where 0.108 lie below: -ln 0.892, -9.42 dB.
    assert read("flatness", noise(), whole) == pytest.approx(-2.507, abs=0.1)
    assert read("valleys", noise(), whole) == pytest.approx(-9.42, abs=0.2)
    voice = sum((tone(200.0 * k, 0.05) for k in range(1, 20)), np.zeros(RATE))
    clean = read("valleys", voice, Span(0, RATE))
    # Harmonics of 0.05^2 / 2 every 200 Hz lie 13 dB over this noise; Hann's side lobes far below.
    hissing = read("valleys", voice + 0.5 * noise(RATE), Span(0, RATE))
    assert clean < hissing - 10
