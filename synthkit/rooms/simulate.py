"""Card and place to room impulse response: simulated or read once, aligned, hashed, measured."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from synthkit.audio import Samples
from synthkit.rooms.acoustics import Acoustics, measure
from synthkit.rooms.cards import Place, RoomCard
from synthkit.rooms.geometry import SPEED_OF_SOUND, Point
from synthkit.rooms.materials import OCTAVE_BANDS_HZ, Bands, Materials, reflection_order
from synthkit.rooms.measured import Recording, aligned

SIMULATOR = "pyroomacoustics"
# Gain towards an angle a off the axis is p + (1 - p) cos a. A talker is close to p = 0.75: 6 dB
# less behind than in front, directivity index 2.3 dB.
DIRECTIVITIES = {"omni": 1.0, "subcardioid": 0.75, "cardioid": 0.5}


@dataclass(frozen=True, eq=False)
class RoomImpulseResponse:
    """One path from talker to device.

    ``samples`` is float64 of shape (num_samples,); the direct sound's arrival is sample
    ``delay``: known from the geometry and the simulator's filter, or, in a recording, the first
    arrival over a threshold.
    """

    samples: Samples
    sampling_rate: int
    delay: int
    sha256: str
    acoustics: Acoustics


class _Recorded(NamedTuple):
    """What determines a response that is read."""

    recording: Recording
    path: Path


class _Simulated(NamedTuple):
    """What determines one that is simulated; what it does not depend on stays out."""

    dimensions: Point
    materials: Materials
    talker: Place
    microphone: Point


_KNOWN: dict[tuple[_Recorded | _Simulated, int], RoomImpulseResponse] = {}


def impulse_response(card: RoomCard, place: str, sampling_rate: int) -> RoomImpulseResponse:
    """The response from ``place`` to the device; repeated calls share one.

    A position is simulated by the image source method, a recording is read and resampled.
    """
    made_of = _made_of(card, place)
    key = made_of, sampling_rate
    if key not in _KNOWN:
        if isinstance(made_of, _Recorded):
            _KNOWN[key] = _recorded(made_of, sampling_rate)
        else:
            _KNOWN[key] = _simulated(made_of, sampling_rate)
    return _KNOWN[key]


def know_response(card: RoomCard, place: str, response: RoomImpulseResponse) -> None:
    """Take a response from elsewhere: all workers of a run use one, whatever their machine."""
    response.samples.setflags(write=False)
    _KNOWN.setdefault((_made_of(card, place), response.sampling_rate), response)


def _made_of(card: RoomCard, place: str) -> _Recorded | _Simulated:
    found = card.at(place)
    if found.recording:
        return _Recorded(found.recording, (card.folder / found.recording.file).resolve())
    assert card.dimensions is not None
    assert card.materials is not None
    assert card.microphone is not None
    # Without the place's name, so that cards share what they can.
    talker = Place(position=found.position, directivity=found.directivity, facing=found.facing)
    return _Simulated(card.dimensions, card.materials, talker, card.microphone)


def _recorded(made_of: _Recorded, sampling_rate: int) -> RoomImpulseResponse:
    samples, delay = aligned(made_of.recording, made_of.path, sampling_rate)
    return _hashed(samples, delay, sampling_rate, calibrated=False)


def _simulated(made_of: _Simulated, sampling_rate: int) -> RoomImpulseResponse:
    dimensions, materials, talker, microphone = made_of
    import pyroomacoustics as pra  # here: its import alone takes a second

    # The thread count changes the bits of the result, and the zero-phase high-pass puts
    # energy before the direct sound.
    for name, value in (("num_threads", 1), ("rir_hpf_enable", False), ("c", SPEED_OF_SOUND)):
        pra.constants.set(name, value)
    shoebox = pra.ShoeBox(
        list(dimensions),
        fs=sampling_rate,
        materials=_surfaces(materials),
        max_order=reflection_order(min(materials.mean(dimensions))),
    )
    assert talker.position is not None
    shoebox.add_source(list(talker.position), directivity=_pattern(talker))
    shoebox.add_microphone(list(microphone))
    shoebox.compute_rir()
    samples = np.array(shoebox.rir[0][0], dtype=np.float64)
    arrival = math.dist(talker.position, microphone) / SPEED_OF_SOUND * sampling_rate
    delay = round(arrival) + pra.constants.get("frac_delay_length") // 2
    return _hashed(samples, delay, sampling_rate, calibrated=True)


def _surfaces(materials: Materials) -> dict[str, Any]:
    """The simulator's materials by its wall names.

    Its octave bands are zero-phase filters that sum to one: the direct sound, which is the same
    in all, passes untouched and undelayed.
    """
    import pyroomacoustics as pra

    def material(bands: Bands) -> Any:
        if not materials.banded:
            return pra.Material(bands[0])
        coefficients = bands * len(OCTAVE_BANDS_HZ) if len(bands) == 1 else bands
        return pra.Material(
            {"coeffs": list(coefficients), "center_freqs": list(OCTAVE_BANDS_HZ)},
        )

    walls = dict.fromkeys(("east", "west", "north", "south"), materials.walls)
    surfaces = {**walls, "floor": materials.floor, "ceiling": materials.ceiling}
    return {name: material(bands) for name, bands in surfaces.items()}


def _pattern(talker: Place) -> Any:
    """The simulator's directivity; None for one that radiates alike everywhere."""
    from pyroomacoustics.directivities import CardioidFamily

    if talker.directivity == "omni":
        return None
    assert talker.facing is not None
    return CardioidFamily(np.array(talker.facing.vector), DIRECTIVITIES[talker.directivity])


def _hashed(
    samples: Samples, delay: int, sampling_rate: int, calibrated: bool
) -> RoomImpulseResponse:
    samples.setflags(write=False)  # shared by every caller
    return RoomImpulseResponse(
        samples=samples,
        sampling_rate=sampling_rate,
        delay=delay,
        sha256=hashlib.sha256(samples.astype("<f8").tobytes()).hexdigest(),
        acoustics=measure(samples, delay, sampling_rate, calibrated=calibrated),
    )


def simulator() -> Mapping[str, str]:
    """Name and version of what simulates, for manifests."""
    from importlib.metadata import version

    return {"simulator": SIMULATOR, "version": version(SIMULATOR), "method": "image source"}


def origin(card: RoomCard, place: str) -> Mapping[str, str]:
    """What the response of ``place`` comes from, for manifests: :func:`simulator` or a file."""
    from importlib.metadata import version

    if card.at(place).recording:
        return {"simulator": "none", "version": version("soxr"), "method": "measured"}
    return simulator()
