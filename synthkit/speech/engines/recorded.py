"""The ``recorded`` engine: audio files of a speaker instead of synthesis."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from synthkit.errors import InputError, quoted
from synthkit.files import parse_json, read_text
from synthkit.speech.base import Capabilities, Provenance, Utterance
from synthkit.speech.cards import VoiceCard
from synthkit.wav import read_mono

VERSION = "1"


class Engine:
    """Plays the file that the card's ``index`` names for a text.

    The index is a JSON object, text to file name, beside the card; files are WAV or FLAC
    in the same folder or below it.
    """

    capabilities = Capabilities(deterministic=True, thread_safe=True, needs_own_process=False)
    over_noise_db = 10.0

    def provenance(self, card: VoiceCard) -> Provenance:
        digest = hashlib.sha256()
        for text, path in sorted(_index(card).items()):
            digest.update(f"{text}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return Provenance(
            engine="recorded",
            version=VERSION,
            model_sha256=digest.hexdigest(),
            code_license=card.code_license,
            voice_license=card.voice_license,
            parameters=card.parameters,
        )

    def speak(self, text: str, card: VoiceCard, seed: int) -> Utterance:
        index = _index(card)
        if _folded(text) not in index:
            raise InputError(f"voice {card.id}: no recording of {quoted(text)}")
        audio = read_mono(index[_folded(text)])
        return Utterance(audio.samples, audio.sampling_rate, self.provenance(card))


def _folded(text: str) -> str:
    """Text as it is looked up: white space folded."""
    return re.sub(r"\s+", " ", text).strip()


def _index(card: VoiceCard) -> dict[str, Path]:
    path = card.folder / str(card.parameters["index"])
    where = f"voice {card.id}: {path.name}"
    rows = parse_json(read_text(_inside(path, card.folder, where)), where)
    if not isinstance(rows, dict) or not all(isinstance(name, str) for name in rows.values()):
        raise InputError(f"{where}: allowed: one JSON object, text to file name")
    index: dict[str, Path] = {}
    for text, name in rows.items():
        if _folded(text) in index:
            raise InputError(f"{where}: text {quoted(text)} stands twice, but for white space")
        index[_folded(text)] = _inside(path.parent / name, card.folder, f"{where}: {quoted(text)}")
    return index


def _inside(path: Path, folder: Path, where: str) -> Path:
    """The resolved path; refused outside ``folder``, as no path in a file is trusted."""
    try:
        resolved = path.resolve()
        is_file = resolved.is_file()
    except (OSError, ValueError, RuntimeError):  # too long, a NUL, a loop of links
        raise InputError(f"{where}: {quoted(path.name)} is no file name") from None
    if not resolved.is_relative_to(folder.resolve()):
        raise InputError(
            f"{where}: {quoted(path.name)} leaves the card's folder; allowed: files below it"
        )
    if not is_file:
        raise InputError(f"{where}: {quoted(path.name)} is not a file")
    return resolved
