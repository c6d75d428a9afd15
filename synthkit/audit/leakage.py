"""Leakage: what two splits share, and sounds that stand where they should not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from synthkit.audit.dealt import shown
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design, Item
from synthkit.scripts.texts import fold_text

ROLES = ("context", "trigger")
K = TypeVar("K")
Hashes = Mapping[tuple[str, str], str]  # by item id and role


def leakage_faults(items: Sequence[Item], design: Design, segments: Hashes) -> Iterator[Comparison]:
    """Yield comparisons of all that two splits could share, and of hashes within each.

    ``segments`` is the SHA-256 of each part's samples by item id and role; parts that are not
    in it are not compared. Voices, and the levels of factors and nuisances, are compared where
    the recipe's splits hold them out.
    """
    split = {item.id: item.split for item in items}
    segments = {key: digest for key, digest in segments.items() if key[0] in split}
    for check, found in _shared(items, design, segments):
        for value, ids in found.items():
            yield Comparison(check, *_split_fault(value, ids, split))
    yield from _one_sound(items, segments)
    yield from _repeated(items)


def _shared(
    items: Sequence[Item], design: Design, segments: Hashes
) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """By check, what must be in one split alone: what to call it, and the items that have it."""
    yield "leak.command", _grouped((item.command, item.id) for item in items)
    for role in ROLES:
        yield (
            f"leak.{role}",
            _grouped((fold_text(i.texts[role]), i.id) for i in items if i.texts.get(role)),
        )
    yield "leak.file", _grouped((f"sha256 {i.sha256}", i.id) for i in items if i.sha256)
    parts = ((f"sha256 {digest}", item) for (item, _), digest in segments.items())
    yield "leak.segment", _grouped(parts)
    for name in sorted(_held_out(design)):
        yield "leak.held_out", _grouped(_levels(items, name))


def _held_out(design: Design) -> set[str]:
    """Names of what each split has of its own, no value of it in two of them."""
    tables = list(design.splits.values())
    names = {name for table in tables for name in table} - {"share"}
    return {
        name
        for name in names
        if sum(len(set(table.get(name, ()))) for table in tables)
        == len({value for table in tables for value in table.get(name, ())})
        and all(name in table for table in tables)
    }


def _levels(items: Sequence[Item], name: str) -> Iterator[tuple[str, str]]:
    """The voices, or the levels of a factor or nuisance, that each item has."""
    for item in items:
        if name == "voices":
            values = [part.voice for part in item.parts]
            values += [item.wearer, item.bystander]
        else:
            values = [item.factors.get(name), item.nuisances.get(name)]
        given = (value for value in dict.fromkeys(values) if value is not None)
        yield from ((f"{name} {value}", item.id) for value in given)


def _grouped(pairs: Iterable[tuple[K, str]]) -> dict[K, list[str]]:
    found: dict[K, list[str]] = defaultdict(list)
    for value, item in pairs:
        found[value].append(item)
    return found


def _split_fault(
    value: str, ids: Sequence[str], split: Mapping[str, str]
) -> tuple[tuple[str, ...], str | None]:
    """The first items of each split that has a value, and the fault where there are two."""
    first = {split[item]: item for item in reversed(ids)}
    if len(first) < 2:
        return shown(ids), None
    number = ", ".join(f"{sum(split[i] == s for i in ids)} in {s}" for s in sorted(first))
    return tuple(first[s] for s in sorted(first)), f"{value}: {number}; allowed: one split"


def _one_sound(items: Sequence[Item], segments: Hashes) -> Iterator[Comparison]:
    """A file is of rows that declare one sound; a segment's sound has one text and one voice."""
    by_id = {item.id: item for item in items}
    for ids in _grouped((i.sha256, i.id) for i in items if i.sha256).values():
        fault = "one file under rows that declare different sounds; allowed: rows of one sound"
        one = len({_declared(by_id[id_]) for id_ in ids}) == 1
        yield Comparison("leak.repeated_file", shown(ids), None if one else fault)
    said: dict[str, dict[tuple[str, str | None], str]] = defaultdict(dict)
    for (item, role), digest in segments.items():
        part = next((part for part in by_id[item].parts if part.role == role), None)
        if part is not None:
            text = fold_text(part.text) or f"what {by_id[item].command} says"
            said[digest].setdefault((text, part.voice), item)
    for found in said.values():
        told = " and ".join(f"{voice or 'a voice'}: {text!r}" for text, voice in found)
        fault = f"one sound is said to be {told}; allowed: one text and one voice"
        yield Comparison(
            "leak.segment_said", tuple(found.values()), fault if len(found) > 1 else None
        )


def _declared(item: Item) -> tuple[object, ...]:
    """What a row says that it sounds like: a further factor need not bear on every field."""
    parts = ((p.role, p.speaker, p.voice, p.field, p.bindings) for p in item.parts)
    return item.command, item.gap_ms, item.bed, *parts


def _repeated(items: Sequence[Item]) -> Iterator[Comparison]:
    """Words that two commands of a split share count twice in every rate."""
    for role in ROLES:
        own = {(i.split, i.command): i.texts[role] for i in items if i.texts.get(role)}
        found = _grouped(((split, fold_text(text)), id_) for (split, id_), text in own.items())
        for (split, _), commands in found.items():
            told = f"{role} {own[split, commands[0]]!r} in {len(commands)} commands; allowed: one"
            fault = told if len(commands) > 1 else None
            yield Comparison(f"leak.repeated_{role}", shown(commands), fault)
