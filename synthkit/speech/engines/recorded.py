"""The ``recorded`` engine: audio files of a speaker instead of synthesis."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from synthkit.errors import InputError, quoted
from synthkit.files import inside, parse_json, read_text, sha256_file
from synthkit.speech.base import Capabilities, Provenance, Utterance
from synthkit.speech.cards import VoiceCard
from synthkit.wav import read_mono

VERSION = "1"


class Engine:
    """Plays the file that the card's ``index`` names for a text.

    The index is a JSON object, text to file name, beside the card; files are WAV or FLAC
    in the same folder or below it. White space in texts does not count. Of several channels
    the mean is taken, or the card's ``channel`` (from 0).
    """

    capabilities = Capabilities(deterministic=True, thread_safe=True, needs_own_process=False)
    over_noise_db = 10.0

    def provenance(self, card: VoiceCard) -> Provenance:
        _index(_path(card), card.folder, card.id)
        return Provenance(
            engine="recorded",
            version=VERSION,
            model_sha256=None,
            code_license=card.code_license,
            voice_license=card.voice_license,
            parameters=card.parameters,
        )

    def check(self, text: str, card: VoiceCard) -> str | None:
        index = _index(_path(card), card.folder, card.id)
        if _folded(text) not in index:
            raise InputError(f"voice {card.id}: no recording of {quoted(text)}")
        return sha256_file(index[_folded(text)])

    def files(self, card: VoiceCard) -> tuple[Path, ...]:
        return _path(card), *_index(_path(card), card.folder, card.id).values()

    def speak(self, text: str, card: VoiceCard, seed: int) -> Utterance:
        self.check(text, card)
        channel = card.parameters.get("channel")
        audio = read_mono(
            _index(_path(card), card.folder, card.id)[_folded(text)],
            channel if isinstance(channel, int) else None,
        )
        return Utterance(audio.samples, audio.sampling_rate, self.provenance(card))


def _folded(text: str) -> str:
    """Text as it is looked up: white space folded."""
    return re.sub(r"\s+", " ", text).strip()


def _path(card: VoiceCard) -> Path:
    return inside(str(card.parameters["index"]), card.folder, card.folder, f"voice {card.id}")


@functools.lru_cache(maxsize=64)
def _index(path: Path, folder: Path, voice: str) -> dict[str, Path]:
    """File by text."""
    where = f"voice {voice}: {path.name}"
    rows = parse_json(read_text(path), where)
    if not isinstance(rows, dict) or not all(isinstance(name, str) for name in rows.values()):
        raise InputError(f"{where}: allowed: one JSON object, text to file name")
    index: dict[str, Path] = {}
    for text, name in rows.items():
        if _folded(text) in index:
            raise InputError(f"{where}: text {quoted(text)} stands twice, but for white space")
        index[_folded(text)] = inside(name, path.parent, folder, f"{where}: {quoted(text)}")
    return index
