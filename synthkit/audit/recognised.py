"""Whether a sound says its text: a recogniser's word errors, and texts that fit it better."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from synthkit.audit.findings import Comparison
from synthkit.audit.utterances import Utterance
from synthkit.errors import quoted
from synthkit.instruments.words import WordErrors

# Near speech with this WER and this many errors, in which less than this share of the text's words
# is heard, says something else. Errors alone are no proof: "unlock" is heard as "I'm lock", three
# errors. Far speech comes to it by being far.
WRONG, WRONG_WORDS, SHARE_HEARD = 0.75, 3, 0.5
# Another text is what is said, near or far, where its WER is at most this, at most this share of
# the own text's, and this many words fewer are wrong: far speech loses one, and commands that
# differ in one word are many.
FITS, SHARE, BETTER_WORDS = 0.5, 0.5, 2
LIKELIEST = 5  # texts that share the most words; no other can fit as well
# A recogniser that hears more errors in near speech doesn't know it: an accent, or noise.
UNDERSTOOD = 0.5

Errors = Callable[[str, str], WordErrors]


@dataclass(frozen=True)
class Recognised:
    """An utterance and the word errors of what was heard in it."""

    said: Utterance
    words: WordErrors


def recognised(said: Iterable[Utterance], errors: Errors) -> tuple[Recognised, ...]:
    """The word errors of every utterance that has a text and was transcribed."""
    return tuple(
        Recognised(one, errors(one.text, one.heard.transcript))
        for one in said
        if one.text and one.heard.transcript is not None
    )


def word_error_rate(rows: Iterable[Recognised]) -> float | None:
    """All errors / all words; None without words."""
    return sum((row.words for row in rows), WordErrors()).wer


def understood(rows: Iterable[Recognised], near: Collection[str]) -> bool:
    """Whether the recogniser knows the speech of a set, so that words can be judged by it."""
    rate = word_error_rate(row for row in rows if row.said.field in near)
    return rate is not None and rate <= UNDERSTOOD


def misheard(
    rows: Sequence[Recognised], near: Collection[str], errors: Errors
) -> Iterator[Comparison]:
    """Compare each utterance with its text; a fault where another is said, and no guess at far."""
    if not understood(rows, near):
        return
    texts = {row.said.text: _bag(row.said.text) for row in rows}
    for row in rows:
        fault = _fault(row, near, texts, errors)
        yield Comparison("heard.words", row.said.items, fault and f"{row.said.name}: {fault}")


def _fault(
    row: Recognised, near: Collection[str], texts: dict[str, frozenset[str]], errors: Errors
) -> str | None:
    heard = str(row.said.heard.transcript)
    said = f"{quoted(row.said.text)} is heard as {quoted(heard)}"
    own = _all_words(row.words)
    if own.errors >= BETTER_WORDS:
        words = _bag(heard)
        likely = sorted(texts, key=lambda text: -_alike(words, texts[text]))[:LIKELIEST]
        for other in (text for text in likely if text != row.said.text):
            if _fits_better(_all_words(errors(other, heard)), own):
                return f"{said}, which is rather {quoted(other)}"
    if row.said.field in near and _is_wrong(row):
        return (
            f"{said} ({100 * (row.words.wer or 0.0):.0f} % word errors); "
            f"allowed: below {100 * WRONG:.0f} %, or half of its words"
        )
    return None


def _is_wrong(row: Recognised) -> bool:
    if (row.words.wer or 0.0) < WRONG or row.words.errors < WRONG_WORDS:
        return False
    wanted = _bag(row.said.text)
    return len(wanted & _bag(str(row.said.heard.transcript))) < SHARE_HEARD * len(wanted)


def _fits_better(other: WordErrors, own: WordErrors) -> bool:
    if other.wer is None or own.wer is None:
        return False
    fewer = other.errors <= own.errors - BETTER_WORDS
    return fewer and other.wer <= min(FITS, SHARE * own.wer)


def _all_words(words: WordErrors) -> WordErrors:
    """Names count too, by their letters: a name that may be any word makes its text fit most."""
    return WordErrors(words.errors + words.names - words.names_right, words.words + words.names)


def _bag(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,;:!?'\"") for word in text.casefold().split())


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Dice's coefficient of two sets of words."""
    return 2 * len(one & other) / max(len(one) + len(other), 1)
