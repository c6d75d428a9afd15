"""Segments and gaps: stretches of speech in a file, and the pauses between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from synthkit.audio import Samples, Span
from synthkit.errors import AudioError
from synthkit.measure.activity import Activity

# Longer than the closure of a stop consonant, shorter than the pause that ends an utterance.
MIN_GAP_MS = 200.0


@dataclass(frozen=True)
class Segment:
    """A stretch of speech, in samples; ``role`` is what somebody called it."""

    span: Span
    role: str | None = None


@dataclass(frozen=True)
class ToldSegment:
    """A stretch of speech that somebody told, in seconds, and where they did."""

    start: float
    end: float
    role: str | None
    where: str


def by_energy(activity: Activity, min_gap: int) -> tuple[Segment, ...]:
    """Segments found by energy: active frames, joined over pauses shorter than ``min_gap``."""
    active = np.flatnonzero(activity.active)
    if not len(active):
        return ()
    silent = (np.diff(active) - 1) * activity.hop
    breaks = np.flatnonzero((silent > 0) & (silent >= min_gap))
    firsts = active[np.concatenate(([0], breaks + 1))] * activity.hop
    ends = (active[np.concatenate((breaks, [len(active) - 1]))] + 1) * activity.hop
    return tuple(
        Segment(Span(int(start), min(int(end), activity.num_samples)))
        for start, end in zip(firsts, ends, strict=True)
    )


def by_times(
    told: Sequence[ToldSegment], num_samples: int, sampling_rate: int
) -> tuple[Segment, ...]:
    """Segments as they were told, to the nearest sample.

    Raises :class:`AudioError` for one that ends after the file does; 1 ms is allowed, since times
    are rounded.
    """
    segments = []
    for one in told:
        # Compared before it is rounded: the largest of seconds are no number of samples.
        if one.end * sampling_rate > num_samples + sampling_rate // 1000 + 0.5:
            raise AudioError(
                f"{one.where}: ends at {one.end:g} s; "
                f"allowed: up to the file's {num_samples / sampling_rate:.6g} s"
            )
        start, end = (round(time * sampling_rate) for time in (one.start, one.end))
        span = Span(min(start, num_samples), min(end, num_samples))
        if span.num_samples < 1:
            raise AudioError(f"{one.where}: holds no sample; allowed: one or more")
        segments.append(Segment(span, one.role))
    return tuple(segments)


def gaps(segments: Iterable[Segment], min_gap: int) -> tuple[Span, ...]:
    """Stretches of ``min_gap`` samples or more between segments that are in order."""
    between = (Span(a.span.end, b.span.start) for a, b in pairwise(segments))
    return tuple(gap for gap in between if gap.num_samples >= max(min_gap, 1))


def speech(samples: Samples, segments: Iterable[Segment]) -> Samples:
    """The samples of all segments one after another, without what lies between them."""
    parts = [samples[slice(*segment.span)] for segment in segments]
    return np.concatenate(parts) if parts else samples[:0]
