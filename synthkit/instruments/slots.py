"""Slots: which words of an English text are names and which are numbers, by their spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
MONTHS = "January February March April May June July August September October November December"
# Words of the dictionary, however they are written: a recogniser has to know them.
TITLES = "Mister Missus Miss Mr Mrs Ms Doctor Dr Professor Aunt Uncle Mom Dad Grandma Grandpa"
NO_NAMES = {"I", *WEEKDAYS.split(), *MONTHS.split(), *TITLES.split()}

UNITS = "zero one two three four five six seven eight nine ten eleven twelve"
TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million"
# Without `first` and `second`, which are seldom numbers by themselves: "when you get a second".
ORDINALS = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
)
CURRENCIES = "dollars? euros? pounds? cents? percent"

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_NUMBER = (
    rf"(?:(?:{'|'.join(f'{UNITS} {TEENS} {TENS} {ORDINALS}'.split())})"
    r"|[$€£]?\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?%?)(?!\w)"
)
_NUMBERS = re.compile(
    rf"(?<![\w$€£]){_NUMBER}(?:(?:-|\s+and\s+|\s+)(?:{_NUMBER}|(?:first|second)(?!\w)))*"
    rf"(?:\s+(?:{'|'.join(CURRENCIES.split())})(?!\w))?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<![\w$€£.,:])(\d{1,2})[:.]([0-5]\d)(?![\w%]|[.,:]\d)")
_HALF_OF_DAY = re.compile(r"(?<=[\d ])([ap])\.? ?m\b\.?", re.IGNORECASE)


def names(text: str, values: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the words of ``text`` that are names, each once.

    Capitalised words that start no sentence, and those that do where one of ``values`` (of a
    command's parameters) has them; no weekdays, months, titles and no words all in capitals.
    """
    known = {_bare(word) for value in values for word in _WORD.findall(value)}
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = _bare(match.group())
        if not word.istitle() or word in NO_NAMES:
            continue
        if word in known or not _starts_sentence(text[: match.start()]):
            found[word] = None
    return tuple(found)


def numbers(text: str) -> tuple[str, ...]:
    """Return the numbers of ``text`` in words or digits, a currency with them, each once."""
    return tuple(dict.fromkeys(match.group() for match in _NUMBERS.finditer(text)))


def one_spelling(text: str) -> str:
    """Return ``text`` with 6:30 and 6.30 as 630 and 6 p.m. as 6 pm.

    Whisper's normal form makes 630 of "six thirty" and leaves the others as they are.
    """
    return _HALF_OF_DAY.sub(r"\1m", _CLOCK.sub(r"\1\2", text))


def _bare(word: str) -> str:
    """``Anna`` of ``Anna's``, ``I`` of ``I'm``, and all of ``O'Brien``."""
    return re.sub("['\u2019][a-z]+$", "", word)


def _starts_sentence(before: str) -> bool:
    before = before.rstrip(" \"'")
    return not before or before[-1] in ".!?"
