"""What is planted in samples, measured: by correlation, by spectra, and by counting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from synthkit.levels import rms_dbfs
from tests.audit import signals
from tests.audit.planting import Piece, PlantedSet

RATE = 16000
Pair = tuple[Piece, Piece]


@pytest.fixture(scope="module")
def pair(clean_set: Callable[[str], Path]) -> Pair:
    """The trigger of one command by its bystander, near and far."""
    found = PlantedSet(clean_set("eight"))
    near, far = (
        found.of(found.commands[1], source="different", field=field)[0] for field in ("near", "far")
    )
    return found.piece(near, "trigger"), found.piece(far, "trigger")


def level(piece: Piece) -> float:
    found = rms_dbfs(piece.samples[slice(*piece.speech)])
    assert found is not None
    return found


def spectrum(piece: Piece) -> NDArray[np.float64]:
    """Power by bins of 1 Hz."""
    power: NDArray[np.float64] = np.abs(np.fft.rfft(piece.samples, 4 * RATE)) ** 2
    return power[:-1].reshape(-1, 4).sum(axis=1)


def correlation(one: Piece, other: Piece) -> float:
    return float(np.corrcoef(one.pcm, other.pcm)[0, 1])


@pytest.mark.parametrize(
    "change",
    [
        lambda p: signals.shifted(p, 8),
        signals.warped,
        lambda p: signals.lowpassed(p, 3000),
        lambda p: signals.with_tone(p, 25, -50),
        lambda p: signals.with_noise(p, -60),
        lambda p: signals.with_offset(p, 0.002),
        lambda p: signals.with_click(p, 0.1),
        lambda p: signals.with_echo(p, 40, -20),
        lambda p: signals.clipped(p, -12),
        signals.mu_law,
        signals.vocoded,
        lambda p: signals.in_room(p, "kitchen", "door", 4000),
    ],
)
def test_what_is_planted_keeps_level_length_and_window(
    pair: Pair, change: Callable[[Piece], Piece]
) -> None:
    """So that neither the level nor the row gives it away."""
    made = change(pair[0])
    assert (len(made.pcm), made.speech) == (len(pair[0].pcm), pair[0].speech)
    assert level(made) == pytest.approx(-20, abs=0.01)
    assert not np.array_equal(made.pcm, pair[0].pcm)


def test_far_made_again_from_near_is_far_to_the_last_bits(pair: Pair) -> None:
    """So that what is planted between them is the only thing that is."""
    near, far = pair
    made = signals.in_room(near, lowpass=4000)
    assert made.speech == far.speech
    assert np.abs(made.pcm.astype(int) - far.pcm).max() <= 3


def test_a_shift_is_so_many_samples(pair: Pair) -> None:
    made = signals.shifted(pair[1], 8)
    assert np.corrcoef(made.pcm[8:], pair[1].pcm[:-8])[0, 1] > 0.9999
    assert correlation(made, pair[1]) < 0.95


def test_inverted_is_the_same_upside_down(pair: Pair) -> None:
    assert np.array_equal(-signals.inverted(pair[1]).pcm, pair[1].pcm)


def test_a_tone_has_the_level_it_was_given(pair: Pair) -> None:
    """By its share of the samples: a sine of amplitude a has an RMS level of a / sqrt(2)."""

    def sine_dbfs(piece: Piece, hz: float) -> float:
        turns = np.exp(-2j * np.pi * hz * np.arange(len(piece.pcm)) / RATE)
        return float(20 * np.log10(np.sqrt(2) * np.abs(np.mean(piece.samples * turns))))

    for hz, dbfs in ((25, -50), (7500, -65)):
        assert sine_dbfs(pair[1], hz) < dbfs - 20
        assert sine_dbfs(signals.with_tone(pair[1], hz, dbfs), hz) == pytest.approx(dbfs, abs=0.5)


def test_noise_fills_what_was_silent(pair: Pair) -> None:
    end = slice(-1000, -200)
    assert not pair[0].pcm[end].any()
    assert rms_dbfs(signals.with_noise(pair[0], -60).samples[end]) == pytest.approx(-60, abs=0.5)


def test_a_lowpass_takes_the_band_above_it(pair: Pair) -> None:
    before, after = spectrum(pair[0]), spectrum(signals.lowpassed(pair[0], 3000))
    assert after[3500:].sum() < 0.01 * before[3500:].sum()
    assert after[200:2500].sum() > 0.9 * before[200:2500].sum()


def test_bits_are_counted(pair: Pair) -> None:
    near = pair[0]
    assert (signals.flipped_bit(near).pcm != near.pcm).sum() == 1
    assert not (signals.even(near).pcm & 1).any()
    change = signals.dithered(near).pcm.astype(int) - near.pcm
    assert set(np.unique(change)) == {-1, 0, 1}
    assert len(np.unique(np.abs(signals.mu_law(near).pcm))) <= 128


def test_clipping_lowers_the_crest(pair: Pair) -> None:
    """A peak of -12 dBFS, raised with the level by what was lost."""
    made = signals.clipped(pair[0], -12)
    most = np.abs(made.pcm).max()
    assert (np.abs(made.pcm) >= most - 1).sum() > 20
    assert most < np.abs(pair[0].pcm).max()


def test_a_vocoder_keeps_the_spectra_and_loses_the_waveform(pair: Pair) -> None:
    made = signals.vocoded(pair[0])
    bands = [slice(low, low + 500) for low in range(0, 4000, 500)]
    before, after = ([spectrum(p)[band].sum() for band in bands] for p in (pair[0], made))
    assert np.abs(10 * np.log10(np.divide(after, before))).max() < 3
    assert abs(correlation(made, pair[0])) < 0.5


def test_shorter_speech_has_the_margins_it_had(pair: Pair) -> None:
    near, made = pair[0], signals.resampled(pair[0], 0.94)
    assert made.speech.start == near.speech.start
    assert made.speech.num_samples == pytest.approx(0.94 * near.speech.num_samples, abs=1)
    assert len(made.pcm) - made.speech.end == len(near.pcm) - near.speech.end
    assert level(made) == pytest.approx(-20, abs=0.01)


def test_silence_before_and_after_moves_the_speech(pair: Pair) -> None:
    made = signals.padded(pair[0], front=320, end=800)
    assert made.speech == pair[0].speech.moved(320)
    assert len(made.pcm) == len(pair[0].pcm) + 1120
    assert level(made) == level(pair[0])


def test_a_chopped_tail_is_digital_silence(pair: Pair) -> None:
    end = pair[1].speech.end
    assert pair[1].pcm[end:].any()
    assert not signals.chopped(pair[1]).pcm[end:].any()


def test_another_take_wanders_about_the_first_by_a_hundredth(pair: Pair) -> None:
    """Up to 1 % of 1 / (2 pi) of the length away, so no lag fits all of it."""
    made, length = signals.warped(pair[0]), len(pair[0].pcm)
    assert correlation(made, pair[0]) < 0.9
    late = round(0.01 * length / (2 * np.pi))
    quarter = slice(length // 4 - 400, length // 4 + 400)
    ahead = slice(quarter.start + late, quarter.stop + late)
    assert np.corrcoef(made.pcm[quarter], pair[0].pcm[ahead])[0, 1] > 0.95
