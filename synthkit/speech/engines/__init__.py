"""The engines, one a file; a card's ``engine`` is the file's name."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from synthkit.errors import InputError
from synthkit.speech.base import SpeechEngine


def names() -> tuple[str, ...]:
    """Names of the engines there are."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@functools.cache
def engine(name: str) -> SpeechEngine:
    """Return the engine of that name; its models load when it first speaks."""
    if name not in names():
        raise InputError(f"engine {name!r} is unknown; allowed: {', '.join(names())}")
    made: SpeechEngine = importlib.import_module(f"{__name__}.{name}").Engine()
    return made
