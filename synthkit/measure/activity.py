"""Where a signal is silent: before its speech, after it, and how loud its noise is meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthkit.audio import Samples, num_samples_of
from synthkit.errors import SilenceError
from synthkit.levels import to_db
from synthkit.renderers.activity import FRAME_MS, active_frames, frame_levels, noise_floor

# As for recorded speech that is trimmed (renderers/trim.py, speech/engines/recorded.py).
THRESHOLD_DB = 50.0
OVER_NOISE_DB = 10.0
QUIETEST_NOISE_DBFS = -160.0  # under the last bit of 24: what is left is the high-pass ringing down


@dataclass(frozen=True, eq=False)
class Activity:
    """Which frames of 10 ms hold speech.

    ``active`` has shape (num_frames,); ``noise_floor_dbfs`` is the 10th percentile of the frames'
    levels, None where that is digital silence; ``silence`` says why no frame is active, else None.
    """

    active: NDArray[np.bool_]
    hop: int
    num_samples: int
    noise_floor_dbfs: float | None
    silence: str | None

    @property
    def leading_samples(self) -> int | None:
        """Samples before the first active frame; None where none is active."""
        return None if self.silence else int(np.argmax(self.active)) * self.hop

    @property
    def trailing_samples(self) -> int | None:
        """Samples after the last active frame; None where none is active."""
        if self.silence:
            return None
        last = len(self.active) - int(np.argmax(self.active[::-1]))
        return max(0, self.num_samples - last * self.hop)


def activity(samples: Samples, sampling_rate: int) -> Activity:
    """Find the speech in (num_samples,) samples: within 50 dB of the loudest 10 ms, 10 over noise.

    See :func:`synthkit.renderers.activity.active_frames`; trimming cuts where this says.
    """
    rms = frame_levels(samples, sampling_rate)
    try:
        active, silence = active_frames(rms, THRESHOLD_DB, OVER_NOISE_DB), None
    except SilenceError as error:
        active, silence = np.zeros(len(rms), np.bool_), str(error)
    hop = num_samples_of(FRAME_MS, sampling_rate)
    floor = to_db(noise_floor(rms))
    if floor is not None and floor < QUIETEST_NOISE_DBFS:
        floor = None
    return Activity(active, hop, len(samples), floor, silence)
