"""The eight-condition set made by a plain script: what synthkit's speed is measured against.

Written the way a careful researcher would with the usual libraries: impulse responses and speech
are at hand, every file is made and measured by itself, all readings go into a JSON manifest. It
follows the steps of docs/design.md and imports nothing of synthkit.

    python benchmarks/plain.py JOB.json OUT
"""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyloudnorm
import soundfile
import soxr
from numpy.typing import NDArray
from scipy import ndimage, signal

RATE = 16000
LEVEL_DBFS, CREST_DBTP = -20.0, -1.0
MARGIN, TAPER, FRAME = 320, 80, 160  # 20 ms, 5 ms, 10 ms
POST, POST_TAPER, FADE, TAIL = 3200, 1600, 80, 1600
LOOK_AHEAD = 40  # 2.5 ms

Signal = NDArray[np.float64]
HIGHPASS = signal.butter(4, 60, "highpass", fs=RATE, output="sos")
LOWPASS = signal.firwin(129, 4000, window=("kaiser", 8.0), fs=RATE)
METER = pyloudnorm.Meter(RATE, filter_class="DeMan")


def db(amplitude: float) -> float:
    return 20 * float(np.log10(amplitude))


def rms(samples: Signal) -> float:
    return float(np.sqrt(np.mean(samples**2)))


def oversampled(samples: Signal) -> Signal:
    return np.asarray(np.abs(signal.resample_poly(samples, 4, 1)))


def true_peak(samples: Signal) -> float:
    return max(float(np.abs(samples).max()), float(oversampled(samples).max()))


def loudness(samples: Signal) -> float | None:
    if len(samples) < 0.4 * RATE:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return round(float(METER.integrated_loudness(samples)), 4)


def limiter(samples: Signal, ceiling: float) -> Signal:
    """A smooth gain that takes the oversampled peaks to the ceiling."""
    around = ndimage.maximum_filter1d(oversampled(samples), 5, mode="constant")[::4]
    envelope = np.maximum(around[: len(samples)], np.abs(samples))
    needed = np.minimum(1.0, ceiling / np.maximum(envelope, ceiling))
    held = ndimage.minimum_filter1d(needed, 2 * LOOK_AHEAD + 1, mode="nearest")
    window = signal.windows.hann(2 * LOOK_AHEAD + 1)
    smooth = np.convolve(np.pad(held, LOOK_AHEAD, mode="edge"), window / window.sum(), "valid")
    return np.minimum(smooth, 1.0)


def frame_rms(samples: Signal) -> Signal:
    frames = np.pad(samples, (0, -len(samples) % FRAME)).reshape(-1, FRAME)
    return np.asarray(np.sqrt(np.mean(frames**2, axis=1)))


def conditioned(spoken: Signal, rate: int) -> tuple[Signal, int, int]:
    """Source speech at 16 kHz, trimmed, limited and high-passed, with its speech window."""
    wanted = (2 * len(spoken) * RATE + rate) // (2 * rate)
    samples = soxr.resample(spoken - np.median(spoken), rate, RATE, quality="HQ")[:wanted]
    samples = np.pad(samples, (0, wanted - len(samples)))
    forwards = signal.sosfilt(HIGHPASS, samples)
    backwards = signal.sosfilt(HIGHPASS, samples[::-1])[::-1]
    level = np.minimum(frame_rms(forwards), frame_rms(backwards))
    active = np.flatnonzero(level >= level.max() * 10 ** (-50 / 20))
    onset, offset = active[0] * FRAME, min((active[-1] + 1) * FRAME, len(samples))
    samples = np.pad(samples, MARGIN)[onset : offset + 2 * MARGIN]
    rise = np.sin(np.pi / 2 * np.arange(TAPER) / TAPER) ** 2
    samples[:TAPER] *= rise
    samples[-TAPER:] *= rise[::-1]
    start, end = MARGIN, MARGIN + offset - onset
    for _ in range(40):
        heard = signal.sosfilt(HIGHPASS, samples)
        ceiling = rms(heard[start:end]) * 10 ** ((CREST_DBTP - LEVEL_DBFS) / 20)
        if true_peak(heard) <= ceiling:
            break
        samples = samples * limiter(heard, ceiling * 10 ** (-0.02 / 20))
    return signal.sosfilt(HIGHPASS, np.pad(samples, (0, TAIL))), int(start), int(end)


def in_room(samples: Signal, rir: Signal, delay: int) -> Signal:
    wet = signal.fftconvolve(samples, rir)[delay:]
    padded = np.pad(wet, (0, len(LOWPASS) // 2))
    return np.asarray(signal.fftconvolve(padded, LOWPASS)[len(LOWPASS) // 2 :][: len(padded)])


def finished(samples: Signal, start: int, end: int) -> NDArray[np.int16]:
    """Post window, fades and level; the level is solved again where a peak has to be limited."""
    samples = np.pad(samples[: end + POST], (0, max(0, end + POST - len(samples))))
    samples[-POST_TAPER:] *= np.cos(np.pi / 2 * np.arange(1, POST_TAPER + 1) / POST_TAPER) ** 2
    ramp = np.arange(FADE) / FADE
    samples[:FADE] *= ramp
    samples[-FADE:] *= ramp[::-1]
    limiting = np.ones(len(samples))
    for _ in range(40):
        levelled = samples * limiting
        levelled = levelled * 10 ** ((LEVEL_DBFS - db(rms(levelled[start:end]))) / 20)
        if true_peak(levelled) <= 1 - 1 / 32768:
            break
        limiting = limiting * limiter(levelled, 10 ** (-0.02 / 20))
    return np.minimum(np.rint(levelled * 32768), 32767).astype(np.int16)


def measured(pcm: NDArray[np.int16], start: int, end: int) -> dict[str, Any]:
    samples = pcm / 32768
    return {
        "pcm_sha256": hashlib.sha256(pcm.tobytes()).hexdigest(),
        "num_samples": len(pcm),
        "realised_dbfs": round(db(rms(samples[start:end])), 4),
        "lufs": loudness(samples),
        "true_peak_dbtp": round(db(true_peak(samples)), 4),
        "peak_dbfs": round(db(float(np.abs(samples).max())), 4),
    }


def make(clip: dict[str, Any], folder: Path, rir: Signal, delay: int, out: Path) -> dict[str, Any]:
    pieces, segments = [], []
    for index, segment in enumerate(clip["segments"]):
        spoken, rate = soundfile.read(folder / segment["speech"], dtype="float64")
        samples, start, end = conditioned(spoken, rate)
        if segment["field"] == "far":
            samples = in_room(samples, rir, delay)
        pcm = finished(samples, start, end)
        if index:
            pieces.append(np.zeros(round(clip["gap_ms"] * RATE / 1000), np.int16))
        pieces.append(pcm)
        segments.append({**segment, **measured(pcm, start, end)})
    whole = np.concatenate(pieces)
    path = out / clip["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, whole, RATE, subtype="PCM_16")
    samples = whole / 32768
    return {
        **clip,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "num_samples": len(whole),
        "peak_dbfs": round(db(float(np.abs(samples).max())), 4),
        "true_peak_dbtp": round(db(true_peak(samples)), 4),
        "segments": segments,
    }


def main(job: Path, out: Path) -> None:
    work = json.loads(job.read_text(encoding="utf-8"))
    rir = np.load(job.parent / work["rir"])
    rows = [make(clip, job.parent, rir, work["rir_delay"], out) for clip in work["clips"]]
    with (out / "manifest.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
