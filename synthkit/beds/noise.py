"""Shaped noise: white noise given a spectrum, exactly, without a constant offset."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from synthkit.audio import Samples

Spectrum = Callable[[Samples], Samples]


def shaped_noise(
    num_samples: int, sampling_rate: int, seed: int, density_db: Spectrum, cutoff: float
) -> Samples:
    """Gaussian noise of shape (num_samples,) whose power per Hz follows ``density_db``.

    White noise by numpy's PCG64 is multiplied in the frequency domain, by no filter that would
    have to settle: ``density_db`` maps Hz to dB per Hz (its constant is of no account), and a
    4th-order Butterworth high-pass at ``cutoff`` Hz, 1 / (1 + (cutoff / f)**8) in power, takes
    what lies below; at 0 Hz nothing is left. The noise is periodic in ``num_samples``, so a
    shorter one is no beginning of a longer one.
    """
    white = np.random.Generator(np.random.PCG64(seed)).standard_normal(num_samples)
    hertz: Samples = np.fft.rfftfreq(num_samples, 1 / sampling_rate)[1:].astype(np.float64)
    gain = 10 ** (density_db(hertz) / 20) / np.sqrt(1 + (cutoff / hertz) ** 8)
    shaped: Samples = np.fft.irfft(np.fft.rfft(white) * np.append(0.0, gain), num_samples)
    return shaped
