"""The report as text: what was compared, by contrast, then the probes, then each finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from synthkit.audit.checks import GROUPS, check
from synthkit.audit.findings import Finding, Tally
from synthkit.audit.probes import Probe
from synthkit.audit.report import Report

WIDTH = 50
METER_WIDTH = 22
SHOWN = 20  # findings of one check


def lines(report: Report) -> Iterator[str]:
    """Yield the lines of a report."""
    yield f"{report.folder}: {report.commands} commands, {report.audio} WAVs, {report.text} texts"
    yield from _checks(report.tallies)
    yield from _probes(report.probes)
    if report.declared:
        yield from ("", "declared: by the design itself, and no finding")
        yield from (f"  {line}" for line in report.declared)
    if report.hearing:
        yield ""
        yield from report.hearing.lines()
    yield from _findings(report.findings)
    yield ""
    yield f"{report.folder}: {_counted(len(report.findings))}: {_verdict(report)}"


def _verdict(report: Report) -> str:
    if not report.good:
        return "NOT SOUND" if report.findings else "NOTHING PROVED: no command has two sounds"
    few = sum(probe.few for probe in report.probes)
    if few:
        return f"all that could be judged holds; {few} probes need more commands"
    return "nothing but the declared cues changed"


def _checks(tallies: Iterable[Tally]) -> Iterator[str]:
    order = list(GROUPS)
    known = sorted(tallies, key=lambda tally: _place(order, _group(tally.check)))
    for group, of in groupby(known, key=lambda tally: _group(tally.check)):
        yield ""
        yield f"{_title(group):{WIDTH}}{'compared':>10}{'findings':>10}"
        for tally in of:
            title = check(tally.check).title
            yield f"  {title:{WIDTH - 2}}{tally.compared:>10}{len(tally.findings):>10}"


def _title(group: str) -> str:
    return GROUPS.get(group, f"two files that differ in {group}")


def _place(order: list[str], group: str) -> tuple[int, str]:
    return (order.index(group), "") if group in order else (len(order), group)


def _group(name: str) -> str:
    """What stands before a check's own name; a factor's name may have dots."""
    return name.rpartition(".")[0]


def _probes(probes: Sequence[Probe]) -> Iterator[str]:
    """A row for each meter, a column for each contrast; nothing where there is no contrast."""
    if not probes:
        return
    columns = list(dict.fromkeys(map(_contrast, probes)))
    judged = sum(probe.judged for probe in probes)
    yield ""
    yield (
        f"nuisance probes: cross-validated AUC of one meter alone; {judged} judged, "
        f"{_counted(sum(probe.finding is not None for probe in probes))}"
    )
    for number, column in enumerate(columns, 1):
        yield f"  [{number}] {column}"
    cells = {(probe.meter, _contrast(probe)): _cell(probe) for probe in probes}
    heads = "".join(f"{f'[{number}] ':>9}" for number in range(1, len(columns) + 1))
    yield f"{'':{METER_WIDTH}}{heads}".rstrip()
    for meter in dict.fromkeys(probe.meter for probe in probes):
        row = "".join(f"{cells.get((meter, column), '- '):>9}" for column in columns)
        yield f"  {meter:{METER_WIDTH - 2}}{row}".rstrip()
    yield "  (0.500) is reported and not judged, 0.500! is a finding"
    reasons = Counter(probe.unjudged for probe in probes if probe.unjudged)
    yield from (f"  not judged: {number}: {reason}" for reason, number in reasons.items())
    suspects = [probe for probe in probes if probe.suspect]
    if suspects:
        yield "  look at these: no proof in so few commands, but more than is allowed in many"
        yield from (f"    {probe.told}; allowed: {probe.bound}" for probe in suspects)


def _contrast(probe: Probe) -> str:
    at = f", {probe.at}" if probe.at else ""
    levels = " to ".join(probe.levels)
    return f"{probe.factor} {levels}{at}: {probe.role} in {probe.num_commands} commands"


def _cell(probe: Probe) -> str:
    auc = "-" if probe.auc is None else f"{probe.auc:.3f}"
    if not probe.judged:
        return f"({auc})"
    return f"{auc}{'!' if probe.finding else ' '}"


def _counted(number: int) -> str:
    return f"{number} {'finding' if number == 1 else 'findings'}"


def _findings(findings: Iterable[Finding]) -> Iterator[str]:
    """By check, in the order of the tables: what is wrong in a file comes before its pairs."""
    order = list(GROUPS)
    by_check = sorted(findings, key=lambda found: (_place(order, _group(found.check)), found.check))
    for name, of in groupby(by_check, key=lambda found: found.check):
        found = list(of)
        yield ""
        title, remedy = check(name)
        yield f"{name} ({title}): {len(found)} found. Remedy: {remedy}."
        yield from (f"  {' and '.join(f.items)}: {f.what}" for f in found[:SHOWN])
        if len(found) > SHOWN:
            yield f"  … and {len(found) - SHOWN} more; all of them with --json"
