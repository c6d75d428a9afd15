"""Voices as the instruments hear them, spoken once."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import synthkit as sk

RATE = 16000
FINISH = sk.chain(sk.PostWindow(), sk.Fade(), sk.Level())


@functools.cache
def said(voice: str, text: str) -> sk.Audio:
    """A near segment of a set."""
    return FINISH(sk.voice(voice).say(text))


@pytest.fixture
def noise() -> np.ndarray:
    return 0.05 * np.random.default_rng(0).standard_normal(10 * RATE)
