"""Hear one voice: every sentence spoken as a near segment, and what the instruments read in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthkit.audio import Audio
from synthkit.errors import SynthkitError
from synthkit.instruments import asr, mos, pitch, speaker, spectrum, timing
from synthkit.instruments.words import WordErrors
from synthkit.renderers.base import chain
from synthkit.renderers.fade import Fade
from synthkit.renderers.level import Level
from synthkit.renderers.postwindow import PostWindow
from synthkit.speech.audit.sentences import Sentence
from synthkit.speech.voice import Voice

FINISH = chain(PostWindow(), Fade(), Level())
LIMITERS = ("crestcontrol", "level")  # renderers whose notes hold what limiting took

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Heard:
    """One voice's readings, sentence by sentence.

    ``embeddings``: (num_sentences, 256), each of length 1. ``contours``: what
    :func:`synthkit.instruments.timing.warp_ms` aligns. ``syllables_per_second``: (num_sentences,),
    over the speech window, pauses included. ``f0``: Hz of all voiced frames. ``bandwidths``: Hz.
    ``reductions_db``: what limiting took off each segment's peaks.
    """

    voice: Voice
    words: WordErrors
    mos: mos.Mos
    f0: pitch.Hertz
    embeddings: NDArray[np.float32]
    contours: tuple[timing.Contour, ...]
    syllables_per_second: Array
    bandwidths: Array
    reductions_db: Array


def hear(voice: Voice, sentences: Sequence[Sentence], on_sentence: Callable[[], None]) -> Heard:
    """Let ``voice`` say every sentence (seed 0) and read all instruments.

    Raises :class:`SynthkitError` naming the voice and sentence that could not be spoken or heard.
    """
    words, segments, f0s, embeddings, contours = WordErrors(), [], [], [], []
    for sentence in sentences:
        try:
            segment = FINISH(voice.say(sentence.text))
            sound = segment.samples, segment.sampling_rate
            heard = asr.transcribe(*sound)
            words += asr.word_errors(sentence.text, heard, sentence.names, sentence.numbers)
            f0s.append(pitch.f0(*sound))
            embeddings.append(speaker.embed(*sound))
            contours.append(timing.contour(_speech(segment), segment.sampling_rate))
        except SynthkitError as error:
            raise type(error)(f"voice {voice.card.id}, {sentence.text!r}: {error}") from error
        segments.append(segment)
        on_sentence()
    rates = [
        sentence.syllables / (segment.window.num_samples / segment.sampling_rate)
        for sentence, segment in zip(sentences, segments, strict=True)
    ]
    return Heard(
        voice=voice,
        words=words,
        mos=mos.mos([segment.samples for segment in segments], segments[0].sampling_rate),
        f0=np.concatenate(f0s),
        embeddings=np.stack(embeddings),
        contours=tuple(contours),
        syllables_per_second=np.array(rates),
        bandwidths=np.array([spectrum.bandwidth_hz(s.samples, s.sampling_rate) for s in segments]),
        reductions_db=np.array([_reduction_db(segment) for segment in segments]),
    )


def _speech(segment: Audio) -> Array:
    """The samples of the speech window alone."""
    return segment.samples[segment.window.start : segment.window.end]


def _reduction_db(segment: Audio) -> float:
    notes = [segment.note(renderer) or {} for renderer in LIMITERS]
    return sum(float(str(note.get("reduction_db", 0.0))) for note in notes)
