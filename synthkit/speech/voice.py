"""A voice says text: the engine's speech, conditioned once, ready for any field."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from synthkit.audio import SAMPLING_RATE, Audio
from synthkit.errors import AudioError, SynthkitError
from synthkit.renderers.base import Chain, chain
from synthkit.renderers.crestcontrol import CrestControl
from synthkit.renderers.highpass import HighPass
from synthkit.renderers.removeoffset import RemoveOffset
from synthkit.renderers.resample import Resample
from synthkit.renderers.trim import Trim
from synthkit.speech.base import Provenance, SpeechEngine, Utterance
from synthkit.speech.cards import VoiceCard, voice_card
from synthkit.speech.engines import engine
from synthkit.speech.text import check_speakable


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
    """A card and the engine that speaks it."""

    card: VoiceCard
    engine: SpeechEngine

    @property
    def provenance(self) -> Provenance:
        return self.engine.provenance(self.card)

    def check(self, text: str) -> str | None:
        """As :meth:`SpeechEngine.check`, and nothing that no engine could say."""
        return self.engine.check(check_speakable(text, f"voice {self.card.id}"), self.card)

    def speak(self, text: str, seed: int = 0) -> Utterance:
        """The engine's own output, at its own sampling rate.

        Raises :class:`InputError` for text that cannot be said, :class:`AudioError` for
        whatever goes wrong inside the engine.
        """
        self.check(text)
        try:
            return self.engine.speak(text, self.card, seed)
        except SynthkitError:
            raise
        except Exception as error:  # of somebody else's code: it fails this text and no more
            raise AudioError(
                f"voice {self.card.id}: engine {self.card.engine} failed with "
                f"{type(error).__name__}: {error}"
            ) from error

    def conditioning(self, dbfs: float = -20.0) -> Chain:
        """The conditioning for this voice's kind of source."""
        return conditioning(dbfs, self.engine.over_noise_db)

    def say(self, text: str, seed: int = 0, dbfs: float = -20.0) -> Audio:
        """Speak ``text`` as conditioned speech at 16 kHz, its speech window set."""
        spoken = self.speak(text, seed)
        return self.conditioning(dbfs)(Audio(spoken.samples, spoken.sampling_rate))


def voice(reference: str, base: Path | None = None) -> Voice:
    """Load a voice by ``cast/name`` or by its card's path (relative to ``base``)."""
    card = voice_card(reference, base)
    return Voice(card, engine(card.engine))
