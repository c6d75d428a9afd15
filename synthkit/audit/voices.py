"""Voices taken out: what is left of a meter when each voice's own mean is off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthkit.audit.statistics import Values


@dataclass(frozen=True)
class Voices:
    """The voices of both sides of some pairs, as numbers; arrays of shape (num_pairs,)."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    num_voices: int

    @classmethod
    def of(cls, first: Sequence[str | None], second: Sequence[str | None]) -> Voices | None:
        """The voices of pairs, where every voice stands on both sides somewhere; else None.

        Then nothing parts a voice from its side: values stay as they are, and a probe that finds
        the sides apart may have found no more than that their voices differ, which is
        a fault of its own: who speaks tells the source.
        """
        known = sorted({str(voice) for voice in first if voice is not None})
        if None in (*first, *second) or known != sorted(set(map(str, second))):
            return None
        number = {voice: at for at, voice in enumerate(known)}
        return cls(
            np.array([number[str(voice)] for voice in first], np.intp),
            np.array([number[str(voice)] for voice in second], np.intp),
            len(known),
        )

    def taken_out(self, first: Values, second: Values) -> tuple[Values, Values]:
        """Both sides' values less their voice's mean.

        A voice's mean is the mean of its mean on either side, so that what belongs to the side
        stays, however often the voice stands there.
        """
        means = (self._means(self.first, first) + self._means(self.second, second)) / 2
        return first - means[self.first], second - means[self.second]

    def freedom(self, num_commands: int) -> float:
        """Share of the degrees of freedom that is left of two values a command."""
        return max(0.0, 1 - self.num_voices / (2 * num_commands))

    def _means(self, voices: NDArray[np.intp], values: Values) -> Values:
        counts = np.bincount(voices, minlength=self.num_voices)
        means: Values = np.bincount(voices, values, minlength=self.num_voices) / counts
        return means
