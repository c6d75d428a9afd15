"""Which meters a contrast is judged by, and what of a difference is heard at all."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from synthkit.audit.frames import decibels
from synthkit.audit.meters import METERS
from synthkit.audit.statistics import Values

ALPHA = 0.01  # of the corrected p, over all probes of a set
CHANCE_DISTANCE = 0.10  # of AUC or concordance from 0.5, where no bound is known
STEEP = 95  # percentile of an energy bound: one loud clip in twenty is enough


class Bound(NamedTuple):
    """Where a difference begins to count: ``size`` in the meter's unit, taken as ``kind`` says.

    * ``mean``: of the differences within pairs, either way. A level that is off on average.
    * ``median``: the same of the middle one. A lag or a margin is the same in all, or it is
      none; single wrong readings of a lag must not add up.
    * ``excess``: the 95th percentile, over commands, of the energy that the louder side has
      *more* than the other, in dB re speech. Taken as a difference of energies, so that what both
      sides hold alike (the low voice, the bed) does not count however loud it is.
    """

    kind: str
    size: float

    def reached(self, low: Values, high: Values) -> float:
        """What is to be compared with ``size``; ``low`` and ``high`` hold one value a command."""
        if self.kind == "excess":
            more = 10 ** (high / 10) - 10 ** (low / 10)
            if np.mean(high - low) < 0:
                more = -more
            return decibels(max(float(np.percentile(more, STEEP)), 0.0))
        differences = high - low
        middle = np.mean if self.kind == "mean" else np.median
        return abs(float(middle(differences)))

    def passed(self, low: Values, high: Values) -> bool:
        """Whether the difference counts."""
        reached = self.reached(low, high)
        return reached >= self.size if self.kind == "median" else reached > self.size

    def __str__(self) -> str:
        return {
            "mean": f"{self.size:g} on average",
            "median": f"less than {self.size:g} in the median",
            "excess": f"an excess of {self.size:g} at the 95th percentile",
        }[self.kind]


SAMPLE = Bound("median", 1.0)
LOUD = MappingProxyType(
    {
        "level": Bound("mean", 0.1),
        "lag": SAMPLE,
        "dc": Bound("excess", -60.0),
        "sub_bass": Bound("excess", -45.0),
        "start_step": Bound("excess", -45.0),
        "end_step": Bound("excess", -45.0),
        "front_margin": SAMPLE,
        "post_window": SAMPLE,
    }
)
# Where both sides are the same speech in two fields: a room changes what is not in here.
FIXED_OVER_FIELDS = (*LOUD, "speech_duration", "odd_share")
# Why a meter is reported and not judged over fields.
BORNE = "borne by the cue"


def bound_of(meter: str, same_speech: bool) -> Bound | None:
    """The bound of a meter, None where none is known: then AUC and concordance decide.

    ``same_speech``: both sides are one recording in two fields, so its length is the same too.
    """
    if meter == "speech_duration" and same_speech:
        return SAMPLE
    return LOUD.get(meter)


def judged_meters(over_fields: bool) -> tuple[str, ...]:
    """The meters by which a contrast of sources, or one over fields, is judged."""
    return FIXED_OVER_FIELDS if over_fields else tuple(METERS)
