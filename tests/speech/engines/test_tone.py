"""The tone engine: fast, repeatable, and speech enough for the pipeline."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from scipy import signal

from synthkit.audio import SAMPLING_RATE
from synthkit.levels import true_peak
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines.tone import Engine
from synthkit.speech.voice import Voice

TEXT = "Unlock the front door please."  # 29 characters: nine syllables of three


def card(f0: float = 120.0) -> VoiceCard:
    return VoiceCard(
        id="tone/test",
        name="Test",
        description="",
        engine="tone",
        language="en-US",
        checkpoint="tone",
        processing="none",
        code_license="Apache-2.0",
        voice_license="CC0-1.0",
        attribution="",
        parameters={"f0": f0},
        folder=Path(),
    )


def test_the_same_words_and_seed_give_the_same_bits() -> None:
    once, again = (Engine().speak(TEXT, card(), 7).samples for _ in range(2))
    assert once.tobytes() == again.tobytes()


def test_a_seed_changes_the_noise_and_little_else() -> None:
    one, other = (Engine().speak(TEXT, card(), seed).samples for seed in (1, 2))
    assert one.shape == other.shape
    assert 0 < np.std(one - other) < 0.1 * np.std(one)


@pytest.mark.parametrize("f0", [100, 160, 240])
def test_the_pitch_is_the_cards(f0: float) -> None:
    spoken = Engine().speak(TEXT, card(f0), 0)
    hertz, power = signal.periodogram(spoken.samples, spoken.sampling_rate)
    # Harmonics fall as 1 / h: the fundamental is the strongest.
    assert hertz[np.argmax(power)] == pytest.approx(f0, abs=1.0)


def test_the_voice_pads_with_300_ms_of_silence() -> None:
    spoken = Engine().speak(TEXT, card(), 0)
    padding = round(0.3 * spoken.sampling_rate)
    assert not spoken.samples[:padding].any()
    assert not spoken.samples[-padding:].any()
    assert spoken.samples[padding : padding + 240].any()


@pytest.mark.parametrize(("text", "syllables"), [("Hi", 2), ("Good night.", 3), (TEXT, 9)])
def test_longer_words_take_longer(text: str, syllables: int) -> None:
    spoken = Engine().speak(text, card(), 0)
    # 140 ms a syllable and 300 ms of silence on both sides, at 24 kHz.
    assert len(spoken.samples) == pytest.approx(24000 * (0.14 * syllables + 0.6), abs=1)


def test_it_is_told_what_it_is() -> None:
    described = Voice(card(), Engine()).provenance.describe()
    assert described["engine"] == "tone"
    assert described["model_sha256"] is None
    assert described["voice_license"] == "CC0-1.0"
    assert described["parameters"] == {"f0": 120.0}
    assert described["deterministic"] is True


@pytest.mark.parametrize("f0", [50, 160, 500])
def test_what_a_voice_says_is_ready_for_any_field(f0: float) -> None:
    said = Voice(card(f0), Engine()).say(TEXT)
    assert said.sampling_rate == SAMPLING_RATE
    assert said.window.start == 320  # the 20 ms margin
    # Nine syllables of 140 ms, found in frames of 10 ms.
    assert said.window.num_samples == pytest.approx(9 * 0.14 * 16000, abs=640)
    trimmed = said.note("trim")
    assert trimmed is not None
    assert trimmed["leading_samples"] == pytest.approx(4800 - 320, abs=160)
    rms = np.sqrt(np.mean(said.samples[slice(*said.window)] ** 2))
    assert 20 * np.log10(true_peak(said.samples) / rms) <= 19.01


def test_voices_with_other_parameters_sound_different() -> None:
    low, high = (
        Engine().speak(TEXT, dataclasses.replace(card(), parameters={"f0": f0}), 0)
        for f0 in (100.0, 200.0)
    )
    assert not np.array_equal(low.samples, high.samples)
