"""The ``tone`` engine: a syllabic harmonic tone instead of speech, for fast tests and dry runs."""

from __future__ import annotations

import numpy as np

from synthkit.audio import Audio
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard

VERSION = "2"
SAMPLING_RATE = 24000
PADDING_S = 0.3  # silence on both sides, as text-to-speech systems leave


class Engine(SpeechEngine):
    """Harmonics of ``f0`` Hz, one pulse of loudness a letter group, with a little seeded noise."""

    def version(self, card: VoiceCard) -> str:
        return VERSION

    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        f0 = float(str(card.parameters["f0"]))
        syllables = max(2, len(text) // 3)
        time = np.arange(int(0.14 * syllables * SAMPLING_RATE)) / SAMPLING_RATE
        # Harmonic h is the h-th power of the first: a polynomial takes a tenth of the sines' time.
        harmonics = np.arange(1, int(7000 / f0))
        weights = np.exp(1j * harmonics**2) / harmonics
        tone = np.polyval([*weights[::-1], 0], np.exp(2j * np.pi * f0 * time)).imag
        loudness = 0.6 - 0.4 * np.cos(2 * np.pi * time / 0.14)
        rng = np.random.default_rng(np.random.PCG64(seed))
        speech = 0.1 * loudness * (tone + 0.05 * rng.standard_normal(len(time)))
        padding = np.zeros(int(PADDING_S * SAMPLING_RATE))
        return Audio(np.concatenate((padding, speech, padding)), SAMPLING_RATE)
