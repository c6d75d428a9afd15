"""Text as engines get it: one reading of quotes, spaces, figures and signs for all of them.

Engines differ in what they make of typographic quotes, markup, emoji and figures: one speaks
them, the next leaves them out, a third takes them for instructions. So it is decided here,
before any of them, and two voices are given the same words.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable

from synthkit.errors import InputError, quoted
from synthkit.speech.english import has_any, in_words, is_plain

# What some program somewhere takes for an instruction, not for something to say.
MARKUP = r"\<>[]{}|*_`^~#"
ENGLISH_PUNCTUATION = ".,;:!?'-"
ENGLISH_SIGNS = {"\u2116": " number "}
QUOTES = '"\u201a\u201e'  # with what Unicode counts as opening and closing quotes
SMALL_POWERS = "\u00b2\u00b3"
MOST_READINGS = 8
MOST_CHARACTERS = 10000  # of a text, some ten minutes; the reading of figures grows faster than it

_SPELLINGS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4\uff07", "'")
    | dict.fromkeys("\u2010\u2011\u2013\u2212", "-")
)
_LATIN_LETTER = re.compile("[A-Za-z]")
_BACKTICK = re.compile(r"(?<=\w)`(?=\w)")
_PAUSES = re.compile(r"[()\u2014\u2015]|(?<!\S)[-\u2013]+(?=\s)|-{2,}|(?:\u2026|\.{2,})(?=\s*\w)")
_OUTSIDE = r"(?<![^\s.,;:!?'-])"  # not within a word, of whatever letters and vowel signs
_LOOSE_MARKS = re.compile(rf"{_OUTSIDE}[\u0300-\u036f]+")  # accents of no letter
_JOINERS = "\u200c\u200d"
# With what must be in a text for there to be any; empty: there may always be.
_TIDY = tuple(
    (needed, re.compile(pattern), replacement)
    for needed, pattern, replacement in (
        # hyphens stay inside words and before figures
        ("-", rf"{_OUTSIDE}-+(?!\d)|-+(?![^\s.,;:!?'])", " "),
        # single quotes go, apostrophes stay
        ("'", r"(?<!\w)'|(?<=[^\Ws])'(?!\w)", " "),
        # so does what joined letters; what joined emoji goes
        (_JOINERS, rf"{_OUTSIDE}[{_JOINERS}]+|[{_JOINERS}]+(?![^\s.,;:!?'-])", ""),
        (".,;:!?", r"\s+(?=[.,;:!?])", ""),
        (",;:", r"([,;:])[,;:]+", r"\1"),
        (",;:", r"[,;:]+(?=[.!?])", ""),
        (".!?", r"([.!?])\1+", r"\1"),
        ("!?", r"([!?])[.,;:]+", r"\1"),
        ("", r"\s+", " "),
        ("", r"^[\s.,;:!?]+|[\s,;:]+$", ""),
    )
)


# Best first. Chinese and Japanese put no space after a mark.
_UNSPACED = "[\u3040-\u30ff\u3400-\u9fff]"
_BOUNDARIES = (
    rf"(?<=[.!?\u3002])\s+|(?<=\u3002)|(?<=[.!?])(?={_UNSPACED})",
    rf"(?<=[,;:\u3001])\s+|(?<=\u3001)|(?<=[,;:])(?={_UNSPACED})",
    r"\s+",
)


def spoken_text(text: str, language: str, where: str) -> str:
    """Return ``text`` as an engine gets it, or raise :class:`InputError`.

    White space is folded and apostrophes are straight; English figures, signs and abbreviations
    become words; round brackets, dashes and ellipses become commas; quotes, marks, emoji and
    invisible characters go, and of markup only its signs: all words are words to say. The rest is
    in Unicode's NFKC form. English keeps letters and ``.,;:!?'-``. What comes out would come out
    the same again.

    Control characters other than white space are refused, and so is a text of which no letter
    or digit is left.
    """
    _check_characters(text, where)
    spoken = _spoken(text, language.split("-")[0] == "en")
    if not any(c.isalnum() for c in spoken):
        raise InputError(f"{where}: found {quoted(text)}; allowed: text with a letter or digit")
    return spoken


def check_text(text: str, language: str, where: str) -> None:
    """Raise what :func:`spoken_text` raises, most often without reading ``text``.

    A Latin letter stays a letter or becomes a word, so there will be something to say.
    """
    _check_characters(text, where)
    if not _LATIN_LETTER.search(text):
        spoken_text(text, language, where)


def _check_characters(text: str, where: str) -> None:
    if not (text.isascii() and text.isprintable()) and any(
        unicodedata.category(c) in ("Cc", "Cs") and not c.isspace() for c in text
    ):
        raise InputError(f"{where}: found {quoted(text)}; allowed: text without control characters")
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"{where}: found {len(text)} characters; allowed: up to {MOST_CHARACTERS} a text"
        )


@functools.lru_cache(maxsize=4096)
def _spoken(text: str, english: bool) -> str:
    """Read ``text`` until nothing changes: what stands where a mark was may be read itself."""
    for _ in range(MOST_READINGS):
        if english and is_plain(text):
            break
        before, text = text, _read(text, english)
        if text == before:
            break
    return text


def _read(text: str, english: bool) -> str:
    plain = unicodedata.normalize("NFC", text).translate(_SPELLINGS)
    plain = _BACKTICK.sub("'", plain)
    plain = " ".join(plain.translate(_UNFOLDED[english]).split())
    plain = in_words(plain) if english else plain
    plain = unicodedata.normalize("NFKC", _PAUSES.sub(" , ", plain))
    plain = plain.translate(_KEPT[english])
    plain = plain if plain.isascii() else _LOOSE_MARKS.sub("", plain)
    for needed, pattern, replacement in _TIDY:
        if not needed or has_any(needed, plain):
            plain = pattern.sub(replacement, plain)
    return plain


def _unfolded(c: str, english: bool) -> str:
    """Figures that are one character as those that they stand for: a fraction, a ringed 5."""
    category = unicodedata.category(c)
    if category == "No" and c not in SMALL_POWERS:
        return f" {unicodedata.normalize('NFKC', c)} ".replace("\u2044", "/")
    if not english:
        return c
    return str(unicodedata.decimal(c)) if category == "Nd" else ENGLISH_SIGNS.get(c, c)


def _kept(c: str, english: bool) -> str:
    """The character itself, a space in its place, or nothing."""
    category = unicodedata.category(c)
    if category[0] == "L" or (category[0] == "N" and not english):
        return c
    if c in "\u200c\u200d" and not english:
        return c
    if category in ("Cf", "Me") or unicodedata.name(c, "").startswith("VARIATION SELECTOR"):
        return ""  # invisible, or the frame of a keycap
    if category[0] == "M":
        return c
    if english:
        return c if c in ENGLISH_PUNCTUATION else " "
    spoken = (category[0] == "P" and category not in ("Pi", "Pf")) or category in ("Sc", "Sm")
    return c if spoken and c not in MARKUP + QUOTES else " "


class _Table(dict[int, str]):
    """What ``str.translate`` makes of each character, found when it is first met."""

    def __init__(self, of: Callable[[str, bool], str], english: bool) -> None:
        super().__init__()
        self._of, self._english = of, english

    def __missing__(self, code: int) -> str:
        self[code] = made = self._of(chr(code), self._english)
        return made


_UNFOLDED = {english: _Table(_unfolded, english) for english in (False, True)}
_KEPT = {english: _Table(_kept, english) for english in (False, True)}


def pieces(text: str, longest: int | None, where: str) -> list[str]:
    """Cut ``text`` into parts of at most ``longest`` characters, all of it and in order.

    Between sentences where it can be, else after a comma, else between words; a single longer
    word raises :class:`InputError`.
    """
    if longest is None or len(text) <= longest:
        return [text]
    for boundary in _BOUNDARIES:
        parts = [part for part in re.split(boundary, text) if part]
        if len(parts) > 1:
            break
    else:
        raise InputError(f"{where}: {len(text)} signs without a break; allowed: {longest}")
    packed = [""]
    for piece in (small for part in parts for small in pieces(part, longest, where)):
        joined = f"{packed[-1]} {piece}".strip()
        packed = [*packed[:-1], joined] if len(joined) <= longest else [*packed, piece]
    return packed
