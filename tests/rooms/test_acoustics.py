"""Room acoustics of decays that are known by their formula."""

from __future__ import annotations

import math

import numpy as np
import pytest

from synthkit.rooms.acoustics import Acoustics, decay_time, measure

RATE = 16000


def envelope(rt60: float, seconds: float) -> np.ndarray:
    """Amplitude that falls by 60 dB in ``rt60``: 10^(-3 t / T)."""
    return 10 ** (-3 * np.arange(round(seconds * RATE)) / RATE / rt60)


def decay(rt60: float, seconds: float | None = None, seed: int = 0) -> np.ndarray:
    """Noise with that envelope, random in sign alone, so that its energy is the formula's."""
    shape = envelope(rt60, seconds or 2 * rt60)
    return shape * np.random.default_rng(seed).choice([-1.0, 1.0], len(shape))


@pytest.mark.parametrize("rt60", [0.3, 0.5, 1.0])
@pytest.mark.parametrize(("start_db", "end_db"), [(-5, -35), (-5, -25), (0, -10)])
def test_an_exponential_decay_has_its_reverberation_time(
    rt60: float, start_db: float, end_db: float
) -> None:
    assert decay_time(decay(rt60), RATE, start_db, end_db) == pytest.approx(rt60, rel=0.005)


@pytest.mark.parametrize("rt60", [0.3, 0.5, 1.0])
def test_a_noisy_decay_has_its_reverberation_time(rt60: float) -> None:
    noise = np.random.default_rng(0).standard_normal(round(2 * rt60 * RATE))
    found = decay_time(noise * envelope(rt60, 2 * rt60), RATE, -5, -35)
    assert found == pytest.approx(rt60, rel=0.02)


@pytest.mark.parametrize("rt60", [0.3, 0.5, 1.0])
def test_octave_bands_find_it_too(rt60: float) -> None:
    # A band of 350 Hz fluctuates more than the whole: the mean of eight decays is compared.
    found = [measure(decay(rt60, seed=seed), 0, RATE).rt60 for seed in range(8)]
    assert np.mean([t for t in found if t is not None]) == pytest.approx(rt60, rel=0.02)


def test_a_scale_changes_no_time() -> None:
    once, thrice = decay(0.5), 3 * decay(0.5)
    assert decay_time(thrice, RATE, -5, -35) == pytest.approx(decay_time(once, RATE, -5, -35))


@pytest.mark.parametrize("rt60", [0.3, 0.5, 1.0])
def test_early_decay_time_does_not_count_the_way_to_the_device(rt60: float) -> None:
    # ISO 3382-1, 5.3.3: the decay starts at the direct sound; 10 ms before it are no decay.
    near, far = decay(rt60), np.pad(decay(rt60), (160, 0))
    there, here = measure(far, 160, RATE).edt, measure(near, 0, RATE).edt
    assert here is not None
    assert there == pytest.approx(here, rel=0.01)


@pytest.mark.parametrize("rt60", [0.3, 0.5, 1.0])
@pytest.mark.parametrize("delay", [0, 200])
def test_clarity_is_the_closed_form(rt60: float, delay: int) -> None:
    # Energy falls as e^(-kt), k = 6 ln 10 / T: C50 = 10 lg(e^(0.05 k) - 1) (ISO 3382-1, A.2.3).
    expected = 10 * math.log10(math.exp(0.05 * 6 * math.log(10) / rt60) - 1)
    found = measure(np.pad(decay(rt60), (delay, 0)), delay, RATE).c50
    assert found == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize("rt60", [0.3, 0.5, 1.0])
@pytest.mark.parametrize("direct", [0.5, 5.0, 30.0])
@pytest.mark.parametrize("delay", [100, 1000])
def test_direct_to_reverberant_ratio_is_the_closed_form(
    rt60: float, direct: float, delay: int
) -> None:
    # A click, then 5 ms later a tail: its energy is the geometric sum 1 / (1 - q) with
    # q = 10^(-6 / (T fs)) per sample.
    rir = np.pad(decay(rt60), (delay + 80, 0))
    rir[delay] = direct
    expected = 10 * math.log10(direct**2 * (1 - 10 ** (-6 / (rt60 * RATE))))
    assert measure(rir, delay, RATE).drr == pytest.approx(expected, abs=0.1)


def test_what_arrives_within_2_5_ms_is_direct() -> None:
    # Two clicks of energy 1 in the window, one of 0.25 at its end, one before it: 10 lg(2 / 0.25).
    rir = np.zeros(2000)
    rir[[500, 539]] = 1.0
    rir[540] = 0.5
    rir[459] = 1.0
    assert measure(rir, 500, RATE).drr == pytest.approx(9.0309, abs=1e-3)


def test_what_arrives_within_50_ms_is_early() -> None:
    # Energies 1 and 1 within 50 ms = 800 samples, 0.25 after them.
    rir = np.zeros(2000)
    rir[[100, 899]] = 1.0
    rir[900] = 0.5
    assert measure(rir, 100, RATE).c50 == pytest.approx(9.0309, abs=1e-3)


@pytest.mark.parametrize("delay", [0, 50, 200, 1000])
def test_an_anechoic_click_has_no_acoustics(delay: int) -> None:
    click = np.zeros(4000)
    click[delay] = 1.0
    assert measure(click, delay, RATE) == Acoustics(
        rt60=None, edt=None, c50=None, drr=None, direct_level=None
    )


@pytest.mark.parametrize("rir", [np.zeros(0), np.zeros(1000)])
def test_silence_does_not_decay(rir: np.ndarray) -> None:
    assert decay_time(rir, RATE, -5, -35) is None


def test_what_does_not_decay_has_no_decay_time() -> None:
    # Schroeder's integral of steady noise falls only because the recording ends.
    steady = np.random.default_rng(1).standard_normal(RATE)
    assert decay_time(steady, RATE, -5, -35) is None


def test_a_decay_cut_at_20_db_has_no_t30() -> None:
    # ISO 3382-1, 5.3.3: T30 needs a decay down to -35 dB and 10 dB more.
    assert decay_time(decay(0.6, seconds=0.2), RATE, -5, -35) is None


@pytest.mark.parametrize("amplitude", [1.0, 0.25])
def test_the_direct_level_is_that_of_the_samples_around_it(amplitude: float) -> None:
    # A click of 1 is the talker at 1 m; 0.25 is 4 m, 12.04 dB less. What comes later has no say.
    rir = np.zeros(2000)
    rir[500], rir[541] = amplitude, 1.0
    found = measure(rir, 500, RATE, calibrated=True).direct_level
    assert found == pytest.approx(20 * math.log10(amplitude), abs=1e-3)
    assert measure(rir, 500, RATE).direct_level is None


def test_the_ringing_of_the_filters_is_no_decay() -> None:
    # ISO 3382-1, 7.3: B T > 16; the 500 Hz octave is 354 Hz wide, so 45 ms are its own.
    for rt60, is_one in ((0.02, False), (0.2, True)):
        times = [measure(decay(rt60, seconds=0.5, seed=seed), 0, RATE).rt60 for seed in range(4)]
        assert [time is not None for time in times] == [is_one] * 4
