"""Paths: two spellings of one file told to be one."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path


def fold_path(folder: Path, name: str) -> str:
    """One spelling for all that mean the same file: relative to ``folder``, absolute, by a link.

    The file need not be there. Backslashes are read as slashes, as a table from Windows has them.
    """
    try:
        whole = os.path.realpath(folder / name.replace("\\", "/"))
    except (OSError, ValueError):  # a NUL, a loop of links: the name itself is all there is
        whole = os.path.normpath(folder / name)
    return unicodedata.normalize("NFC", whole)
