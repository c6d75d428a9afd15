"""Babble: several people talking at once, none of them the command's, no word to follow."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from synthkit.audio import Audio, Samples, num_samples_of
from synthkit.beds.crossfade import crossfaded
from synthkit.errors import AudioError, InputError
from synthkit.keys import draw
from synthkit.levels import from_db, rms_dbfs

CROSSFADE_MS = 10

Say = Callable[[str, str, int], Audio]  # voice id, text, seed -> conditioned speech


@dataclass(frozen=True)
class Talkers:
    """Who may talk in a babble, none of them heard in the command, and what about.

    ``say`` speaks a text by a voice's id as conditioned speech with its speech window.
    Raises :class:`InputError` where there is no text, or one id twice.
    """

    voices: tuple[str, ...]
    texts: tuple[str, ...]
    say: Say

    def __post_init__(self) -> None:
        for name, values in (("voices", self.voices), ("texts", self.texts)):
            if not values or len(set(values)) < len(values):
                raise InputError(
                    f"babble: {len(values)} {name}, {len(set(values))} different; "
                    f"allowed: at least one, each once"
                )

    def chosen(self, num_talkers: int, seed: int) -> tuple[str, ...]:
        """``num_talkers`` different voices; :class:`InputError` where there are not so many."""
        if num_talkers > len(self.voices):
            raise InputError(
                f"babble: num_talkers is {num_talkers}; allowed: up to {len(self.voices)}, "
                f"the voices that are not in the command"
            )
        return tuple(_shuffled(self.voices, seed, "babble talker")[:num_talkers])


def babble(
    num_samples: int, sampling_rate: int, seed: int, num_talkers: int, talkers: Talkers
) -> Samples:
    """The sum of :func:`streams`, shape (num_samples,)."""
    summed: Samples = streams(num_samples, sampling_rate, seed, num_talkers, talkers).sum(axis=0)
    return summed


def streams(
    num_samples: int, sampling_rate: int, seed: int, num_talkers: int, talkers: Talkers
) -> Samples:
    """What each talker says, shape (num_talkers, num_samples), each of RMS 1 over its length.

    A talker says all texts in an order of its own, over and over: speech window after speech
    window at one RMS, with crossfades of 10 ms and no pause between them. The bed begins
    somewhere in the first. The seed of an utterance hangs on voice and text alone, so a caller
    who keeps what ``say`` returned need never say it twice in a run.

    Raises :class:`InputError` for too few voices, :class:`AudioError` for speech at another
    sampling rate or without a speech window.
    """
    chosen = talkers.chosen(num_talkers, seed)
    return np.stack([_stream(num_samples, sampling_rate, seed, v, talkers) for v in chosen])


def _stream(
    num_samples: int, sampling_rate: int, seed: int, voice: str, talkers: Talkers
) -> Samples:
    texts = itertools.cycle(_shuffled(talkers.texts, seed, f"babble text of {voice}"))
    fade = num_samples_of(CROSSFADE_MS, sampling_rate)
    stream = _utterance(voice, next(texts), sampling_rate, talkers.say)
    start = draw(seed, voice, "babble start", 62) % len(stream)
    while len(stream) < start + num_samples:
        following = _utterance(voice, next(texts), sampling_rate, talkers.say)
        overlap = min(fade, len(stream) // 2, len(following) // 2)
        stream = crossfaded(stream, following, overlap)
    return _at_rms_1(stream[start : start + num_samples], voice)


def _utterance(voice: str, text: str, sampling_rate: int, say: Say) -> Samples:
    """The speech window of ``text``, at RMS 1."""
    audio = say(voice, text, draw(0, voice, text))
    if audio.sampling_rate != sampling_rate:
        raise AudioError(
            f"babble: voice {voice} speaks at {audio.sampling_rate} Hz; allowed: {sampling_rate}"
        )
    return _at_rms_1(audio.samples[slice(*audio.window)], voice)


def _at_rms_1(samples: Samples, voice: str) -> Samples:
    level = rms_dbfs(samples)
    if level is None:
        raise AudioError(f"babble: voice {voice} is silent; allowed: speech")
    return samples / from_db(level)


def _shuffled(items: tuple[str, ...], seed: int, purpose: str) -> list[str]:
    """``items`` by a hash of their own: the order they came in has no say."""
    return sorted(items, key=lambda item: (draw(seed, item, purpose, 62), item))
