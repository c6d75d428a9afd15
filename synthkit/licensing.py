"""Licences: the one a data set has to carry, given those of its parts."""

from __future__ import annotations

from collections.abc import Iterable

# From free to strict: who meets a later one's terms meets those of all before it.
STRICTNESS = (
    "CC0-1.0",
    "MIT",
    "BSD-3-Clause",
    "Apache-2.0",
    "CC-BY-4.0",
    "CC-BY-SA-4.0",
    "CC-BY-NC-4.0",
    "CC-BY-NC-SA-4.0",
)


def derived(licenses: Iterable[str]) -> str:
    """Return the strictest of ``licenses`` (SPDX identifiers).

    One that is not ranked here is taken as the strictest, and several such are all named, as
    an SPDX expression: a person has to read them.
    """
    found = set(licenses)
    unknown = sorted(found - set(STRICTNESS))
    if unknown:
        return " AND ".join(unknown)
    return max(found, key=STRICTNESS.index)
