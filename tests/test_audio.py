"""Audio, spans and the step to 16 bits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from synthkit.audio import Audio, Span, from_pcm16, num_samples_of, to_pcm16
from synthkit.errors import AudioError


def test_every_16_bit_value_survives_the_round_trip() -> None:
    every = np.arange(-32768, 32768, dtype=np.int16)
    np.testing.assert_array_equal(to_pcm16(from_pcm16(every)), every)


def test_full_scale_is_1_and_one_step_is_2_to_the_minus_15() -> None:
    pcm = np.array([-32768, -16384, 0, 1, 16384], np.int16)
    np.testing.assert_array_equal(from_pcm16(pcm), [-1.0, -0.5, 0.0, 2.0**-15, 0.5])


@pytest.mark.parametrize(
    ("sample", "step"),
    [
        (1.0, 32767),  # the largest int16: +32768 does not exist
        (-1.0, -32768),
        (0.4 / 32768, 0),
        (0.6 / 32768, 1),
        (-0.6 / 32768, -1),  # truncation would give 0
        (1000.7 / 32768, 1001),
        (-1000.7 / 32768, -1001),
    ],
)
def test_quantising_takes_the_nearest_step(sample: float, step: int) -> None:
    pcm = to_pcm16(np.array([sample]))
    assert pcm.dtype == np.int16
    assert pcm[0] == step


def test_quantising_has_no_offset() -> None:
    samples = np.random.default_rng(1).uniform(-0.9, 0.9, 100_000)
    error = to_pcm16(samples) - samples * 32768
    # Rounding error is uniform in +-0.5: mean 0 with standard error 0.29 / sqrt(1e5) = 0.0009,
    # RMS 1 / sqrt(12). Truncation towards minus infinity has a mean of -0.5.
    assert abs(error.mean()) < 0.005
    assert abs(error).max() <= 0.5
    assert np.sqrt(np.mean(error**2)) == pytest.approx(12**-0.5, rel=0.01)


@pytest.mark.parametrize("sample", [1.001, -1.001, 2.0, -300.0, np.inf, -np.inf, np.nan])
def test_nothing_over_full_scale_is_clipped_or_wrapped(sample: float) -> None:
    with pytest.raises(AudioError, match="sample 2 is"):
        to_pcm16(np.array([0.0, 0.5, sample, -0.5]))


def test_empty_audio_quantises_to_nothing() -> None:
    assert to_pcm16(np.zeros(0)).shape == (0,)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(arrays(np.float64, st.integers(1, 200), elements=st.floats(-1, 1)))
def test_quantising_twice_changes_nothing(samples: np.ndarray) -> None:
    once = to_pcm16(samples)
    np.testing.assert_array_equal(to_pcm16(from_pcm16(once)), once)
    # +1.0 is a whole step away from the largest value there is.
    assert np.abs(from_pcm16(once) - samples).max() <= 1.0 / 32768


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 100_000), st.sampled_from([8000, 11025, 16000, 22050, 44100, 48000]))
def test_milliseconds_become_the_nearest_number_of_samples(ms: int, rate: int) -> None:
    exact = Fraction(ms * rate, 1000)
    found = num_samples_of(ms, rate)
    assert abs(found - exact) <= Fraction(1, 2)
    if exact % 1 == Fraction(1, 2):
        assert found > exact  # halves go up


def test_600_ms_at_16_khz_are_9600_samples() -> None:
    assert num_samples_of(600, 16000) == 9600


def test_span_is_half_open() -> None:
    span = Span(2, 5)
    assert span.num_samples == 3
    assert span.moved(10) == Span(12, 15)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_non_finite_samples_are_refused_with_their_place(bad: float) -> None:
    with pytest.raises(AudioError, match=r"sample 3 is -?(nan|inf)"):
        Audio(np.array([0.0, 0.1, 0.2, bad, bad]), 16000)


@pytest.mark.parametrize("shape", [(2, 100), (100, 1), ()])
def test_only_mono_is_audio(shape: tuple[int, ...]) -> None:
    with pytest.raises(AudioError, match="mono"):
        Audio(np.zeros(shape), 16000)


@pytest.mark.parametrize("rate", [0, -16000, 44100.5])
def test_sampling_rate_is_a_positive_integer(rate: float) -> None:
    with pytest.raises(AudioError, match="sampling rate"):
        Audio(np.zeros(10), rate)  # type: ignore[arg-type]


@pytest.mark.parametrize("window", [Span(-1, 5), Span(5, 5), Span(6, 5), Span(0, 11)])
def test_speech_window_lies_within_the_samples(window: Span) -> None:
    with pytest.raises(AudioError, match="speech window"):
        Audio(np.zeros(10), 16000, window)


def test_asking_for_a_window_that_nobody_looked_for_is_an_error() -> None:
    with pytest.raises(AudioError, match="Trim"):
        _ = Audio(np.zeros(10), 16000).window


def test_samples_cannot_be_written_to() -> None:
    audio = Audio(np.zeros(10), 16000)
    with pytest.raises(ValueError, match="read-only"):
        audio.samples[0] = 1.0


def test_the_latest_note_of_a_renderer_counts() -> None:
    audio = Audio(np.zeros(10), 16000).noted("fade", ms=5).noted("level", db=1)
    assert audio.noted("fade", ms=7).note("fade") == {"ms": 7}
    assert audio.note("level") == {"db": 1}
    assert audio.note("room") is None


def test_new_samples_keep_rate_window_and_notes() -> None:
    audio = Audio(np.zeros(10), 8000, Span(2, 5)).noted("trim", cut=1)
    other = audio.with_samples(np.ones(12))
    assert (other.sampling_rate, other.speech, other.notes) == (8000, Span(2, 5), audio.notes)
    assert audio.with_samples(np.ones(12), Span(4, 7)).speech == Span(4, 7)
    np.testing.assert_array_equal(audio.samples, np.zeros(10))
