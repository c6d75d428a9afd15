"""English phonemes, in the alphabet of misaki and Kokoro, by hibari-tts's front end."""

from __future__ import annotations

import functools
import unicodedata
from typing import Any

from synthkit.errors import InputError, quoted
from synthkit.speech.english import sentences


def phonemes(text: str, british: bool = False) -> list[str]:
    """One string of phonemes for each sentence of ``text``, which is words alone already."""
    g2p = _g2p(british)
    return [said for said in (g2p(part, normalize_text=False) for part in sentences(text)) if said]


@functools.cache
def _g2p(british: bool) -> Any:
    """Lexicon, tagger and the small network that guesses unknown words; one thread by itself."""
    from hibari.g2p import G2P

    return G2P(british=british)


def check_latin(text: str, voice: str) -> None:
    """Refuse letters that the front end would guess or leave out (:class:`InputError`)."""
    for letter in text:
        if letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN"):
            raise InputError(
                f"voice {voice}: letter {quoted(letter)} in {quoted(text)}; allowed: Latin letters"
            )
