"""What instruments do without their heavy packages: refuse, and compute the plain parts."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from synthkit.errors import AudioError, InputError
from synthkit.instruments.packages import INSTALL, package, require_instruments
from synthkit.instruments.pitch import median_hz, spread_semitones
from synthkit.instruments.signal import signal
from synthkit.instruments.spectrum import bandwidth_hz
from synthkit.instruments.timing import pace_correlation

RATE = 16000
SECOND = np.arange(RATE) / RATE


def test_a_missing_package_is_named_with_the_commands_that_install_it():
    with pytest.raises(InputError) as caught:
        package("no_such_recogniser", "word errors")
    assert str(caught.value) == (
        f"word errors: Python package no_such_recogniser is not installed; {INSTALL}"
    )
    assert INSTALL.startswith("pip install 'synthkit[instruments]'")


def test_what_a_package_imports_itself_is_named_too(tmp_path, monkeypatch):
    (tmp_path / "half_installed.py").write_text("import no_such_detector\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="Python package no_such_detector is not installed"):
        package("half_installed", "speaker embeddings")


def test_all_missing_packages_are_named_at_once(monkeypatch):
    for name in ("resemblyzer", "faster_whisper"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=r"resemblyzer.*faster_whisper.*pip install") as caught:
        require_instruments()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("samples", "rate", "message"),
    [
        (np.ones(9), 22050, "sampling rate is 22050 Hz; instruments hear 16000"),
        (np.ones((2, 9)), RATE, r"shape \(2, 9\)"),
        (np.array([0.1, np.nan]), RATE, "not all finite"),
        (np.zeros(9), RATE, "9 samples of digital silence"),
        (np.zeros(0), RATE, "0 samples of digital silence"),
    ],
)
def test_a_signal_that_no_instrument_can_hear_is_refused(samples, rate, message):
    with pytest.raises(AudioError, match=message):
        signal(samples, rate)


def test_a_signal_over_full_scale_is_scaled_and_another_is_left_alone():
    loud = signal([0.5, -2.0], RATE)
    assert loud == pytest.approx([0.5 / 2.002, -2 / 2.002])
    assert loud.dtype == np.float32
    assert signal([0.25, -1.0], RATE).tolist() == [0.25, -1.0]


def test_bandwidth_finds_the_tone_that_holds_the_last_of_the_power():
    low, high = np.sin(2 * np.pi * 400 * SECOND), np.sin(2 * np.pi * 3000 * SECOND)
    assert bandwidth_hz(low, RATE) == pytest.approx(400, abs=1)
    # 2 % of the power above: the 99th percentile lies in it; with 0.5 % it does not.
    assert bandwidth_hz(low + np.sqrt(0.02) * high, RATE) == pytest.approx(3000, abs=1)
    assert bandwidth_hz(low + np.sqrt(0.005) * high, RATE) == pytest.approx(400, abs=1)


def test_pitch_spreads_in_semitones_and_octave_errors_do_not_count():
    octave = 100 * 2 ** (np.linspace(0, 12, 1001) / 12)  # evenly over 12 semitones
    assert spread_semitones(octave) == pytest.approx(0.68 * 12 / 2, abs=0.01)
    steady = np.r_[np.full(95, 120.0), np.full(5, 240.0)]
    assert spread_semitones(steady) == 0.0
    assert median_hz(steady) == 120.0
    assert median_hz(np.zeros(0)) is None
    assert spread_semitones(np.zeros(0)) is None


def test_pace_correlation_takes_out_a_constant_factor_and_nothing_else():
    pace = np.array([0.20, 0.25, 0.19, 0.30, 0.22])
    assert pace_correlation(pace, pace) == pytest.approx(1.0)
    assert pace_correlation(pace, 1.7 * pace) == pytest.approx(1.0)
    assert pace_correlation(pace, 1 / pace) == pytest.approx(-1.0)
    # By hand, in powers of two: (0, 1, 2) with (1, 0, 2) is r = 1 / 2.
    assert pace_correlation([1, 2, 4], [2, 1, 4]) == pytest.approx(0.5)
    assert pace_correlation(pace[:2], pace[:2]) is None
    assert pace_correlation(pace, np.full(5, 0.2)) is None
    with pytest.raises(InputError, match="allowed: alike"):
        pace_correlation(pace, pace[:3])
