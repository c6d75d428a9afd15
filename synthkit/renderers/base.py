"""What a renderer is: a small frozen dataclass, Audio in, Audio out; and chains of them."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from synthkit.audio import Audio
from synthkit.errors import InputError, quoted
from synthkit.keys import content_key


@dataclass(frozen=True)
class Renderer(ABC):
    """Base of all renderers.

    A subclass is a frozen dataclass whose fields are its parameters, checked when it is made,
    and implements ``__call__``. It changes nothing but what it is named for and keeps the
    speech window true.
    """

    @classmethod
    def from_table(cls, values: Mapping[str, Any], base: Path) -> Self:
        """Build one from a recipe's table; paths in it are relative to ``base``."""
        return cls(**values)

    @property
    def name(self) -> str:
        """Name in recipes, notes and manifests: the class's, in lower case."""
        return type(self).__name__.lower()

    def parameters(self) -> Mapping[str, object]:
        """Everything that determines the result, as plain JSON values."""
        return dataclasses.asdict(self)

    def describe(self) -> dict[str, object]:
        """Name and parameters, as manifests and content keys hold them."""
        return {"renderer": self.name, **self.parameters()}

    @property
    def fingerprint(self) -> str:
        """SHA-256 over name and parameters."""
        return content_key(self.describe())

    @abstractmethod
    def __call__(self, audio: Audio) -> Audio:
        """Render; ``audio`` itself is not changed."""

    def require_one_of(self, parameter: str, allowed: Sequence[str]) -> None:
        """Raise :class:`InputError` unless the parameter is one of ``allowed``."""
        value = getattr(self, parameter)
        if value not in allowed:
            raise InputError(
                f"{self.name}: {parameter} is {quoted(value)}; allowed: {', '.join(allowed)}"
            )

    def require(self, parameter: str, low: float, high: float) -> None:
        """Raise :class:`InputError` unless ``low <= parameter <= high``; for ``__post_init__``."""
        value = getattr(self, parameter)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and low <= value <= high):
            raise InputError(
                f"{self.name}: {parameter} is {quoted(value)}; allowed: {low:g} to {high:g}"
            )


@dataclass(frozen=True)
class Chain(Renderer):
    """Renderers applied one after another; an empty chain changes nothing."""

    renderers: tuple[Renderer, ...] = ()

    def parameters(self) -> Mapping[str, object]:
        return {"renderers": [r.describe() for r in self.renderers]}

    def __call__(self, audio: Audio) -> Audio:
        for renderer in self.renderers:
            audio = renderer(audio)
        return audio


def chain(*renderers: Renderer) -> Chain:
    """Compose renderers, first argument first."""
    return Chain(renderers)
