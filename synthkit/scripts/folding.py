"""Folding: what makes two texts the same words, and two spellings of a path one file."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

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


def fold_path(folder: Path, name: str) -> str:
    """One spelling for all that mean the same file: relative to ``folder``, absolute, by a link.

    The file need not be there. Backslashes are read as slashes, as a table from Windows has them.
    """
    try:
        whole = os.path.realpath(folder / name.replace("\\", "/"))
    except (OSError, ValueError):  # a NUL, a loop of links: the name itself is all there is
        whole = os.path.normpath(folder / name)
    return unicodedata.normalize("NFC", whole)
