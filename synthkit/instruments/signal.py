"""The signal an instrument hears: mono, finite, 16 kHz, within full scale."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthkit.audio import SAMPLING_RATE
from synthkit.errors import AudioError

Signal: TypeAlias = NDArray[np.float32]


def signal(samples: ArrayLike, sampling_rate: int) -> Signal:
    """Return ``samples`` as float32 of shape (num_samples,), scaled down where they pass 1.0.

    Raises :class:`AudioError` for other sampling rates than 16 kHz (the models know no other),
    more channels than one, samples that are not finite, and digital silence.
    """
    found = np.asarray(samples, np.float32)
    if sampling_rate != SAMPLING_RATE:
        raise AudioError(f"sampling rate is {sampling_rate} Hz; instruments hear {SAMPLING_RATE}")
    if found.ndim != 1:
        raise AudioError(f"samples have shape {found.shape}; allowed: (num_samples,), mono")
    if not np.isfinite(found).all():
        raise AudioError("samples are not all finite")
    peak = float(np.abs(found).max(initial=0.0))
    if not peak:
        raise AudioError(f"{found.size} samples of digital silence; allowed: sound")
    return found if peak <= 1.0 else (found / (1.001 * peak)).astype(np.float32)
