"""Room tone: the steady noise of a quiet room, with no speech and no tones in it."""

from __future__ import annotations

import numpy as np

from synthkit.audio import Samples
from synthkit.beds.noise import shaped_noise

CUTOFF = 60.0  # Hz, as the speech is high-passed

# Hoth's room noise as ITU-T P.800 and IEEE 269 tabulate it: dB SPL per Hz at 50 dBA, at the
# centres of third octaves from 100 Hz to 8 kHz. -5 dB an octave up to 3 kHz, steeper above.
HOTH_DB: Samples = np.array(
    [
        [32.4, 30.9, 29.1, 27.6, 26.0, 24.4, 22.7, 21.1, 19.5, 17.8],  # from 100 Hz
        [16.2, 14.6, 12.9, 11.3, 9.6, 7.8, 5.4, 2.6, -1.3, -6.6],  # from 1 kHz
    ]
).ravel()


def room_tone(num_samples: int, sampling_rate: int, seed: int) -> Samples:
    """Noise of shape (num_samples,) with Hoth's spectrum above a 60 Hz high-pass.

    Between the points of the table it runs straight in dB over log frequency; outside of it,
    below 100 Hz and above 8 kHz, it is flat.
    """
    return shaped_noise(num_samples, sampling_rate, seed, _density_db, CUTOFF)


def _density_db(hertz: Samples) -> Samples:
    thirds = 10 * np.log10(hertz / 100)  # a third of an octave is a tenth of a decade
    density: Samples = np.interp(thirds, np.arange(len(HOTH_DB)), HOTH_DB)
    return density
