"""Loudness, ceiling and gains: the other level policies."""

from __future__ import annotations

import numpy as np
import pyloudnorm
import pytest

from synthkit.audio import Audio, Span
from synthkit.errors import AudioError, InputError, SilenceError
from synthkit.renderers.ceiling import Ceiling
from synthkit.renderers.gain import Gain, SourceLevel
from synthkit.renderers.loudness import Loudness

RATE = 16000


def noise(seconds: float, scale: float = 0.05) -> Audio:
    samples = scale * np.random.default_rng(1).standard_normal(int(seconds * RATE))
    return Audio(samples, RATE, Span(0, len(samples)))


def test_a_segment_lands_on_its_loudness_by_another_meter() -> None:
    out = Loudness(lufs=-23.0)(noise(2.0))
    # pyloudnorm's other K-weighting: within 0.15 LU of libebur128's at 16 kHz.
    found = pyloudnorm.Meter(RATE).integrated_loudness(np.asarray(out.samples))
    assert found == pytest.approx(-23.0, abs=0.2)
    note = out.note("level")
    assert note is not None
    assert (note["requested_dbfs"], note["requested_lufs"]) == (None, -23.0)


def test_a_sine_of_known_loudness() -> None:
    # BS.1770: a 1 kHz sine of 0 dBFS peak reads -3.01 LUFS, so one of -20 LUFS has this peak.
    tone = np.sin(2 * np.pi * 1000 * np.arange(2 * RATE) / RATE)
    out = Loudness(lufs=-20.0)(Audio(0.5 * tone, RATE, Span(0, 2 * RATE)))
    assert 20 * np.log10(np.abs(out.samples).max()) == pytest.approx(-16.99, abs=0.15)


def test_speech_below_400_ms_has_no_loudness() -> None:
    with pytest.raises(AudioError, match="below 400 ms"):
        Loudness(lufs=-23.0)(noise(0.3))


def test_a_ceiling_changes_no_level() -> None:
    audio = noise(1.0)
    out = Ceiling()(audio)
    np.testing.assert_allclose(out.samples, audio.samples, atol=0.5 / 32768)


def test_a_ceiling_limits_and_refuses() -> None:
    loud = noise(1.0, scale=0.4)
    assert np.abs(Ceiling()(loud).samples).max() <= 1.0
    with pytest.raises(AudioError, match="true peak at this level is"):
        Ceiling(peak="refuse")(loud)


def test_a_gain_is_its_decibels() -> None:
    audio = noise(0.1)
    np.testing.assert_allclose(Gain(-20.0)(audio).samples, 0.1 * audio.samples)


def test_a_source_is_levelled_over_its_speech_alone() -> None:
    samples = np.zeros(RATE)
    samples[4000:12000] = 0.3 * np.sin(2 * np.pi * 500 * np.arange(8000) / RATE)
    out = SourceLevel(-20.0)(Audio(samples, RATE, Span(4000, 12000)))
    # A sine of RMS 0.1 has the amplitude 0.1 * sqrt(2).
    assert np.abs(out.samples).max() == pytest.approx(0.1414, abs=1e-4)
    note = out.note("sourcelevel")
    assert note is not None
    assert note["gain_db"] == pytest.approx(20 * np.log10(0.1414 / 0.3), abs=0.01)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(SilenceError):
        SourceLevel(-20.0)(Audio(np.zeros(1000), RATE, Span(0, 1000)))
    for make in (lambda: Gain(float("nan")), lambda: Loudness(3.0), lambda: Ceiling(peak="x")):
        with pytest.raises(InputError, match="allowed"):
            make()
