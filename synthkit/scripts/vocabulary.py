"""Words of English that tell a command from a statement, a question and a give-away."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """The words of ``text``."""
    return frozenset(text.split())


FILLERS = listed("please kindly just now okay ok hey so well then thanks")
