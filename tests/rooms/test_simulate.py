"""Simulated impulse responses: repeatable, aligned, of the room that was asked for."""

from __future__ import annotations

import dataclasses
import hashlib
import math

import numpy as np
import pyroomacoustics
import pytest
from scipy import signal

from synthkit.errors import InputError
from synthkit.rooms import simulate
from synthkit.rooms.acoustics import decay_time
from synthkit.rooms.cards import Place, RoomCard, room
from synthkit.rooms.geometry import Direction
from synthkit.rooms.materials import Materials, reflection_order
from synthkit.rooms.simulate import impulse_response
from tests.halls import hall

RATE = 16000
# The simulator's interpolation filter has 81 taps, so everything arrives 40 samples late.
FILTER_DELAY = 40


def test_repeated_calls_give_the_same_bits() -> None:
    first = impulse_response(room("living_room"), "across", RATE)
    simulate._KNOWN.clear()
    again = impulse_response(room("living_room"), "across", RATE)
    assert first is not again
    np.testing.assert_array_equal(first.samples, again.samples)
    assert (first.sha256, first.delay, first.acoustics) == (
        again.sha256,
        again.delay,
        again.acoustics,
    )


def test_settings_of_the_simulator_left_by_others_change_nothing() -> None:
    before = impulse_response(hall(0.3), "talker", RATE)
    old = {name: pyroomacoustics.constants.get(name) for name in ("num_threads", "c")}
    try:
        pyroomacoustics.constants.set("num_threads", 2)
        pyroomacoustics.constants.set("rir_hpf_enable", True)
        pyroomacoustics.constants.set("c", 300.0)
        simulate._KNOWN.clear()
        after = impulse_response(hall(0.3), "talker", RATE)
    finally:
        for name, value in old.items():
            pyroomacoustics.constants.set(name, value)
        pyroomacoustics.constants.set("rir_hpf_enable", False)
    assert after.sha256 == before.sha256


def test_the_hash_is_of_the_samples() -> None:
    rir = impulse_response(hall(0.3), "talker", RATE)
    assert rir.sha256 == hashlib.sha256(rir.samples.astype("<f8").tobytes()).hexdigest()
    other = impulse_response(hall(0.31), "talker", RATE)
    assert other.sha256 != rir.sha256


def test_names_and_wording_of_a_card_do_not_change_the_sound() -> None:
    renamed = dataclasses.replace(hall(0.3), id="other", name="Other", description="words")
    same = impulse_response(renamed, "talker", RATE)
    assert same.sha256 == impulse_response(hall(0.3), "talker", RATE).sha256


@pytest.mark.parametrize("rate", [16000, 48000])
def test_10_ms_of_way_are_10_ms_of_delay(rate: int) -> None:
    # 3.43 m at 343 m/s.
    assert impulse_response(hall(0.3), "talker", rate).delay == rate // 100 + FILTER_DELAY


@pytest.mark.parametrize("metres", [0.18, 0.5, 1.0, 2.0, 3.43, 5.0])
def test_in_a_room_without_echo_the_click_is_at_the_delay(metres: float) -> None:
    anechoic = impulse_response(hall(1.0, microphone=(2 + metres, 3.0, 1.5)), "talker", RATE)
    assert anechoic.delay == pytest.approx(metres / 343 * RATE + FILTER_DELAY, abs=0.5)
    assert int(np.argmax(np.abs(anechoic.samples))) == anechoic.delay
    assert anechoic.acoustics.rt60 is None
    assert anechoic.acoustics.c50 is None
    assert anechoic.acoustics.drr is None


@pytest.mark.parametrize("metres", [0.18, 1.0, 3.43, 5.0])
def test_in_a_room_without_echo_nothing_decays(metres: float) -> None:
    anechoic = impulse_response(hall(1.0, microphone=(2 + metres, 3.0, 1.5)), "talker", RATE)
    assert anechoic.acoustics.edt is None


@pytest.mark.parametrize(("near", "far"), [(0.343, 3.43), (1.0, 2.0)])
def test_direct_sound_falls_with_distance(near: float, far: float) -> None:
    energies = [
        np.sum(
            impulse_response(hall(1.0, microphone=(2 + r, 3.0, 1.5)), "talker", RATE).samples ** 2
        )
        for r in (near, far)
    ]
    # Spherical spreading: energy with 1 / r^2.
    assert energies[0] / energies[1] == pytest.approx((far / near) ** 2, rel=0.02)


def test_the_first_echo_is_the_mirror_image_of_floor_and_ceiling() -> None:
    # Source and device 1.5 m over the floor, 3.43 m apart: images 3 m below and above, so
    # sqrt(3.43^2 + 3^2) = 4.557 m; two of them, each sqrt(1 - 0.3) / 4.557 against 1 / 3.43.
    rir = impulse_response(hall(0.3), "talker", RATE)
    at = round(4.5568 / 343 * RATE) + FILTER_DELAY
    echo = rir.samples[at - 8 : at + 9]
    assert int(np.argmax(np.abs(echo))) in (7, 8, 9)
    direct = math.sqrt(np.sum(rir.samples[rir.delay - 8 : rir.delay + 9] ** 2))
    expected = 2 * math.sqrt(0.7) * 3.43 / 4.5568
    assert math.sqrt(np.sum(echo**2)) / direct == pytest.approx(expected, rel=0.05)


def test_farther_is_more_reverberant() -> None:
    near, far = (
        impulse_response(room("living_room"), place, RATE).acoustics
        for place in ("wearer", "across")
    )
    assert near.drr is not None
    assert far.drr is not None
    assert near.drr > far.drr + 10
    assert near.c50 is not None
    assert far.c50 is not None
    assert near.c50 > far.c50


def test_the_living_room_is_as_lively_as_the_design_says() -> None:
    for place in ("wearer", "across"):
        rt60 = impulse_response(room("living_room"), place, RATE).acoustics.rt60
        assert rt60 is not None
        assert 0.35 <= rt60 <= 0.45


def test_more_absorption_is_less_reverberation() -> None:
    times = [impulse_response(hall(a), "talker", RATE).acoustics.rt60 for a in (0.2, 0.3, 0.5)]
    assert None not in times
    assert times == sorted(times, key=lambda t: -(t or 0))


@pytest.mark.parametrize(
    ("absorption", "order"),
    # Reflections until 60 dB: 6 / -lg(1 - a), rounded up; 100 at most.
    [(1.0, 0), (0.9, 6), (0.5, 20), (0.3, 39), (0.05, 100), (0.01, 100)],
)
def test_reflections_are_followed_down_60_db(absorption: float, order: int) -> None:
    assert reflection_order(absorption) == order


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(InputError, match=r"room hall: no place 'attic'; allowed: talker"):
        impulse_response(hall(0.3), "attic", RATE)


def test_the_simulator_is_named_with_its_version() -> None:
    assert simulate.simulator() == {
        "simulator": "pyroomacoustics",
        "version": pyroomacoustics.__version__,
        "method": "image source",
    }


def turned(directivity: str, azimuth: float) -> RoomCard:
    """The card without echo, its talker facing somewhere; the device is at azimuth 0."""
    place = Place(position=(2.0, 3.0, 1.5), facing=Direction(azimuth, 0.0), directivity=directivity)
    return dataclasses.replace(hall(1.0), places={"talker": place})


@pytest.mark.parametrize(
    ("directivity", "azimuth", "gain_db"),
    # p + (1 - p) cos a: 0.75 - 0.25 = 0.5 behind, 0.75 beside; 0.5 beside a cardioid.
    [
        ("omni", 180, 0.0),
        ("subcardioid", 0, 0.0),
        ("subcardioid", 90, -2.499),
        ("subcardioid", 180, -6.021),
        ("cardioid", -90, -6.021),
    ],
)
def test_a_talker_is_quieter_from_behind(directivity: str, azimuth: float, gain_db: float) -> None:
    rir = impulse_response(turned(directivity, azimuth), "talker", RATE)
    assert rir.delay == 200
    assert int(np.argmax(np.abs(rir.samples))) == 200
    # 1 / 3.43 m of what is at 1 m.
    expected = gain_db - 20 * math.log10(3.43)
    assert rir.acoustics.direct_level == pytest.approx(expected, abs=0.1)


BANDS = (0.15, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8)


def test_octave_bands_leave_the_direct_sound_alone() -> None:
    banded = dataclasses.replace(hall(0.3), materials=Materials(BANDS, BANDS, BANDS))
    rir, plain = (impulse_response(c, "talker", RATE) for c in (banded, hall(1.0)))
    assert rir.delay == plain.delay
    around = slice(rir.delay - 20, rir.delay + 21)
    difference = rir.samples[around] - plain.samples[around]
    assert np.abs(difference).max() < 0.02 * plain.samples.max()
    # The bands' filters are zero-phase: what of the echoes comes before the direct sound.
    before = np.sum(np.square(rir.samples[: rir.delay - 40]))
    assert before < 1e-6 * np.sum(np.square(rir.samples))


def test_octave_bands_decay_each_at_its_own_rate() -> None:
    banded = dataclasses.replace(hall(0.3), materials=Materials(BANDS, BANDS, BANDS))
    rir = impulse_response(banded, "talker", RATE)
    times = {}
    for centre, absorption in ((250, 0.2), (1000, 0.4), (4000, 0.7)):
        sos = signal.butter(
            4, [centre / math.sqrt(2), centre * math.sqrt(2)], "bandpass", fs=RATE, output="sos"
        )
        times[centre] = decay_time(signal.sosfilt(sos, rir.samples[rir.delay :]), RATE, -5, -35)
        flat = impulse_response(hall(absorption), "talker", RATE)
        expected = decay_time(signal.sosfilt(sos, flat.samples[flat.delay :]), RATE, -5, -35)
        assert times[centre] == pytest.approx(expected, rel=0.15)
    assert times[250] > times[1000] > times[4000]


def test_the_same_absorption_in_all_bands_is_that_absorption() -> None:
    flat = (0.3,) * 7
    banded = dataclasses.replace(hall(0.3), materials=Materials(flat, flat, flat))
    found = impulse_response(banded, "talker", RATE).samples
    np.testing.assert_allclose(
        found, impulse_response(hall(0.3), "talker", RATE).samples, atol=1e-5
    )
