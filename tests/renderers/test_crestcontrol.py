"""Crest control: peaky sources are limited, others are left alone, to the bit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import signal

from synthkit.audio import Audio, Span
from synthkit.errors import AudioError
from synthkit.levels import true_peak
from synthkit.renderers.crestcontrol import CrestControl
from synthkit.renderers.highpass import HighPass
from synthkit.renderers.limiter import limiting_gain, reduction

RATE = 16000


def crest_db(audio: Audio) -> float:
    """True peak over the speech window's RMS, through the high-pass, all by scipy."""
    sos = signal.butter(4, 60, "highpass", fs=RATE, output="sos")
    heard = signal.sosfilt(sos, np.pad(audio.samples, (0, 1600)))
    peak = np.abs(signal.resample_poly(np.pad(heard, 100), 4, 1)).max()
    rms = math.sqrt(np.mean(heard[audio.window.start : audio.window.end] ** 2))
    return 20 * math.log10(peak / rms)


def peaky(speech: Audio, times: float, low: float = 0.0) -> Audio:
    """Speech with glottal-like pulses, asymmetric as low voices are, and rumble of ``low``."""
    samples = speech.samples.copy()
    pulse = np.exp(-np.arange(60) / 8.0)
    for at in range(4000, 25000, 1900):
        samples[at : at + 60] += times * 0.1 * pulse
    samples += low * np.sin(2 * np.pi * 25 * np.arange(len(samples)) / RATE)
    return speech.with_samples(samples)


@pytest.mark.parametrize("times", [10, 15, 25])
@pytest.mark.parametrize("low", [0.0, 0.2])
def test_a_peaky_source_ends_at_19_db(speech: Audio, times: float, low: float) -> None:
    source = peaky(speech, times, low)
    assert crest_db(source) > 19.5
    out = CrestControl()(source)
    # -1 dBTP at -20 dBFS; no lower than needed.
    assert 18 < crest_db(out) <= 19.01
    assert out.speech == source.speech
    assert out.num_samples == source.num_samples
    note = out.note("crestcontrol")
    assert note is not None
    assert note["limited"] is True
    assert 0 < float(str(note["reduction_db"])) < 20
    assert 0 < float(str(note["share"])) < 0.5


def test_the_peak_of_what_the_high_pass_gives_is_under_the_ceiling(speech: Audio) -> None:
    out = HighPass()(CrestControl()(peaky(speech, 15)))
    rms = math.sqrt(np.mean(out.samples[slice(*out.window)] ** 2))
    assert 20 * math.log10(true_peak(out.samples) / rms) <= 19.0 + 1e-6


def test_only_the_difference_of_level_and_ceiling_matters(speech: Audio) -> None:
    one = CrestControl(dbfs=-20, ceiling_dbtp=-1)(peaky(speech, 15))
    other = CrestControl(dbfs=-26, ceiling_dbtp=-7)(peaky(speech, 15))
    np.testing.assert_allclose(one.samples, other.samples, atol=1e-12)


def test_what_needs_no_limiting_is_identical_to_the_bit(speech: Audio) -> None:
    assert crest_db(speech) < 19
    out = CrestControl()(speech)
    assert out.samples.tobytes() == speech.samples.tobytes()
    note = out.note("crestcontrol")
    assert note == {"limited": False, "reduction_db": 0.0, "share": 0.0}


def test_scale_does_not_matter(speech: Audio) -> None:
    source = peaky(speech, 15)
    quiet = CrestControl()(source.with_samples(source.samples * 2.0**-6))
    np.testing.assert_allclose(quiet.samples * 2.0**6, CrestControl()(source).samples, atol=1e-9)


def test_a_crest_that_cannot_be_had_is_refused() -> None:
    clicks = np.zeros(RATE)
    clicks[[4000, 12000]] = 1.0
    with pytest.raises(AudioError, match="crest"):
        CrestControl()(Audio(clicks, RATE, Span(0, RATE)))


def test_the_limiting_gain_takes_the_true_peak_to_the_ceiling(speech: Audio) -> None:
    loud = peaky(speech, 15).samples
    gain = limiting_gain(loud, 0.5, RATE)
    assert (gain <= 1).all()
    assert np.abs(loud * gain).max() <= 0.5 + 1e-12
    assert true_peak(loud * gain) <= 0.5 * 10 ** (0.1 / 20)


def test_the_limiting_gain_acts_only_around_peaks() -> None:
    samples = np.zeros(4000)
    samples[2000] = 1.0
    gain = limiting_gain(samples, 0.5, RATE)
    # Held for 2.5 ms = 40 samples on both sides, smoothed by as much again, and a sample of
    # interpolation: 81 samples away nothing is left.
    assert gain[2000] == pytest.approx(0.5, rel=1e-2)
    np.testing.assert_array_equal(gain[:1918], 1)
    np.testing.assert_array_equal(gain[2083:], 1)


@pytest.mark.parametrize("ceiling", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_gain_for_a_signal_that_is_symmetric_in_time_is_symmetric(
    ceiling: float, sign: int
) -> None:
    half = 0.3 * np.random.default_rng(0).standard_normal(1001)
    samples = np.concatenate((half[::-1], sign * half[1:]))
    gain = limiting_gain(samples, ceiling, RATE)
    np.testing.assert_allclose(gain, gain[::-1], atol=1e-9)


def test_the_limiting_gain_does_not_know_polarity() -> None:
    noise = np.random.default_rng(0).standard_normal(2000)
    np.testing.assert_array_equal(limiting_gain(noise, 0.5, RATE), limiting_gain(-noise, 0.5, RATE))


def test_reduction_is_reported_in_db_and_share() -> None:
    gain = np.array([1.0, 0.8, 0.5, 1.0])
    # 0.5 is 6.0206 dB; two of four samples.
    assert reduction(gain) == {"limited": True, "reduction_db": 6.0206, "share": 0.5}


def test_a_reduction_that_would_damage_speech_is_refused() -> None:
    # 0.25 is 12.0412 dB, over the 12 dB that are allowed.
    with pytest.raises(AudioError, match=r"peaks need 12\.0 dB of limiting .* allowed: 12 dB"):
        reduction(np.array([1.0, 0.25]))
