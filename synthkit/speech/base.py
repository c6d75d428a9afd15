"""What a speech engine is: text, card and seed in, mono speech out."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from synthkit.audio import Audio
from synthkit.speech.cards import VoiceCard


@dataclass(frozen=True)
class Provenance:
    """Where a voice's sound comes from, under which licences, and whether it comes again.

    ``deterministic``: the same text, card and seed give the same samples, in any process,
    thread and order.
    """

    engine: str
    version: str
    model_sha256: str | None
    deterministic: bool
    code_license: str
    voice_license: str
    parameters: Mapping[str, object]

    def describe(self) -> dict[str, object]:
        return dataclasses.asdict(self)

    @property
    def key(self) -> tuple[object, ...]:
        """All that determines the sound beside text and seed; a licence does not."""
        return self.engine, self.version, self.model_sha256, dict(self.parameters)


class SpeechEngine(ABC):
    """One text-to-speech system; each lives in a file of ``speech/engines`` as ``Engine``.

    An engine gets text as :func:`synthkit.speech.text.spoken_text` leaves it. It loads its network
    when it first speaks, never before: cards are listed and checked without, and a text that is
    found in a cache is not even checked. One thread at a time calls it.
    """

    # How far over a recording's noise floor speech must lie; None where there is no noise.
    over_noise_db: float | None = None
    # Parameters that change no sample, such as a time limit: speech is kept whatever they are.
    silent: frozenset[str] = frozenset()
    # Longer texts come in pieces of at most so many characters; None: whatever the length.
    longest_text: int | None = None

    @abstractmethod
    def version(self, card: VoiceCard) -> str:
        """Version of the software that speaks ``card``."""

    @abstractmethod
    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        """Speak ``text``: float samples of shape (num_samples,), at the engine's own rate in Hz."""

    def missing(self, card: VoiceCard) -> str | None:
        """What to do so that ``card`` can speak on this machine, such as a pip command, or None."""
        return None

    def model_sha256(self, card: VoiceCard) -> str | None:
        """Hash of the model's files, None where there are none."""
        return None

    def deterministic(self, card: VoiceCard) -> bool:
        """Whether the same text, card and seed give the same samples wherever they are spoken."""
        return True

    def check(self, text: str, card: VoiceCard) -> None:
        """Raise :class:`InputError` where ``card`` cannot say ``text``; no synthesis."""
        return None

    def source_sha256(self, text: str, card: VoiceCard) -> str | None:
        """Hash of what determines the sound beside provenance, text and seed, or None.

        A recording, a prompt. Asked of every text, found in a cache or not: no model is loaded.
        """
        return None

    def files(self, card: VoiceCard) -> tuple[Path, ...]:
        """The user's files, in or below the card's folder, that the card needs."""
        return ()
