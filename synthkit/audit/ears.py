"""The instruments as an audit uses them: what is heard in one sound, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from synthkit.audio import Audio, Samples, Span
from synthkit.audit.items import Item, Part
from synthkit.errors import SynthkitError
from synthkit.instruments import asr, mos, slots, speaker
from synthkit.instruments.mos import Mos
from synthkit.instruments.packages import require_instruments
from synthkit.instruments.speaker import Vector
from synthkit.instruments.words import WordErrors
from synthkit.renderers.resample import Resample


@dataclass(frozen=True, eq=False)
class HeardPart:
    """A part of an item to be heard: its samples, float64 of shape (num_samples,), at a rate in Hz.

    ``sha256`` is of the samples: equal sounds are heard once.
    """

    item: Item
    role: str
    samples: Samples
    sampling_rate: int
    sha256: str

    @property
    def part(self) -> Part:
        return self.item.part(self.role)

    @property
    def window(self) -> Span:
        """The speech window within the part."""
        return self.part.window


@dataclass(frozen=True)
class Ears:
    """What hears: each takes (num_samples,) samples and their rate, 16 kHz.

    ``errors`` counts the word errors of a transcript, which is its second argument.
    """

    transcribe: Callable[[Samples, int], str]
    errors: Callable[[str, str], WordErrors]
    embed: Callable[[Samples, int], Vector]
    mos: Callable[[Samples, int], Mos]


@dataclass(frozen=True, eq=False)
class Heard:
    """What was heard in a sound; ``failure`` says why where nothing was, None otherwise.

    ``embedding`` has shape (256,) and length 1.
    """

    transcript: str | None = None
    embedding: Vector | None = None
    mos: Mos | None = None
    failure: str | None = None


def cosine(one: Heard, other: Heard) -> float | None:
    """Of the embeddings of two sounds; None where one has none."""
    if one.embedding is None or other.embedding is None:
        return None
    return float(one.embedding @ other.embedding)


def instruments() -> Ears:
    """The instruments; :class:`synthkit.errors.InputError` where a package is missing."""
    require_instruments()
    return Ears(
        asr.transcribe, word_errors, speaker.embed, lambda sound, rate: mos.mos([sound], rate)
    )


def word_errors(text: str, heard: str) -> WordErrors:
    """The errors of a transcript: normal forms; names, by their spelling, cost nothing."""
    text, heard = slots.one_spelling(text), slots.one_spelling(heard)
    return asr.word_errors(text, heard, slots.names(text), slots.numbers(text))


def listen(part: HeardPart, ears: Ears, transcribe: bool) -> Heard:
    """Hear a part, at 16 kHz; its words only where the recogniser knows their language."""
    try:
        sound = Resample()(Audio(part.samples, part.sampling_rate))
        samples, rate = sound.samples, sound.sampling_rate
        return Heard(
            ears.transcribe(samples, rate) if transcribe else None,
            ears.embed(samples, rate),
            ears.mos(samples, rate),
        )
    except SynthkitError as error:
        return Heard(failure=str(error))
