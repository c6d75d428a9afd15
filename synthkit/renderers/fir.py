"""Symmetric FIR filters, their delay taken out: what low-pass and band-pass share."""

from __future__ import annotations

import numpy as np
import scipy

from synthkit.audio import Audio, Samples
from synthkit.errors import AudioError

KAISER_BETA = 8.0  # stop band 80 dB down


def below_nyquist(cutoff: float, audio: Audio, name: str) -> None:
    """Raise :class:`AudioError` for a ``cutoff`` in Hz that the audio cannot have."""
    if cutoff >= audio.sampling_rate / 2:
        raise AudioError(
            f"{name}: cutoff is {cutoff:g} Hz; allowed: below {audio.sampling_rate / 2:g} Hz"
        )


def filtered(audio: Audio, taps: Samples) -> Audio:
    """Filter by an odd number of symmetric ``taps``, moving nothing in time at any frequency.

    The audio grows by half the filter, so that no decay is cut.
    """
    half = len(taps) // 2
    padded = np.pad(audio.samples, (0, half))
    return audio.with_samples(scipy.signal.oaconvolve(padded, taps)[half : half + len(padded)])
