"""Room cards: impossible rooms are refused with the field that is wrong."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from synthkit.errors import InputError
from synthkit.rooms.cards import RoomCard, presets, room, sabine_absorption

FIELDS = {
    "name": '"Study"',
    "description": '"A small study."',
    "license": '"Apache-2.0"',
    "dimensions": "[4, 7, 2.8]",
    "absorption": "0.3",
    "microphone": "[1, 2, 1.2]",
}


def load(
    folder: Path, desk: str = "[3, 5, 1.6]", stem: str = "study", **changes: str | None
) -> RoomCard:
    """Write a card with ``changes`` to its fields (None leaves one out) and load it."""
    fields = {k: v for k, v in (FIELDS | changes).items() if v is not None}
    lines = [f"{key} = {value}" for key, value in fields.items()]
    path = folder / f"{stem}.toml"
    path.write_text("\n".join([*lines, "[places.desk]", f"position = {desk}"]))
    return room(str(path))


def test_a_card_is_what_it_says(tmp_path: Path) -> None:
    card = load(tmp_path)
    assert (card.id, card.name, card.absorption, card.rt60) == ("study", "Study", 0.3, None)
    assert card.dimensions == (4.0, 7.0, 2.8)
    # sqrt(2^2 + 3^2 + 0.4^2)
    assert card.distance("desk") == pytest.approx(math.sqrt(13.16))
    assert card.position("desk") == (3.0, 5.0, 1.6)


def test_a_card_path_is_relative_to_the_file_that_names_it(tmp_path: Path) -> None:
    load(tmp_path)
    assert room("study.toml", tmp_path).id == "study"


@pytest.mark.parametrize(
    ("point", "axis"),
    [
        ("[4.5, 2, 1.2]", "x is 4.5 m"),  # outside
        ("[1, 8, 1.2]", "y is 8 m"),
        ("[1, 2, 3]", "z is 3 m"),
        ("[0, 2, 1.2]", "x is 0 m"),  # on a wall
        ("[1, 7, 1.2]", "y is 7 m"),
        ("[1, 2, 0.01]", "z is 0.01 m"),  # all but on the floor
    ],
)
def test_outside_and_on_a_wall_are_refused_with_the_axis(
    tmp_path: Path, point: str, axis: str
) -> None:
    with pytest.raises(InputError, match=rf"study\.toml: field microphone: {axis}; allowed"):
        load(tmp_path, microphone=point)
    with pytest.raises(InputError, match=rf"study\.toml: field places\.desk: {axis}; allowed"):
        load(tmp_path, desk=point)


@pytest.mark.parametrize("desk", ["[1, 2, 1.2]", "[1.0, 2.01, 1.2]"])
def test_a_talker_at_the_microphone_is_refused(tmp_path: Path, desk: str) -> None:
    with pytest.raises(InputError, match=r"field places\.desk: 0(\.01)? m from the microphone"):
        load(tmp_path, desk=desk)


def test_a_reverberation_time_that_walls_cannot_give_is_refused_with_the_shortest(
    tmp_path: Path,
) -> None:
    # Sabine: 24 ln 10 / 343 * V / S = 0.161114 * 78.4 / 117.6 = 0.107409 s, rounded up.
    with pytest.raises(InputError, match=r"field rt60: found 0\.1 s.*4 x 7 x 2\.8 m: 0\.1075 s"):
        load(tmp_path, absorption=None, rt60="0.100")


@pytest.mark.parametrize("rt60", ["0.1075", "0.108", "0.5"])
def test_a_reverberation_time_that_walls_can_give_is_accepted(tmp_path: Path, rt60: str) -> None:
    card = load(tmp_path, absorption=None, rt60=rt60)
    assert card.rt60 == float(rt60)
    assert card.absorption == pytest.approx(0.107409 / float(rt60), rel=1e-5)


def test_sabines_formula_by_hand() -> None:
    # 6 x 5 x 3 m: V = 90, S = 126; alpha = 0.161114 * 90 / (126 * 0.6) = 0.191803.
    assert sabine_absorption(0.6, (6.0, 5.0, 3.0), "here") == pytest.approx(0.191803, rel=1e-5)


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
@pytest.mark.parametrize("field", ["microphone", "dimensions", "absorption"])
def test_what_is_no_number_is_refused_with_the_field(
    tmp_path: Path, field: str, value: str
) -> None:
    text = value if field == "absorption" else f"[1, {value}, 1]"
    with pytest.raises(InputError, match=rf"study\.toml: .*{field}"):
        load(tmp_path, **{field: text})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("dimensions", "[4, -7, 2.8]"),
        ("dimensions", "[4, 7]"),
        ("dimensions", '"4 x 7 x 2.8"'),
        ("dimensions", "[4, 7, 1000]"),
        ("microphone", "[-1, 2, 1.2]"),
        ("microphone", "[1, true, 1.2]"),
        ("absorption", "-0.3"),
        ("absorption", "0"),
        ("absorption", "1.2"),
        ("name", "7"),
        ("license", '""'),
    ],
)
def test_negative_and_malformed_values_are_refused_with_the_field(
    tmp_path: Path, field: str, value: str
) -> None:
    with pytest.raises(InputError, match=rf"study\.toml: field {field}(\[\d\])?: found"):
        load(tmp_path, **{field: value})


@pytest.mark.parametrize("rt60", ["-0.3", "0", "60"])
def test_a_reverberation_time_beyond_reason_is_refused(tmp_path: Path, rt60: str) -> None:
    with pytest.raises(InputError, match=rf"field rt60: found {rt60}; allowed"):
        load(tmp_path, absorption=None, rt60=rt60)


@pytest.mark.parametrize("dimensions", ["[0, 0, 2.8]", "[0, 0, 0]", "[0, 5, 3]"])
@pytest.mark.parametrize("by", ["absorption", "rt60"])
def test_a_room_without_volume_is_refused(tmp_path: Path, dimensions: str, by: str) -> None:
    surfaces = {"absorption": None, "rt60": None} | {by: "0.5"}
    with pytest.raises(InputError, match=r"study\.toml: field dimensions"):
        load(tmp_path, dimensions=dimensions, **surfaces)


@pytest.mark.parametrize("field", sorted(set(FIELDS) - {"absorption"}))
def test_a_missing_field_is_named(tmp_path: Path, field: str) -> None:
    with pytest.raises(InputError, match=f"{field} missing"):
        load(tmp_path, **{field: None})


def test_absorption_and_rt60_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absorption.*rt60"):
        load(tmp_path, rt60="0.5")
    with pytest.raises(InputError, match=r"absorption|rt60"):
        load(tmp_path, absorption=None)


def test_unknown_fields_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown absorbtion; allowed: .*absorption"):
        load(tmp_path, absorbtion="0.3")


@pytest.mark.parametrize("stem", ["my study", "con", "-x", "a.b"])
def test_a_card_whose_file_name_is_no_id_is_refused(tmp_path: Path, stem: str) -> None:
    with pytest.raises(InputError, match=f"id '{stem}' is"):
        load(tmp_path, stem=stem)


def test_what_is_not_toml_or_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("name = \n")
    for reference in (str(path), str(tmp_path / "nowhere.toml")):
        with pytest.raises(InputError, match=r"\.toml: ") as caught:
            room(reference)
        assert "\n" not in str(caught.value)


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"room 'igloo' is unknown; allowed: .*living_room"):
        room("igloo")


def test_a_preset_cannot_be_a_path() -> None:
    with pytest.raises(InputError, match="unknown"):
        room("../room_presets/living_room")


@pytest.mark.parametrize("name", presets())
def test_presets_are_sound_rooms(name: str) -> None:
    card = room(name)
    assert card.id == name
    for place in card.places:
        assert card.distance(place) >= 0.05


def test_the_bystander_of_the_living_room_stands_3_m_away() -> None:
    card = room("living_room")
    assert card.dimensions == (5.2, 4.1, 2.6)
    assert card.distance("across") == pytest.approx(3.0, abs=0.005)
    # sqrt(0.1^2 + 0.15^2)
    assert card.distance("wearer") == pytest.approx(0.1803, abs=1e-4)


def test_an_unknown_place_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"room study: no place 'attic'; allowed: desk"):
        load(tmp_path).distance("attic")
