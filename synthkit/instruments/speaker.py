"""Speaker embeddings: who it sounds like, by Resemblyzer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthkit.errors import AudioError
from synthkit.instruments.packages import package
from synthkit.instruments.signal import signal

PURPOSE = "speaker embeddings"
SHORTEST_S = 0.1

Vector: TypeAlias = NDArray[np.float32]


def embed(samples: ArrayLike, sampling_rate: int) -> Vector:
    """Return the embedding of (num_samples,) samples at 16 kHz: (256,), of length 1.

    The dot product of two is their cosine. Resemblyzer 0.1.4 (Wan et al., "Generalized end-to-end
    loss for speaker verification", 2018), long silences cut, on one thread. Raises
    :class:`AudioError` where it finds no speech.
    """
    sound = signal(samples, sampling_rate)
    resemblyzer = package("resemblyzer", PURPOSE)
    long = sound.size >= SHORTEST_S * sampling_rate
    speech = resemblyzer.preprocess_wav(sound, source_sr=sampling_rate) if long else sound[:0]
    if not speech.size:
        raise AudioError("speaker embedding: no speech found; allowed: a spoken sentence")
    with _one_thread():
        return np.asarray(_encoder().embed_utterance(speech), np.float32)


@cache
def _encoder() -> Any:
    return package("resemblyzer", PURPOSE).VoiceEncoder("cpu", verbose=False)


@contextmanager
def _one_thread() -> Iterator[None]:
    """The thread count changes bits; torch's is put back afterwards."""
    torch = package("torch", PURPOSE)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
