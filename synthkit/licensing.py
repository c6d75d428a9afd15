"""Licences: the one a data set has to carry, given those of its parts."""

from __future__ import annotations

from collections.abc import Iterable

_NOTICE = frozenset({"notice"})
_CC_BY = _NOTICE | {"names", "changes", "attribution"}
# What each licence asks for, as far as the ones here differ in it.
OBLIGATIONS = {
    "CC0-1.0": frozenset[str](),
    "MIT": _NOTICE,
    "BSD-3-Clause": _NOTICE | {"names"},
    "Apache-2.0": _NOTICE | {"names", "changes"},
    "CC-BY-4.0": _CC_BY,
    "CC-BY-SA-4.0": _CC_BY | {"share alike"},
    "CC-BY-NC-4.0": _CC_BY | {"non-commercial"},
    "CC-BY-NC-SA-4.0": _CC_BY | {"share alike", "non-commercial"},
}


def derived(licenses: Iterable[str]) -> str:
    """Return the strictest of ``licenses`` (SPDX identifiers), as an SPDX expression.

    A licence drops out where another asks for all that it asks for, and more. Those that are
    left are all named: share-alike and non-commercial do not contain each other, and what an
    unknown licence asks for has to be read by a person.
    """
    asked = {name: OBLIGATIONS.get(name, frozenset({name})) for name in licenses}
    left = [
        name
        for name, obligations in asked.items()
        if not any(obligations < others for others in asked.values())
    ]
    return " AND ".join(sorted(left))
