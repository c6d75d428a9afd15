"""Faults that other tools had in public: delays of simulators, impossible rooms, other rates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from click.testing import CliRunner

from synthkit.audio import Audio
from synthkit.cli import main
from synthkit.renderers.room import Room
from synthkit.rooms.cards import room
from tests.conftest import DATA, ROOT

RATE = 16000
HEAD = 'name = "Case"\ndescription = "A case."\nlicense = "CC0-1.0"\n'


def write_card(folder: Path, text: str, stem: str = "case") -> Path:
    path = folder / f"{stem}.toml"
    path.write_text(HEAD + text)
    return path


def click_through(path: Path, place: str) -> np.ndarray:
    """What a click at sample 0 becomes."""
    click = np.zeros(4000)
    click[0] = 1.0
    return Room(room(str(path)), place)(Audio(click, RATE)).samples


@pytest.mark.parametrize("absorption", [1.0, 0.9, 0.3])
def test_the_interpolation_filters_delay_and_the_way_are_taken_out(
    tmp_path: Path, absorption: float
) -> None:
    # LCAV/pyroomacoustics#161: 3.43 m are 160 samples, the simulator answers 200. With
    # absorption 0.3 the largest sample is at 362, so the maximum is no arrival.
    text = f"""dimensions = [8, 6, 3]
absorption = {absorption}
microphone = [5.43, 3, 1.5]
[places.talker]
position = [2, 3, 1.5]
"""
    wet = np.abs(click_through(write_card(tmp_path, text), "talker"))
    assert int(np.argmax(wet >= 0.5 / 3.43)) in (0, 1)
    assert wet[0] == pytest.approx(1 / 3.43, rel=0.01)


ROOM = """dimensions = [4, 7, 2.8]
rt60 = {}
microphone = [1, 2, 1.2]
[places.desk]
position = [3, 5, 1.6]
"""


def generate(folder: Path, card: Path) -> tuple[int, str, Path]:
    """Exit code, output and folder of a set of one command whose far field is in ``card``."""
    recipe = folder / "recipe.toml"
    voices = [str(DATA / "voices" / "tone" / f"{name}.toml") for name in ("low", "mid", "high")]
    recipe.write_text(
        f"""name = "case"
scripts = "{ROOT / "examples" / "commands.jsonl"}"
seed = 1
voices = {voices}
grid = "pair"
[fields]
near = []
far = [{{ renderer = "room", room = "{card}", place = "desk" }}]
"""
    )
    out = folder / "out"
    result = CliRunner().invoke(main, ["generate", str(recipe), "--out", str(out), "--limit", "1"])
    return result.exit_code, result.output, out


@pytest.mark.parametrize("rt60", ["0.108", "0.4"])
def test_a_reverberation_time_that_the_room_can_have_is_made(tmp_path: Path, rt60: str) -> None:
    code, output, out = generate(tmp_path, write_card(tmp_path, ROOM.format(rt60)))
    assert code == 0, output
    assert (out / "manifest.jsonl").exists()


@pytest.mark.parametrize("rt60", ["0.100", "0.107", "0", "-0.3", "nan"])
def test_one_that_it_cannot_have_is_refused_before_any_work(tmp_path: Path, rt60: str) -> None:
    # LCAV/pyroomacoustics#233. Sabine: 24 ln 10 / 343 * 78.4 / 117.6 = 0.10741 s is the least.
    card = write_card(tmp_path, ROOM.format(rt60))
    code, output, out = generate(tmp_path, card)
    assert code == 2
    assert "case.toml" in output
    assert "rt60" in output
    if rt60.startswith("0.1"):
        assert "0.1075 s" in output
    assert not out.exists()


@pytest.mark.parametrize("rate", [48000, 16000])
def test_an_impulse_response_of_another_rate_is_not_stretched(tmp_path: Path, rate: int) -> None:
    # mravanelli/pySpeechRev#2: 1.0 at 0 and 0.5 after 0.1 s, at either rate.
    samples = np.zeros(rate // 10 + 1000)
    samples[0], samples[rate // 10] = 1.0, 0.5
    soundfile.write(tmp_path / "echo.wav", samples, rate, subtype="FLOAT")
    wet = click_through(write_card(tmp_path, '[places.seat]\nrir = "echo.wav"\n'), "seat")
    size = np.abs(wet)
    assert int(np.argmax(size)) == 0
    echo = 800 + int(np.argmax(size[800:]))
    assert abs(echo - 1600) <= 1
    assert 20 * np.log10(size[echo] / size[0]) == pytest.approx(-6.02, abs=0.1)


@pytest.mark.parametrize("channel", [0, 1])
def test_channels_of_an_impulse_response_are_not_mixed_up(tmp_path: Path, channel: int) -> None:
    # iver56/audiomentations#141: left 1.0 at 0, right 1.0 at 800. Either alone is one click,
    # whose way is taken out.
    samples = np.zeros((1600, 2))
    samples[0, 0] = samples[800, 1] = 1.0
    soundfile.write(tmp_path / "two.wav", samples, RATE, subtype="FLOAT")
    text = f'[places.seat]\nrir = "two.wav"\nchannel = {channel}\n'
    wet = click_through(write_card(tmp_path, text), "seat")
    assert wet.ndim == 1
    assert np.flatnonzero(np.abs(wet) > 1e-9).tolist() == [0]


def test_an_impulse_response_gets_no_offset(tmp_path: Path) -> None:
    # NVIDIA-NeMo/Speech#6429: 1 at 0 and -0.4 at 100 is the dry sound and one echo at
    # 20 log10(0.4) = -7.96 dB; shifted by its minimum it would add 0.286 to every sample.
    samples = np.zeros(1600)
    samples[0], samples[100] = 1.0, -0.4
    soundfile.write(tmp_path / "echo.wav", samples, RATE, subtype="FLOAT")
    wet = click_through(write_card(tmp_path, '[places.seat]\nrir = "echo.wav"\n'), "seat")
    assert np.flatnonzero(np.abs(wet) > 1e-9).tolist() == [0, 100]
    assert 20 * np.log10(-wet[100] / wet[0]) == pytest.approx(-7.96, abs=0.01)
