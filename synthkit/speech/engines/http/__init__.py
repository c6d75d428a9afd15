"""The ``http`` engine: any server with OpenAI's ``/v1/audio/speech``."""

from __future__ import annotations

import os
from typing import Any

from synthkit.audio import Audio
from synthkit.errors import InputError
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines.http.request import Server
from synthkit.wav import mono_of

VERSION = "1"
TIMEOUT_S = 60.0
RETRIES = 3


class Engine(SpeechEngine):
    """Asks the server at the card's ``url`` for each utterance, as a WAV.

    Nothing asks the server before the first utterance that no cache holds: sets are planned and
    checked, and made again from the cache, without a network and without the key. So a server
    that is not there is told by the clips that need it, each in one line, not by
    :meth:`missing`.

    What the server runs cannot be seen from here: neither version nor model is known, and
    unless the card says so nothing is ``deterministic``. The key lies in the environment
    variable that ``api_key_env`` names; it is sent to ``url`` alone, and written nowhere.
    """

    silent = frozenset({"api_key_env", "deterministic", "retries", "timeout_s"})
    longest_text = 4096  # OpenAI's limit on ``input``

    def version(self, card: VoiceCard) -> str:
        return VERSION

    def deterministic(self, card: VoiceCard) -> bool:
        return card.parameters.get("deterministic") is True

    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        where = f"voice {card.id}"
        parameters: dict[str, Any] = dict(card.parameters)
        server = Server(
            url=f"{parameters['url'].rstrip('/')}/audio/speech",
            key=_key(card),
            timeout_s=float(parameters.get("timeout_s", TIMEOUT_S)),
            retries=int(parameters.get("retries", RETRIES)),
        )
        content = server.post(_body(text, parameters, seed), where)
        return mono_of(content, f"{where}: {server.url}")


def _body(text: str, parameters: dict[str, Any], seed: int) -> dict[str, Any]:
    """The request: the card's fields as they are, but for ``"{seed}"``, which is a number."""
    chosen = {k: parameters[k] for k in ("speed", "instructions") if k in parameters}
    extra = {k: seed if v == "{seed}" else v for k, v in parameters.get("extra", {}).items()}
    return {
        "model": parameters["model"],
        "voice": parameters["voice"],
        "input": text,
        "response_format": "wav",
        **chosen,
        **extra,
    }


def _key(card: VoiceCard) -> str | None:
    name = card.parameters.get("api_key_env")
    if name is None:
        return None
    key = os.environ.get(str(name), "").strip()
    if not key:
        raise InputError(f"voice {card.id}: no key; set the environment variable {name}")
    if not (key.isascii() and key.isprintable()):
        raise InputError(f"voice {card.id}: {name} holds no key; allowed: printable ASCII")
    return key
