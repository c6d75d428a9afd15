"""The ``tone`` engine: a syllabic harmonic tone instead of speech, for fast tests and dry runs."""

from __future__ import annotations

import numpy as np

from synthkit.audio import Audio
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard

VERSION = "1"
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
        harmonics = range(1, int(7000 / f0))
        tone = np.sum([np.sin(2 * np.pi * f0 * h * time + h * h) / h for h in harmonics], axis=0)
        loudness = 0.6 - 0.4 * np.cos(2 * np.pi * time / 0.14)
        rng = np.random.default_rng(np.random.PCG64(seed))
        speech = 0.1 * loudness * (tone + 0.05 * rng.standard_normal(len(time)))
        padding = np.zeros(int(PADDING_S * SAMPLING_RATE))
        return Audio(np.concatenate((padding, speech, padding)), SAMPLING_RATE)
