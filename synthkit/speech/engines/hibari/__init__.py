"""The ``hibari`` engine: neural speech on one thread, its voices changed by parameters."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from synthkit.audio import Audio
from synthkit.errors import InputError
from synthkit.speech import onnx
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines.hibari.rhythm import Rhythm
from synthkit.speech.engines.hibari.timbre import Frames, Timbre
from synthkit.speech.phonemes import check_english, phonemes

# Bumped by whatever here changes samples: timbre, rhythm, the reading of phonemes.
VERSION = "1"
MOST_PHONEMES = 400  # of a sentence; hibari itself cuts longer ones


class Engine(SpeechEngine):
    """hibari-tts: one small network a checkpoint; only ``heart`` comes inside the package."""

    longest_text = 300

    def version(self, card: VoiceCard) -> str:
        return onnx.software(VERSION)

    def missing(self, card: VoiceCard) -> str | None:
        voice = str(card.parameters["voice"])
        if _model_path(voice).is_file():
            return None
        return (
            "with a network, fetch it once by: "
            f"python -c \"from hibari.voices import voice_path; voice_path('{voice}')\""
        )

    def model_sha256(self, card: VoiceCard) -> str:
        return _model_sha256(str(card.parameters["voice"]))

    def check(self, text: str, card: VoiceCard) -> None:
        check_english(text, card)
        _phonemes(text, card)

    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        from hibari import dsp

        parameters: dict[str, Any] = dict(card.parameters)
        voice = str(parameters.pop("voice"))
        speed = float(parameters.pop("speed"))
        timing = {f.name for f in dataclasses.fields(Rhythm)} & parameters.keys()
        rhythm = Rhythm(**{name: parameters.pop(name) for name in timing})
        timbre = Timbre(**parameters)
        rng = np.random.default_rng(np.random.PCG64(seed))
        model, spoken = _model(voice), []
        for sentence in _phonemes(text, card):
            inputs = {
                "ids": np.asarray([model.ids(sentence)], np.int64),
                "speed": np.asarray([speed], np.float32),
            }
            frames = Frames(*(output[0] for output in model.sess.run(None, inputs)))
            spoken.append(dsp.synth(*timbre(rhythm(frames)).parts, rng))
        return Audio(np.concatenate(spoken).astype(np.float64), dsp.SR)


def _phonemes(text: str, card: VoiceCard) -> list[str]:
    from hibari.voices import VOICES

    british = VOICES[str(card.parameters["voice"])]["british"]
    return phonemes(text, british, MOST_PHONEMES, f"voice {card.id}")


@functools.cache
def _model(voice: str) -> Any:
    """The loaded network; one thread, since the thread count changes its bits."""
    from hibari import Hibari

    _model_sha256(voice)  # before anything of it runs
    return Hibari(voice=voice, model=str(_model_path(voice)), threads=1)


@functools.cache
def _model_sha256(voice: str) -> str:
    """Hash of the model file; :class:`InputError` where it is not the published one."""
    from hibari.voices import VOICES

    found = hashlib.sha256(_model_path(voice).read_bytes()).hexdigest()
    published = VOICES[voice]["sha256"]
    if found != published:
        raise InputError(
            f"hibari voice {voice!r}: model sha256 is {found[:12]}…; allowed: {published[:12]}…"
        )
    return found


def _model_path(voice: str) -> Path:
    """Where the model lies, or would lie; never fetched from here."""
    from hibari.voices import ASSETS, VOICES, cache_dir

    bundled = VOICES[voice].get("bundled")
    return Path(ASSETS if bundled else cache_dir(), VOICES[voice]["file"])
