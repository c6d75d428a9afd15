"""Readings: what meters read in a file, pure functions of its samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from synthkit.audio import Samples
from synthkit.levels import peak_dbfs, rms_dbfs, rounded, true_peak_dbtp
from synthkit.loudness import lufs
from synthkit.measure.activity import Activity
from synthkit.measure.loaded import Loaded

CLIPPED_SAMPLES = 3  # in a row at the largest value: no waveform of speech stands still there
# Full scale of every encoding: mu-law's largest code, the lowest of them, is 0.9803.
NEARLY_FULL_SCALE = 0.98
# Turned down after it was clipped, a file is flat at one value again and again. Below this
# a slow wave in 16 bits is, too.
QUIETEST_CLIPPED = 0.1
DC_DECIMALS = 7


@dataclass(frozen=True)
class Readings:
    """Levels in dB, offset as a share of full scale, silences in ms; None where there is none.

    ``rms_dbfs`` is over the whole file, ``speech_dbfs`` over its segments. ``noise_floor_dbfs`` is
    the 10th percentile of the levels of 10 ms frames, over 60 Hz.
    """

    rms_dbfs: float | None
    speech_dbfs: float | None
    peak_dbfs: float | None
    true_peak_dbtp: float | None
    lufs: float | None
    dc_offset: float | None
    crest_db: float | None
    noise_floor_dbfs: float | None
    clipped_runs: int
    leading_silence_ms: float | None
    trailing_silence_ms: float | None


def readings(loaded: Loaded, activity: Activity, speech: Samples) -> Readings:
    """Read all meters; ``speech`` holds the samples of the segments, one after another."""
    mono, rate = loaded.mono, loaded.sampling_rate
    return Readings(
        rms_dbfs=rounded(rms_dbfs(mono)),
        speech_dbfs=rounded(rms_dbfs(speech)),
        peak_dbfs=rounded(peak_dbfs(loaded.channels)),
        true_peak_dbtp=rounded(worst_true_peak(loaded.channels)),
        lufs=rounded(lufs(mono, rate)),
        dc_offset=dc_offset(mono),
        crest_db=rounded(crest_db(mono)),
        noise_floor_dbfs=rounded(activity.noise_floor_dbfs),
        clipped_runs=clipped_runs(loaded.channels, loaded.fine),
        leading_silence_ms=ms(activity.leading_samples, rate),
        trailing_silence_ms=ms(activity.trailing_samples, rate),
    )


def worst_true_peak(channels: Samples) -> float | None:
    """The highest true peak of (num_samples, num_channels) samples in dBTP; None for silence."""
    found = [true_peak_dbtp(np.ascontiguousarray(channel)) for channel in channels.T]
    return max((peak for peak in found if peak is not None), default=None)


def dc_offset(samples: Samples) -> float | None:
    """Mean of (num_samples,) samples as a share of full scale; None where there are none."""
    return round(float(np.mean(samples)), DC_DECIMALS) + 0.0 if len(samples) else None


def crest_db(samples: Samples) -> float | None:
    """Peak over RMS in dB (3.01 for a sine, 0 for a square wave); None for silence."""
    peak, rms = peak_dbfs(samples), rms_dbfs(samples)
    return None if peak is None or rms is None else peak - rms


def clipped_runs(channels: Samples, fine: bool = True) -> int:
    """Count the runs of 3 samples or more at the largest or smallest value of their channel.

    ``channels`` has shape (num_samples, num_channels). A run counts where that value is full scale
    (0.98 or more), or, in a ``fine`` encoding, where it is over -20 dBFS and reached by two runs
    or more: so a file that was clipped and turned down is seen as well. Lossy encodings blur the
    runs away.
    """
    return sum(_runs_at(sign * channel, fine) for channel in channels.T for sign in (1, -1))


def _runs_at(samples: Samples, fine: bool) -> int:
    top = float(samples.max(initial=0.0))
    if top < QUIETEST_CLIPPED:
        return 0
    edges = np.flatnonzero(np.diff(np.concatenate(([False], samples == top, [False]))))
    runs = int((edges[1::2] - edges[::2] >= CLIPPED_SAMPLES).sum())
    return runs if top >= NEARLY_FULL_SCALE or (fine and runs > 1) else 0


def ms(num_samples: int | None, sampling_rate: int) -> float | None:
    """Samples as ms, to the microsecond."""
    return None if num_samples is None else round(1000 * num_samples / sampling_rate, 3)
