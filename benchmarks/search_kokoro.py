"""Search blends of Kokoro's styles for voices that sound like different people.

    python benchmarks/search_kokoro.py RUN.jsonl [--draws 120] [--steps 90] [--csv TABLE.csv]

First the styles themselves and random blends, of sound and of prosody, then small changes to a
voice of the closest pair of the best five so far. Every setting says the shortest plain sentences
of the tune half, as `synthkit voices audit` hears them. RUN.jsonl gets a line a setting, so that a
search that was stopped goes on. For each size of cast the one whose closest pair is farthest apart
is then found exactly.
"""

import argparse
import csv
import json
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthkit.instruments.pitch import median_hz
from synthkit.speech.audit.cast import unit
from synthkit.speech.audit.hear import hear
from synthkit.speech.audit.sentences import Sentence, sentences
from synthkit.speech.cards import VoiceCard
from synthkit.speech.voice import of_card

Array: TypeAlias = NDArray[np.float32]
Trial: TypeAlias = dict[str, Any]

STYLES = ("jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro", "jm_kumo")
PARTS = ("styles", "prosody")
NUM_SENTENCES = 4
LEAST_DNSMOS, MOST_WER = 2.9, 0.08  # of few sentences: one misheard word is 4 % or so
FIVE = 5


def short_sentences() -> list[Sentence]:
    plain = [sentence for sentence in sentences("tune") if sentence.plain]
    return sorted(plain, key=lambda sentence: sentence.syllables)[:NUM_SENTENCES]


def draw(random: np.random.Generator) -> Trial:
    """Sound and prosody of one to three styles each."""
    blends = {}
    for part in PARTS:
        chosen = random.choice(len(STYLES), size=int(random.integers(1, 4)), replace=False)
        weights = random.dirichlet(np.full(len(chosen), 1.5))
        blends[part] = {STYLES[i]: float(w) for i, w in zip(chosen, weights, strict=True)}
    return tidy(blends)


def near(trial: Trial, random: np.random.Generator) -> Trial:
    """The same blends with every weight moved, and now and then another style let in."""
    moved = {}
    for part in PARTS:
        weights = {
            style: trial[part].get(style, 0.15 * float(random.random() < 0.2))
            * float(np.exp(0.6 * random.standard_normal()))
            for style in STYLES
        }
        moved[part] = weights
    return tidy(moved)


def tidy(blends: Trial) -> Trial:
    """Weights of two decimals that sum to 1."""
    tidied: Trial = {}
    for part in PARTS:
        total = sum(blends[part].values())
        kept = {style: round(w / total, 2) for style, w in blends[part].items() if w / total > 0.03}
        largest = max(kept, key=lambda style: kept[style])
        kept[largest] = round(1 - sum(w for style, w in kept.items() if style != largest), 2)
        tidied[part] = dict(sorted(kept.items()))
    return tidied


def measure(blends: Trial, said: list[Sentence]) -> Trial:
    """What one setting tells at the learned pace, and its mean embedding, of unit length."""
    apache = "Apache-2.0"
    parameters: dict[str, object] = {**blends, "speed": 1.0}
    card = VoiceCard(
        "search/voice", "", "", "kokoro", "en-US", "", "", apache, apache, "", parameters
    )
    heard = hear(of_card(card), said, lambda: None)
    centre = unit(heard.embeddings.mean(axis=0))
    return {
        **blends,
        "wer": round(heard.words.errors / heard.words.words, 4),
        "dnsmos": round(heard.mos.ovrl, 3),
        "f0_hz": round(median_hz(heard.f0) or 0.0, 1),
        "centre": [round(float(value), 5) for value in centre],
    }


def farthest(trials: list[Trial], size: int) -> tuple[float, list[Trial]]:
    """The ``size`` voices whose largest cosine is smallest, by branch and bound."""
    centres = np.array([trial["centre"] for trial in trials], np.float32)
    cosines = centres @ centres.T
    best, chosen = 2.0, list(range(min(size, len(trials))))

    def grow(cast: list[int], worst: float) -> None:
        nonlocal best, chosen
        if len(cast) == size:
            best, chosen = worst, cast
            return
        for voice in range(cast[-1] + 1 if cast else 0, len(cosines)):
            closest = max([worst, *(float(cosines[voice, other]) for other in cast)])
            if closest < best:
                grow([*cast, voice], closest)

    grow([], -1.0)
    return best, [trials[i] for i in chosen]


def good(trial: Trial) -> bool:
    return bool(trial["dnsmos"] >= LEAST_DNSMOS and trial["wer"] <= MOST_WER)


def closest_pair(cast: list[Trial]) -> list[Trial]:
    centres = np.array([trial["centre"] for trial in cast], np.float32)
    cosines = centres @ centres.T - 2 * np.eye(len(cast), dtype=np.float32)
    return [cast[i] for i in np.unravel_index(int(cosines.argmax()), cosines.shape)]


def run(path: Path, options: argparse.Namespace) -> list[Trial]:
    """All trials of the search; those that ``path`` has already are not measured again."""
    said = short_sentences()
    done = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    with path.open("a", encoding="utf-8") as log:
        for number in range(len(done), options.draws + options.steps):
            random = np.random.default_rng([options.seed, number])
            passed = [trial for trial in done if good(trial)]
            if number < len(STYLES):
                blends = {part: {STYLES[number]: 1.0} for part in PARTS}
            elif number < options.draws or len(passed) < FIVE:
                blends = draw(random)
            else:
                pair = closest_pair(farthest(passed, FIVE)[1])
                blends = near(pair[int(random.integers(2))], random)
            done.append(measure(blends, said))
            log.write(json.dumps(done[-1]) + "\n")
            log.flush()
    return done


def shown(trial: Trial) -> str:
    """``0.6 kumo + 0.4 alpha; gongitsune``: sound; prosody."""
    blends = (
        " + ".join(
            style[3:] if weight == 1 else f"{weight:g} {style[3:]}"
            for style, weight in trial[part].items()
        )
        for part in PARTS
    )
    return "; ".join(blends)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--draws", type=int, default=120)
    parser.add_argument("--steps", type=int, default=90)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="also write what was measured as a table")
    options = parser.parse_args()
    done = run(options.run, options)
    for least in (2.6, LEAST_DNSMOS, 3.1):
        fit = [t for t in done if t["dnsmos"] >= least and t["wer"] <= MOST_WER]
        print(f"DNSMOS at least {least}: {len(fit)} of {len(done)} settings")
        for size in range(2, min(len(fit), 7) + 1):
            worst, cast = farthest(fit, size)
            print(f"  {size} voices: {worst:.3f}: {' / '.join(map(shown, cast))}")
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["sound; prosody", "wer", "dnsmos", "f0_hz"])
            for trial in done:
                table.writerow([shown(trial), trial["wer"], trial["dnsmos"], trial["f0_hz"]])


if __name__ == "__main__":
    main()
