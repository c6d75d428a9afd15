"""Which voices to audit: casts by name, folders of voice cards, single voices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from synthkit.audit.sentences import Sentence
from synthkit.errors import InputError, quoted
from synthkit.speech.cards import voices
from synthkit.speech.voice import Voice, voice


def find_voices(references: Iterable[str], sentences: Iterable[Sentence]) -> tuple[Voice, ...]:
    """Load the voices that ``references`` name, each once, in their order.

    A reference is a cast that comes along (``heart``), one of its voices (``heart/mom``), a folder
    of voice cards or a card (``*.toml``). Raises :class:`InputError` for what is none of these,
    two cards with one id, and a voice that cannot say every sentence.
    """
    spoken = tuple(sentences)
    found: dict[str, Voice] = {}
    for reference in references:
        for one in _expand(reference):
            new = voice(one)
            known = found.setdefault(new.card.id, new)
            if known.card.folder != new.card.folder:
                raise InputError(
                    f"voice {new.card.id}: two cards have this id, in {known.card.folder} and "
                    f"{new.card.folder}; allowed: one"
                )
    for one_voice in found.values():
        one_voice.provenance.describe()  # refused here where its model is missing
        for sentence in spoken:
            one_voice.check(sentence.text)
    return tuple(found.values())


def _expand(reference: str) -> Iterator[str]:
    """References of single voices, or the one that :func:`voice` will refuse by itself."""
    known = voices()
    cast = [name for name in known if name.startswith(f"{reference}/")]
    path = Path(reference)
    if cast:
        yield from cast
    elif reference in known or reference.endswith(".toml"):
        yield reference
    elif path.is_dir():
        cards = sorted(path.glob("*.toml"))
        if not cards:
            raise InputError(f"{quoted(reference)}: no voice cards (*.toml) in this folder")
        yield from map(str, cards)
    else:
        casts = sorted({name.partition("/")[0] for name in known})
        raise InputError(
            f"{quoted(reference)} is no voice or cast; allowed: {', '.join(casts)}, one of their "
            "voices, a folder of voice cards or a card (*.toml)"
        )
