"""How segments end, and what they hold below hearing, in every room preset and place.

Says real sentences with the `heart` voices, renders each at each place as recipes do, and prints
for every place: the level of the 5 ms just inside the fade at the end, 95th percentile, and the
energy below 40 Hz, maximum; both relative to the segment's own speech RMS. Exits with 1 where
one passes -45 dB.

    python benchmarks/rooms.py            # all presets; or: python benchmarks/rooms.py car cafe
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import synthkit
from synthkit.audio import Audio
from synthkit.renderers.room import Room
from synthkit.rooms.cards import presets, room

SCRIPT = Path(__file__).parent.parent / "examples" / "commands.jsonl"
VOICES = ("heart/mom", "heart/dad", "heart/M000", "heart/tvhost", "heart/kid_m")
FINISH = synthkit.chain(synthkit.PostWindow(ms=200), synthkit.Fade(ms=5), synthkit.Level(dbfs=-20))
FADE_MS = 5
BOUND_DB = -45.0


def sentences(count: int) -> list[Audio]:
    """The first commands' triggers, conditioned, each by the next voice in turn."""
    rows = map(json.loads, SCRIPT.read_text(encoding="utf-8").splitlines())
    voices = itertools.cycle(map(synthkit.voice, VOICES))
    return [next(voices).say(row["trigger"]) for row in itertools.islice(rows, count)]


def decibels(part: NDArray[np.float64], reference: NDArray[np.float64]) -> float:
    """Energy of ``part`` per sample of ``reference``'s, dB; silence reads -200."""
    ratio = float(np.mean(np.square(part)) / np.mean(np.square(reference)))
    return 10 * math.log10(max(ratio, 1e-20))


def end_step(segment: Audio) -> float:
    """Level of the 5 ms before the fade at the end, dB re speech RMS."""
    fade = FADE_MS * segment.sampling_rate // 1000
    window = segment.samples[slice(*segment.window)]
    return decibels(segment.samples[-2 * fade : -fade], window)


def below_40_hz(segment: Audio) -> float:
    """Energy below 40 Hz over the energy of the speech, dB."""
    power = np.square(np.abs(np.fft.rfft(segment.samples)))
    power[1:-1] *= 2  # one-sided spectrum: Parseval
    low = power[np.fft.rfftfreq(segment.num_samples, 1 / segment.sampling_rate) < 40].sum()
    speech = np.square(segment.samples[slice(*segment.window)]).sum()
    return 10 * math.log10(max(float(low / segment.num_samples / speech), 1e-20))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", default=presets())
    parser.add_argument("--sentences", type=int, default=20)
    arguments = parser.parse_args()
    spoken, worst = sentences(arguments.sentences), -200.0
    print("| room | place | end step, 95th percentile | below 40 Hz, maximum |")
    print("| --- | --- | ---: | ---: |")
    for name in arguments.rooms:
        for place in room(name).places:
            segments = [FINISH(Room(name, place)(audio)) for audio in spoken]
            step = float(np.percentile([end_step(s) for s in segments], 95))
            low = max(below_40_hz(s) for s in segments)
            worst = max(worst, step, low)
            print(f"| {name} | {place} | {step:.1f} dB | {low:.1f} dB |", flush=True)
    if worst > BOUND_DB:
        sys.exit(f"{worst:.1f} dB passes {BOUND_DB:g} dB")


if __name__ == "__main__":
    main()
