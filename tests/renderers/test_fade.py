"""Fades are linear and reach zero."""

from __future__ import annotations

import numpy as np
import pytest

from synthkit.audio import Audio, Span
from synthkit.renderers.fade import Fade


@pytest.mark.parametrize("num_samples", [2, 3, 80, 159, 160, 161, 16000])
def test_the_first_and_the_last_sample_are_zero(num_samples: int) -> None:
    out = Fade()(Audio(np.ones(num_samples), 16000)).samples
    assert len(out) == num_samples
    assert out[0] == 0
    assert out[-1] == 0


def test_5_ms_are_80_samples_of_a_straight_line() -> None:
    out = Fade()(Audio(np.ones(1000), 16000)).samples
    np.testing.assert_allclose(out[:80], [k / 80 for k in range(80)], rtol=1e-15)
    np.testing.assert_allclose(out[-80:], [k / 80 for k in reversed(range(80))], rtol=1e-15)
    np.testing.assert_array_equal(out[80:-80], 1)


def test_audio_shorter_than_two_fades_gets_two_halves() -> None:
    out = Fade()(Audio(np.ones(8), 16000)).samples
    np.testing.assert_array_equal(out, [0, 0.25, 0.5, 0.75, 0.75, 0.5, 0.25, 0])


def test_no_milliseconds_and_no_samples_change_nothing() -> None:
    np.testing.assert_array_equal(Fade(ms=0)(Audio(np.ones(9), 16000)).samples, np.ones(9))
    assert Fade()(Audio(np.zeros(0), 16000)).num_samples == 0


def test_the_speech_window_stays() -> None:
    assert Fade()(Audio(np.ones(1000), 16000, Span(320, 600))).speech == Span(320, 600)
