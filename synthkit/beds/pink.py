"""Pink noise: the same power in every octave, from 20 Hz up."""

from __future__ import annotations

import numpy as np

from synthkit.audio import Samples
from synthkit.beds.noise import shaped_noise

CUTOFF = 20.0  # Hz


def pink(num_samples: int, sampling_rate: int, seed: int) -> Samples:
    """Noise of shape (num_samples,) whose power per Hz is 1 / f: -3.01 dB an octave."""
    return shaped_noise(num_samples, sampling_rate, seed, _density_db, CUTOFF)


def _density_db(hertz: Samples) -> Samples:
    density: Samples = -10 * np.log10(hertz)
    return density
