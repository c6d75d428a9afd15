"""What a speech engine is: text, card and seed in, mono speech with its provenance out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from synthkit.audio import Samples
from synthkit.speech.cards import VoiceCard


@dataclass(frozen=True)
class Capabilities:
    """What a caller may rely on.

    ``deterministic``: same text, card and seed give the same bits. ``thread_safe``: one
    instance may speak from several threads. ``needs_own_process``: other code in the process
    could change its result or be changed by it.
    """

    deterministic: bool
    thread_safe: bool
    needs_own_process: bool


@dataclass(frozen=True)
class Provenance:
    """Where a voice's sound comes from, and under which licences."""

    engine: str
    version: str
    model_sha256: str | None
    code_license: str
    voice_license: str
    parameters: Mapping[str, object]

    def describe(self) -> dict[str, object]:
        return dataclasses.asdict(self)

    @property
    def key(self) -> tuple[object, ...]:
        """All that determines the sound beside text and seed; a licence does not."""
        return self.engine, self.version, self.model_sha256, dict(self.parameters)


@dataclass(frozen=True, eq=False)
class Utterance:
    """What an engine returns: float samples of shape (num_samples,), Hz, provenance."""

    samples: Samples
    sampling_rate: int
    provenance: Provenance


class SpeechEngine(Protocol):
    """One text-to-speech system; each lives in a file of ``speech/engines`` as ``Engine``."""

    capabilities: Capabilities
    # How far over a recording's noise floor speech must lie; None where there is no noise.
    over_noise_db: float | None

    def provenance(self, card: VoiceCard) -> Provenance:
        """Provenance of ``card``; :class:`InputError` where it cannot be spoken here."""

    def check(self, text: str, card: VoiceCard) -> str | None:
        """Raise :class:`InputError` where ``card`` cannot say ``text``; cheap, no synthesis.

        Returns what determines the sound beside provenance, text and seed (the hash of a
        recording), or None.
        """

    def files(self, card: VoiceCard) -> tuple[Path, ...]:
        """The user's files, in or below the card's folder, that the card needs."""

    def speak(self, text: str, card: VoiceCard, seed: int) -> Utterance:
        """Speak ``text``; the same arguments give the same samples if deterministic."""
