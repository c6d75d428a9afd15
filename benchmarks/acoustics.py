"""What, beside the declared cue, could tell near segments from far ones in a generated set.

Reads the WAVs of a set by its manifest and prints, for near and far: energy below 40 Hz, level
just inside the fades, DC, all relative to the segment's own speech RMS; then how near and far
renderings of the same speech compare in duration and in time (generalised cross-correlation with
phase transform). Exits with 1 where a bound is passed.

    synthkit generate benchmarks/eight.toml --out out/eight
    python benchmarks/acoustics.py out/eight
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from numpy.typing import NDArray

Samples = NDArray[np.float64]
Readings = dict[str, list[float]]
FADE_MS = 5
BOUNDS_DB = {"below 40 Hz": (-45.0, 100), "step": (-45.0, 95), "DC": (-60.0, 100)}


def decibels(ratio: float) -> float:
    """A ratio of amplitudes in dB; silence reads -200."""
    return 20 * math.log10(max(ratio, 1e-10))


def rms(samples: Samples) -> float:
    return math.sqrt(float(np.mean(np.square(samples))))


def read(segment: Samples, speech: Samples, rate: int) -> dict[str, list[float]]:
    """The three readings of one segment, dB re the RMS of its speech."""
    reference = rms(speech)
    power = np.square(np.abs(np.fft.rfft(segment)))
    power[1:-1] *= 2  # one-sided spectrum: Parseval
    low = power[np.fft.rfftfreq(len(segment), 1 / rate) < 40].sum() / len(segment)
    fade = FADE_MS * rate // 1000
    inside = segment[fade : 2 * fade], segment[-2 * fade : -fade]
    return {
        "below 40 Hz": [decibels(math.sqrt(low / float(np.square(speech).sum())))],
        "step": [decibels(rms(part) / reference) for part in inside],
        "DC": [decibels(abs(float(segment.mean())) / reference)],
    }


def lag(near: Samples, far: Samples) -> int:
    """Samples by which ``far`` is late, by GCC-PHAT (Knapp & Carter 1976)."""
    size = 2 ** math.ceil(math.log2(len(near) + len(far)))
    cross = np.fft.rfft(far, size) * np.conj(np.fft.rfft(near, size))
    correlation = np.fft.irfft(cross / np.maximum(np.abs(cross), 1e-12), size)
    at = int(np.argmax(correlation))
    return at if at < size // 2 else at - size


def segments(folder: Path) -> dict[str, dict[str, Any]]:
    """Every distinct segment of a set: its samples, speech and places, by segment key."""
    found: dict[str, dict[str, Any]] = {}
    for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for part in row["segments"]:
            if part["segment_key"] not in found:
                samples, rate = soundfile.read(folder / row["file"], dtype="float64")
                found[part["segment_key"]] = {
                    **part,
                    "rate": rate,
                    "samples": samples[part["start"] : part["end"]],
                    "speech": samples[part["speech_start"] : part["speech_end"]],
                    "onset": part["speech_start"] - part["start"],
                }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    found = segments(folder)
    readings: dict[str, Readings] = defaultdict(lambda: defaultdict(list))
    by_source: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for segment in found.values():
        for name, values in read(segment["samples"], segment["speech"], segment["rate"]).items():
            readings[name][segment["field"]] += values
        by_source[segment["source_key"]][segment["field"]] = segment
    failed = False
    for name, (bound, percentile) in BOUNDS_DB.items():
        for field, values in sorted(readings[name].items()):
            reached = float(np.percentile(values, percentile))
            failed |= reached > bound
            print(
                f"{name:12} {field:6} n {len(values):4}  median {np.median(values):7.1f}  "
                f"max {max(values):7.1f}  {percentile} % {reached:7.1f}  bound {bound:g} dB"
            )
    pairs = [(s["near"], s["far"]) for s in by_source.values() if {"near", "far"} <= set(s)]
    length = sum(len(n["speech"]) != len(f["speech"]) or n["onset"] != f["onset"] for n, f in pairs)
    size = sum(len(n["samples"]) != len(f["samples"]) for n, f in pairs)
    lags = [lag(n["samples"], f["samples"]) for n, f in pairs]
    late = sum(value != 0 for value in lags)
    print(f"{len(pairs)} near/far pairs: {length} differ in speech window, {size} in length")
    print(f"lag far against near: {late} of {len(lags)} not 0, range {min(lags)} to {max(lags)}")
    limited = [s["level"]["reduction_db"] for s in found.values() if s["level"]["limited"]]
    crest = [
        s["near"]["crest_control"]["reduction_db"]
        for s in by_source.values()
        if "near" in s and s["near"]["crest_control"]["limited"]
    ]
    peaks = [s["true_peak_dbtp"] for s in found.values()]
    print(f"true peak: max {max(peaks):.2f} dBTP over {len(peaks)} segments")
    print(
        f"crest control: {len(crest)} of {len(by_source)} sources, "
        f"at most {max(crest, default=0)} dB"
    )
    print(
        f"limited after the room: {len(limited)} of {len(found)}, "
        f"at most {max(limited, default=0)} dB"
    )
    sys.exit(bool(failed or length or size or late))


if __name__ == "__main__":
    main()
