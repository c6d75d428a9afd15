"""Talkers and files that the beds' tests share."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.audio import Audio, Span
from synthkit.beds.babble import Talkers

RATE = 16000
TEXTS = ("one fine day", "two of us", "three more", "the fourth", "and the last")


def say_noise(voice: str, text: str, seed: int) -> Audio:
    """0.3 s to 0.6 s of noise at a level of the voice's own, 20 ms of silence around it."""
    digest = int(hashlib.sha256(f"{voice} {text} {seed}".encode()).hexdigest()[:8], 16)
    rng = np.random.default_rng(digest)
    length = 4800 + digest % 4800
    loudness = 0.001 * 2 ** (ord(voice[-1]) % 8)
    return Audio(np.pad(loudness * rng.standard_normal(length), 320), RATE, Span(320, length + 320))


@pytest.fixture
def talkers() -> Talkers:
    """Twelve voices, a to l, whose levels differ by up to 42 dB."""
    return Talkers(tuple(f"cast/{letter}" for letter in "abcdefghijkl"), TEXTS, say_noise)


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[..., Path]:
    """Write samples as 32-bit float WAV and return its path."""

    def write(samples: np.ndarray, rate: int = RATE, name: str = "hum.wav") -> Path:
        soundfile.write(tmp_path / name, samples, rate, subtype="FLOAT")
        return tmp_path / name

    return write
