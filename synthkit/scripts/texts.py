"""Texts of scripts: folded for comparison, cut into words and sentences, their characters."""

from __future__ import annotations

import re
import unicodedata

_STRAIGHT = str.maketrans(dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4`", "'"))
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# Titles and letters with stops are one token, so that their stops end no sentence.
_TOKEN = re.compile(
    r"(?i:\b(?:dr|mr|mrs|ms|prof|st|jr|sr)\.)|\b(?:[A-Za-z]\.){2,}|\d+(?:[.,:]\d+)*"
    r"|[^\W_]+(?:'[^\W_]+)*|[.!?\u2026]+|[,;:\u2013\u2014]|(?<=\s)-(?=\s)"
)
_LINK = re.compile(r"(?i)\b(?:https?:|www\.|[\w.-]+@[\w-]+\.\w)|\b[\w-]+\.(?:com|org|net|io|edu)\b")
_MARKS = " .,;:!?'\"()%&-$£€\u2013\u2014\u2026\u2018\u2019\u201c\u201d"
# Letters, marks of letters, figures, and signs that are words (as + and $): all that is left.
KEPT = ("L", "M", "N", "Sm", "Sc", "So")


def fold_text(text: str) -> str:
    """``text`` without what no listener hears: case, punctuation, white space, Unicode's forms.

    A text of nothing else is returned as it is, without white space at its ends.
    """
    folded = text
    # Folding case can part what a form joins, and joining can bring a capital back.
    for _ in range(3):
        folded = unicodedata.normalize("NFKC", folded).casefold()
    kept = (c for c in folded if unicodedata.category(c).startswith(KEPT))
    return unicodedata.normalize("NFKC", "".join(kept)) or text.strip()


def straight(text: str) -> str:
    """``text`` in Unicode's NFKC form with straight apostrophes."""
    return unicodedata.normalize("NFKC", text).translate(_STRAIGHT)


def words(text: str) -> list[str]:
    """The words of ``text`` in order: no case, no marks, compatible characters the same."""
    folded = unicodedata.normalize("NFKC", straight(text).casefold())
    return _WORD.findall(folded)


def sentences(text: str) -> list[list[str]]:
    """Each sentence of ``text`` as its words and commas, spelled as they are."""
    found: list[list[str]] = [[]]
    for token in _TOKEN.findall(straight(text)):
        if token[0] in ".!?\u2026":
            found.append([])
        else:
            found[-1].append(token if token[-1].isalnum() or "." in token else ",")
    return [sentence for sentence in found if set(sentence) - {","}]


def unspeakable(text: str) -> str:
    """What in ``text`` nobody says: an address, or characters that are no letter or plain mark.

    Empty where there is none. Letters are those of the Latin alphabet, with accents or without.
    """
    if link := _LINK.search(text):
        return link.group()
    return "".join(dict.fromkeys(c for c in unicodedata.normalize("NFC", text) if _is_odd(c)))


def _is_odd(c: str) -> bool:
    if c.isascii():
        return not c.isalnum() and c not in _MARKS
    return c not in _MARKS and not (c.isalpha() and "LATIN" in unicodedata.name(c, ""))
