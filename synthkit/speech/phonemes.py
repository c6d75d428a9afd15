"""English phonemes, in the alphabet of misaki and Kokoro, by hibari-tts's front end."""

from __future__ import annotations

import functools
import unicodedata
from typing import Any

from synthkit.errors import InputError, quoted
from synthkit.speech.cards import VoiceCard
from synthkit.speech.english import sentences
from synthkit.speech.text import pieces


def phonemes(
    text: str, british: bool = False, most: int | None = None, where: str = "text"
) -> list[str]:
    """Strings of at most ``most`` phonemes, one or more for each sentence of ``text``.

    Raises :class:`InputError` where there are none at all, and for a word of more.

    Letters that are read by their names have more phonemes than characters, so that a bound on
    the text alone would not do.
    """
    g2p = _g2p(british)
    said = [g2p(part, normalize_text=False) for part in sentences(text)]
    if not any(said):
        raise InputError(f"{where}: nothing to say in {quoted(text)}")
    return [piece for part in said if part for piece in pieces(part, most, f"{where}: phonemes")]


@functools.cache
def _g2p(british: bool) -> Any:
    """Lexicon, tagger and the small network that guesses unknown words; one thread by itself."""
    from hibari.g2p import G2P

    return G2P(british=british)


def check_english(text: str, card: VoiceCard) -> None:
    """Refuse what the front end would guess or leave out (:class:`InputError`)."""
    if card.language.split("-")[0] != "en":
        raise InputError(
            f"voice {card.id}: field language: found {quoted(card.language)}; "
            "allowed: English, such as en-US"
        )
    for letter in text:
        if letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN"):
            raise InputError(
                f"voice {card.id}: letter {quoted(letter)} in {quoted(text)}; "
                "allowed: Latin letters"
            )
