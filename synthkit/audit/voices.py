"""Voices taken out: what is left of a meter when each voice's own mean is off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthkit.audit.readings import Reading
from synthkit.audit.statistics import Values


def polarity(readings: Iterable[Reading]) -> Mapping[str | None, float]:
    """The sign that skewness has in each voice's contexts: which way round its waveform stands.

    Voices differ in it, so a trigger's own sign says nothing until it is held against that.
    """
    found: dict[str | None, list[float]] = {}
    for reading in readings:
        value = reading.values.get("skewness")
        if reading.role == "context" and value is not None:
            found.setdefault(reading.item.part("context").voice, []).append(value)
    return {voice: -1.0 if sum(values) < 0 else 1.0 for voice, values in found.items()}


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
