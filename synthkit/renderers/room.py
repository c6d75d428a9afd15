"""Room: put speech at a place in a room, its onset where it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from scipy import signal

from synthkit.audio import SAMPLING_RATE, Audio
from synthkit.renderers.base import Renderer
from synthkit.rooms.cards import RoomCard
from synthkit.rooms.cards import room as load
from synthkit.rooms.simulate import impulse_response


@dataclass(frozen=True)
class Room(Renderer):
    """Convolve with the impulse response from ``place`` to the device.

    ``room`` is a preset's name, a card's path or a card. The direct path's known delay is
    taken out, so the speech window stays where it was; the audio grows by the decay.
    """

    room: str | RoomCard
    place: str

    def __post_init__(self) -> None:
        self.card.position(self.place)  # refuse an unknown place now

    @classmethod
    def from_table(cls, values: Mapping[str, Any], base: Path) -> Self:
        return cls(load(str(values["room"]), base), str(values["place"]))

    @property
    def card(self) -> RoomCard:
        return load(self.room) if isinstance(self.room, str) else self.room

    def parameters(self) -> Mapping[str, object]:
        rir = impulse_response(self.card, self.place, SAMPLING_RATE)
        return {"room": self.card.id, "place": self.place, "rir_sha256": rir.sha256}

    def __call__(self, audio: Audio) -> Audio:
        rir = impulse_response(self.card, self.place, audio.sampling_rate)
        wet = signal.fftconvolve(audio.samples, rir.samples)
        return audio.with_samples(wet[rir.delay :])
