"""Design: targets follow the rule, and commands have what the grid declares, no more, no less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chisquare

from synthkit.audit.chance import ALPHA, cramers_v
from synthkit.audit.dealt import by_command, shown
from synthkit.audit.findings import Comparison
from synthkit.audit.items import NO_FACTORS, Design, Item
from synthkit.audit.segments import segment_faults
from synthkit.errors import quoted
from synthkit.grids import calls
from synthkit.slots import DIFFERENT, SAME, TEXT, filled

FIXED: Mapping[str, Callable[[Item], object]] = {
    "split": lambda item: item.split,
    "tool": lambda item: item.tool,
    "texts": lambda item: dict(item.texts),
}
CAST: Mapping[str, Callable[[Item], object]] = {
    "wearer": lambda item: item.wearer,
    "bystander": lambda item: item.bystander,
    "nuisances": lambda item: dict(item.nuisances),
}
CALL: Mapping[str, Callable[[Item], object]] = {"params": lambda item: item.params}
MORE_V = 0.05  # Cramer's V over the declared one that failed clips alone do not explain

Condition = Mapping[str, Any]


def design_faults(items: Sequence[Item], design: Design) -> Iterator[Comparison]:
    """Yield every comparison of items with the rule, and of commands with the declared grid."""
    declared = {str(condition["name"]): condition for condition in design.conditions}
    for item in items:
        yield Comparison("design.target", (item.id,), _target_fault(item, design.call_at))
        if declared:
            fault = _condition_fault(item, declared.get(item.condition))
            yield Comparison("design.condition", (item.id,), fault)
        yield from segment_faults(item, declared.get(item.condition), design)
    for command, rows in by_command(items).items():
        yield from _fixed_faults(rows)
        yield from _order_faults(command, rows)
        if declared and design.crossed:
            yield Comparison("design.grid", (command,), _grid_fault(command, rows, design))
    if design.slots is not None:
        yield from _slots_filled(items, design)
    yield from _association_faults(items, design)


def declared_associations(design: Design) -> tuple[str, ...]:
    """Pairs of factors that the grid itself associates: how much, and which levels lack others."""
    audio = [condition for condition in design.conditions if condition["modality"] == "audio"]
    lines = []
    for one, other in combinations(_factors(audio), 2):
        table, levels, others = _table(audio, one, other)
        if (v := cramers_v(table)) < 1e-9:
            continue
        alone = "".join(
            f"; {one} {level} only with {other} {others[int(row.argmax())]}"
            for level, row in zip(levels, table, strict=True)
            if np.count_nonzero(row) == 1
        )
        reverse = "".join(
            f"; {other} {level} only with {one} {levels[int(column.argmax())]}"
            for level, column in zip(others, table.T, strict=True)
            if np.count_nonzero(column) == 1
        )
        lines.append(f"the grid associates {one} and {other}: Cramer's V {v:.2f}{alone}{reverse}")
    return tuple(lines)


def _target_fault(item: Item, call_at: Mapping[str, Sequence[Any]] | None) -> str | None:
    """The rule decides call or mute; words as text always call; what is called is the tool."""
    wanted = item.action
    if not item.is_audio:
        wanted = "call"
    elif call_at is not None:
        wanted = "call" if calls(call_at, item.factors) else "mute"
    if item.action != wanted:
        rule = ", ".join(
            f"{name} {' or '.join(map(str, v))}" for name, v in (call_at or {}).items()
        )
        why = f"the rule calls at {rule}" if item.is_audio else "words as text always call"
        return f"target is {item.action}; allowed: {wanted}, as {why}"
    tool = item.tool if item.action == "call" else ""
    if (item.called or "") != tool:
        return f"target calls {item.called or 'nothing'}; allowed: {tool or 'nothing'}"
    if tool and item.script_params not in (None, item.params):
        meant = quoted(item.script_params)
        return f"target's params are {quoted(item.params)}; allowed: {meant}, as in its script"
    return None


def _condition_fault(item: Item, condition: Condition | None) -> str | None:
    """An item has the levels, the action and the modality that its condition declares."""
    if condition is None:
        return f"condition {item.condition} is none of the grid's"
    if item.is_audio != (condition["modality"] == "audio"):
        return (
            f"has {'a' if item.is_audio else 'no'} file; the grid declares {condition['modality']}"
        )
    wanted = {name: condition.get(name) for name in condition if name not in NO_FACTORS}
    for name in {**wanted, **item.factors}:
        if item.factors.get(name) != wanted.get(name):
            return f"{name} is {item.factors.get(name)}; the grid declares {wanted.get(name)}"
    if item.action != condition["action"]:
        return f"target is {item.action}; the grid declares {condition['action']}"
    return None


def _fixed_faults(rows: Sequence[Item]) -> Iterator[Comparison]:
    """One tool, split and wording in all of a command; one cast and room in all with sound.

    Rows that call something call it with the same values.
    """
    audio = [item for item in rows if item.is_audio]
    calling = [item for item in rows if item.params is not None]
    for check, group, fixed in (
        ("design.command", rows, FIXED),
        ("design.command", calling, CALL),
        ("design.cast", audio, CAST),
    ):
        for item in group[1:]:
            faults = (_not_fixed(name, value, item, group) for name, value in fixed.items())
            fault = next((fault for fault in faults if fault), None)
            yield Comparison(check, (item.id, group[0].id), fault)
    for item in audio:
        if item.source == "different" and (item.wearer or item.bystander):
            one = item.wearer is not None and item.wearer == item.bystander
            fault = f"wearer and bystander are both {item.wearer}" if one else None
            yield Comparison("design.speakers", (item.id,), fault)


def _order_faults(command: str, rows: Sequence[Item]) -> Iterator[Comparison]:
    """A command's rows stand together: else their order may tell what they are."""
    places = sorted(row.place for row in rows if row.place is not None)
    if places:
        fault = f"rows {places[0]} to {places[-1]} are not its alone; allowed: one after another"
        apart = places[-1] - places[0] >= len(places)
        yield Comparison("design.order", (command,), fault if apart else None)


def _not_fixed(
    name: str, value: Callable[[Item], object], item: Item, group: Sequence[Item]
) -> str | None:
    """A value is that of the first row that tells it; None is not told."""
    own = value(item)
    first = next((v for v in map(value, group) if v is not None), None)
    if own is None or own == first:
        return None
    return f"{name} is {own} and {first}; allowed: one in a command"


def _grid_fault(command: str, rows: Sequence[Item], design: Design) -> str | None:
    """Each condition that the split keeps once, or failed; by slots, the number of each source."""
    found = Counter(item.condition for item in rows)
    if twice := [name for name, number in found.items() if number > 1]:
        return f"condition {twice[0]} stands {found[twice[0]]} times; allowed: once"
    failed = [c for c in design.conditions if f"{command}__{c['name']}" in design.failed]
    if design.slots is not None:
        return _slot_fault(rows, failed, design.slots)
    kept = _kept(design, rows[0].split)
    wanted = {str(c["name"]) for c in kept}
    missing = wanted - set(found) - {str(c["name"]) for c in failed}
    if missing:
        return f"lacks {', '.join(sorted(missing))}, which the grid declares and did not fail"
    if more := set(found) & {str(c["name"]) for c in design.conditions} - wanted:
        return f"has {', '.join(sorted(more))}, which split {rows[0].split} does not keep"
    return None


def _kept(design: Design, split: str) -> list[Condition]:
    """The grid's conditions, less those at levels that a split does not have."""
    levels = {n: v for n, v in design.splits.get(split, {}).items() if n not in ("share", "voices")}
    return [
        condition
        for condition in design.conditions
        if condition["modality"] == "text"
        or all(name not in condition or condition[name] in v for name, v in levels.items())
    ]


def _slot_fault(
    rows: Sequence[Item], failed: Sequence[Condition], slots: Mapping[str, int]
) -> str | None:
    """One row of the wearer, as many of the bystander as any command's, at most one of text."""
    sources = Counter(item.source if item.is_audio else TEXT for item in rows)
    sources.update(condition.get("source") or TEXT for condition in failed)
    few, more = divmod(slots[DIFFERENT], max(slots[SAME], 1))
    allowed = {
        SAME: (1,),
        DIFFERENT: (few, few + 1) if more else (few,),
        TEXT: (1,) if slots[TEXT] == slots[SAME] else (0, 1),
    }
    for source, numbers in allowed.items():
        if sources[source] not in numbers:
            listed = " or ".join(map(str, numbers))
            return f"{sources[source]} rows of source {source}; the slots declare {listed}"
    return None


def _slots_filled(items: Sequence[Item], design: Design) -> Iterator[Comparison]:
    """Rows fill conditions as declared; a part of a set is counted by command alone."""
    assert design.slots is not None
    if len({item.command for item in items}) != design.slots[SAME]:
        return
    found = Counter(item.condition for item in items)
    for name, wanted in filled(design.conditions, design.slots).items():
        number = found[name] + sum(clip.endswith(f"__{name}") for clip in design.failed)
        fault = f"{number} rows; the slots declare {wanted}"
        yield Comparison("design.slots", (name,), fault if number != wanted else None)


def _association_faults(items: Sequence[Item], design: Design) -> Iterator[Comparison]:
    """Factors go together in the items no more than in the conditions that were declared."""
    audio = [item for item in items if item.is_audio]
    commands = {item.command: item.split for item in audio}
    declared = _declared_rows(design, commands.values())
    pairs = list(combinations(_factors(declared), 2))
    for one, other in pairs:
        table, levels, others = _table(declared, one, other)
        own = [item.factors for item in audio]
        found, levels, others = _table(own, one, other, levels, others)
        v, most = cramers_v(found), cramers_v(table)
        fault, ids = None, shown((one, other))
        if v > most + MORE_V and _differs(found, table) < ALPHA / len(pairs):
            wanted = np.zeros(found.shape)  # of levels that nothing declares there are none
            wanted[: table.shape[0], : table.shape[1]] = table * (found.sum() / table.sum())
            i, j = map(int, np.unravel_index(np.abs(found - wanted).argmax(), found.shape))
            at = (levels[i], others[j])
            ids = shown(x.id for x in audio if (x.factors.get(one), x.factors.get(other)) == at)
            fault = (
                f"{one} and {other} go together, Cramer's V {v:.2f}, where the grid has "
                f"{most:.2f}: {found[i, j]} rows of {one} {at[0]} with {other} {at[1]}, "
                f"declared are {wanted[i, j]:.0f}"
            )
        yield Comparison("design.association", ids or (one, other), fault)


def _declared_rows(design: Design, splits: Iterable[str]) -> list[Condition]:
    """The conditions declared for commands of these splits, each as often as it should stand."""
    if design.slots is not None:
        numbers = filled(design.conditions, design.slots)
        rows = [c for c in design.conditions for _ in range(numbers[str(c["name"])])]
    else:
        kept = {split: _kept(design, split) for split in set(splits)}
        rows = [condition for split in splits for condition in kept[split]]
    return [condition for condition in rows if condition["modality"] == "audio"]


def _factors(conditions: Sequence[Condition]) -> list[str]:
    """Names of factors that have more than one level."""
    names = dict.fromkeys(n for condition in conditions for n in condition if n not in NO_FACTORS)
    return [name for name in names if len({c.get(name) for c in conditions}) > 1]


def _table(
    rows: Sequence[Condition],
    one: str,
    other: str,
    levels: Sequence[Any] = (),
    others: Sequence[Any] = (),
) -> tuple[NDArray[np.int64], list[Any], list[Any]]:
    """Counts of one factor's levels by another's; ``levels`` and ``others`` come first."""
    places = list(dict.fromkeys([*levels, *(row.get(one) for row in rows)]))
    columns = list(dict.fromkeys([*others, *(row.get(other) for row in rows)]))
    table = np.zeros((len(places), len(columns)), dtype=np.int64)
    for (level, second), number in Counter((row.get(one), row.get(other)) for row in rows).items():
        table[places.index(level), columns.index(second)] = number
    return table, places, columns


def _differs(found: NDArray[np.int64], declared: NDArray[np.int64]) -> float:
    """p of the declared shape; 0 where rows are in cells that nothing declares."""
    if found.shape != declared.shape or found[declared == 0].any():
        return 0.0
    there = declared > 0
    wanted = declared[there] * (found.sum() / declared.sum())
    return float(chisquare(found[there], wanted).pvalue)
