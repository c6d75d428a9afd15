"""Room: put speech at a place in a room, its onset where it was."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import scipy

from synthkit.audio import SAMPLING_RATE, Audio
from synthkit.errors import InputError
from synthkit.renderers.base import Renderer
from synthkit.rooms.cards import RoomCard
from synthkit.rooms.cards import room as load
from synthkit.rooms.simulate import impulse_response


@dataclass(frozen=True)
class Room(Renderer):
    """Convolve with the impulse response from ``place`` to the device.

    ``room`` is a preset's name, a card's path or a card. ``distance`` moves the talker to that
    many metres from the device, on the straight line through ``place``, facing as there;
    ``rt60`` gives the room the absorption for that reverberation time, by Sabine's formula. The
    direct path's known delay is taken out, so the speech window stays where it was; the audio
    grows by the decay.
    """

    room: str | RoomCard
    place: str
    distance: float | None = None
    rt60: float | None = None

    def __post_init__(self) -> None:
        for name in ("distance", "rt60"):
            if getattr(self, name) is not None:
                self.require(name, 0.01, 100)
        if self.rt60 is not None and self.card.at(self.place).recording:
            raise InputError(
                f"room {self.card.id}: rt60 {self.rt60:g} s; place {self.place} is a recording, "
                "whose reverberation is what it is"
            )
        self.heard.at(self.place)  # refuse an unknown place now

    @classmethod
    def from_table(cls, values: Mapping[str, Any], base: Path) -> Self:
        return cls(**{**values, "room": load(str(values["room"]), base)})

    @functools.cached_property
    def card(self) -> RoomCard:
        """The room as its card has it."""
        return load(self.room) if isinstance(self.room, str) else self.room

    @functools.cached_property
    def heard(self) -> RoomCard:
        """The room with this renderer's distance and reverberation time."""
        card = self.card
        if self.rt60 is not None:
            card = card.with_rt60(self.rt60)
        if self.distance is not None:
            card = card.with_distance(self.place, self.distance)
        return card

    def parameters(self) -> Mapping[str, object]:
        rir = impulse_response(self.heard, self.place, SAMPLING_RATE)
        found = {"room": self.card.id, "place": self.place, "rir_sha256": rir.sha256}
        asked = {"distance": self.distance, "rt60": self.rt60}
        return found | {name: value for name, value in asked.items() if value is not None}

    def __call__(self, audio: Audio) -> Audio:
        rir = impulse_response(self.heard, self.place, audio.sampling_rate)
        wet = scipy.signal.fftconvolve(audio.samples, rir.samples)
        return audio.with_samples(wet[rir.delay :])
