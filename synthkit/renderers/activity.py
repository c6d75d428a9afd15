"""Speech activity: which frames of 10 ms hold speech, found on a copy without rumble."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthkit.audio import Samples, num_samples_of
from synthkit.errors import SilenceError
from synthkit.levels import from_db, rounded, to_db
from synthkit.renderers.highpass import HighPass

FRAME_MS = 10
FLOOR_PERCENTILE = 10  # of the frames' levels, in a recording with pauses: its noise
QUIETEST_DBFS = -70.0  # a loudest frame below this is no speech, and its gain would be noise


def frame_levels(samples: Samples, sampling_rate: int) -> Samples:
    """RMS of consecutive frames of 10 ms, linear, shape (num_frames,), the last filled with zeros.

    ``samples`` of shape (num_samples,) are heard through a 60 Hz high-pass, which rings after a
    sudden start of sound, of an offset and of rumble too. Run backwards it rings on the other
    side, so what both ways hear is no ringing.
    """
    hop = num_samples_of(FRAME_MS, sampling_rate)
    return np.minimum(
        _frame_rms(HighPass().filtered(samples, sampling_rate), hop),
        _frame_rms(HighPass().filtered(samples[::-1], sampling_rate)[::-1], hop),
    )


def active_frames(
    rms: Samples, threshold_db: float, over_noise_db: float | None
) -> NDArray[np.bool_]:
    """Which frames of :func:`frame_levels` are active, shape (num_frames,), at least one.

    Active is what lies within ``threshold_db`` of the loudest and, if one is given, at least
    ``over_noise_db`` over the noise floor, which is the 10th percentile of all frames. Raises
    :class:`SilenceError` where the loudest frame is below -70 dBFS.
    """
    loudest = float(rms.max(initial=0.0))
    if loudest <= from_db(QUIETEST_DBFS):
        found = "digital silence" if loudest == 0 else f"{rounded(to_db(loudest))} dBFS"
        raise SilenceError(
            f"no speech: the loudest {FRAME_MS} ms read {found}; "
            f"allowed: over {QUIETEST_DBFS:g} dBFS"
        )
    threshold = loudest * from_db(-threshold_db)
    if over_noise_db is not None:
        floor = noise_floor(rms) * from_db(over_noise_db)
        # A floor close to the speech itself says that there is no pause to measure it in.
        threshold = max(threshold, min(floor, loudest * from_db(-20.0)))
    active: NDArray[np.bool_] = rms >= threshold
    return active


def noise_floor(rms: Samples) -> float:
    """The 10th percentile of frame levels, linear; 0 where there are none."""
    return float(np.percentile(rms, FLOOR_PERCENTILE)) if len(rms) else 0.0


def _frame_rms(samples: Samples, hop: int) -> Samples:
    frames = np.pad(samples, (0, -len(samples) % hop)).reshape(-1, hop)
    rms: Samples = np.sqrt(np.mean(np.square(frames), axis=1))
    return rms
