"""The report as text: what was compared, by contrast, then the probes, then each finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from synthkit.audit.checks import GROUPS, check
from synthkit.audit.findings import Finding, Tally
from synthkit.audit.report import Report

WIDTH = 50
SHOWN = 20  # findings of one check


def lines(report: Report) -> Iterator[str]:
    """Yield the lines of a report."""
    yield f"{report.folder}: {report.commands} commands, {report.audio} WAVs, {report.text} texts"
    yield from _checks(report.tallies)
    yield from _probes(report.probes)
    if report.declared:
        yield from ("", "declared: what goes together by the design itself, and is no finding")
        yield from (f"  {line}" for line in report.declared)
    if report.hearing:
        yield ""
        yield from report.hearing.lines()
    yield from _findings(report.findings)
    count = len(report.findings)
    yield ""
    verdict = "nothing but the declared cues changed" if report.good else "NOT SOUND"
    yield f"{report.folder}: {count} {'finding' if count == 1 else 'findings'}: {verdict}"


def _checks(tallies: Iterable[Tally]) -> Iterator[str]:
    order = list(GROUPS)
    known = sorted(tallies, key=lambda tally: _place(order, tally.check))
    for group, of in groupby(known, key=lambda tally: tally.check.partition(".")[0]):
        yield ""
        yield f"{GROUPS.get(group, group):{WIDTH}}{'compared':>10}{'findings':>10}"
        for tally in of:
            title = check(tally.check).title
            yield f"  {title:{WIDTH - 2}}{tally.compared:>10}{len(tally.findings):>10}"


def _place(order: list[str], name: str) -> int:
    group = name.partition(".")[0]
    return order.index(group) if group in order else len(order)


def _findings(findings: Iterable[Finding]) -> Iterator[str]:
    by_check = sorted(findings, key=lambda found: found.check)
    for name, of in groupby(by_check, key=lambda found: found.check):
        found = list(of)
        yield ""
        yield f"{name}: {len(found)} found. Remedy: {check(name).remedy}."
        yield from (f"  {' and '.join(f.items)}: {f.what}" for f in found[:SHOWN])
        if len(found) > SHOWN:
            yield f"  … and {len(found) - SHOWN} more; all of them with --json"
