"""Choose blends of Kokoro's styles that sound like different people: measure, then select.

    python benchmarks/search_kokoro.py FOLDER [--sentences 5] [--dnsmos 2.7]

Every setting below says the first sentences of the tuning half. What was measured is kept in
FOLDER, one JSON file a setting, so that a run which was stopped goes on. For each size of cast
the one whose closest pair is farthest apart is found exactly. The instruments are those of
`synthkit voices audit`.
"""

import argparse
import json
import re
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthkit.instruments.pitch import median_hz
from synthkit.speech.audit.cast import unit
from synthkit.speech.audit.hear import hear
from synthkit.speech.audit.sentences import Sentence, sentences
from synthkit.speech.cards import VoiceCard
from synthkit.speech.voice import of_card

Array: TypeAlias = NDArray[np.float32]
Blend: TypeAlias = dict[str, float]

STYLES = {style[3:]: style for style in ("jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro")}
STYLES["kumo"] = "jm_kumo"
# Sound, and prosody after a comma: single styles first, then crossed ones, then what lay between
# the best of these. Styles with much alpha in their sound fail on more sentences than these few.
SETTINGS = (
    "alpha",
    "gongitsune",
    "nezumi",
    "tebukuro",
    "kumo",
    "0.5alpha+0.5gongitsune",
    "0.5alpha+0.5nezumi",
    "kumo,gongitsune",
    "kumo,alpha",
    "tebukuro,kumo",
    "gongitsune,kumo",
    "alpha,kumo",
    "alpha,gongitsune",
    "0.6kumo+0.4tebukuro,tebukuro",
    "0.6kumo+0.4tebukuro,0.5gongitsune+0.5tebukuro",
    "0.55kumo+0.45tebukuro,gongitsune",
    "0.7tebukuro+0.3nezumi,0.6kumo+0.4gongitsune",
    "0.7tebukuro+0.3alpha,0.6kumo+0.4gongitsune",
    "0.65alpha+0.35nezumi",
    "0.6kumo+0.4tebukuro,0.3gongitsune+0.7tebukuro",
    "0.6kumo+0.4alpha,gongitsune",
    "0.75kumo+0.25alpha,0.5gongitsune+0.5tebukuro",
    "0.68kumo+0.32alpha,0.7gongitsune+0.3tebukuro",
)


def blend(text: str) -> Blend:
    """``0.6kumo+0.4alpha`` as weights by style; a style without a number weighs 1."""
    parts = re.findall(r"([\d.]*)([a-z]+)", text)
    return {STYLES[style]: float(weight or 1) for weight, style in parts}


def measure(setting: str, said: list[Sentence]) -> dict[str, object]:
    """What one setting tells at the learned pace, and its mean embedding, of unit length."""
    blends = zip(("styles", "prosody"), map(blend, setting.split(",")), strict=False)
    parameters: dict[str, object] = {**dict(blends), "speed": 1.0}
    apache = "Apache-2.0"
    card = VoiceCard(
        "search/voice", "", "", "kokoro", "en-US", "", "", apache, apache, "", parameters
    )
    heard = hear(of_card(card), said, lambda: None)
    return {
        "wer": heard.words.errors / heard.words.words,
        "dnsmos": heard.mos.ovrl,
        "f0_hz": median_hz(heard.f0) or 0.0,
        "centre": unit(heard.embeddings.mean(axis=0)).tolist(),
    }


def farthest(cosines: Array, size: int) -> tuple[float, tuple[int, ...]]:
    """The ``size`` voices whose largest cosine is smallest, by branch and bound."""
    best, chosen = 2.0, tuple(range(size))

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
    parser.add_argument("--sentences", type=int, default=5)
    parser.add_argument("--dnsmos", type=float, default=2.7, help="least DNSMOS of a setting")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    measured = {}
    plain = [sentence for sentence in sentences("tune") if sentence.plain]
    for setting in SETTINGS:
        kept = options.folder / f"{setting}.json"
        if not kept.exists():
            found = measure(setting, plain[: options.sentences])
            kept.write_text(json.dumps(found) + "\n", encoding="utf-8")
        measured[setting] = one = json.loads(kept.read_text(encoding="utf-8"))
        print(f"{setting:45} {one['wer']:.3f} {one['dnsmos']:.2f} {one['f0_hz']:.0f} Hz")
    fit = [setting for setting, one in measured.items() if one["dnsmos"] >= options.dnsmos]
    centres = np.array([measured[setting]["centre"] for setting in fit], np.float32)
    for size in range(2, min(len(fit), 8) + 1):
        worst, chosen = farthest(centres @ centres.T, size)
        print(f"{size} voices: {worst:.3f}: {'  '.join(fit[voice] for voice in chosen)}")


if __name__ == "__main__":
    main()
