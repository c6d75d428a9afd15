"""What a part holds around its speech: constant offset, sub-bass, steps, margins, tail."""

from __future__ import annotations

import numpy as np

from synthkit.audio import Samples, Span
from synthkit.audit.frames import decibels, frame_powers, mean_square

SUB_BASS_HZ = 40
FADE_MS = 5  # every part fades in and out over it: a step shows just inside
TAIL_AFTER_MS = 50  # of the offset: past what trimming leaves and what a filter rings
FLOOR_MS, FLOOR_PERCENTILE = 10, 10


def surroundings(samples: Samples, window: Span, sampling_rate: int) -> dict[str, float | None]:
    """The meters of a part's surroundings, all in dB re the speech's RMS; see ``meters``."""
    speech = samples[slice(*window)]
    power = mean_square(speech)
    if not power:
        names = ("dc", "sub_bass", "start_step", "end_step", "floor", "margin", "tail")
        return dict.fromkeys(names)
    fade = sampling_rate * FADE_MS // 1000
    frames = frame_powers(speech, sampling_rate * FLOOR_MS // 1000)
    floor = float(np.percentile(frames, FLOOR_PERCENTILE)) if len(frames) else power
    after = samples[window.end + sampling_rate * TAIL_AFTER_MS // 1000 :]
    return {
        "dc": decibels(float(samples.mean()) ** 2 / power),
        "sub_bass": decibels(_sub_bass(samples, sampling_rate) / (power * len(speech))),
        "start_step": decibels(_step(samples, fade) / power),
        "end_step": decibels(_step(samples[::-1], fade) / power),
        "floor": decibels(floor / power),
        "margin": decibels(mean_square(samples[: window.start]) / power),
        "tail": decibels(mean_square(after) / power),
    }


def _sub_bass(samples: Samples, sampling_rate: int) -> float:
    """Energy below 40 Hz, by Parseval's theorem."""
    power = np.square(np.abs(np.fft.rfft(samples)))
    power[1 : (len(samples) + 1) // 2] *= 2  # one-sided: all but 0 Hz and the last of an even size
    below = np.fft.rfftfreq(len(samples), 1 / sampling_rate) < SUB_BASS_HZ
    return float(power[below].sum()) / len(samples)


def _step(samples: Samples, fade: int) -> float:
    """The first sample's power, or that of what stands just inside the fade, if it is more."""
    return max(float(samples[0]) ** 2, mean_square(samples[fade : 2 * fade]))
