"""The decay meter on decays whose rate is known."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from synthkit.audio import Samples
from synthkit.audit.decay import BANDS, decay_db_per_s
from synthkit.audit.frames import spectra

RATE = 16000
TONES = [(low + high) / 2 for low, high in pairwise(BANDS)]


def decay_of(samples: Samples) -> float | None:
    return decay_db_per_s(*spectra(samples, RATE))


def decaying(rt60: float, num_samples: int = RATE // 2) -> Samples:
    """Tones, one in each band, that lose 60 dB in ``rt60`` seconds."""
    at = np.arange(num_samples) / RATE
    tones = sum((np.sin(2 * np.pi * hz * at) for hz in TONES), np.zeros(num_samples))
    return 0.1 * tones * 10 ** (-3 * at / rt60)


@pytest.mark.parametrize("rt60", [0.3, 0.4, 0.8])
def test_an_exponential_decay_reads_its_own_rate(rt60: float) -> None:
    assert decay_of(decaying(rt60)) == pytest.approx(60 / rt60, rel=0.01)


def test_what_does_not_decay_reads_nothing_falling() -> None:
    assert decay_of(decaying(rt60=1e9)) == pytest.approx(0, abs=0.1)


def test_a_room_slows_the_falls_of_what_stops_at_once() -> None:
    generator = np.random.default_rng(3)
    syllables = np.tile(np.repeat([1.0, 0.0], RATE // 8), 8)
    dry = 0.1 * syllables * generator.standard_normal(len(syllables))
    at = np.arange(RATE // 2) / RATE
    tail = generator.standard_normal(len(at)) * 10 ** (-3 * at / 0.4)
    wet = np.convolve(dry, tail)[: len(dry)]
    before, after = decay_of(dry), decay_of(wet)
    assert before is not None
    assert after is not None
    assert before > 600  # within two frames
    assert 60 / 0.4 < after < 2 * 60 / 0.4  # noise falls by more here and there, on its way


def test_signals_too_short_or_silent_have_no_decay() -> None:
    assert decay_of(np.zeros(RATE)) is None
    assert decay_of(decaying(0.4, num_samples=512 + 4 * 160)) is None
    assert decay_of(np.zeros(0)) is None


def test_level_is_no_part_of_the_reading() -> None:
    loud, quiet = decay_of(decaying(0.4)), decay_of(decaying(0.4) / 1000)
    assert loud == pytest.approx(quiet, rel=1e-6)
