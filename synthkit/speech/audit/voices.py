"""Audit voices: hear each, compare them, judge what was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from synthkit.instruments.mos import Mos
from synthkit.instruments.packages import require_instruments
from synthkit.instruments.pitch import median_hz, spread_semitones
from synthkit.instruments.words import WordErrors
from synthkit.speech.audit.cast import DIGITS, CastFigures, Kind, compare
from synthkit.speech.audit.hear import Heard, hear
from synthkit.speech.audit.sentences import Sentence
from synthkit.speech.voice import Voice


@dataclass(frozen=True)
class VoiceFigures:
    """What one voice measures.

    ``wer``: word error rate, names masked; ``names``, ``numbers``: share of those heard right,
    None without any. ``f0_hz`` and ``f0_spread_semitones``: median and half the 16th to 84th
    percentile, None where nothing is voiced. ``rate``: syllables per second, mean over sentences,
    and ``rate_spread``, its standard deviation. ``bandwidth_hz``: 99 % of the power, median.
    ``limited``: share of segments whose peaks were limited, at most by ``reduction_db``.
    ``identified``: as in :class:`CastFigures`.
    """

    id: str
    kind: Kind
    words: WordErrors
    wer: float
    names: float | None
    numbers: float | None
    mos: Mos
    f0_hz: float | None
    f0_spread_semitones: float | None
    rate: float
    rate_spread: float
    bandwidth_hz: float
    limited: float
    reduction_db: float
    identified: float | None

    def describe(self) -> dict[str, object]:
        """The figures as plain JSON values."""
        kind = dict(zip(("checkpoint", "processing", "language"), self.kind, strict=True))
        return {**asdict(self), "kind": kind}


@dataclass(frozen=True)
class VoiceAudit:
    """Figures of each voice and of all together, over the same sentences."""

    sentences: tuple[Sentence, ...]
    voices: tuple[VoiceFigures, ...]
    cast: CastFigures


def audit(
    voices: Sequence[Voice],
    sentences: Sequence[Sentence],
    on_sentence: Callable[[], None] = lambda: None,
) -> VoiceAudit:
    """Let every voice say every sentence, measure each voice and all against one another.

    ``on_sentence`` is called after each. Raises :class:`InputError` where an instrument's package
    is missing, :class:`SynthkitError` where a voice cannot say a sentence.
    """
    require_instruments()
    heard = [hear(voice, sentences, on_sentence) for voice in voices]
    cast = compare(heard)
    figures = map(_figures, heard, cast.identified)
    return VoiceAudit(tuple(sentences), tuple(figures), cast)


def _figures(heard: Heard, identified: float | None) -> VoiceFigures:
    words, rates = heard.words, heard.syllables_per_second
    scores = {key: round(value, DIGITS) for key, value in asdict(heard.mos).items()}
    return VoiceFigures(
        id=heard.voice.card.id,
        kind=heard.voice.card.kind,
        words=words,
        wer=round(words.errors / words.words, DIGITS),
        names=_rounded(words.name_accuracy),
        numbers=_rounded(words.number_accuracy),
        mos=Mos(**scores),
        f0_hz=_rounded(median_hz(heard.f0)),
        f0_spread_semitones=_rounded(spread_semitones(heard.f0)),
        rate=round(float(rates.mean()), DIGITS),
        rate_spread=round(float(rates.std(ddof=1)), DIGITS),
        bandwidth_hz=round(float(np.median(heard.bandwidths)), 1),
        limited=round(float(np.mean(heard.reductions_db > 0)), DIGITS),
        reduction_db=round(float(heard.reductions_db.max()), DIGITS),
        identified=identified,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
