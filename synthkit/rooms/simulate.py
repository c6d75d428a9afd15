"""Card and place to room impulse response: simulated once, aligned, hashed."""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from synthkit.audio import Samples
from synthkit.rooms.acoustics import Acoustics, measure
from synthkit.rooms.cards import MAX_REFLECTION_ORDER, SPEED_OF_SOUND, Point, RoomCard

SIMULATOR = "pyroomacoustics"


@dataclass(frozen=True, eq=False)
class RoomImpulseResponse:
    """One path from talker to device.

    ``samples`` is float64 of shape (num_samples,); the direct sound's arrival is sample
    ``delay``, known from the geometry and the simulator's filter, not searched for.
    """

    samples: Samples
    sampling_rate: int
    delay: int
    sha256: str
    acoustics: Acoustics


def impulse_response(card: RoomCard, place: str, sampling_rate: int) -> RoomImpulseResponse:
    """Simulate ``card`` from ``place`` by the image source method; repeated calls share one."""
    return _simulated(
        card.dimensions,
        card.absorption,
        card.position(place),
        card.microphone,
        sampling_rate,
    )


@functools.lru_cache(maxsize=64)
def _simulated(
    dimensions: Point, absorption: float, source: Point, microphone: Point, sampling_rate: int
) -> RoomImpulseResponse:
    import pyroomacoustics as pra  # here: its import alone takes a second

    # The thread count changes the bits of the result, and the zero-phase high-pass puts
    # energy before the direct sound.
    for name, value in (("num_threads", 1), ("rir_hpf_enable", False), ("c", SPEED_OF_SOUND)):
        pra.constants.set(name, value)
    shoebox = pra.ShoeBox(
        list(dimensions),
        fs=sampling_rate,
        materials=pra.Material(absorption),
        max_order=reflection_order(dimensions, absorption),
    )
    shoebox.add_source(list(source))
    shoebox.add_microphone(list(microphone))
    shoebox.compute_rir()
    samples = np.array(shoebox.rir[0][0], dtype=np.float64)
    samples.setflags(write=False)  # shared by every caller
    arrival = math.dist(source, microphone) / SPEED_OF_SOUND * sampling_rate
    delay = round(arrival) + pra.constants.get("frac_delay_length") // 2
    return RoomImpulseResponse(
        samples=samples,
        sampling_rate=sampling_rate,
        delay=delay,
        sha256=hashlib.sha256(samples.astype("<f8").tobytes()).hexdigest(),
        acoustics=measure(samples, delay, sampling_rate),
    )


def reflection_order(dimensions: Point, absorption: float) -> int:
    """Order after which the image sources are 60 dB down, at most 100.

    An image of order n is one of a shell at about n times the mean free path 4V/S, each
    reflection taking ``1 - absorption`` of the energy.
    """
    if absorption >= 1:
        return 0
    return min(MAX_REFLECTION_ORDER, math.ceil(-60 / (10 * math.log10(1 - absorption))))


def simulator() -> Mapping[str, str]:
    """Name and version of what simulates, for manifests."""
    from importlib.metadata import version

    return {"simulator": SIMULATOR, "version": version(SIMULATOR), "method": "image source"}
