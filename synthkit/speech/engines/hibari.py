"""The ``hibari`` engine: neural speech on one thread, its voices changed by parameters."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import unicodedata
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from synthkit.errors import AudioError, InputError, quoted
from synthkit.speech.base import Capabilities, Provenance, Utterance
from synthkit.speech.cards import VoiceCard
from synthkit.speech.rhythm import Rhythm
from synthkit.speech.timbre import Frames, Timbre

PACKAGE = "hibari-tts"


class Engine:
    """hibari-tts: one small network a checkpoint; only ``heart`` comes inside the package."""

    capabilities = Capabilities(deterministic=True, thread_safe=False, needs_own_process=False)
    over_noise_db = None

    def provenance(self, card: VoiceCard) -> Provenance:
        return Provenance(
            engine="hibari",
            version=version(PACKAGE),
            model_sha256=_model_sha256(str(card.parameters["voice"])),
            code_license=card.code_license,
            voice_license=card.voice_license,
            parameters=card.parameters,
        )

    def check(self, text: str, card: VoiceCard) -> str | None:
        """English is written in Latin letters; what is not would be guessed or left out."""
        for letter in text:
            if letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN"):
                raise InputError(
                    f"voice {card.id}: letter {quoted(letter)} in {quoted(text)}; "
                    "allowed: Latin letters"
                )
        return None

    def files(self, card: VoiceCard) -> tuple[Path, ...]:
        return ()

    def speak(self, text: str, card: VoiceCard, seed: int) -> Utterance:
        from hibari import dsp

        parameters: dict[str, Any] = dict(card.parameters)
        model = _model(str(parameters.pop("voice")))
        speed = float(parameters.pop("speed"))
        timing = {f.name for f in dataclasses.fields(Rhythm)} & parameters.keys()
        rhythm = Rhythm(**{name: parameters.pop(name) for name in timing})
        timbre = Timbre(**parameters)
        rng = np.random.default_rng(np.random.PCG64(seed))
        sentences = []
        for phonemes in model.phonemize(text):
            inputs = {
                "ids": np.asarray([model.ids(phonemes)], np.int64),
                "speed": np.asarray([speed], np.float32),
            }
            frames = Frames(*(output[0] for output in model.sess.run(None, inputs)))
            frames = timbre(rhythm(frames))
            sentences.append(dsp.synth(*frames.parts, rng))
        if not sentences:
            raise AudioError(f"voice {card.id}: nothing to say in {quoted(text)}")
        samples = np.concatenate(sentences).astype(np.float64)
        return Utterance(samples, dsp.SR, self.provenance(card))


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
    """Where the model lies; never fetched from here."""
    from hibari.voices import ASSETS, VOICES, cache_dir

    bundled = VOICES[voice].get("bundled")
    path = Path(ASSETS if bundled else cache_dir(), VOICES[voice]["file"])
    if not path.is_file():
        raise InputError(
            f"hibari voice {voice!r} is not on this machine; with a network, fetch it once by: "
            f"python -c \"from hibari.voices import voice_path; voice_path('{voice}')\""
        )
    return path
