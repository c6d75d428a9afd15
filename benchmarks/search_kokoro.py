"""Choose blends of Kokoro's styles that sound like different people: measure, then select.

    python benchmarks/search_kokoro.py FOLDER [--sentences 6]

Every setting (a style, a blend of two or three) says the first sentences of the tuning half. What
was measured is kept in FOLDER, one JSON file a setting, so that a run which was stopped goes on.
For each size of cast the one whose closest pair is farthest apart is found exactly. The
instruments are those of benchmarks/voices.py.
"""

import argparse
import json
from itertools import permutations
from pathlib import Path
from typing import TypeAlias

import numpy as np
from resemblyzer import preprocess_wav

from synthkit.speech.cards import VoiceCard
from synthkit.speech.voice import of_card
from voices import HALVES, RATE, Array, instruments, naturalness, pitch, said, unit, word_errors

Styles: TypeAlias = dict[str, float]

STYLES = ("jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro", "jm_kumo")
MOST_WER, LEAST_DNSMOS = 0.03, 3.0


def settings() -> list[dict[str, Styles]]:
    """Single styles, the sound of one with the prosody of another, halves of two."""
    pairs = list(permutations(STYLES, 2))
    found = [{"styles": {style: 1.0}} for style in STYLES]
    found += [{"styles": {one: 1.0}, "prosody": {other: 1.0}} for one, other in pairs]
    found += [{"styles": {one: 0.5, other: 0.5}} for one, other in pairs if one < other]
    return found


def name(setting: dict[str, Styles]) -> str:
    """Short and fit for a file: ``1kumo``, ``1kumo,1alpha`` (sound, prosody)."""
    blends = (
        "+".join(f"{weight:g}{style[3:]}" for style, weight in blend.items())
        for blend in setting.values()
    )
    return ",".join(blends)


def measure(setting: dict[str, Styles], sentences: list[str]) -> dict[str, object]:
    """What one setting tells at the learned pace, and its mean embedding, of unit length."""
    parameters: dict[str, object] = {**setting, "speed": 1.0}
    apache = "Apache-2.0"
    card = VoiceCard(
        "search/voice", "", "", "kokoro", "en-US", "", "", apache, apache, "", parameters
    )
    clips = [said(of_card(card), text)[0] for text in sentences]
    counts = [word_errors(clip, text) for clip, text in zip(clips, sentences, strict=True)]
    errors, words = np.sum(counts, axis=0)
    encoder, _, _ = instruments()
    heard = [encoder.embed_utterance(preprocess_wav(clip, source_sr=RATE)) for clip in clips]
    return {
        "setting": setting,
        "wer": float(errors / words),
        "dnsmos": naturalness(clips)["ovrl_mos"],
        "f0_hz": float(np.median([pitch(clip) for clip in clips])),
        "duration_s": float(np.mean([clip.size / RATE for clip in clips])),
        "centre": unit(np.mean(heard, axis=0)).tolist(),
    }


def farthest(cosines: Array, size: int) -> tuple[float, tuple[int, ...]]:
    """The ``size`` voices whose largest cosine is smallest, by branch and bound."""
    best, chosen = 1.0, tuple(range(size))

    def grow(cast: tuple[int, ...], worst: float) -> None:
        nonlocal best, chosen
        if len(cast) == size:
            best, chosen = worst, cast
            return
        for voice in range(cast[-1] + 1 if cast else 0, len(cosines)):
            closest = max([worst, *(float(cosines[voice, other]) for other in cast)])
            if closest < best:
                grow((*cast, voice), closest)

    grow((), -1.0)
    return best, chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sentences", type=int, default=6)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    measured = []
    for setting in settings():
        kept = options.folder / f"{name(setting)}.json"
        if not kept.exists():
            found = measure(setting, HALVES["tune"][: options.sentences])
            kept.write_text(json.dumps(found) + "\n", encoding="utf-8")
        measured.append(json.loads(kept.read_text(encoding="utf-8")))
        last = measured[-1]
        print(f"{name(setting):30} {last['wer']:.3f} {last['dnsmos']:.2f} {last['f0_hz']:.0f}")
    fit = [one for one in measured if one["wer"] <= MOST_WER and one["dnsmos"] >= LEAST_DNSMOS]
    centres = np.array([one["centre"] for one in fit], np.float32)
    for size in range(2, min(len(fit), 12) + 1):
        worst, chosen = farthest(centres @ centres.T, size)
        names = ", ".join(name(fit[voice]["setting"]) for voice in chosen)
        print(f"{size} voices: {worst:.3f}: {names}")


if __name__ == "__main__":
    main()
