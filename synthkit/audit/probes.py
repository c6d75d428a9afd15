"""Nuisance probes: whether one meter alone tells two conditions apart, factor by factor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthkit.audit.items import Design
from synthkit.audit.judging import ALPHA, BORNE, CHANCE_DISTANCE, bound_of, judged_meters
from synthkit.audit.meters import DECIMALS, METERS, RATIOS
from synthkit.audit.pairing import Contrast, contrasts
from synthkit.audit.polarity import oriented
from synthkit.audit.readings import Reading
from synthkit.audit.statistics import (
    Values,
    concordance,
    cross_validated_auc,
    holm,
    least_p,
    sign_flip_p,
)
from synthkit.audit.voices import Voices

NAMED = 5  # commands that a finding names
ReadingsOf = Mapping[tuple[str, str], Reading]


@dataclass(frozen=True)
class Probe:
    """What one meter alone says of one contrast.

    ``commands`` are the few in which the sides are furthest apart, the way they are on average.
    ``means`` are those of both sides of ``levels``, over commands; ``auc`` is cross-validated
    over commands, ``concordance`` the share of commands in which the second side reads more.
    ``voices_taken_out`` says that what each voice has of its own was taken off before comparing.
    ``least_p`` is the smallest p that so many commands and voices can give.
    ``few`` says that there are too few commands for any verdict.
    ``unjudged`` is why there is no verdict, None where there is one; ``p_holm`` is corrected
    over the judged probes of the set; ``finding`` is the fault in one line, or None.
    """

    factor: str
    levels: tuple[str, str]
    at: str
    role: str
    meter: str
    unjudged: str | None
    bound: str
    num_pairs: int
    num_commands: int
    commands: tuple[str, ...]
    means: tuple[float, float]
    voices_taken_out: bool
    auc: float | None
    concordance: float
    p: float
    least_p: float
    passed: bool
    few: bool = False
    p_holm: float | None = None
    finding: str | None = None

    @property
    def judged(self) -> bool:
        return self.unjudged is None

    @property
    def name(self) -> str:
        """What is compared where, by what: unique within a set."""
        at = f" at {self.at}" if self.at else ""
        return f"{self.meter} of {self.role}, {self.factor} {' to '.join(self.levels)}{at}"

    @property
    def told(self) -> str:
        """What is compared, and what the meter reads on both sides."""
        first, second = self.means
        return f"{self.name}: {first:.6g} and {second:.6g} {METERS[self.meter].unit}".rstrip()

    @property
    def suspect(self) -> bool:
        """Not judged for want of commands, yet further apart than is allowed where it is."""
        bounded = bound_of(self.meter, same_speech=self.factor != "source")
        return self.few and self.passed and bounded is not None

    def describe(self) -> dict[str, Any]:
        """As JSON: figures rounded, nothing that is not finite."""
        return {
            "factor": self.factor,
            "levels": list(self.levels),
            "at": self.at or None,
            "role": self.role,
            "meter": self.meter,
            "unit": METERS[self.meter].unit or None,
            "judged": self.judged,
            "unjudged": self.unjudged,
            "bound": self.bound,
            "num_pairs": self.num_pairs,
            "num_commands": self.num_commands,
            "means": [round(mean, 4) for mean in self.means],
            "voices_taken_out": self.voices_taken_out,
            "auc": None if self.auc is None else round(self.auc, 4),
            "concordance": round(self.concordance, 4),
            "p": float(f"{self.p:.4g}"),
            "p_holm": None if self.p_holm is None else float(f"{self.p_holm:.4g}"),
            "finding": self.finding,
        }


def probes(readings: Sequence[Reading], design: Design) -> tuple[Probe, ...]:
    """Every meter on every contrast that the items of ``readings`` allow, judged together.

    A judged probe is a finding when its p, corrected by Holm's method over all that are judged,
    is below 0.01 *and* its bound is passed; where no bound is known, AUC or concordance must be
    more than 0.10 from 0.5. (A shift within pairs can hide from an AUC that pools commands.)
    """
    of = {(reading.item.id, reading.role): reading for reading in oriented(readings)}
    items = list({reading.item.id: reading.item for reading in readings}.values())
    found = [
        probe
        for contrast in contrasts(items, design)
        for probe in _of_contrast(contrast, of, design)
    ]
    judged = [probe for probe in found if probe.judged]
    corrected = dict(zip(map(id, judged), holm([p.p for p in judged]), strict=True))
    return tuple(_verdict(probe, corrected.get(id(probe)), len(judged)) for probe in found)


def _verdict(probe: Probe, p_holm: float | None, num_judged: int) -> Probe:
    if p_holm is None:
        return probe
    if probe.least_p * num_judged >= ALPHA:
        few = f"{probe.num_commands} commands are too few for p < {ALPHA:g} in {num_judged} probes"
        return replace(probe, unjudged=few, few=True)
    if p_holm >= ALPHA or not probe.passed:
        return replace(probe, p_holm=p_holm)
    return replace(
        probe,
        p_holm=p_holm,
        finding=f"{probe.told} over {probe.num_commands} commands, "
        f"concordance {probe.concordance:.2f}, p {p_holm:.2g}; allowed: {probe.bound}",
    )


def _of_contrast(contrast: Contrast, of: ReadingsOf, design: Design) -> Iterator[Probe]:
    read = []
    for first, second in contrast.pairs:
        a, b = of.get((first.id, contrast.role)), of.get((second.id, contrast.role))
        if a is not None and b is not None:
            read.append((a, b))
    for meter in METERS:
        if meter != "lag" or any("lag" in r.values for pair in read for r in pair):
            held = [(a, b) for a, b in read if None not in (_value(a, meter), _value(b, meter))]
            if held:
                yield _of_meter(contrast, held, meter, design)


def _of_meter(
    contrast: Contrast, pairs: Sequence[tuple[Reading, Reading]], meter: str, design: Design
) -> Probe:
    names, index = np.unique([a.item.command for a, _ in pairs], return_inverse=True)
    first, second = (
        np.array([_value(pair[side], meter) for pair in pairs], float) for side in (0, 1)
    )
    low, high = raw = _by(index, first), _by(index, second)
    if meter in RATIOS:
        low, high = _by(index, np.log(first)), _by(index, np.log(second))
    voices = None
    if contrast.is_of_source:
        said = [[_voice(pair[side]) for pair in pairs] for side in (0, 1)]
        voices = Voices.of(said[0], said[1], index.tolist())
    evidence = high - low
    if voices:
        evidence = np.round(voices.evidence(evidence), DECIMALS)
        low, high = (np.round(side, DECIMALS) for side in voices.taken_out(low, high))
    known_auc = cross_validated_auc(low, high, names.tolist())
    agreed = concordance(high - low)
    apart = max((0.5 if known_auc is None else known_auc) - 0.5, abs(agreed - 0.5))
    bound = bound_of(meter, same_speech=not contrast.is_of_source)
    return Probe(
        factor=" and ".join(contrast.factors),
        levels=contrast.levels,
        at=" ".join(str(level) for _, level in contrast.at),
        role=contrast.role,
        meter=meter,
        unjudged=_why_not(contrast, pairs, meter, design),
        bound=str(bound) if bound else f"AUC and concordance within {CHANCE_DISTANCE:g} of 0.5",
        num_pairs=len(pairs),
        num_commands=len(names),
        commands=_furthest(names, high - low),
        means=(float(raw[0].mean()), float(raw[1].mean())),
        voices_taken_out=voices is not None,
        auc=known_auc,
        concordance=agreed,
        p=sign_flip_p(evidence),
        least_p=least_p(len(evidence)),
        passed=bound.passed(*raw) if bound else apart > CHANCE_DISTANCE,
    )


def _furthest(names: NDArray[np.str_], differences: Values) -> tuple[str, ...]:
    way = -1.0 if differences.mean() < 0 else 1.0
    return tuple(map(str, names[np.argsort(-way * differences, kind="stable")[:NAMED]]))


def _why_not(
    contrast: Contrast, pairs: Sequence[tuple[Reading, Reading]], meter: str, design: Design
) -> str | None:
    """Why a meter is not judged on a contrast, or None."""
    if meter not in judged_meters(over_fields=contrast.factors != ("source",)):
        return BORNE
    if meter == "level" and design.chains:  # of a set of others any level may tell
        asked = {
            (a.item.part(a.role).requested_dbfs, b.item.part(b.role).requested_dbfs)
            for a, b in pairs
        }
        if any(low is None or low != high for low, high in asked):
            return "no one RMS level was asked for"
    if meter == "post_window" and design.post_samples is None:
        return "parts end with their decay"
    return None


def _value(reading: Reading, meter: str) -> float | None:
    """What a meter read; a lag that nobody put in is that of the dry part itself."""
    value = reading.values.get(meter)
    return 0.0 if value is None and meter == "lag" else value


def _voice(reading: Reading) -> str | None:
    return reading.item.part(reading.role).voice


def _by(index: NDArray[np.intp], values: Values) -> Values:
    """Means over pairs, one for each command; rounded, so that equal sides stay equal."""
    return np.round(np.bincount(index, values) / np.bincount(index), DECIMALS)
