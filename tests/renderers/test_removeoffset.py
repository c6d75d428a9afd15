"""RemoveOffset: what a recorder adds goes, what is said stays."""

from __future__ import annotations

import numpy as np

from synthkit.audio import Audio
from synthkit.renderers.removeoffset import RemoveOffset


def test_an_offset_is_taken_out_exactly() -> None:
    speech = np.zeros(1000)
    speech[400:500] = np.sin(np.arange(100))
    offset = 0.25  # a sum that floats hold exactly
    np.testing.assert_allclose(RemoveOffset()(Audio(speech + offset, 16000)).samples, speech)


def test_audio_that_rests_at_zero_is_left_bit_for_bit() -> None:
    speech = np.zeros(1000)
    speech[400:800] = np.abs(np.sin(np.arange(400)))
    assert RemoveOffset()(Audio(speech, 16000)).samples.tobytes() == speech.tobytes()


def test_nothing_stays_nothing() -> None:
    assert RemoveOffset()(Audio(np.zeros(0), 16000)).num_samples == 0
