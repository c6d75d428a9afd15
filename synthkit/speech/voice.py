"""A voice says text: the engine's speech, conditioned once, ready for any field."""

from __future__ import annotations

import dataclasses
import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from synthkit.audio import SAMPLING_RATE, Audio
from synthkit.errors import AudioError, InputError, SynthkitError
from synthkit.keys import content_key
from synthkit.renderers.base import Chain, chain
from synthkit.renderers.crestcontrol import CrestControl
from synthkit.renderers.highpass import HighPass
from synthkit.renderers.removeoffset import RemoveOffset
from synthkit.renderers.resample import Resample
from synthkit.renderers.trim import Trim
from synthkit.speech.base import Provenance, SpeechEngine
from synthkit.speech.cache import SpeechCache
from synthkit.speech.cards import VoiceCard, voice_card
from synthkit.speech.engines import engine
from synthkit.speech.text import pieces, spoken_text

# Engines keep models, generators and caches of their own: one thread at a time speaks.
_SPEAKING = threading.RLock()


def conditioning(dbfs: float = -20.0, over_noise_db: float | None = None) -> Chain:
    """What every source goes through before its fields part, so that they cannot differ in it.

    ``dbfs`` is the level the speech will get; crest control leaves the peak 1 dB under full
    scale there.
    """
    return chain(
        RemoveOffset(),
        Resample(SAMPLING_RATE),
        Trim(over_noise_db=over_noise_db),
        CrestControl(dbfs=dbfs),
        HighPass(),
    )


@dataclass(frozen=True)
class Voice:
    """A card, the engine that speaks it, and where its speech is kept, if anywhere."""

    card: VoiceCard
    engine: SpeechEngine
    cache: SpeechCache | None = None

    @cached_property
    def provenance(self) -> Provenance:
        """Where the sound comes from; :class:`InputError` where it cannot be made here."""
        if missing := self.engine.missing(self.card):
            raise InputError(f"voice {self.card.id} is not on this machine; {missing}")
        return Provenance(
            engine=self.card.engine,
            version=self.engine.version(self.card),
            model_sha256=self.engine.model_sha256(self.card),
            deterministic=self.engine.deterministic(self.card),
            code_license=self.card.code_license,
            voice_license=self.card.voice_license,
            parameters=self.card.parameters,
        )

    def spoken_text(self, text: str) -> str:
        """The words that the engine is given; see :func:`synthkit.speech.text.spoken_text`."""
        return spoken_text(text, self.card.language, f"voice {self.card.id}")

    def check(self, text: str) -> str:
        """Refuse text that cannot be said (:class:`InputError`), before any work.

        Returns the hash of all that determines its sound, but for the seed.
        """
        spoken = self.spoken_text(text)
        parts = pieces(spoken, self.engine.longest_text, f"voice {self.card.id}")
        recordings = [self.engine.check(part, self.card) for part in parts]
        heard = {k: v for k, v in self.card.parameters.items() if k not in self.engine.silent}
        origin = dataclasses.replace(self.provenance, parameters=heard)
        return content_key([origin.key, recordings, spoken])

    def speak(self, text: str, seed: int = 0) -> Audio:
        """The engine's own output, at its own sampling rate; long texts in pieces, one by one.

        Raises :class:`InputError` for text that cannot be said, :class:`AudioError` for
        whatever goes wrong inside the engine.
        """
        key = content_key([self.check(text), seed])
        if self.cache and (kept := self.cache.get(key)):
            return kept
        parts = pieces(self.spoken_text(text), self.engine.longest_text, f"voice {self.card.id}")
        try:
            with _SPEAKING:
                made = [self.engine.speak(part, self.card, seed) for part in parts]
        except SynthkitError:
            raise
        except Exception as error:  # of somebody else's code: it fails this text and no more
            raise AudioError(
                f"voice {self.card.id}: engine {self.card.engine} failed with "
                f"{type(error).__name__}: {error}"
            ) from error
        # In single precision, so that what is kept is what was made, to the last bit.
        samples = np.concatenate([audio.samples for audio in made]).astype(np.float32)
        spoken = Audio(samples.astype(np.float64), made[0].sampling_rate)
        if self.cache:
            self.cache.put(key, spoken)
        return spoken

    def conditioning(self, dbfs: float = -20.0) -> Chain:
        """The conditioning for this voice's kind of source."""
        return conditioning(dbfs, self.engine.over_noise_db)

    def say(self, text: str, seed: int = 0, dbfs: float = -20.0) -> Audio:
        """Speak ``text`` as conditioned speech at 16 kHz, its speech window set."""
        return self.conditioning(dbfs)(self.speak(text, seed))


def voice(reference: str, base: Path | None = None, cache: SpeechCache | None = None) -> Voice:
    """Load a voice by ``cast/name`` or by its card's path (relative to ``base``)."""
    return of_card(voice_card(reference, base), cache)


def of_card(card: VoiceCard, cache: SpeechCache | None = None) -> Voice:
    """The voice of a card that is loaded."""
    return Voice(card, engine(card.engine), cache)
