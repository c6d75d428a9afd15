"""What a speech engine is: text, card and seed in, mono speech with its provenance out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
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
    """Where a voice's sound comes from: all that determines it beside text and seed."""

    engine: str
    version: str
    model_sha256: str | None
    code_license: str
    voice_license: str
    parameters: Mapping[str, object]

    def describe(self) -> dict[str, object]:
        return dataclasses.asdict(self)


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

    def speak(self, text: str, card: VoiceCard, seed: int) -> Utterance:
        """Speak ``text``; the same arguments give the same samples if deterministic."""
