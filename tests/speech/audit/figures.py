"""An audit written by hand: three voices of one kind and one of another."""

from __future__ import annotations

from dataclasses import replace

from synthkit.instruments.mos import Mos
from synthkit.instruments.words import WordErrors
from synthkit.speech.audit.cast import CastFigures, Pair
from synthkit.speech.audit.sentences import sentences
from synthkit.speech.audit.voices import VoiceAudit, VoiceFigures

KIND = ("one", "none", "en-US")
ANN = VoiceFigures(
    id="cast/ann",
    kind=KIND,
    words=WordErrors(2, 200, 6, 3, 8, 8),
    wer=0.01,
    names=0.5,
    numbers=1.0,
    mos=Mos(3.21, 3.5, 4.1, 3.9),
    f0_hz=204.4,
    f0_spread_semitones=3.26,
    rate=4.81,
    rate_spread=0.36,
    bandwidth_hz=2467.0,
    limited=0.25,
    reduction_db=1.64,
    identified=1.0,
)
BOB = replace(ANN, id="cast/bob", wer=0.03, f0_hz=104.0, identified=0.97)
CY = replace(ANN, id="cast/cy", f0_hz=None, f0_spread_semitones=None, identified=0.9)
DEE = replace(ANN, id="other/dee", kind=("two", "none", "en-US"), identified=None, names=None)
COSINES = (
    (1.0, 0.82, 0.7, 0.95),
    (0.82, 1.0, 0.6, 0.5),
    (0.7, 0.6, 1.0, 0.4),
    (0.95, 0.5, 0.4, 1.0),
)
SQUARE = tuple(tuple(0.0 if a == b else 10.0 * (a + b) for b in range(4)) for a in range(4))
CAST = CastFigures(
    ids=("cast/ann", "cast/bob", "cast/cy", "other/dee"),
    cosines=COSINES,
    closest_pair=Pair(("cast/ann", "cast/bob"), 0.82),
    closest_of_all=Pair(("cast/ann", "other/dee"), 0.95),
    closest_halves=Pair(("cast/ann", "cast/bob"), 0.83),
    loosest_own_halves=Pair(("cast/cy", "cast/cy"), 0.981),
    identified=(1.0, 0.97, 0.9, None),
    paces=((1.0, None, 0.5, 0.5), (None, 1.0, 0.5, 0.5), (0.5,) * 4, (0.5,) * 4),
    warps=SQUARE,
    closest_timing=Pair(("cast/ann", "cast/bob"), 10.0),
)
AUDIT = VoiceAudit(sentences("report"), (ANN, BOB, CY, DEE), CAST)


def changed(index: int, **figures: object) -> VoiceAudit:
    """The audit with other figures of one voice."""
    voices = list(AUDIT.voices)
    voices[index] = replace(voices[index], **figures)
    return replace(AUDIT, voices=tuple(voices))
