"""Every segment ends the same time after its speech."""

from __future__ import annotations

import numpy as np
import pytest

from synthkit.audio import Audio, Span
from synthkit.errors import AudioError
from synthkit.renderers.postwindow import PostWindow

RATE = 16000


@pytest.mark.parametrize("total", [1001, 2000, 4200, 4201, 9000])
def test_the_segment_ends_200_ms_after_the_speech(total: int) -> None:
    audio = Audio(np.ones(total), RATE, Span(320, 1000))
    out = PostWindow()(audio)
    assert out.num_samples == 1000 + 3200
    assert out.speech == Span(320, 1000)


def test_the_last_100_ms_fall_as_a_squared_cosine() -> None:
    samples = PostWindow()(Audio(np.ones(9000), RATE, Span(320, 1000))).samples
    np.testing.assert_array_equal(samples[: 1000 + 1600], 1)
    taper = samples[1000 + 1600 :]
    # cos^2 at a quarter, half and three quarters of the way: 0.8536, 0.5, 0.1464.
    np.testing.assert_allclose(taper[[399, 799, 1199]], [0.853553, 0.5, 0.146447], atol=1e-6)
    assert abs(taper[-1]) < 1e-12
    assert (np.diff(taper) < 0).all()


def test_dry_speech_ends_in_silence() -> None:
    samples = PostWindow()(Audio(np.ones(1000), RATE, Span(320, 1000))).samples
    np.testing.assert_array_equal(samples[:1000], 1)
    np.testing.assert_array_equal(samples[1000:], 0)


def test_short_windows_are_taper_from_the_offset_on() -> None:
    samples = PostWindow(ms=50)(Audio(np.ones(9000), RATE, Span(0, 1000))).samples
    assert len(samples) == 1800
    np.testing.assert_array_equal(samples[:1000], 1)
    assert samples[1399] == pytest.approx(0.5)


def test_zero_cuts_at_the_offset() -> None:
    samples = PostWindow(ms=0)(Audio(np.ones(9000), RATE, Span(320, 1000))).samples
    np.testing.assert_array_equal(samples, np.ones(1000))


def test_full_keeps_the_whole_decay() -> None:
    audio = Audio(np.random.default_rng(1).standard_normal(9000), RATE, Span(320, 1000))
    np.testing.assert_array_equal(PostWindow(ms="full")(audio).samples, audio.samples)


def test_it_needs_to_know_where_the_speech_is() -> None:
    with pytest.raises(AudioError, match="speech window"):
        PostWindow()(Audio(np.ones(100), RATE))
