"""Search settings of the cast ``heart``: nine voices as far apart as clear speech allows.

    pip install 'synthkit[instruments]' && pip install --no-deps resemblyzer==0.1.4
    python benchmarks/search_voices.py RUN.jsonl [--draws 90] [--steps 140] [--cards voices/heart]

Every role has its own timing and its own ranges of timbre. First the cards as they are and random
settings of each role are measured, then a voice of the cast's closest pair is changed a little,
again and again. RUN.jsonl gets a line a trial, so that a search goes on where it ended; the same
seed on the same machine gives the same trials, however often it was stopped. ``--cards`` writes the
best nine into these cards. Only plain sentences of the tune half are heard, each as ``synthkit
voices audit`` hears it. frontier.py tells what was found.
"""

import argparse
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
from frontier import MOS, Array, Trial, closeness, cosines, good, select

import synthkit as sk
from synthkit.instruments.pitch import median_hz
from synthkit.speech.audit.cast import unit
from synthkit.speech.audit.hear import hear
from synthkit.speech.audit.sentences import sentences
from synthkit.speech.engines.hibari.rhythm import Rhythm
from synthkit.speech.engines.hibari.timbre import Timbre

Setting: TypeAlias = dict[str, float]

SENTENCES = [sentence for sentence in sentences("tune") if sentence.plain][:8]
SHARE, STEP = 0.5, 0.25  # of the parameters that a step moves; of a range, its deviation
NEARBY = 200  # changes guessed before the best of them is measured
REACH, NOISE = 4.0, 0.01  # of the guess: in deviations of the parameters; a share of variance
HANDICAP = 0.03  # of cosine, between the four that lie farther apart
RENEW = 60  # steps after which the cast is selected again from all trials

BODY = {
    "f0_range": (0.5, 1.4),
    "f0_slope_semitones": (-4.0, 4.0),
    "throat_scale": (0.85, 1.2),
    "mouth_scale": (0.8, 1.25),
    "formant_gain": (0.75, 1.4),
    "tilt_db_per_octave": (-4.0, 4.0),
    "h1_db": (-10.0, 10.0),
    "chest_db": (-6.0, 8.0),
    "nasal_db": (-8.0, 8.0),
    "ring_db": (-6.0, 9.0),
    "breath_db": (-10.0, 4.0),
}
MAN = BODY | {"throat_scale": (0.85, 1.08), "mouth_scale": (0.76, 1.1)}
CHILD = BODY | {"throat_scale": (1.05, 1.3), "mouth_scale": (1.05, 1.32)}
NEUTRAL = BODY | {
    "f0_range": (0.9, 1.2),
    "f0_slope_semitones": (-1.0, 1.0),
    "throat_scale": (0.97, 1.04),
    "mouth_scale": (0.95, 1.05),
    "formant_gain": (0.95, 1.15),
    "tilt_db_per_octave": (-1.5, 1.5),
    "h1_db": (-4.0, 4.0),
    "chest_db": (-3.0, 4.0),
    "nasal_db": (-4.0, 4.0),
    "ring_db": (-3.0, 3.0),
    "breath_db": (-4.0, 3.0),
}
RANGES = {
    "M000": MAN | {"f0_scale": (0.54, 0.74)},
    "M008": MAN | {"f0_scale": (0.43, 0.54)},
    "dad": MAN | {"f0_scale": (0.5, 0.62)},
    "grandma": BODY | {"f0_scale": (0.84, 1.0), "mouth_scale": (0.8, 1.0)},
    "kid_m": CHILD | {"f0_scale": (1.3, 1.6), "throat_scale": (1.1, 1.3)},
    "mom": NEUTRAL | {"f0_scale": (0.95, 1.06)},
    "phonecaller": BODY | {"f0_scale": (1.02, 1.25)},
    "teenf": CHILD | {"f0_scale": (1.15, 1.35), "mouth_scale": (1.05, 1.25)},
    "tvhost": MAN | {"f0_scale": (0.66, 0.78)},
}
# Chosen by hand, so that no two roles share a pattern; the search leaves them alone.
TIMING: dict[str, Setting] = {
    "M000": {"speed": 1.06, "tempo_drift": 0.5, "stress_contrast": 0.2},
    "M008": {"speed": 0.92, "tempo_drift": -0.4, "final_scale": 1.6, "stress_contrast": 0.15},
    "dad": {"speed": 0.92, "stress_contrast": -0.35, "pause_scale": 0.7, "final_scale": 0.7},
    "grandma": {"speed": 0.96, "tempo_drift": -0.2, "vowel_scale": 1.15, "pause_scale": 1.7},
    "kid_m": {"speed": 1.0, "tempo_drift": 0.35, "stress_contrast": -0.25, "final_scale": 1.4},
    "mom": {"speed": 1.0},
    "phonecaller": {"speed": 1.0, "tempo_drift": -0.4, "stress_contrast": 0.4, "pause_scale": 0.6},
    "teenf": {"speed": 1.08, "tempo_drift": -0.4, "stress_contrast": -0.15},
    "tvhost": {"speed": 1.0, "stress_contrast": 0.5, "pause_scale": 1.7, "tempo_drift": 0.2},
}
FIXED: dict[str, Setting] = {"grandma": {"tremor_semitones": 0.5}}


def measure(role: str, setting: Setting) -> Trial:
    """One trial: the sentences in this setting, as the audit hears and measures them."""
    base = sk.voice("heart/mom")
    card = dataclasses.replace(base.card, parameters={"voice": "heart", **setting})
    heard = hear(dataclasses.replace(base, card=card), SENTENCES, lambda: None)
    vector = unit(heard.embeddings.mean(axis=0))
    return {
        "role": role,
        "setting": setting,
        "wer": round(heard.words.errors / heard.words.words, 4),
        "dnsmos": round(heard.mos.ovrl, 3),
        "f0_hz": round(median_hz(heard.f0) or 0.0, 1),
        "rate": round(float(heard.syllables_per_second.mean()), 3),
        "bandwidth_hz": round(float(np.median(heard.bandwidths))),
        "reduction_db": round(float(heard.reductions_db.max()), 2),
        "embedding": [round(float(value), 5) for value in vector],
    }


def start(role: str, cards: Path) -> Setting:
    """The role's card as it is, in the role's timing."""
    card = sk.voice(str(cards / f"{role}.toml")).card.parameters
    body = {name: value for name, value in card.items() if name in RANGES[role]}
    return tidy(body | TIMING[role] | FIXED.get(role, {}))  # type: ignore[arg-type]


def draw(role: str, random: np.random.Generator) -> Setting:
    body = {name: float(random.uniform(*bounds)) for name, bounds in RANGES[role].items()}
    return tidy(body | TIMING[role] | FIXED.get(role, {}))


def near(trial: Trial, random: np.random.Generator) -> Setting:
    """The trial's setting with about half of its timbre moved a little, inside its ranges."""
    setting = dict(trial["setting"])
    for name, (low, high) in RANGES[trial["role"]].items():
        step = STEP * (high - low) * random.standard_normal()
        if random.random() < SHARE:
            setting[name] = float(
                np.clip(setting.get(name, getattr(Timbre, name)) + step, low, high)
            )
    return tidy(setting)


def tidy(setting: Setting) -> Setting:
    return {name: round(value, 2 if "_db" in name else 3) for name, value in setting.items()}


def crowding(cast: list[Trial], index: int) -> Callable[[Array], float]:
    """How near a voice in place of ``index`` would lie to the others of the cast.

    A soft maximum of the cosines: the greatest, and those close to it.
    """
    others = np.delete(np.array([trial["embedding"] for trial in cast]), index, axis=0)
    extra = np.delete(closeness(cast, HANDICAP) - cosines(cast), index, axis=0)[:, index]
    return lambda vector: float(np.log(np.exp(40.0 * (others @ vector + extra)).sum()) / 40.0)


def worst(cast: list[Trial]) -> tuple[float, list[int]]:
    """The greatest closeness in the cast, and its pair."""
    table = closeness(cast, HANDICAP) - 2 * np.eye(len(cast))
    pair = np.unravel_index(int(table.argmax()), table.shape)
    return float(table.max()), [int(index) for index in pair]


def run(path: Path, options: argparse.Namespace) -> list[Trial]:
    """All trials of the search; those that ``path`` has already are not measured again."""
    old = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    done: list[Trial] = []
    cast: list[Trial] = []
    roles = list(RANGES)
    with path.open("a", encoding="utf-8") as log:
        for number in range(options.draws + options.steps):
            if number >= options.draws and not (number - options.draws) % RENEW:
                passed = [trial for trial in done if good(trial)]
                cast = [passed[i] for i in select(passed, len(roles), HANDICAP)]
            if number < len(old):
                trial = old[number]
            else:
                random = np.random.default_rng([options.seed, number])
                if cast:
                    trial = step(cast, done, random)
                else:
                    role = roles[number % len(roles)]
                    first = number < len(roles)
                    trial = measure(
                        role, start(role, options.start) if first else draw(role, random)
                    )
                log.write(json.dumps(trial) + "\n")
                log.flush()
            done.append(trial)
            if cast and good(trial):
                index = [voice["role"] for voice in cast].index(trial["role"])
                crowd = crowding(cast, index)
                if crowd(trial["embedding"]) < crowd(cast[index]["embedding"]):
                    cast[index] = trial
                    print(f"{number} {trial['role']} closest pair {worst(cast)[0]:.3f}", flush=True)
    return done


def step(cast: list[Trial], done: list[Trial], random: np.random.Generator) -> Trial:
    """A change to one of the closest pair, or now and then to anyone, to make room."""
    _, pair = worst(cast)
    index = int(random.choice(pair) if random.random() < 0.7 else random.integers(len(cast)))
    crowd = crowding(cast, index)
    nearby = [near(cast[index], random) for _ in range(NEARBY)]
    return measure(cast[index]["role"], most_promising(nearby, done, crowd))


def most_promising(
    settings: list[Setting], done: list[Trial], crowd: Callable[[Array], float]
) -> Setting:
    """The setting whose guessed embedding is least crowded, of those with a DNSMOS to hope for.

    The guess is Gaussian regression over what was measured: near settings sound alike.
    """
    names = [*BODY, "f0_scale"]
    every = [trial["setting"] for trial in done] + settings
    rows = [[s.get(name, getattr(Timbre, name)) for name in names] for s in every]
    places = np.array(rows, np.float64)
    places /= places[: len(done)].std(axis=0)
    apart = ((places[:, None] - places[None, : len(done)]) ** 2).sum(axis=-1)
    alike = np.exp(-0.5 * apart / REACH**2)
    targets = np.array([[*trial["embedding"], trial["dnsmos"]] for trial in done])
    mean = targets.mean(axis=0)
    ridge = alike[: len(done)] + NOISE * np.eye(len(done))
    guess = mean + alike[len(done) :] @ np.linalg.solve(ridge, targets - mean)
    vectors = guess[:, :-1] / np.linalg.norm(guess[:, :-1], axis=1, keepdims=True)
    cost = [crowd(vector) for vector in vectors]
    hopeless = guess[:, -1] < min(MOS, guess[:, -1].max())
    return settings[int(np.argmin(cost + 1.0 * hopeless))]


def write_cards(trials: list[Trial], folder: Path) -> None:
    """Put the best cast of nine into the cards of ``folder``, below their [parameters]."""
    passed = [trial for trial in trials if good(trial)]
    order = ["speed", *(f.name for kind in (Rhythm, Timbre) for f in dataclasses.fields(kind))]
    for index in select(passed, len(RANGES), HANDICAP):
        card = folder / f"{passed[index]['role']}.toml"
        head, mark, _ = card.read_text(encoding="utf-8").partition("[parameters]\n")
        setting = passed[index]["setting"]
        lines = [f"{name} = {setting[name]}\n" for name in order if name in setting]
        card.write_text(f'{head}{mark}voice = "heart"\n{"".join(lines)}', encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", type=Path, help="the trials, one line each; goes on where it ended")
    parser.add_argument("--draws", type=int, default=90, help="random settings at the start")
    parser.add_argument("--steps", type=int, default=140, help="small changes after them")
    parser.add_argument(
        "--start", type=Path, default=Path("voices/heart"), help="cards to start at"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", type=Path, help="folder of cards that get the best nine")
    options = parser.parse_args()
    trials = run(options.run, options)
    if options.cards:
        write_cards(trials, options.cards)


if __name__ == "__main__":
    main()
