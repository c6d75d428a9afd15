"""`synthkit rooms`: what it shows, draws and refuses."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from synthkit.cli import main

CARD = {
    "name": '"Study"',
    "description": '"A small study."',
    "license": '"Apache-2.0"',
    "dimensions": "[4, 5, 2.8]",
    "absorption": "0.5",
    "microphone": "[1, 2, 1.2]",
}
DESK = "position = [3, 4, 1.6]"


def rooms(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["rooms", *map(str, arguments)])


def write(folder: Path, desk: str = DESK, **changes: str) -> Path:
    lines = [f"{key} = {value}" for key, value in (CARD | changes).items() if value]
    path = folder / "study.toml"
    path.write_text("\n".join([*lines, "[places.desk]", desk, ""]))
    return path


def test_a_good_card_is_shown_with_what_it_measures(tmp_path: Path) -> None:
    result = rooms("check", write(tmp_path))
    assert result.exit_code == 0
    assert result.output.startswith("study: Study. A small study.\n4 x 5 x 2.8 m, absorption 0.5")
    # sqrt(2^2 + 2^2 + 0.4^2)
    assert "desk           2.86 m" in result.output


@pytest.mark.parametrize(
    ("desk", "changes", "message"),
    [
        ("position = [4.5, 4, 1.6]", {}, "field places.desk: x is 4.5 m"),
        ("position = [3, 5, 1.6]", {}, "field places.desk: y is 5 m"),
        ("position = [1, 2, 1.2]", {}, "field places.desk: 0 m from the microphone"),
        ("position = [1, nan, 1.2]", {}, "position"),
        ("position = [1, -2, 1.2]", {}, "places.desk.position[1]: found -2"),
        (DESK, {"microphone": "[1, 2, 2.8]"}, "field microphone: z is 2.8 m"),
        (DESK, {"absorption": "", "rt60": "0.05"}, "in 4 x 5 x 2.8 m: 0.0999 s"),
        (DESK, {"colour": '"blue"'}, "unknown colour"),
        (f"{DESK}\nheight = 2", {}, "unknown height"),
        ("", {}, "a position, or a measured impulse response"),
    ],
)
def test_an_impossible_card_is_refused_before_anything_is_simulated(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    desk: str,
    changes: dict[str, str],
    message: str,
) -> None:
    monkeypatch.setattr(
        "synthkit.rooms.table.impulse_response", lambda *_: pytest.fail("it was simulated")
    )
    result = rooms("check", write(tmp_path, desk, **changes))
    assert result.exit_code == 2
    assert message in result.output
    assert "study.toml" in result.output
    assert result.output.count("\n") == 1


def test_a_preset_is_no_file_to_check() -> None:
    result = rooms("check", "living_room")
    assert (result.exit_code, result.output.count("\n")) == (2, 1)


def test_a_picture_is_drawn_the_same_twice(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    card = write(tmp_path)
    images = []
    for name in ("one.png", "two.png"):
        result = rooms("show", card, "--png", tmp_path / name)
        assert result.exit_code == 0, result.output
        assert "desk" in result.output
        images.append((tmp_path / name).read_bytes())
    assert images[0] == images[1]
    assert images[0].startswith(b"\x89PNG")
    assert len(images[0]) < 80_000


def test_without_matplotlib_a_picture_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def absent(name: str, *arguments: object) -> object:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *arguments)  # type: ignore[arg-type]

    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", absent)
    result = rooms("show", write(tmp_path), "--png", tmp_path / "x.png")
    assert result.exit_code == 2
    assert "pip install 'synthkit[plots]'" in result.output
    assert not (tmp_path / "x.png").exists()
