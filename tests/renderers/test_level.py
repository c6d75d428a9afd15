"""The level is exact where it is read: in the 16-bit samples of the speech window."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import signal

from synthkit.audio import Audio, Span
from synthkit.clip import join
from synthkit.errors import AudioError, SilenceError, SynthkitError
from synthkit.renderers.base import chain
from synthkit.renderers.fade import Fade
from synthkit.renderers.level import Level

RATE = 16000


def read_back(audio: Audio) -> tuple[float, float]:
    """Level of the speech window and true peak in dB, from int16, by nothing of ours."""
    pcm = join(audio).pcm.astype(np.float64) / 32768
    speech = pcm[audio.window.start : audio.window.end]
    peak = np.abs(signal.resample_poly(np.pad(pcm, 100), 4, 1)).max()
    return 10 * math.log10(np.mean(speech**2)), 20 * math.log10(peak)


def pulses(times: float, every: int = 1600) -> Audio:
    """A second of noise with clicks of ``times`` its RMS."""
    samples = np.random.default_rng(4).standard_normal(RATE)
    samples[every // 2 :: every] = times
    return Audio(samples, RATE, Span(320, RATE - 320))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    num_samples=st.integers(200, 8000),
    scale=st.floats(1e-4, 10),
    dbfs=st.sampled_from([-30.0, -23.0, -20.0, -16.0]),
)
def test_any_speech_gets_its_level(seed: int, num_samples: int, scale: float, dbfs: float) -> None:
    samples = scale * np.random.default_rng(seed).standard_normal(num_samples)
    level, peak = read_back(Level(dbfs)(Audio(samples, RATE, Span(50, num_samples - 100))))
    assert level == pytest.approx(dbfs, abs=0.01)
    assert peak <= 0


def test_the_level_is_that_of_the_window_and_not_of_the_file(speech: Audio) -> None:
    longer = Audio(np.pad(speech.samples, (0, 2 * RATE)), RATE, speech.speech)
    assert read_back(Level()(longer))[0] == pytest.approx(-20.0, abs=0.01)


def test_what_is_noted_is_what_is_read(speech: Audio) -> None:
    out = Level()(speech)
    note = out.note("level")
    assert note is not None
    assert note["requested_dbfs"] == -20.0
    assert note["realised_dbfs"] == pytest.approx(read_back(out)[0], abs=5e-5)
    rms = math.sqrt(np.mean(speech.samples[slice(*speech.window)] ** 2))
    assert note["gain_db"] == pytest.approx(-20 - 20 * math.log10(rms), abs=5e-5)
    assert note["limited"] is False


def test_samples_lie_on_the_16_bit_grid(speech: Audio) -> None:
    steps = Level()(speech).samples * 32768
    np.testing.assert_array_equal(steps, np.rint(steps))


def test_without_limiting_it_is_one_gain(speech: Audio) -> None:
    out = Level()(speech)
    gain = np.dot(out.samples, speech.samples) / np.dot(speech.samples, speech.samples)
    # What is left is rounding: half a step at most.
    assert np.abs(out.samples - gain * speech.samples).max() <= 0.6 / 32768


@pytest.mark.parametrize("times", [12, 16, 20])
def test_a_peak_over_the_ceiling_is_limited_and_the_level_holds(times: float) -> None:
    out = Level()(pulses(times))
    level, peak = read_back(out)
    assert level == pytest.approx(-20.0, abs=0.01)
    assert peak <= 0
    note = out.note("level")
    assert note is not None
    assert note["limited"] is True
    assert float(str(note["reduction_db"])) > 0


def test_a_lower_ceiling_holds_too() -> None:
    level, peak = read_back(Level(ceiling_dbtp=-3.0)(pulses(16)))
    assert level == pytest.approx(-20.0, abs=0.01)
    assert peak <= -3.0


def test_peaks_that_only_heavy_limiting_takes_are_refused() -> None:
    with pytest.raises(AudioError, match=r"dB of limiting .* allowed: 12 dB"):
        Level()(pulses(60))


def test_refuse_names_the_peak() -> None:
    with pytest.raises(AudioError, match=r"true peak at this level is \d\S* dBTP; allowed: 0"):
        Level(peak="refuse")(pulses(20))


def test_refuse_and_limit_agree_where_nothing_is_to_be_done(speech: Audio) -> None:
    limited, refused = Level()(speech), Level(peak="refuse")(speech)
    np.testing.assert_array_equal(limited.samples, refused.samples)


def test_silence_is_never_gained() -> None:
    click = np.zeros(RATE)
    click[0] = 1.0  # outside the window
    for samples in (np.zeros(RATE), click):
        with pytest.raises(SilenceError, match="no speech"):
            Level()(Audio(samples, RATE, Span(320, 8000)))


def test_a_crest_that_cannot_be_had_is_refused() -> None:
    # Two samples a second at -20 dBFS RMS would have to be 8.9: sqrt(0.01 * 16000 / 2).
    clicks = np.zeros(RATE)
    clicks[[4000, 12000]] = 1.0
    with pytest.raises(AudioError, match="exclude each other"):
        Level()(Audio(clicks, RATE, Span(0, RATE)))


@pytest.mark.parametrize("dbfs", [-1.0, 0.0, 3.0])
def test_a_level_beyond_full_scale_is_refused(dbfs: float) -> None:
    # A sine's level is 3.01 dB under its peak: over -3.01 dBFS it cannot be.
    sine = np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE)
    with pytest.raises(SynthkitError):
        Level(dbfs, peak="refuse")(Audio(sine, RATE, Span(0, RATE)))


def test_a_level_that_16_bits_cannot_hold_is_refused(speech: Audio) -> None:
    # At -95 dBFS RMS is half a step: no reading within 0.01 dB.
    with pytest.raises(AudioError, match="16 bits"):
        Level(-95.0)(speech)


@pytest.mark.parametrize("hertz", [200, 440, 1000, 3000])
def test_6_ms_of_a_sine_get_their_level_after_fades(hertz: float) -> None:
    sine = np.sin(2 * np.pi * hertz * np.arange(96) / RATE)
    out = chain(Fade(), Level())(Audio(sine, RATE, Span(0, 96)))
    level, peak = read_back(out)
    assert level == pytest.approx(-20.0, abs=0.01)
    assert peak <= 0
    assert out.samples[0] == out.samples[-1] == 0


def test_it_needs_to_know_where_the_speech_is() -> None:
    with pytest.raises(AudioError, match="speech window"):
        Level()(Audio(np.ones(100), RATE))
