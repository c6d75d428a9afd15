"""A voice says text: the engine's speech, conditioned once, ready for any field."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
from synthkit.speech.text import check_text, pieces, spoken_text

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
        engine, card = self.engine, self.card
        with self._blamed(InputError):
            if missing := engine.missing(card):
                raise InputError(f"voice {card.id} is not on this machine; {missing}")
            return Provenance(
                engine=card.engine,
                version=engine.version(card),
                model_sha256=engine.model_sha256(card),
                deterministic=engine.deterministic(card),
                code_license=card.code_license,
                voice_license=card.voice_license,
                parameters=card.parameters,
            )

    @cached_property
    def _origin(self) -> tuple[object, ...]:
        heard = {k: v for k, v in self.card.parameters.items() if k not in self.engine.silent}
        return dataclasses.replace(self.provenance, parameters=heard).key

    def spoken_text(self, text: str) -> str:
        """The words that the engine is given; see :func:`synthkit.speech.text.spoken_text`."""
        return spoken_text(text, self.card.language, f"voice {self.card.id}")

    def key(self, text: str) -> str:
        """Hash of all that determines the sound of ``text``, but for the seed."""
        spoken = self.spoken_text(text)
        return content_key([self._origin, self._sources(self._pieces(spoken)), spoken])

    def _sources(self, parts: Sequence[str]) -> list[str | None]:
        """Hashes of what determines the sound beside voice and text; refuses what is not there."""
        with self._blamed(InputError):
            return [self.engine.source_sha256(part, self.card) for part in parts]

    def utterance_key(self, text: str, seed: int) -> str:
        """Hash of all that determines the sound of an utterance; the cache keeps it under that."""
        return content_key([self.key(text), seed])

    def check(self, text: str, seed: int = 0) -> None:
        """Refuse text that cannot be said (:class:`InputError`), before any work.

        What is kept in the cache has been said.
        """
        _ = self.provenance  # refuses a voice that is not there
        if self._says_anything:
            check_text(text, self.card.language, f"voice {self.card.id}")
            return
        parts = self._pieces(self.spoken_text(text))
        self._sources(parts)
        if self.cache and self.utterance_key(text, seed) in self.cache:
            return
        with self._blamed(InputError):
            for part in parts:
                self.engine.check(part, self.card)

    @property
    def _says_anything(self) -> bool:
        """Whether the engine refuses no text and needs nothing for one: none need be read."""
        own, base = type(self.engine), SpeechEngine
        methods = own.check is base.check and own.source_sha256 is base.source_sha256
        return methods and self.engine.longest_text is None

    def is_kept(self, text: str, seed: int = 0) -> bool:
        """Whether the cache has an entry for the utterance."""
        return self.cache is not None and self.utterance_key(text, seed) in self.cache

    def speak(self, text: str, seed: int = 0) -> Audio:
        """The engine's own output, at its own sampling rate; long texts in pieces, one by one.

        Raises :class:`InputError` for text that cannot be said, :class:`AudioError` for
        whatever goes wrong inside the engine.
        """
        key = self.utterance_key(text, seed)
        if self.cache and (kept := self.cache.get(key)):
            return kept
        parts = self._pieces(self.spoken_text(text))
        with _SPEAKING:
            with self._blamed(InputError):
                for part in parts:
                    self.engine.check(part, self.card)
            with self._blamed(AudioError):
                made = [self.engine.speak(part, self.card, seed) for part in parts]
        # In single precision, so that what is kept is what was made, to the last bit.
        samples = np.concatenate([audio.samples for audio in made]).astype(np.float32)
        spoken = Audio(samples.astype(np.float64), made[0].sampling_rate)
        if self.cache:
            self.cache.put(key, spoken)
        return spoken

    def _pieces(self, spoken: str) -> list[str]:
        return pieces(spoken, self.engine.longest_text, f"voice {self.card.id}")

    @contextmanager
    def _blamed(self, kind: type[SynthkitError]) -> Iterator[None]:
        """What goes wrong in somebody else's code costs a text or a voice, and no traceback."""
        try:
            yield
        except SynthkitError:
            raise
        except Exception as error:
            raise kind(
                f"voice {self.card.id}: engine {self.card.engine} failed with "
                f"{type(error).__name__}: {error}"
            ) from error

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
