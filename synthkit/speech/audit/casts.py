"""Which voices to audit: casts by name, folders of voice cards, single voices."""

from __future__ import annotations

from collections.abc import Iterable

from synthkit.errors import InputError
from synthkit.speech.audit.sentences import Sentence
from synthkit.speech.cache import SpeechCache
from synthkit.speech.cards import cast_cards
from synthkit.speech.voice import Voice, of_card


def find_voices(
    references: Iterable[str], sentences: Iterable[Sentence], cache: SpeechCache | None = None
) -> tuple[Voice, ...]:
    """Load the voices that ``references`` name, each once, in their order.

    A reference is a cast that comes along (``heart``), one of its voices (``heart/mom``), a folder
    of voice cards or a card (``*.toml``). Raises :class:`InputError` for what is none of these,
    two cards with one id, and a voice that cannot say every sentence.
    """
    spoken = tuple(sentences)
    found: dict[str, Voice] = {}
    for reference in references:
        for card in cast_cards(reference):
            new = of_card(card, cache)
            known = found.setdefault(new.card.id, new)
            if known.card.folder != new.card.folder:
                raise InputError(
                    f"voice {new.card.id}: two cards have this id, in {known.card.folder} and "
                    f"{new.card.folder}; allowed: one"
                )
    for one_voice in found.values():
        _ = one_voice.provenance  # refused here where its model is missing
        for sentence in spoken:
            one_voice.check(sentence.text)
    return tuple(found.values())
