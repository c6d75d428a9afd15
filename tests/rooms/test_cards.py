"""Room cards: impossible rooms are refused with the field that is wrong."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from synthkit.errors import InputError
from synthkit.resources import folder
from synthkit.rooms.cards import RoomCard, presets, room
from synthkit.rooms.materials import Materials, sabine_absorption

FIELDS = {
    "name": '"Study"',
    "description": '"A small study."',
    "license": '"Apache-2.0"',
    "dimensions": "[4, 7, 2.8]",
    "absorption": "0.3",
    "microphone": "[1, 2, 1.2]",
}


def load(
    folder: Path,
    desk: str = "[3, 5, 1.6]",
    stem: str = "study",
    more: str = "",
    **changes: str | None,
) -> RoomCard:
    """Write a card with ``changes`` to its fields (None leaves one out) and load it.

    ``more`` are further lines of its one place.
    """
    fields = {k: v for k, v in (FIELDS | changes).items() if v is not None}
    lines = [f"{key} = {value}" for key, value in fields.items()]
    path = folder / f"{stem}.toml"
    path.write_text("\n".join([*lines, "[places.desk]", f"position = {desk}", more]))
    return room(str(path))


def test_a_card_is_what_it_says(tmp_path: Path) -> None:
    card = load(tmp_path)
    assert (card.id, card.name, card.rt60) == ("study", "Study", None)
    assert card.materials == Materials.uniform(0.3)
    assert card.dimensions == (4.0, 7.0, 2.8)
    # sqrt(2^2 + 3^2 + 0.4^2)
    assert card.distance("desk") == pytest.approx(math.sqrt(13.16))
    assert card.at("desk").position == (3.0, 5.0, 1.6)


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
    assert card.materials is not None
    assert card.materials.walls[0] == pytest.approx(0.107409 / float(rt60), rel=1e-5)


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


def test_a_reverberation_time_that_outlasts_the_reflections_is_refused(tmp_path: Path) -> None:
    # 100 reflections that take 45 dB: 1 - alpha = 10^-0.045, alpha = 0.098427;
    # 0.107409 / 0.098427 = 1.09126 s, rounded down.
    with pytest.raises(InputError, match=r"found 1\.1 s; .*: 0\.1075 s to 1\.0912 s"):
        load(tmp_path, absorption=None, rt60="1.1")
    assert load(tmp_path, absorption=None, rt60="1.09").rt60 == 1.09


def test_another_reverberation_time_is_another_absorption_and_no_more(tmp_path: Path) -> None:
    card = load(tmp_path)
    other = card.with_rt60(0.5)
    assert (other.rt60, other.id, other.places) == (0.5, "study", card.places)
    assert other.materials is not None
    assert other.materials.walls == other.materials.ceiling == (pytest.approx(0.214818, rel=1e-5),)
    with pytest.raises(InputError, match=r"room study: field rt60: found 0\.1 s"):
        card.with_rt60(0.1)
    with pytest.raises(InputError, match=r"room study: field rt60: found nan s"):
        card.with_rt60(math.nan)


def test_another_distance_is_on_the_line_through_the_place(tmp_path: Path) -> None:
    # Device (1, 2, 1.2), desk (3, 5, 1.2): twice as far is (5, 8), half is (2, 3.5).
    card = load(tmp_path, desk="[3, 5, 1.2]", dimensions="[9, 9, 2.8]")
    far = card.with_distance("desk", 2 * math.sqrt(13))
    assert far.at("desk").position == pytest.approx((5, 8, 1.2))
    near = card.with_distance("desk", math.sqrt(13) / 2)
    assert near.at("desk").position == pytest.approx((2, 3.5, 1.2))
    assert near.distance("desk") == pytest.approx(math.sqrt(13) / 2)
    assert near.at("desk").facing == card.at("desk").facing
    assert card.at("desk").position == (3.0, 5.0, 1.2)


@pytest.mark.parametrize(
    ("metres", "message"),
    [(6.0, r"at distance 6 m: x is 4\.3282 m"), (0.04, r"0\.04 m from the microphone")],
)
def test_a_distance_that_the_room_has_not_is_refused(
    tmp_path: Path, metres: float, message: str
) -> None:
    with pytest.raises(InputError, match=rf"room study: field places\.desk: .*{message}"):
        load(tmp_path, desk="[3, 5, 1.2]").with_distance("desk", metres)


@pytest.mark.parametrize(
    ("facing", "found"),
    [
        # From (3, 5, 1.6) to the device at (1, 2, 1.2): atan2(-3, -2), atan2(-0.4, sqrt(13)).
        ("", (-123.6901, -6.3305)),
        ('facing = "device"', (-123.6901, -6.3305)),
        ("facing = { azimuth = 90 }", (90, 0)),
        ("facing = { azimuth = 90, elevation = -30 }", (90, -30)),
        ("facing = { point = [3, 6, 2.6] }", (90, 45)),
        ("facing = { point = [2, 5, 1.6] }", (180, 0)),
    ],
)
def test_a_talker_faces_the_device_an_angle_or_a_point(
    tmp_path: Path, facing: str, found: tuple[float, float]
) -> None:
    place = load(tmp_path, more=facing).at("desk")
    assert place.facing == pytest.approx(found, abs=1e-4)
    assert place.directivity == "omni"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("facing = { point = [3, 5, 1.6] }", r"desk\.facing: found .*; allowed: not the talker"),
        ('facing = "window"', r'desk\.facing: found "window"; allowed: "device"'),
        ("facing = { azimuth = 400 }", r"desk\.facing.*found"),
        ('directivity = "trumpet"', r"desk\.directivity: found .*allowed: omni, subcardioid"),
        ("channel = 0", r"desk: field channel: allowed beside rir"),
        ("distance_m = 2", r"desk: field distance_m: allowed beside rir"),
        ("colour = 2", "unknown colour"),
    ],
)
def test_a_place_that_makes_no_sense_is_refused(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(tmp_path, more=more)


def test_directivity_is_the_cards_unless_a_place_has_its_own(tmp_path: Path) -> None:
    assert load(tmp_path, directivity='"subcardioid"').at("desk").directivity == "subcardioid"
    own = load(tmp_path, directivity='"subcardioid"', more='directivity = "cardioid"')
    assert own.at("desk").directivity == "cardioid"


BANDS = "[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]"


def test_materials_are_by_surface_and_octave_band(tmp_path: Path) -> None:
    surfaces = f"{{ walls = {BANDS}, floor = 0.5, ceiling = 0.2 }}"
    card = load(tmp_path, absorption=None, materials=surfaces)
    assert card.materials == Materials((0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), (0.5,), (0.2,))
    # Walls 2 * 2.8 * 11 = 61.6 square metres, floor and ceiling 28 each.
    mean = card.materials.mean((4.0, 7.0, 2.8))
    assert mean[0] == pytest.approx((61.6 * 0.1 + 28 * 0.7) / 117.6)
    assert mean[6] == pytest.approx((61.6 * 0.7 + 28 * 0.7) / 117.6)


@pytest.mark.parametrize(
    "surfaces",
    [
        "{ walls = [0.1, 0.2], floor = 0.5, ceiling = 0.2 }",
        "{ walls = 1.5, floor = 0.5, ceiling = 0.2 }",
        "{ walls = 0.0, floor = 0.5, ceiling = 0.2 }",
        '{ walls = "brick", floor = 0.5, ceiling = 0.2 }',
        "{ walls = 0.5, floor = 0.5 }",
        f"{{ walls = {BANDS.replace('0.7', '-0.7')}, floor = 0.5, ceiling = 0.2 }}",
        f"{{ walls = {BANDS.replace('0.7', 'nan')}, floor = 0.5, ceiling = 0.2 }}",
    ],
)
def test_impossible_materials_are_refused(tmp_path: Path, surfaces: str) -> None:
    with pytest.raises(InputError, match=r"study\.toml: .*materials"):
        load(tmp_path, absorption=None, materials=surfaces)


def test_a_card_is_plain_json_and_says_all_that_it_is(tmp_path: Path) -> None:
    described = load(tmp_path).describe()
    assert json.loads(json.dumps(described)) == described
    assert set(described) == {
        *("id", "name", "description", "license", "dimensions", "materials", "rt60"),
        *("microphone", "places"),
    }
    assert described["places"]["desk"]["position"] == [3.0, 5.0, 1.6]
    assert described["materials"] == {"walls": [0.3], "floor": [0.3], "ceiling": [0.3]}


def test_where_a_card_lies_is_not_part_of_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert load(tmp_path / "a") == load(tmp_path / "b")
    assert load(tmp_path / "a") != load(tmp_path / "b", desk="[3, 5, 1.7]")


def test_surfaces_too_hard_for_the_reflections_that_are_followed_are_refused(
    tmp_path: Path,
) -> None:
    # 100 reflections take 45 dB where each takes 0.45 dB: absorption 1 - 10 ** -0.045 = 0.0984.
    text = (folder("room_presets") / "living_room.toml").read_text()
    path = tmp_path / "hard.toml"
    path.write_text(text.replace("absorption = 0.30", "absorption = 0.05"))
    with pytest.raises(InputError, match=r"mean absorption is 0\.050; allowed: 0\.0985 or more"):
        room(str(path))
    path.write_text(text.replace("absorption = 0.30", "absorption = 0.10"))
    assert room(str(path)).id == "hard"
