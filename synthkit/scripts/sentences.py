"""What may be said before a command, and as one: statements, imperatives, neither a give-away."""

from __future__ import annotations

from collections.abc import Iterator


def context_faults(context: str, trigger: str) -> Iterator[str]:
    """Yield why ``context`` cannot stand before ``trigger``."""
    yield from ()


def trigger_faults(trigger: str) -> Iterator[str]:
    """Yield why ``trigger`` is no plain command."""
    yield from ()
