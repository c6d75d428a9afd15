"""Measured impulse responses: their direct sound is where it was, whatever file they come in."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.audio import Audio
from synthkit.errors import InputError
from synthkit.renderers.room import Room
from synthkit.rooms.cards import RoomCard, room
from synthkit.rooms.simulate import impulse_response, origin

RATE = 16000


def clicks(*at: tuple[int, float], length: int = 8000) -> np.ndarray:
    """Samples that are 0 but at some places."""
    samples = np.zeros(length)
    for place, value in at:
        samples[place] = value
    return samples


def load(folder: Path, place: str = 'rir = "hall.wav"', top: str = "") -> RoomCard:
    """A card whose one place, `seat`, has these lines."""
    path = folder / "hall.toml"
    head = 'name = "Hall"\ndescription = ""\nlicense = "CC0-1.0"\n'
    path.write_text(f"{head}{top}\n[places.seat]\n{place}\n")
    return room(str(path))


def write(folder: Path, samples: np.ndarray, rate: int = RATE, name: str = "hall.wav") -> None:
    soundfile.write(folder / name, samples, rate, subtype="DOUBLE")


def heard(card: RoomCard) -> np.ndarray:
    """What a click at sample 1000 becomes."""
    return Room(card, "seat")(Audio(clicks((1000, 1.0)), RATE)).samples


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 44100, 48000, 96000])
@pytest.mark.parametrize("before", [0, 1, 37, 1000])
def test_a_click_arrives_where_it_was_at_any_rate(tmp_path: Path, rate: int, before: int) -> None:
    write(tmp_path, clicks((before, 0.5), (before + rate // 10, 0.25), length=before + rate), rate)
    wet = heard(load(tmp_path))
    assert int(np.argmax(np.abs(wet))) == 1000
    # The echo is 100 ms later; at 11025 Hz that is 1102 samples and not 1102.5.
    echo = 2000 + int(np.argmax(np.abs(wet[2000:])))
    assert abs(echo - 2600) <= 1


@pytest.mark.parametrize("place", ["wearer", "across"])
@pytest.mark.parametrize("rate", [16000, 44100, 48000])
def test_predelay_is_taken_out_to_the_direct_path(tmp_path: Path, rate: int, place: str) -> None:
    simulated = impulse_response(room("living_room"), place, rate)
    write(tmp_path, np.concatenate([np.zeros(1000), simulated.samples]), rate)
    card = load(tmp_path)
    found = card.at("seat").recording
    assert found is not None
    assert abs(found.direct_sample - (1000 + simulated.delay)) <= 1
    wet, threshold = heard(card), 0.3 * np.abs(simulated.samples[simulated.delay])
    assert abs(int(np.argmax(np.abs(wet) >= threshold)) - 1000) <= 1


def test_a_louder_echo_is_not_taken_for_the_direct_sound(tmp_path: Path) -> None:
    write(tmp_path, clicks((300, 0.2), (800, 1.0)))
    assert load(tmp_path).at("seat").recording.direct_sample == 300  # type: ignore[union-attr]


def test_noise_before_the_direct_sound_is_not_taken_for_it(tmp_path: Path) -> None:
    # 30 dB below the maximum, and so under the threshold of -20 dB.
    noise = np.random.default_rng(0).uniform(-0.03, 0.03, 8000)
    write(tmp_path, noise + clicks((2345, 1.0)))
    found = load(tmp_path).at("seat").recording
    assert found is not None
    assert (found.direct_sample, found.threshold_db) == (2345, -20.0)


def test_resampling_keeps_the_gain(tmp_path: Path) -> None:
    # Band-limited to 4 kHz, so that nothing is lost on the way from 48 to 16 kHz.
    time = (np.arange(4800) - 2400) / 48000
    write(tmp_path, 1 / 6 * np.sinc(8000 * time), 48000)  # a low-pass of gain 1
    samples = impulse_response(load(tmp_path), "seat", RATE).samples
    assert abs(np.sum(samples)) == pytest.approx(1.0, abs=0.02)


def test_a_recording_has_acoustics_but_no_direct_level(tmp_path: Path) -> None:
    simulated = impulse_response(room("living_room"), "across", RATE)
    write(tmp_path, 0.1 * simulated.samples)
    card = load(tmp_path, 'rir = "hall.wav"\ndistance_m = 3.0')
    found = impulse_response(card, "seat", RATE)
    assert found.acoustics.direct_level is None
    for name in ("rt60", "edt", "c50", "drr"):
        expected = getattr(simulated.acoustics, name)
        assert getattr(found.acoustics, name) == pytest.approx(expected, rel=1e-3), name
    assert card.distance("seat") == 3.0
    assert origin(card, "seat")["method"] == "measured"


def test_a_recording_whose_distance_nobody_gave_has_none(tmp_path: Path) -> None:
    write(tmp_path, clicks((100, 1.0)))
    card = load(tmp_path)
    assert card.distance("seat") is None
    assert card.files == ((tmp_path / "hall.wav").resolve(),)
    assert room("living_room").files == ()


def test_the_file_is_part_of_what_a_card_is(tmp_path: Path) -> None:
    cards = []
    for value in (0.5, 0.5, 0.6):
        folder = tmp_path / str(len(cards))
        folder.mkdir()
        write(folder, clicks((100, 1.0), (900, value)))
        cards.append(load(folder))
    assert cards[0] == cards[1] != cards[2]
    hashes = [Room(card, "seat").parameters()["rir_sha256"] for card in cards]
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_channel_is_taken_by_number(tmp_path: Path) -> None:
    both = np.stack([clicks((0, 1.0)), clicks((800, 1.0), (1600, 0.5))], axis=1)
    write(tmp_path, both)
    found = load(tmp_path, 'rir = "hall.wav"\nchannel = 1').at("seat").recording
    assert found is not None
    assert (found.channel, found.direct_sample) == (1, 800)


def test_several_channels_and_none_named_are_refused(tmp_path: Path) -> None:
    write(tmp_path, np.ones((8000, 2)) * 0.1)
    with pytest.raises(InputError, match=r"places\.seat\.rir: hall\.wav has 2 channels.*0 to 1"):
        load(tmp_path)
    with pytest.raises(InputError, match=r"places\.seat\.rir: .*channel 2; allowed: 0 to 1"):
        load(tmp_path, 'rir = "hall.wav"\nchannel = 2')


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        (np.zeros(8000), "is all zeros"),
        (1e-7 * clicks((100, 1.0)), r"peaks at -140\.0 dBFS; allowed: -120 dBFS"),
        (clicks((100, math.nan)), "sample 100 is"),
        (clicks((100, math.inf)), "sample 100 is"),
        (clicks((10, 1.0), length=159), r"is 9\.9375 ms long; allowed: 10 to 20000 ms"),
        (clicks((10, 1.0), length=21 * RATE), "is 21000 ms long"),
        (np.zeros(0), "hall.wav: 0 samples"),
    ],
    ids=["zeros", "silent", "nan", "infinite", "short", "long", "empty"],
)
def test_what_is_no_impulse_response_is_refused(
    tmp_path: Path, samples: np.ndarray, message: str
) -> None:
    write(tmp_path, samples)
    with pytest.raises(InputError, match=rf"hall\.toml: field places\.seat\.rir: .*{message}"):
        load(tmp_path)


@pytest.mark.parametrize("name", ["../hall.wav", "link.wav", "none.wav", "hall\\u0000.wav", "."])
def test_a_file_outside_the_folder_or_missing_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "cards"
    folder.mkdir()
    write(tmp_path, clicks((0, 1.0)))
    (folder / "link.wav").symlink_to(tmp_path / "hall.wav")
    with pytest.raises(InputError, match=r"field places\.seat\.rir: "):
        load(folder, f'rir = "{name}"')
    with pytest.raises(InputError, match="leaves the card's folder"):
        load(folder, f'rir = "{tmp_path / "hall.wav"}"')


def test_what_is_no_sound_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hall.wav").write_text("not a sound")
    with pytest.raises(InputError, match=r"places\.seat\.rir: hall\.wav: not a readable sound"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("place", "top", "message"),
    [
        ('rir = "hall.wav"\nposition = [1, 1, 1]', "", r"places\.seat: field position"),
        ('rir = "hall.wav"\nfacing = "device"', "", r"places\.seat: field facing"),
        ('rir = "hall.wav"\ndirectivity = "omni"', "", r"places\.seat: field directivity"),
        ('rir = "hall.wav"', "absorption = 0.3", "field absorption: allowed where"),
        ('rir = "hall.wav"', "rt60 = 0.3", "field rt60: allowed where"),
        ('rir = "hall.wav"', "dimensions = [4, 5, 3]", "field dimensions: allowed where"),
        ('rir = "hall.wav"\ndistance_m = -1', "", "distance_m: found -1"),
        ('rir = "hall.wav"\nchannel = -1', "", "channel: found -1"),
        ("rir = 3", "", "rir: found 3"),
    ],
)
def test_fields_that_a_recording_does_not_have_are_refused(
    tmp_path: Path, place: str, top: str, message: str
) -> None:
    write(tmp_path, clicks((0, 1.0)))
    with pytest.raises(InputError, match=message):
        load(tmp_path, place, top)


def test_a_recording_is_not_moved_nor_given_another_reverberation(tmp_path: Path) -> None:
    write(tmp_path, clicks((0, 1.0)))
    card = load(tmp_path)
    with pytest.raises(InputError, match=r"places\.seat: distance 2 m; a recording cannot be"):
        Room(card, "seat", distance=2.0)
    with pytest.raises(InputError, match=r"room hall: rt60 0\.5 s; place seat is a recording"):
        Room(card, "seat", rt60=0.5)
    with pytest.raises(InputError, match="field rt60: allowed where a room is simulated"):
        card.with_rt60(0.5)


def test_a_card_may_have_positions_and_recordings(tmp_path: Path) -> None:
    write(tmp_path, clicks((0, 1.0)))
    top = "dimensions = [4, 5, 3]\nmicrophone = [1, 1, 1]\nabsorption = 0.4"
    both = 'rir = "hall.wav"\n[places.desk]\nposition = [3, 3, 1.2]'
    card = load(tmp_path, both, top)
    assert (card.distance("seat"), origin(card, "desk")["method"]) == (None, "image source")
    described = card.describe()
    assert described["places"]["desk"]["recording"] is None
    assert described["places"]["seat"]["recording"]["direct_sample"] == 0


@pytest.mark.parametrize("rumble", ["offset", "hum"])
def test_an_offset_or_a_hum_is_not_taken_for_the_direct_sound(tmp_path: Path, rumble: str) -> None:
    # At a tenth of the direct sound and more, before any sound has arrived.
    rir = np.zeros(48000)
    rir[4800], rir[9600] = 1.0, 0.5
    time = np.arange(48000) / 48000
    rir += 0.15 if rumble == "offset" else 0.12 * np.sin(2 * np.pi * 7 * time)
    soundfile.write(tmp_path / "hall.wav", rir, 48000, subtype="FLOAT")
    recorded = load(tmp_path).places["seat"].recording
    assert recorded is not None
    assert recorded.direct_sample == 4800
