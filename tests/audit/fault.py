"""What a planted fault is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.audit.planting import PlantedSet

NONE = "none"  # the kind of what an audit must not complain about

# By kind: the checks of which one, at least, names such a fault.
CHECKS = {
    "band": "*.rendering *.lowpass probe.high_band probe.top_band",
    "click": "probe.start_step",
    "condition_tells": "design.association design.slots design.order",
    "duration": "probe.speech_duration",
    "field": "*.rendering *.applied *.decay",
    "gap": "gap.length gap.silence",
    "header": "file.readable",
    "level": "part.level field.level source.level probe.level",
    "low_frequencies": "probe.sub_bass probe.low_band",
    "lowest_bit": "probe.odd_share *.rendering",
    "margin": "*.edges part.end part.speech",
    "missing": "design.grid",
    "noise_floor": "probe.floor probe.margin probe.tail probe.start_step *.rendering",
    "offset": "probe.dc",
    "onset": "probe.lag *.rendering",
    "peak": "probe.crest *.rendering",
    "polarity": "probe.skewness *.rendering",
    "processing": "probe.*",
    "room": "*.rendering",
    "sharing": "*.bytes *.bed",
    "source": "heard.* *.voice",
    "split": "leak.*",
    "tail": "*.rendering",
    "target": "design.target",
    "text": "leak.segment_said",
    "text_tells": "text.target",
    "tone": "probe.*",
    "voice": "heard.voice balance.even",
    "voice_role": "balance.role balance.even balance.pair_order",
    "voice_split": "balance.voice_split",
    "voice_tool": "balance.voice_tool",
}


@dataclass(frozen=True)
class Fault:
    """A fault by name, and how to plant it.

    ``grid`` says in a copy of which clean set. ``verifies`` is whether `verify` finds nothing
    wrong once it is sealed. ``kind`` is what an audit should call it, :data:`NONE` where it
    should say nothing. ``commands`` is how many commands the fault is in: one can be told by that
    command alone, many by what they have in common. ``ears`` says that it takes the instruments:
    nothing but who speaks is wrong.
    """

    name: str
    grid: str
    plant: Callable[[PlantedSet], None]
    verifies: bool
    kind: str
    commands: int = 1
    ears: bool = False

    @property
    def checks(self) -> tuple[str, ...]:
        """Patterns of the checks that name it."""
        return tuple(CHECKS.get(self.kind, "").split())

    def __str__(self) -> str:
        return self.name
