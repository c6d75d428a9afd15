"""Variables: named levels of a recipe that its fields use as ``"$name"``."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synthkit.errors import InputError, quoted
from synthkit.grids import FACTORS, Level

MARK = "$"
NO_BED = "none"
MAX_CHAINS = 1000  # of one field
# What manifests, grids and splits call something else.
RESERVED = ("action", "context_field", "modality", "name", "share", "voices")
Bindings = tuple[tuple[str, Level], ...]


def check_variables(values: Mapping[str, Any], where: str) -> None:
    """Refuse a recipe whose factors, nuisances, splits and fields name variables at odds."""
    factors, nuisances = values["factors"], values["nuisances"]
    for name in (*factors, *nuisances):
        if name in RESERVED:
            raise InputError(
                f"{where}: variable {quoted(name)}: the name has a meaning of its own; "
                "allowed: another name"
            )
        if name in FACTORS or (name in factors and name in nuisances):
            raise InputError(
                f"{where}: variable {quoted(name)} is a factor already; allowed: another name"
            )
    known = {**factors, **nuisances}
    for name, levels in known.items():
        for level in levels:
            if str(level).endswith(".toml"):
                raise InputError(
                    f"{where}: variable {name}: found {quoted(level)}; allowed: a name; "
                    "give a card's path its name in [rooms]"
                )
    for field, tables in values["fields"].items():
        for name in used(tables):
            if name not in known:
                raise InputError(
                    f"{where}: field fields.{field}: {MARK}{name} is no variable; "
                    f"allowed: {_listed(known)}"
                )
        number = math.prod(len(known[name]) for name in used(tables))
        if number > MAX_CHAINS:
            raise InputError(
                f"{where}: field fields.{field}: its variables' levels make {number} chains; "
                f"allowed: up to {MAX_CHAINS}"
            )
    bed, beds = str(values["bed"]), [NO_BED, *values["beds"]]
    for name in known.get(bed[1:], ()) if bed.startswith(MARK) else [bed]:
        if name not in beds:
            raise InputError(
                f"{where}: field bed: found {quoted(name)}; allowed: {_listed(beds)}, "
                f"or {MARK} and a variable of such names"
            )
    if bed.startswith(MARK) and bed[1:] not in known:
        raise InputError(f"{where}: field bed: {bed} is no variable; allowed: {_listed(known)}")
    heard = {name for tables in values["fields"].values() for name in used(tables)}
    rule = values["grid"].get("rule") if isinstance(values["grid"], dict) else None
    heard |= {bed[1:]} | (set(rule) if isinstance(rule, dict) else set())
    for name in known:
        if name not in heard:
            raise InputError(
                f"{where}: variable {quoted(name)} is used by no field, bed or rule, "
                "so its levels would all sound the same"
            )
    for split, table in values["splits"].items():
        for name, levels in table.items():
            if name in ("share", "voices"):
                continue
            unknown = [level for level in levels if level not in known.get(name, ())]
            if unknown:
                raise InputError(
                    f"{where}: field splits.{split}.{name}: found {quoted(unknown[0])}; "
                    f"allowed: {_listed(known.get(name, ()))}"
                )


def used(tables: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Names of the variables in a field's tables, sorted."""
    values = itertools.chain.from_iterable(table.values() for table in tables)
    return tuple(sorted({v[1:] for v in values if isinstance(v, str) and v.startswith(MARK)}))


def bound(tables: Sequence[Mapping[str, Any]], bindings: Bindings) -> list[dict[str, Any]]:
    """The tables with every ``"$name"`` replaced by its level."""
    levels = {f"{MARK}{name}": level for name, level in bindings}
    return [
        {k: levels.get(v, v) if isinstance(v, str) else v for k, v in table.items()}
        for table in tables
    ]


def combinations(names: Sequence[str], known: Mapping[str, Sequence[Level]]) -> Iterator[Bindings]:
    """Every combination of the levels of ``names``; one empty one where there are none."""
    for levels in itertools.product(*(known[name] for name in names)):
        yield tuple(zip(names, levels, strict=True))


def _listed(names: Any) -> str:
    return ", ".join(map(str, names)) or "none"
