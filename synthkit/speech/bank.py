"""Voice banks: new cards drawn between those of a cast, or around clips for engines that clone."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import tomli_w

from synthkit import schemas
from synthkit.errors import InputError
from synthkit.files import sha256_file, write_bytes
from synthkit.ids import check_id
from synthkit.speech.cards import VoiceCard
from synthkit.wav import read_mono

# How far past the line between two cards a drawn voice may lie, as a share of their distance.
BEYOND = 0.25
TRIES = 2000  # draws for one voice before the space counts as full
CLIP_SECONDS = (1.0, 60.0)
CLIP_SUFFIXES = (".flac", ".wav")

MIXTURE = "."  # in a parameter's name: a weight within a table
# A voice as numbers: parameters by dotted name, such as f0_scale or styles.jm_kumo.
Point = Mapping[str, float]


def draw_cards(
    cast: Sequence[VoiceCard], count: int, seed: int, min_distance: float
) -> list[VoiceCard]:
    """Draw ``count`` new cards from the cards of a cast, each ``min_distance`` from every other.

    A voice lies on the line through two random cards, between them or a little beyond, where
    voices are known to sound well. The distance of two voices is the root mean square of the
    differences of their parameters, each as a share of its range over the cast: 0 the same, 1
    opposite corners; the cards of the cast count as voices too. Raises :class:`InputError` where
    the space is full before ``count``.
    """
    kinds = {card.kind for card in cast}
    if len(cast) < 2 or len(kinds) > 1:
        raise InputError(
            f"{len(cast)} cards of {len(kinds)} kinds; allowed: two or more of one checkpoint, "
            "processing and language"
        )
    if any("prompt" in card.parameters for card in cast):
        raise InputError("prompts of two speakers make no third; allowed: --clips for such cards")
    cast = _filled(cast)
    rng = np.random.default_rng(np.random.PCG64(seed))
    known = [_point(card) for card in cast]
    ranges = {
        name: max(values) - min(values)
        for name in sorted({name for point in known for name in point})
        if len(set(values := [point.get(name, 0.0) for point in known])) > 1
    }
    if not ranges:
        raise InputError("the cards differ in no number; allowed: cards of other parameters")
    if not 0 <= min_distance <= 1:  # false for NaN too
        raise InputError(f"--min-distance {min_distance}; allowed: 0 to 1")
    drawn: list[VoiceCard] = []
    while len(drawn) < count:
        for _ in range(TRIES):
            card = _between(cast, rng)
            point = _point(card)
            if min(_distance(point, other, ranges) for other in known) >= min_distance:
                break
        else:
            raise InputError(
                f"{len(drawn)} of {count} voices lie {min_distance} or more from one another; "
                "allowed: a smaller --count or --min-distance"
            )
        known.append(point)
        drawn.append(replace(card, name=f"Voice {len(drawn) + 1}"))
    return drawn


def _filled(cast: Sequence[VoiceCard]) -> list[VoiceCard]:
    """The cards with what some of them leave to their engine written out."""
    named = {name for card in cast for name in card.parameters}
    neutral = {n: v for n, v in _numbers(cast[0]).items() if n in named and v is not None}
    return [replace(card, parameters={**neutral, **card.parameters}) for card in cast]


def _numbers(card: VoiceCard) -> dict[str, float | None]:
    """The parameters of the card's engine that are quantities, with their neutral values."""
    return schemas.numbers(f"engine-{card.engine}")


def _point(card: VoiceCard) -> Point:
    numbers, point = _numbers(card), dict[str, float]()
    for name, value in card.parameters.items():
        if isinstance(value, Mapping):
            point |= {f"{name}{MIXTURE}{key}": float(weight) for key, weight in value.items()}
        elif name in numbers:
            point[name] = float(str(value))
    return point


def _distance(one: Point, other: Point, ranges: Mapping[str, float]) -> float:
    steps = [(one.get(n, 0.0) - other.get(n, 0.0)) / span for n, span in ranges.items()]
    return math.sqrt(sum(step * step for step in steps) / max(1, len(steps)))


def _between(cast: Sequence[VoiceCard], rng: np.random.Generator) -> VoiceCard:
    """A card on the line through two of the cast, within what the engine allows."""
    first, second = (cast[int(i)] for i in rng.choice(len(cast), size=2, replace=False))
    share = float(rng.uniform(-BEYOND, 1 + BEYOND))
    parameters = _mixed(first, second, share)
    try:
        schemas.check(parameters, f"engine-{first.engine}", "drawn voice")
    except InputError:  # beyond an edge: between the two, all is allowed
        parameters = _mixed(first, second, min(1.0, max(0.0, share)))
    return replace(first, parameters=parameters)


def _mixed(one: VoiceCard, other: VoiceCard, share: float) -> dict[str, object]:
    """``one`` at 0, ``other`` at 1; what only one of them has, and what is no number, is ``one``'s.

    Tables of numbers are weights of a mixture: they are never left, and what is missing is 0.
    """
    numbers, mixed = _numbers(one), dict(one.parameters)
    for name, left in one.parameters.items():
        right = other.parameters.get(name)
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            within = min(1.0, max(0.0, share))
            weights = {
                key: (1 - within) * float(left.get(key, 0)) + within * float(right.get(key, 0))
                for key in sorted({*left, *right})
            }
            mixed[name] = _summing_to_one(weights)
        elif name in numbers and right is not None:
            mixed[name] = round((1 - share) * float(str(left)) + share * float(str(right)), 3)
    return mixed


def _summing_to_one(weights: Mapping[str, float]) -> dict[str, float]:
    rounded = {name: round(weight, 3) for name, weight in weights.items() if weight >= 0.0005}
    largest = max(rounded, key=lambda name: rounded[name])
    rest = sum(weight for name, weight in rounded.items() if name != largest)
    return {**rounded, largest: round(1 - rest, 3)}


def clip_cards(
    template: VoiceCard, clips: Path, count: int, seed: int, licence: str, attribution: str
) -> list[VoiceCard]:
    """Cards of ``template``'s engine, each with another speaker's clip as its ``prompt``.

    ``licence`` and ``attribution`` are those of the clips: a cloned voice is its speaker's.

    Each folder directly below ``clips`` is a speaker, of whom one clip is drawn; where there are
    no folders, each file is. Clips are WAV or FLAC of 1 to 60 s. Raises :class:`InputError` for
    an engine that does not clone, for too few speakers and for two clips that are the same.
    """
    if "prompt" not in template.parameters:
        raise InputError(
            f"voice {template.id}: parameters: no prompt; allowed: a card of an engine that clones"
        )
    if not clips.is_dir():
        raise InputError(f"--clips {clips}: not a folder; allowed: a folder of sound files")
    speakers = [found for entry in sorted(clips.iterdir()) if (found := list(_sounds(entry)))]
    if len(speakers) < count:
        raise InputError(
            f"--clips {clips}: {len(speakers)} speakers; allowed: {count}, a folder or file each"
        )
    rng = np.random.default_rng(np.random.PCG64(seed))
    cards, hashes = list[VoiceCard](), dict[str, Path]()
    for index in rng.permutation(len(speakers))[:count]:
        clip = speakers[index][int(rng.integers(len(speakers[index])))]
        audio = read_mono(clip)
        seconds = audio.num_samples / audio.sampling_rate
        if not CLIP_SECONDS[0] <= seconds <= CLIP_SECONDS[1]:
            low, high = CLIP_SECONDS
            raise InputError(f"{clip}: {seconds:.2f} s; allowed: {low:g} to {high:g} s")
        same = hashes.setdefault(sha256_file(clip), clip)
        if same != clip:
            raise InputError(f"{clip}: the same sound as {same}; allowed: one file a speaker")
        parameters = {**_anchored(template), "prompt": str(clip)}
        card = replace(template, voice_license=licence, attribution=attribution)
        cards.append(replace(card, name=f"Voice {len(cards) + 1}", parameters=parameters))
    return cards


def _anchored(card: VoiceCard) -> dict[str, object]:
    """Parameters whose relative paths, such as a model's, hold wherever the card lies."""
    return {
        name: str((card.folder / value).resolve())
        if isinstance(value, str) and value and (card.folder / value).exists()
        else value
        for name, value in card.parameters.items()
    }


def _sounds(entry: Path) -> Iterator[Path]:
    for path in sorted(entry.iterdir()) if entry.is_dir() else (entry,):
        if path.suffix.lower() in CLIP_SUFFIXES and path.is_file():
            yield path


def write_cards(cards: Sequence[VoiceCard], folder: Path, origin: str) -> list[Path]:
    """Write cards ``v01.toml`` … into a new folder, their clips beside them; returns the paths."""
    check_id(folder.resolve().name, f"--out {folder}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"--out {folder}: holds other files; allowed: a new or empty folder")
    width, written = max(2, len(str(len(cards)))), list[Path]()
    for number, card in enumerate(cards, start=1):
        path = folder / f"v{number:0{width}}.toml"
        values = {**card.describe(), "description": origin}
        values.pop("id")
        if "prompt" in card.parameters:
            clip = Path(str(card.parameters["prompt"]))
            copy = path.with_suffix(clip.suffix.lower())
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(clip, copy)
            values["parameters"] = {**card.parameters, "prompt": copy.name}
        write_bytes(path, tomli_w.dumps(values).encode("utf-8"))
        written.append(path)
    return written
