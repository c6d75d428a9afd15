"""Sets that others made, as an audit compares them: items and design of a table of their files."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from synthkit.audio import Audio, Span
from synthkit.audit.items import NO_FACTORS, Design, Item, Part
from synthkit.audit.segments import SPEAKERS
from synthkit.audit.tables import ROLES, TableRow, read_rows
from synthkit.errors import InputError, SynthkitError, quoted
from synthkit.files import below, reason
from synthkit.grids import calls
from synthkit.wav import read_mono

NEAR = "near"  # the context's field where a table does not tell it
ROUNDING_S = 0.001  # times are rounded by whoever writes them


def read_table(table: Path, folder: Path, dry: Collection[str] = ()) -> tuple[Design, list[Item]]:
    """Read a table of the sound files below ``folder`` (see docs/audit_tables.md).

    ``dry`` are the fields said to hold untouched speech. Each file is opened, at its own sampling
    rate: a time means a sample of that file. Raises :class:`InputError`, naming the row, for what
    :func:`read_rows` refuses; for files that are missing, damaged, outside the folder or named
    twice; for times outside the file or out of order; and for two rows with one id, or with one
    command in one condition.
    """
    rows = read_rows(table)
    fields = {name for row in rows for name in (row["field"], row["context_field"]) if name}
    if unknown := sorted(set(dry) - fields):
        raise InputError(
            f"{table}: dry field {', '.join(map(quoted, unknown))}; "
            f"allowed: {', '.join(map(quoted, sorted(fields)))}"
        )
    _check_unlike(rows)
    cast = _cast(rows)
    items = [_item(row, folder, fields, cast) for row in rows]
    conditions = _conditions(items)
    design = Design(
        folder,
        conditions,
        _rule(conditions),
        dry=frozenset(dry),
        rounding_s=ROUNDING_S,
        crossed=_crossed(items, len(conditions)),
    )
    return design, items


def _check_unlike(rows: Sequence[TableRow]) -> None:
    """Refuse rows of one file, of one id, and of one command with all factors alike."""
    seen: dict[tuple[str, object], str] = {}
    for row in rows:
        keys = {
            "file": os.path.normpath(row["file"]),
            "id": row["id"] or row["file"],
            "command and factors": (row["command"], tuple(_factors(row).items())),
        }
        for name, key in keys.items():
            if other := seen.get((name, key)):
                found = quoted(row["command"] if name.startswith("command") else key)
                more = "; a further factor has a column factor_NAME"
                raise InputError(
                    f"{row.where}: {name} {found} stands in {_place(other)} already; allowed: "
                    f"once{more if name.startswith('command') else ''}"
                )
            seen[name, key] = row.where


def _place(where: str) -> str:
    return where.rpartition(": ")[2]


def _factors(row: TableRow) -> dict[str, Any]:
    gap = int(row.gap_ms) if row.gap_ms.is_integer() else row.gap_ms
    return {
        "source": row["source"],
        "field": row["field"],
        "gap_ms": gap,
        **dict(sorted(row.factors.items())),
    }


Cast = Mapping[tuple[str, str], set[str]]


def _cast(rows: Sequence[TableRow]) -> Cast:
    """The voices that a command's rows name, by command and speaker."""
    found: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        for speaker in SPEAKERS.values():
            if row[speaker]:
                found.setdefault((row["command"], speaker), set()).add(row[speaker])
        if row["voice"]:
            key = row["command"], SPEAKERS[row["source"]]
            found.setdefault(key, set()).add(row["voice"])
    return found


def _voice(row: TableRow, speaker: str, cast: Cast) -> str | None:
    """Who a row's speaker is: as it says, or as all other rows of its command do."""
    known = cast.get((row["command"], speaker), set())
    return row[speaker] or (next(iter(known)) if len(known) == 1 else None)


def _item(row: TableRow, folder: Path, fields: Collection[str], cast: Cast) -> Item:
    factors = _factors(row)
    sound = _sound(row, folder)
    speakers = {"context": "wearer", "trigger": SPEAKERS[row["source"]]}
    voices = {speaker: _voice(row, speaker, cast) for speaker in SPEAKERS.values()}
    parts = []
    for role in ROLES:
        span, speech = _spans(row, role, sound)
        windowed = f"{role}_speech_start" in row.times
        speaker = speakers[role]
        parts.append(
            Part(
                role=role,
                speaker=speaker,
                voice=(role == "trigger" and row["voice"]) or voices[speaker],
                text=row[f"{role}_text"],
                field=row["field"] if role == "trigger" else _context_field(row, fields),
                span=span,
                speech=speech,
                windowed=windowed,
            )
        )
    if parts[0].span.end > parts[1].span.start:
        raise InputError(
            f"{row.where}: trigger_start is {row.times['trigger_start']:g} s, before "
            f"context_end {row.times['context_end']:g} s; allowed: the trigger after the context"
        )
    called = row["target"] == "call" and row["tool"]
    return Item(
        id=row["id"] or row["file"],
        command=row["command"],
        condition=row["condition"] or _name(factors),
        split=row["split"],
        tool=row["tool"],
        texts={part.role: part.text for part in parts},
        factors=factors,
        action=row["target"],
        called=called or None,
        wearer=voices["wearer"],
        bystander=voices["bystander"],
        file=row["file"],
        parts=tuple(parts),
    )


def _name(factors: Mapping[str, Any]) -> str:
    return "_".join(re.sub(r"[^\w-]", "-", str(level)) for level in factors.values())


def _context_field(row: TableRow, fields: Collection[str]) -> str:
    if row["context_field"]:
        return row["context_field"]
    if NEAR not in fields:
        raise InputError(
            f"{row.where}: no context_field; allowed: one of {', '.join(sorted(fields))}, "
            f"or none where a field is called {NEAR}"
        )
    return NEAR


def _sound(row: TableRow, folder: Path) -> Audio:
    name = row["file"]
    try:
        path = below(folder, name)
        if path.is_symlink() or not path.is_file():
            raise InputError("missing, or a link; allowed: a file in the folder")
        return read_mono(path)
    except (SynthkitError, OSError) as error:  # OSError: a name too long
        found = reason(error).removeprefix(f"{Path(name).name}: ")
        raise InputError(f"{row.where}: file {quoted(name)}: {found}") from None


def _spans(row: TableRow, role: str, sound: Audio) -> tuple[Span, Span]:
    """A part's bounds and speech window; the window is all of it where none is told."""
    whole = Span(0, sound.num_samples)
    span = _span(row, f"{role}_start", f"{role}_end", sound.sampling_rate, whole)
    names = f"{role}_speech_start", f"{role}_speech_end"
    told = [name for name in names if name in row.times]
    if len(told) == 1:
        raise InputError(f"{row.where}: {told[0]} alone; allowed: {' and '.join(names)}, or none")
    return span, _span(row, *names, sound.sampling_rate, span) if told else span


def _span(row: TableRow, first: str, last: str, rate: int, within: Span) -> Span:
    """The samples between two times, within others; a time may be rounded to a millisecond."""
    start, end = row.times[first], row.times[last]
    low, high = (sample / rate for sample in within)
    if start < low - ROUNDING_S or end > high + ROUNDING_S:
        raise InputError(
            f"{row.where}: {first} and {last} are {start:g} and {end:g} s; "
            f"allowed: within {low:g} to {high:.6g} s"
        )
    span = Span(max(round(start * rate), within.start), min(round(end * rate), within.end))
    if span.num_samples < 1:
        raise InputError(
            f"{row.where}: {first} and {last} are {start:g} and {end:g} s; "
            "allowed: an end after the start"
        )
    return span


def _conditions(items: Sequence[Item]) -> tuple[dict[str, Any], ...]:
    """The conditions, each with its factors and the action that most of its items have."""
    votes: dict[tuple[Any, ...], Counter[str]] = {}
    first: dict[tuple[Any, ...], Item] = {}
    for item in items:
        key = tuple(item.factors.items())
        votes.setdefault(key, Counter())[item.action] += 1
        first.setdefault(key, item)
        if item.condition != first[key].condition:
            raise InputError(
                f"{item.id}: condition {quoted(item.condition)} has the factors of "
                f"{quoted(first[key].condition)}; allowed: one name for one condition"
            )
    names = Counter(item.condition for item in first.values())
    if twice := [name for name, count in names.items() if count > 1]:
        raise InputError(
            f"condition {quoted(twice[0])} has rows of different factors; "
            "allowed: one name for one condition"
        )
    return tuple(
        {
            "name": item.condition,
            "modality": "audio",
            **item.factors,
            "context_field": item.part("context").field,
            "action": _most(votes[key]),
        }
        for key, item in first.items()
    )


def _crossed(items: Sequence[Item], num_conditions: int) -> bool:
    """Whether most commands have every condition, so that one that is missing was lost."""
    found = Counter(item.command for item in items)
    whole = sum(number == num_conditions for number in found.values())
    return 2 * whole > len(found)


def _most(votes: Counter[str]) -> str:
    """What most say; nothing where two are said as often."""
    (action, count), *others = votes.most_common()
    return "" if others and others[0][1] == count else action


def _rule(conditions: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]] | None:
    """Levels by factor at which the tool is called; None where no such rule fits all conditions."""
    actions = [condition["action"] for condition in conditions]
    called = [condition for condition in conditions if condition["action"] == "call"]
    if not called or not all(actions):
        return None
    rule: dict[str, list[Any]] = {}
    for factor in (name for name in conditions[0] if name not in NO_FACTORS):
        every = list(dict.fromkeys(condition[factor] for condition in conditions))
        at = list(dict.fromkeys(condition[factor] for condition in called))
        if len(at) < len(every):
            rule[factor] = at
    fits = all(calls(rule, one) == (one["action"] == "call") for one in conditions)
    return rule if fits else None
