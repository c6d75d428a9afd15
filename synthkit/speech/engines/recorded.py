"""The ``recorded`` engine: audio files of a speaker instead of synthesis."""

from __future__ import annotations

import contextlib
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
        _names(card)
        return VERSION

    def check(self, text: str, card: VoiceCard) -> None:
        _file(text, card)

    def source_sha256(self, text: str, card: VoiceCard) -> str:
        """Hash of the recording."""
        return sha256_file(_file(text, card))

    def files(self, card: VoiceCard) -> tuple[Path, ...]:
        listed = [_list(card)]
        for text in _names(card):
            with contextlib.suppress(InputError):  # what is missing is told where it is needed
                listed.append(_file(text, card))
        return tuple(listed)

    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        channel = card.parameters.get("channel")
        return read_mono(_file(text, card), channel if isinstance(channel, int) else None)


def _list(card: VoiceCard) -> Path:
    name = card.parameters.get("index") or card.parameters["texts"]
    return inside(str(name), card.folder, card.folder, f"voice {card.id}")


def _names(card: VoiceCard) -> dict[str, str]:
    """File name by spoken text, as the card lists them now."""
    listed = _list(card)
    stamp = listed.stat()
    pattern = str(card.parameters["files"]) if "texts" in card.parameters else None
    return _read(listed, pattern, card.language, card.id, (stamp.st_size, stamp.st_mtime_ns))


def _file(text: str, card: VoiceCard) -> Path:
    name, listed = _names(card).get(text), _list(card)
    if name is None:
        raise InputError(f"voice {card.id}: no recording of {quoted(text)}")
    where = f"voice {card.id}: {listed.name}: {quoted(text)}"
    return inside(name, listed.parent, card.folder, where)


@functools.lru_cache(maxsize=64)
def _read(
    listed: Path, pattern: str | None, language: str, voice: str, _: tuple[int, int]
) -> dict[str, str]:
    where = f"voice {voice}: {listed.name}"
    rows = parse_json(read_text(listed), where)
    if not isinstance(rows, dict) or not all(isinstance(value, str) for value in rows.values()):
        kind = "text id to text" if pattern else "text to file name"
        raise InputError(f"{where}: allowed: one JSON object, {kind}")
    found: dict[str, str] = {}
    for key, value in rows.items():
        text, name = (value, pattern.replace("{text_id}", key)) if pattern else (key, value)
        spoken = spoken_text(text, language, f"{where}: {quoted(key)}")
        if spoken in found:
            raise InputError(f"{where}: text {quoted(text)} stands twice, as far as it is spoken")
        found[spoken] = name
    return found
