"""Meters and silences of anybody's files, against values by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import soundfile
from scipy import signal, stats

from synthkit.errors import AudioError
from synthkit.measure.file import Ask, Measured, measure
from synthkit.measure.readings import clipped_runs, crest_db, dc_offset

RATE = 16000
WHOLE = Ask()


def sine(hertz: float, seconds: float, amplitude: float = 1.0, rate: int = RATE) -> np.ndarray:
    return amplitude * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)


def measured(
    folder: Path, samples: np.ndarray, rate: int = RATE, ask: Ask = WHOLE, subtype: str = "PCM_16"
) -> Measured:
    soundfile.write(folder / "a.wav", samples, rate, subtype=subtype)
    return measure(folder / "a.wav", "a", ask)


def test_a_sine_reads_its_amplitude_minus_3_01_and_a_crest_of_3_01(tmp_path: Path) -> None:
    found = measured(tmp_path, sine(1000, 1.0, 0.25), subtype="FLOAT").readings
    peak = 20 * math.log10(0.25)
    assert found.peak_dbfs == pytest.approx(peak, abs=1e-4)
    assert found.rms_dbfs == pytest.approx(peak - 3.0103, abs=1e-4)
    assert found.speech_dbfs == pytest.approx(peak - 3.0103, abs=0.01)
    assert found.crest_db == pytest.approx(3.0103, abs=1e-4)
    assert found.true_peak_dbtp == pytest.approx(peak, abs=0.2)
    assert found.dc_offset == pytest.approx(0, abs=1e-7)
    assert (found.clipped_runs, found.leading_silence_ms, found.trailing_silence_ms) == (0, 0, 0)


@pytest.mark.parametrize("rate", [16000, 44100, 48000])
@pytest.mark.parametrize("channels", [1, 2])
def test_a_997_hz_sine_reads_3_01_under_its_amplitude_in_lufs(
    tmp_path: Path, rate: int, channels: int
) -> None:
    # BS.1770: one front channel; a stereo file is measured as the mean of its channels.
    wave = sine(997, 2.0, 0.1, rate)
    found = measured(tmp_path, np.stack([wave] * channels, axis=1), rate, subtype="FLOAT")
    assert found.readings.lufs == pytest.approx(-23.01, abs=0.1)
    assert found.channels == channels


def test_an_offset_is_read_with_its_sign_as_a_share_of_full_scale(tmp_path: Path) -> None:
    found = measured(tmp_path, sine(1000, 1.0, 0.25) - 0.125, subtype="FLOAT")
    assert found.readings.dc_offset == pytest.approx(-0.125, abs=1e-7)
    assert dc_offset(np.zeros(0)) is None


def test_crest_agrees_with_another_definition_of_its_parts() -> None:
    noise = np.random.default_rng(1).standard_normal(4000)
    rms = math.sqrt(stats.moment(noise, 2) + noise.mean() ** 2)
    assert crest_db(noise) == pytest.approx(20 * math.log10(np.abs(noise).max() / rms), abs=1e-9)
    assert crest_db(np.tile([0.5, -0.5], 10)) == pytest.approx(0.0)
    assert crest_db(np.zeros(10)) is None


def test_silences_are_those_planted_within_a_frame(tmp_path: Path) -> None:
    parts = (np.zeros(4800), sine(1000, 1.0, 0.1), np.zeros(3200))
    found = measured(tmp_path, np.concatenate(parts)).readings
    assert found.leading_silence_ms == pytest.approx(300, abs=10)
    assert found.trailing_silence_ms == pytest.approx(200, abs=40)  # the high-pass rings down
    assert found.noise_floor_dbfs is None  # digital silence has no level


def test_the_noise_floor_is_the_level_of_the_pauses(tmp_path: Path) -> None:
    noise = 10 ** (-50 / 20) * np.random.default_rng(2).standard_normal(2 * RATE)
    noise[RATE // 2 : RATE] += sine(1000, 0.5, 0.2)
    floor = measured(tmp_path, noise, subtype="FLOAT").readings.noise_floor_dbfs
    # 10 ms of noise scatter by 0.5 dB, and the low ones of both directions are taken.
    assert floor == pytest.approx(-50.6, abs=0.5)


def test_there_is_no_loudness_below_400_ms_and_no_level_in_silence(tmp_path: Path) -> None:
    assert measured(tmp_path, sine(997, 0.399)).readings.lufs is None
    silent = measured(tmp_path, np.zeros(RATE))
    found = silent.readings
    for level in (
        *(found.rms_dbfs, found.speech_dbfs, found.peak_dbfs, found.true_peak_dbtp, found.lufs),
        *(found.crest_db, found.noise_floor_dbfs, found.leading_silence_ms),
    ):
        assert level is None
    assert silent.segments == ()
    assert "digital silence" in silent.remarks[0]


def test_one_sample_is_measured(tmp_path: Path) -> None:
    found = measured(tmp_path, np.array([0.5]))
    assert found.num_samples == 1
    assert found.readings.rms_dbfs == pytest.approx(-6.0206, abs=1e-4)
    assert found.readings.lufs is None


def flat(value: float, lengths: list[int]) -> np.ndarray:
    """A quiet wave with runs of ``value`` planted."""
    samples = sine(440, 1.0, 0.05)
    for number, length in enumerate(lengths):
        samples[1000 * (number + 1) :][:length] = value
    return samples[:, np.newaxis]


@pytest.mark.parametrize("value", [1.0, -1.0, 32767 / 32768])
def test_runs_of_three_samples_at_full_scale_are_clipped(value: float) -> None:
    assert clipped_runs(flat(value, [3, 2, 1, 10, 3])) == 3
    assert clipped_runs(flat(value, [3])) == 1
    assert clipped_runs(flat(value, [2, 2])) == 0


def test_a_file_clipped_and_then_turned_down_is_clipped_still() -> None:
    assert clipped_runs(flat(0.5, [3, 4, 5])) == 3
    assert clipped_runs(flat(0.5, [3])) == 0  # once it may be a flat top by chance
    assert clipped_runs(flat(0.5, [3, 4]), fine=False) == 0  # mu-law has few values up there
    assert clipped_runs(flat(0.09, [3, 4])) == 0


def test_clipping_of_each_side_and_channel_counts() -> None:
    both = np.concatenate((flat(1.0, [3, 3]), flat(-1.0, [3])))
    assert clipped_runs(both) == 3
    assert clipped_runs(np.hstack((flat(1.0, [3]), flat(0.01, [])))) == 1


@pytest.mark.parametrize("subtype", ["PCM_16", "PCM_24", "FLOAT", "PCM_U8", "ULAW"])
def test_a_clean_sine_is_not_clipped_and_a_driven_one_is(tmp_path: Path, subtype: str) -> None:
    clean = measured(tmp_path, sine(200, 0.5, 0.5), subtype=subtype)
    assert clean.readings.clipped_runs == 0
    # 2 sin(x) passes 1 from 30 to 150 degrees, twice a period: 200 runs in half a second.
    driven = measured(tmp_path, np.clip(sine(200, 0.5, 2.0), -1, 1), subtype=subtype)
    assert driven.readings.clipped_runs == 200


def test_peaks_are_the_worst_channels_and_levels_the_means(tmp_path: Path) -> None:
    stereo = np.stack((sine(1000, 1.0, 0.8), sine(1000, 1.0, 0.2)), axis=1)
    both = measured(tmp_path, stereo, subtype="FLOAT")
    assert both.readings.peak_dbfs == pytest.approx(20 * math.log10(0.8), abs=1e-3)
    assert both.readings.rms_dbfs == pytest.approx(20 * math.log10(0.5) - 3.0103, abs=1e-3)
    assert any("mean of 2 channels" in remark for remark in both.remarks)
    second = measured(tmp_path, stereo, ask=Ask(channel=1))
    assert second.readings.peak_dbfs == pytest.approx(20 * math.log10(0.2), abs=1e-3)
    assert (second.channels, second.channel, second.remarks) == (2, 1, ())


@pytest.mark.parametrize(("channel", "said"), [(None, "cancel"), (2, "allowed: 0 to 1")])
def test_a_mean_that_cancels_and_a_channel_that_is_not_there_are_refused(
    tmp_path: Path, channel: int | None, said: str
) -> None:
    wave = sine(1000, 1.0, 0.5)
    with pytest.raises(AudioError, match=said):
        measured(tmp_path, np.stack((wave, -wave), axis=1), ask=Ask(channel=channel))


def test_what_is_there_of_a_file_cut_short_is_measured_and_said(tmp_path: Path) -> None:
    path = tmp_path / "cut.wav"
    soundfile.write(path, sine(1000, 1.0, 0.25), RATE)
    path.write_bytes(path.read_bytes()[: 44 + 2 * 8000])
    found = measure(path, "cut", WHOLE)
    assert found.num_samples == 8000
    assert found.remarks == ("cut short: 8000 of 16000 samples",)


def test_samples_over_full_scale_are_counted(tmp_path: Path) -> None:
    found = measured(tmp_path, np.array([0.5, 1.5, -2.0] * 1000), subtype="FLOAT")
    assert "2000 samples over full scale" in found.remarks
    assert found.readings.peak_dbfs == pytest.approx(6.0206, abs=1e-4)


def test_true_peak_of_the_worst_channel_agrees_with_scipys_resampling(tmp_path: Path) -> None:
    noise = 0.1 * np.random.default_rng(4).standard_normal((8000, 2))
    found = measured(tmp_path, noise, subtype="DOUBLE").readings.true_peak_dbtp
    fine = np.abs(signal.resample_poly(np.pad(noise, ((20, 20), (0, 0))), 4, 1, axis=0)).max()
    assert found == pytest.approx(20 * math.log10(fine), abs=0.01)
