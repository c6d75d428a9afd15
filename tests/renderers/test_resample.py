"""Resampling keeps durations, times, levels and pitches."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthkit.audio import Audio, Span
from synthkit.levels import rms_dbfs
from synthkit.renderers.resample import Resample

RATES = [8000, 11025, 12499, 22050, 43779, 44056, 44100, 47952, 48000, 96000]


@pytest.mark.parametrize("rate", RATES)
def test_one_second_stays_one_second(rate: int) -> None:
    out = Resample()(Audio(np.zeros(rate), rate))
    assert (out.num_samples, out.sampling_rate) == (16000, 16000)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 3000), st.sampled_from([*RATES, 16000]))
def test_length_is_the_duration_to_the_nearest_sample(num_samples: int, rate: int) -> None:
    out = Resample()(Audio(np.zeros(num_samples), rate))
    assert abs(out.num_samples - Fraction(num_samples * 16000, rate)) <= Fraction(1, 2)


@pytest.mark.parametrize("num_samples", [0, 1, 2, 3])
@pytest.mark.parametrize("rate", [8000, 48000])
def test_a_few_samples_do_no_harm(num_samples: int, rate: int) -> None:
    out = Resample()(Audio(np.full(num_samples, 0.5), rate))
    # 0, 1/3, 2/3 and 1 sample at a third of the rate; twice the number at double the rate.
    wanted = {48000: [0, 0, 1, 1], 8000: [0, 2, 4, 6]}[rate][num_samples]
    assert out.num_samples == wanted


@pytest.mark.parametrize("rate", RATES)
def test_a_tone_keeps_level_and_pitch(rate: int) -> None:
    tone = 0.5 * np.sin(2 * np.pi * 1000 * np.arange(rate) / rate)
    middle = Resample()(Audio(tone, rate)).samples[1600:-1600]
    # 20 log10(0.5 / sqrt 2) = -9.0309 dB.
    assert rms_dbfs(middle) == pytest.approx(-9.0309, abs=0.005)
    # Where the ideal tone would be: no delay, no drift.
    ideal = 0.5 * np.sin(2 * np.pi * 1000 * np.arange(1600, 14400) / 16000)
    np.testing.assert_allclose(middle, ideal, atol=1e-4)


@pytest.mark.parametrize("rate", [32000, 48000, 96000])
def test_a_click_stays_in_its_place(rate: int) -> None:
    click = np.zeros(rate)
    click[rate // 4] = 1.0
    assert int(np.argmax(Resample()(Audio(click, rate)).samples)) == 4000


def test_what_16_khz_cannot_hold_is_gone_and_not_folded() -> None:
    tone = 0.5 * np.sin(2 * np.pi * 9000 * np.arange(48000) / 48000)
    level = rms_dbfs(Resample()(Audio(tone, 48000)).samples[1600:-1600])
    assert level is None or level < -100  # would be -9 at 7 kHz if it folded


def test_the_speech_window_and_the_notes_go_along() -> None:
    audio = Audio(np.zeros(48000), 48000, Span(4800, 43200)).noted("earlier", fact=1)
    out = Resample()(audio)
    assert out.speech == Span(1600, 14400)
    assert out.note("earlier") == {"fact": 1}


def test_the_same_rate_changes_nothing() -> None:
    audio = Audio(np.random.default_rng(1).standard_normal(100), 16000)
    np.testing.assert_array_equal(Resample()(audio).samples, audio.samples)
