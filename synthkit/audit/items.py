"""What an audit compares: items with their declared factors, and the parts their files have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as default
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from synthkit.audio import Samples, Span

Bindings = tuple[tuple[str, Any], ...]

# What a declared condition has beside its factors' levels.
NO_FACTORS = ("name", "modality", "context_field", "action")


@dataclass(frozen=True, eq=False)
class Placed:
    """A part's samples, its speech window, and the field and bindings it is said to be in."""

    samples: Samples
    window: Span
    field: str
    bindings: Bindings


@dataclass(frozen=True)
class Part:
    """A stretch of speech in a file: where it is, and who is said to speak in which field.

    ``span`` and ``speech`` count the file's samples; ``bindings`` are the levels of further
    factors that its field's chain depends on; ``requested_dbfs`` is the level asked for over the
    speech window; ``rir_sha256`` names the impulse response of its room; ``over_noise_db`` is how
    far speech lay over a recording's noise to count as speech, None for synthetic speech;
    ``limited`` says that a limiter has acted on it after its chain; ``windowed`` is False where
    nobody says where in the part speech lies, and ``speech`` is all of it.
    """

    role: str
    speaker: str
    voice: str | None
    text: str
    field: str
    span: Span
    speech: Span
    bindings: Bindings = ()
    requested_dbfs: float | None = None
    rir_sha256: str | None = None
    over_noise_db: float | None = None
    limited: bool = False
    windowed: bool = True

    @property
    def window(self) -> Span:
        """The speech window within the part."""
        return self.speech.moved(-self.span.start)


@dataclass(frozen=True)
class Item:
    """One row of a set: a command in a condition. Text rows have neither file nor parts.

    ``factors`` are the declared ones, level by name; ``action`` is ``call`` or ``mute`` and
    ``called`` the tool that is called, with ``params``; its script has ``script_params``; both None
    where nobody says. ``place`` is its row's in the manifest, None where the order means nothing.
    ``parts`` are context and trigger, in this order.
    """

    id: str
    command: str
    condition: str
    split: str
    tool: str
    texts: Mapping[str, str]
    factors: Mapping[str, Any]
    action: str
    called: str | None
    wearer: str | None
    bystander: str | None
    file: str | None = None
    sha256: str | None = None
    parts: tuple[Part, ...] = ()
    bed: tuple[str, str] | None = None  # its file and sha256
    family: str | None = None
    params: Mapping[str, Any] | None = None
    script_params: Mapping[str, Any] | None = None
    place: int | None = None
    nuisances: Mapping[str, Any] = default(default_factory=dict)

    @property
    def is_audio(self) -> bool:
        return self.file is not None

    @property
    def source(self) -> str | None:
        """same or different: who says the trigger."""
        return self.factors.get("source")

    @property
    def field(self) -> str | None:
        """The trigger's field."""
        return self.factors.get("field")

    @property
    def gap_ms(self) -> float | None:
        return self.factors.get("gap_ms")

    def part(self, role: str) -> Part:
        """The part of a role."""
        return next(part for part in self.parts if part.role == role)


class Response(NamedTuple):
    """A field's room by its impulse response: its hash, and C50 and DRR in dB.

    A field without a room has no hash, and both are infinite.
    """

    sha256: str | None
    c50: float
    drr: float


DRY = Response(None, math.inf, math.inf)


class Rerendered(Protocol):
    """What knows the chains of a set's fields."""

    def alike(self, one: Placed, other: Placed) -> tuple[Samples, Samples] | None:
        """Two stretches of two parts that must be one sound; None where no chain makes them so."""

    def response(self, field: str, bindings: Bindings) -> Response | None:
        """The room of a field; None where there is no such field."""


@dataclass(frozen=True)
class Design:
    """What a set says of itself as a whole.

    ``conditions`` are the grid's, one mapping each with ``name``, ``modality``, its factors and
    ``action``; ``call_at`` the rule, levels by factor; ``dry`` the fields whose chain is empty,
    ``lowpassed`` the cutoff in Hz of those with a low-pass; ``kinds`` checkpoint, processing and
    language by voice; ``splits`` and ``slots`` are the recipe's. ``post_samples`` is the length
    after speech that every part has, None where parts end with their decay; ``level_dbfs`` the
    level that the recipe asks of every part's speech, None where none; ``chains`` what relates
    fields; ``rounding_s`` how finely times are told; ``in_turn`` whether its commands are
    all that were dealt voices in turn, or the first ones; ``crossed`` whether every command has
    every condition that its split keeps, or slots.
    """

    folder: Path
    conditions: Sequence[Mapping[str, Any]] = ()
    call_at: Mapping[str, Sequence[Any]] | None = None
    dry: frozenset[str] = frozenset()
    lowpassed: Mapping[str, float] = default(default_factory=dict)
    kinds: Mapping[str, tuple[str, ...]] = default(default_factory=dict)
    splits: Mapping[str, Any] = default(default_factory=dict)
    slots: Mapping[str, int] | None = None
    failed: frozenset[str] = frozenset()
    post_samples: int | None = None
    level_dbfs: float | None = None
    chains: Rerendered | None = None
    rounding_s: float = 0.0
    in_turn: bool = False
    crossed: bool = True

    def slack(self, sampling_rate: int) -> int:
        """How many samples a told time may be off, at a rate in Hz."""
        return int(self.rounding_s * sampling_rate)
