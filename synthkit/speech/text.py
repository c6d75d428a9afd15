"""Text that can be spoken: what every engine may rely on."""

from __future__ import annotations

import unicodedata

from synthkit.errors import InputError, quoted


def check_speakable(text: str, where: str) -> str:
    """Return ``text`` if it has something to say, else raise :class:`InputError`.

    Engines differ in what they make of punctuation or emoji alone (nothing, their names, an
    error), so this is decided here, before any of them.
    """
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in text):
        raise InputError(f"{where}: found {quoted(text)}; allowed: text without control characters")
    if not any(c.isalnum() for c in text):
        raise InputError(f"{where}: found {quoted(text)}; allowed: text with a letter or digit")
    return text
