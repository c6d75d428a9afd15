"""Voices taken out: what is left of a meter when what each voice has of its own is off."""

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
        """Both sides' values less what their voices have more than others.

        That is taken from the pairs' differences, by least squares beside a difference of the
        sides: both say the same words, so that what belongs to the words goes, and
        what belongs to the side stays, however often a voice stands there.
        """
        apart = second - first
        against = self._against
        own, *_ = np.linalg.lstsq(against - against.mean(axis=0), apart - apart.mean())
        return first - own[self.first], second - own[self.second]

    def freedom(self, num_commands: int) -> float:
        """Share of the evidence for a difference of the sides that voices leave.

        Degrees of freedom that are left of one difference a command, times the share of the
        difference of the sides that no difference of voices could stand for.
        """
        against, sides = self._against, np.ones(len(self.first))
        taken, _, rank, _ = np.linalg.lstsq(against, sides)
        alone = float(np.mean(np.square(sides - against @ taken)))
        return max(0.0, 1 - int(rank) / num_commands) * alone

    @property
    def _against(self) -> NDArray[np.float64]:
        """The voices of each pair, 1 as second and -1 as first; shape (num_pairs, num_voices)."""
        one = np.eye(self.num_voices)
        against: NDArray[np.float64] = one[self.second] - one[self.first]
        return against
