"""Aims and limits of a cast, and which voices fall short of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from synthkit.speech.audit.cast import Pair
from synthkit.speech.audit.voices import VoiceAudit


@dataclass(frozen=True)
class Criterion:
    """A figure that is judged: what to aim at and, where there is one, the limit."""

    name: str
    aim: float
    limit: float | None
    more_is_better: bool
    percent: bool = False

    def show(self, value: float | None) -> str:
        """``value`` as a reader expects it: a percentage, or two or three decimals."""
        if value is None:
            return "-"
        if self.percent:
            return f"{100 * value:.1f} %"
        return f"{value:.3f}".removesuffix("0")

    def short(self, value: float, bound: float | None) -> bool:
        """Whether ``value`` lies on the wrong side of ``bound``; at it is good."""
        if bound is None:
            return False
        return value < bound if self.more_is_better else value > bound


COSINE = Criterion("cosine of a pair of one kind", 0.75, 0.82, more_is_better=False)
IDENTIFIED = Criterion("identified", 0.97, 0.90, more_is_better=True, percent=True)
WER = Criterion("word errors", 0.03, 0.05, more_is_better=False, percent=True)
NATURAL = Criterion("DNSMOS overall", 2.8, None, more_is_better=True)
CRITERIA = (COSINE, IDENTIFIED, WER, NATURAL)


@dataclass(frozen=True)
class Finding:
    """One figure of one voice, or of a pair, against a criterion."""

    criterion: Criterion
    who: tuple[str, ...]
    value: float

    @property
    def short(self) -> bool:
        """Whether it passes the limit."""
        return self.criterion.short(self.value, self.criterion.limit)

    @property
    def line(self) -> str:
        """Who falls short, in what, what was found and what is allowed."""
        rule = self.criterion
        bound = f"{'at least' if rule.more_is_better else 'at most'} {rule.show(rule.limit)}"
        return f"{' and '.join(self.who)}: {rule.name} {rule.show(self.value)}; allowed: {bound}"

    def describe(self) -> dict[str, object]:
        """The finding as plain JSON values."""
        return {"criterion": self.criterion.name, "voices": list(self.who), "value": self.value}


def findings(audit: VoiceAudit) -> tuple[Finding, ...]:
    """All that is judged: every pair of one kind, every voice."""
    return tuple(_findings(audit))


def shortfalls(audit: VoiceAudit) -> tuple[Finding, ...]:
    """The findings that pass a limit; none of a good cast."""
    return tuple(finding for finding in findings(audit) if finding.short)


def worst(audit: VoiceAudit) -> tuple[Finding, ...]:
    """For each criterion the finding that is worst, in the order of ``CRITERIA``."""
    found = []
    for rule in CRITERIA:
        those = [finding for finding in findings(audit) if finding.criterion == rule]
        if those:
            choose = min if rule.more_is_better else max
            found.append(choose(those, key=lambda finding: finding.value))
    return tuple(found)


def _findings(audit: VoiceAudit) -> Iterator[Finding]:
    for pair in _fair_pairs(audit):
        yield Finding(COSINE, pair.voices, pair.value)
    for voice in audit.voices:
        if voice.identified is not None:
            yield Finding(IDENTIFIED, (voice.id,), voice.identified)
        yield Finding(WER, (voice.id,), voice.wer)
        yield Finding(NATURAL, (voice.id,), voice.mos.ovrl)


def _fair_pairs(audit: VoiceAudit) -> Iterator[Pair]:
    for a, first in enumerate(audit.voices):
        for b, second in enumerate(audit.voices[:a]):
            cosine = audit.cast.cosines[a][b]
            if first.kind == second.kind and cosine is not None:
                yield Pair((second.id, first.id), cosine)
