"""What the samples of speech tell without a spectrum: peaks, polarity, the grid they lie on."""

from __future__ import annotations

import numpy as np

from synthkit.audio import FULL_SCALE, Samples
from synthkit.audit.frames import decibels

LOUD_STEPS = 64  # quieter samples are pauses, whose zeros are even for their own reasons
ON_GRID = 1e-6  # of a step


def waveform(speech: Samples) -> dict[str, float | None]:
    """The meters of a speech window's samples, shape (num_samples,); see ``meters``."""
    power = float(np.mean(np.square(speech))) if len(speech) else 0.0
    if not power:
        return dict.fromkeys(("crest", "skewness", "odd_share"))
    centred = speech - speech.mean()
    squares = np.square(centred)
    spread = float(np.mean(squares))
    return {
        "crest": decibels(float(np.max(np.square(speech))) / power),
        "skewness": float(np.mean(squares * centred)) / spread**1.5 if spread else None,
        "odd_share": _odd_share(speech),
    }


def _odd_share(speech: Samples) -> float | None:
    """Share of odd 16-bit steps among loud samples; None where samples lie between the steps."""
    exact = speech * FULL_SCALE
    steps = np.rint(exact)
    loud = steps[np.abs(steps) >= LOUD_STEPS]
    if not len(loud) or np.abs(exact - steps).max() > ON_GRID:
        return None
    return float(np.mean(loud.astype(np.int64) & 1))
