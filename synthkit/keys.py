"""Content keys and seeded draws: one hash for everything that determines a result."""

from __future__ import annotations

import hashlib
import json

# Made once: json.dumps would make it anew for each of the draws of a large plan.
_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
)


def canonical_json(value: object) -> str:
    """Return ``value`` as JSON with one spelling: sorted keys, no spaces, 20 for 20.0, no NaN."""
    return _ENCODER.encode(_spelled(value))


def _spelled(value: object) -> object:
    """``value`` with whole floats as integers, which are equal in Python but not in JSON."""
    if isinstance(value, str):  # most are
        return value
    if isinstance(value, dict):
        return {key: _spelled(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def content_key(value: object) -> str:
    """Return the SHA-256 (64 hex digits) of ``value``'s canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


def draw(seed: int, item: str, purpose: str, bits: int = 31) -> int:
    """Return a number in ``[0, 2**bits)`` fixed by run seed, item id and purpose alone.

    Neither the order of the items nor the worker that renders them has a say, so any subset of
    a run draws what the whole run draws.
    """
    return int(content_key([seed, item, purpose]), 16) >> (256 - bits)
