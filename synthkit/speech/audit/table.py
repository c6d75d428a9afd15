"""An audit of voices as text: a line a voice, matrices of all pairs, what they are judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from synthkit.speech.audit.cast import Matrix, Pair
from synthkit.speech.audit.limits import findings, shortfalls, worst
from synthkit.speech.audit.voices import VoiceAudit, VoiceFigures

Column = tuple[str, str, Callable[[VoiceFigures], str]]


def lines(audit: VoiceAudit) -> Iterator[str]:
    """Yield the lines that describe ``audit``, what falls short last."""
    yield from figures(audit)
    yield ""
    yield from _matrix(audit, "cosine of mean speaker embeddings", audit.cast.cosines, ".3f")
    yield ""
    yield from _matrix(audit, "timing: ms off a constant factor", audit.cast.warps, ".0f")
    yield ""
    yield from _matrix(audit, "pace: correlation over sentences", audit.cast.paces, ".2f")
    yield ""
    yield from _pairs(audit)
    yield ""
    yield from _judged(audit)


def figures(audit: VoiceAudit) -> Iterator[str]:
    """Yield the head of the table, its units and a line for each voice."""
    columns: tuple[Column, ...] = (
        ("WER", "%", lambda v: _percent(v.wer, 1)),
        ("names", "%", lambda v: _percent(v.names)),
        ("numbers", "%", lambda v: _percent(v.numbers)),
        ("DNSMOS", "ovrl", lambda v: f"{v.mos.ovrl:.2f}"),
        ("", "sig", lambda v: f"{v.mos.sig:.2f}"),
        ("", "p808", lambda v: f"{v.mos.p808:.2f}"),
        ("F0", "Hz", lambda v: _number(v.f0_hz, ".0f")),
        ("spread", "st", lambda v: _number(v.f0_spread_semitones, ".1f")),
        ("rate", "syll/s", lambda v: f"{v.rate:.2f}"),
        ("spread", "syll/s", lambda v: f"{v.rate_spread:.2f}"),
        ("band", "Hz", lambda v: f"{v.bandwidth_hz:.0f}"),
        ("limited", "%", lambda v: _percent(v.limited)),
        ("by", "dB", lambda v: f"{v.reduction_db:.1f}"),
        ("ident.", "%", lambda v: _percent(v.identified)),
    )
    width = _width(audit)
    yield (f"{'voice':{width}}" + "".join(f"{head:>8}" for head, _, _ in columns)).rstrip()
    yield f"{'':{width}}" + "".join(f"{unit:>8}" for _, unit, _ in columns)
    for voice in audit.voices:
        yield f"{voice.id:{width}}" + "".join(f"{show(voice):>8}" for _, _, show in columns)


def _matrix(audit: VoiceAudit, title: str, matrix: Matrix, form: str) -> Iterator[str]:
    """The lower triangle; columns are numbered as the rows are."""
    yield title
    width = _width(audit)
    for row, voice in enumerate(audit.cast.ids):
        values = "".join(f"{_number(value, form):>6}" for value in matrix[row][:row])
        yield f"{row + 1:3} {voice:{width}}{values}".rstrip()
    numbers = "".join(f"{column + 1:>6}" for column in range(len(audit.cast.ids) - 1))
    yield f"{'':3} {'':{width}}{numbers}".rstrip()


def _pairs(audit: VoiceAudit) -> Iterator[str]:
    cast = audit.cast
    one_kind = len({voice.kind for voice in audit.voices}) == 1
    yield _pair("closest pair" if one_kind else "closest of one kind", cast.closest_pair)
    if not one_kind:
        yield _pair("closest of all", cast.closest_of_all)
    yield _pair("closest halves", cast.closest_halves)
    loosest = cast.loosest_own_halves
    yield f"{'loosest own halves':24} {loosest.value:.3f}  {loosest.voices[0]}"
    yield _pair("closest timing, ms", cast.closest_timing, ".1f")


def _pair(name: str, pair: Pair | None, form: str = ".3f") -> str:
    if pair is None:
        return f"{name:24} -  no two voices of one kind"
    return f"{name:24} {format(pair.value, form)}  {' and '.join(pair.voices)}"


def _judged(audit: VoiceAudit) -> Iterator[str]:
    yield f"{'':32}{'worst':>8}{'aim':>8}{'limit':>8}"
    for finding in worst(audit):
        rule = finding.criterion
        shown = "".join(f"{rule.show(v):>8}" for v in (finding.value, rule.aim, rule.limit))
        missed = rule.short(finding.value, rule.aim)
        yield f"{rule.name:32}{shown}  {' and '.join(finding.who)}{', short of the aim' * missed}"
    short = shortfalls(audit)
    for finding in short:
        yield finding.line
    counted = f"{len(audit.voices)} voices, {len(audit.sentences)} sentences each"
    judged = len(findings(audit))
    yield f"{counted}; {len(short)} of {judged} figures over a limit: " + (
        "NOT GOOD" if short else "all good"
    )


def _width(audit: VoiceAudit) -> int:
    return max(len(voice) for voice in audit.cast.ids) + 1


def _percent(share: float | None, digits: int = 0) -> str:
    return "-" if share is None else f"{100 * share:.{digits}f}"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)
