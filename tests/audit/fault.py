"""What a planted fault is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.audit.planting import PlantedSet

NONE = "none"  # the kind of what an audit must not complain about


@dataclass(frozen=True)
class Fault:
    """A fault by name, and how to plant it.

    ``grid`` says in a copy of which clean set. ``verifies`` is whether `verify` finds nothing
    wrong once it is sealed. ``kind`` is what an audit should call it, :data:`NONE` where it
    should say nothing. ``commands`` is how many commands the fault is in: one can be told by that
    command alone, many by what they have in common.
    """

    name: str
    grid: str
    plant: Callable[[PlantedSet], None]
    verifies: bool
    kind: str
    commands: int = 1

    def __str__(self) -> str:
        return self.name
