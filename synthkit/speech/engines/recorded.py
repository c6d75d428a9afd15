"""The ``recorded`` engine: audio files of a speaker instead of synthesis."""

from __future__ import annotations

import functools
from pathlib import Path

from synthkit.audio import Audio
from synthkit.errors import InputError, quoted
from synthkit.files import inside, parse_json, read_text, sha256_file
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard
from synthkit.speech.text import spoken_text
from synthkit.wav import read_mono

VERSION = "1"


class Engine(SpeechEngine):
    """Plays the file in which the speaker says a text.

    The card's ``index`` is a JSON object beside the card, text to file name. Or its ``texts``
    is one, text id to text, shared by several speakers, and ``files`` says where a speaker's
    file of an id lies, such as ``anna/{text_id}.wav``. Files are WAV or FLAC in the card's folder
    or below it. Texts are compared as an engine would get them: white space and kinds of quotes
    don't count. Of several channels the mean is taken, or the card's ``channel`` (from 0).
    """

    over_noise_db = 10.0

    def version(self, card: VoiceCard) -> str:
        recordings(card)
        return VERSION

    def check(self, text: str, card: VoiceCard) -> str | None:
        return sha256_file(_file(text, card))

    def files(self, card: VoiceCard) -> tuple[Path, ...]:
        return _list(card), *(file for file in recordings(card).values() if file.is_file())

    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        channel = card.parameters.get("channel")
        return read_mono(_file(text, card), channel if isinstance(channel, int) else None)


def recordings(card: VoiceCard) -> dict[str, Path]:
    """File by text, as the card lists them; of its ``texts`` those that have a file."""
    return _recordings(
        listed=_list(card),
        pattern=str(card.parameters["files"]) if "texts" in card.parameters else None,
        folder=card.folder,
        language=card.language,
        voice=card.id,
    )


def _list(card: VoiceCard) -> Path:
    name = card.parameters.get("index") or card.parameters["texts"]
    return inside(str(name), card.folder, card.folder, f"voice {card.id}")


def _file(text: str, card: VoiceCard) -> Path:
    found = recordings(card).get(text)
    if found is None:
        raise InputError(f"voice {card.id}: no recording of {quoted(text)}")
    return found


@functools.lru_cache(maxsize=64)
def _recordings(
    listed: Path, pattern: str | None, folder: Path, language: str, voice: str
) -> dict[str, Path]:
    where = f"voice {voice}: {listed.name}"
    rows = parse_json(read_text(listed), where)
    if not isinstance(rows, dict) or not all(isinstance(value, str) for value in rows.values()):
        kind = "text id to text" if pattern else "text to file name"
        raise InputError(f"{where}: allowed: one JSON object, {kind}")
    found: dict[str, Path] = {}
    for key, value in rows.items():
        text, name = (value, pattern.replace("{text_id}", key)) if pattern else (key, value)
        spoken = spoken_text(text, language, f"{where}: {quoted(key)}")
        if pattern and not (listed.parent / name).is_file():
            continue  # told when somebody asks for it
        if spoken in found:
            raise InputError(f"{where}: text {quoted(text)} stands twice, as far as it is spoken")
        found[spoken] = inside(name, listed.parent, folder, f"{where}: {quoted(key)}")
    return found
