"""A room as text: what the card asks, where its places are, what the simulation gave."""

from __future__ import annotations

import re

import numpy as np
import pytest

from synthkit.rooms.cards import Place, RoomCard, room
from synthkit.rooms.materials import Materials
from synthkit.rooms.simulate import impulse_response
from synthkit.rooms.table import lines

NUMBER = r"(-?\d+\.\d+|-)"


def card(**changes: object) -> RoomCard:
    """8 x 6 x 3 m; places 3 m along x, and 3 and 4 m along x and y, from the microphone."""
    fields: dict[str, object] = {
        "id": "hall",
        "name": "Hall",
        "description": "A plain hall.",
        "license": "Apache-2.0",
        "dimensions": (8.0, 6.0, 3.25),
        "materials": Materials.uniform(0.4),
        "rt60": None,
        "microphone": (1.0, 1.0, 1.5),
        "places": {
            "desk": Place(position=(4.0, 1.0, 1.5)),
            "window": Place(position=(4.0, 5.0, 1.5)),
        },
    }
    return RoomCard(**fields | changes)  # type: ignore[arg-type]


def rows(table: list[str]) -> dict[str, tuple[float | None, ...]]:
    """Distance, RT60, EDT, C50, DRR and direct level by place, read from the text."""
    pattern = rf"(\S+) +{NUMBER} m +{NUMBER} s +{NUMBER} s +{NUMBER} dB +{NUMBER} dB +{NUMBER} dB"
    found = {}
    for line in table[3:]:
        match = re.fullmatch(pattern, line)
        assert match, line
        values = (None if text == "-" else float(text) for text in match.groups()[1:])
        found[match[1]] = tuple(values)
    return found


def test_the_head_is_name_geometry_and_what_was_asked() -> None:
    head = list(lines(card()))[:2]
    assert head == [
        "hall: Hall. A plain hall.",
        "8 x 6 x 3.25 m, absorption 0.400, requested RT60 none",
    ]
    assert list(lines(card(rt60=0.35)))[1].endswith("requested RT60 0.35 s")


def test_there_is_a_line_for_each_place_in_order_with_its_distance() -> None:
    table = rows(list(lines(card())))
    assert list(table) == ["desk", "window"]
    assert [values[0] for values in table.values()] == [3.0, 5.0]


def test_the_head_of_the_columns_stands_over_them() -> None:
    table = list(lines(card()))
    assert table[2].split() == ["place", "distance", "RT60", "EDT", "C50", "DRR", "direct"]
    ends = [match.end() for match in re.finditer(r"\S+", table[2])][1:]
    for line in table[3:]:
        assert [match.end() for match in re.finditer(r"(?<= )(m|s|dB)(?= |$)", line)] == ends


def test_in_a_room_without_echo_there_are_dashes() -> None:
    table = rows(list(lines(card(materials=Materials.uniform(1.0)))))
    assert all(values[1:5] == (None,) * 4 for values in table.values())


def test_clarity_and_direct_sound_are_those_of_the_samples() -> None:
    hall = card()
    for place, (_, _, _, c50, drr, _) in rows(list(lines(hall))).items():
        rir = impulse_response(hall, place, 16000)
        energy = rir.samples**2
        early = energy[: rir.delay + 800]  # 50 ms at 16 kHz
        direct = energy[rir.delay - 40 : rir.delay + 40]  # 2.5 ms on both sides
        late, rest = energy[rir.delay + 800 :], energy[rir.delay + 40 :]
        # The simulator answers to a hundredth; a line shows a tenth of a dB.
        assert c50 == pytest.approx(10 * np.log10(early.sum() / late.sum()), abs=0.06)
        assert drr == pytest.approx(10 * np.log10(direct.sum() / rest.sum()), abs=0.06)


def test_the_preset_reads_like_its_card() -> None:
    table = list(lines(room("living_room")))
    assert table[0].startswith("living_room: Living room. ")
    assert table[1] == "5.2 x 4.1 x 2.6 m, absorption 0.300, requested RT60 none"
    near, far = (rows(table)[place] for place in ("wearer", "across"))
    # sqrt(0.1^2 + 0 + 0.15^2) and sqrt(2.727^2 + 1.2^2 + 0.35^2), to the centimetre
    assert (near[0], far[0]) == (0.18, 3.0)
    assert all(value is not None for value in far)
    # The direct sound falls by 20 log10(3.0 / 0.18) = 24.4 dB, the reverberation hardly; the
    # wearer's device is 56.3 degrees off the axis: 20 log10(0.75 + 0.25 * 0.555) = -1.0 dB.
    assert near[4] - far[4] == pytest.approx(23.4, abs=3)
    assert near[5] == pytest.approx(13.9, abs=0.11)
    # Sabine: 0.161 * 55.4 / (91 * 0.3) = 0.33 s; Sabine is low where sound skims the walls.
    assert 0.3 < far[1] < 0.5
