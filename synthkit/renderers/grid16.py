"""Onto the 16-bit grid under a peak ceiling: what level, loudness and ceiling share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from synthkit.audio import FULL_SCALE, Audio, Samples, from_pcm16, to_pcm16
from synthkit.errors import AudioError
from synthkit.levels import from_db, rms_dbfs, rounded, to_db, true_peak
from synthkit.renderers.limiter import MAX_ROUNDS, limiting_gain, reduction

Peak = Literal["limit", "refuse"]
PEAKS = ("limit", "refuse")
TOLERANCE_DB = 0.01


def on_grid(
    audio: Audio,
    gain_db_of: Callable[[Samples], float],
    ceiling_dbtp: float,
    peak: Peak,
    requested_dbfs: float | None = None,
    requested_lufs: float | None = None,
) -> Audio:
    """Apply the gain that ``gain_db_of`` finds for the samples, on the PCM16 grid.

    Where the true peak passes ``ceiling_dbtp``, ``"limit"`` limits it and asks for the gain
    again, ``"refuse"`` raises. What is noted, as ``level``, is read from the 16 bits. Raises
    :class:`AudioError` where gain and ceiling cannot both hold.
    """
    ceiling = from_db(ceiling_dbtp)
    limiting = np.ones(audio.num_samples)
    for _ in range(MAX_ROUNDS):
        gain_db = gain_db_of(audio.samples * limiting)
        samples = audio.samples * limiting * from_db(gain_db)
        found = true_peak(samples)
        if found <= ceiling - 1 / FULL_SCALE:  # room for the rounding to come
            quantised = from_pcm16(to_pcm16(samples))
            return audio.with_samples(quantised).noted(
                "level",
                requested_dbfs=requested_dbfs,
                requested_lufs=requested_lufs,
                realised_dbfs=rounded(rms_dbfs(quantised[slice(*audio.window)])),
                gain_db=rounded(gain_db),
                **reduction(limiting),
            )
        if peak == "refuse":
            raise AudioError(
                f"true peak at this level is {rounded(to_db(found))} dBTP; "
                f"allowed: {ceiling_dbtp:g}"
            )
        limiting = limiting * limiting_gain(samples, ceiling * from_db(-0.02), audio.sampling_rate)
    raise AudioError(
        f"level and peak ceiling {ceiling_dbtp:g} dBTP exclude each other: "
        f"not reached in {MAX_ROUNDS} rounds of limiting"
    )
