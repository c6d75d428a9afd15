"""What a recipe may ask of a bed, and in which words the rest is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthkit.beds.spec import BedSpec
from synthkit.errors import InputError
from synthkit.files import sha256_file

WHERE = "recipe r.toml: bed"


@pytest.mark.parametrize(
    "table",
    [
        {"kind": "pink", "level_dbfs": -90},
        {"kind": "pink", "level_dbfs": -20},
        {"kind": "room_tone", "snr_db": 0},
        {"kind": "room_tone", "snr_db": 80},
        {"kind": "babble", "snr_db": 20.5, "num_talkers": 2},
        {"kind": "babble", "level_dbfs": -40, "num_talkers": 12},
    ],
)
def test_what_is_asked_is_what_is_described(table: dict[str, Any]) -> None:
    described = BedSpec.from_table(table, WHERE, Path()).describe()
    assert described == table
    assert json.loads(json.dumps(described, allow_nan=False)) == table


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "found no level; allowed: exactly one of level_dbfs, snr_db"),
        ({"kind": "pink"}, "found no level; allowed: exactly one of level_dbfs, snr_db"),
        (
            {"kind": "pink", "level_dbfs": -50, "snr_db": 30},
            "found level_dbfs and snr_db; allowed: exactly one of level_dbfs, snr_db",
        ),
        ({"level_dbfs": -50}, "field (top level): kind missing"),
        (
            {"kind": "brown", "level_dbfs": -50},
            'field kind: found "brown"; allowed: room_tone, pink, babble, file',
        ),
        (
            {"kind": "pink", "level_dbfs": -19.9},
            "field level_dbfs: found -19.9; allowed: -90 to -20 dBFS RMS over the whole bed",
        ),
        (
            {"kind": "pink", "level_dbfs": float("nan")},
            "field level_dbfs: found nan; allowed: finite numbers",
        ),
        (
            {"kind": "pink", "snr_db": 80.1},
            "field snr_db: found 80.1; allowed: 0 to 80 dB from the bed's RMS up to the speech's",
        ),
        (
            {"kind": "pink", "snr_db": -1},
            "field snr_db: found -1; allowed: 0 to 80 dB from the bed's RMS up to the speech's",
        ),
        (
            {"kind": "room_tone", "snr_db": 30, "num_talkers": 4},
            "field (top level): unknown num_talkers; allowed: kind, level_dbfs, snr_db",
        ),
        ({"kind": "babble", "snr_db": 30}, "field (top level): num_talkers missing"),
        (
            {"kind": "babble", "snr_db": 30, "num_talkers": 1},
            "field num_talkers: found 1; allowed: 2 to 12 talkers",
        ),
        (
            {"kind": "babble", "snr_db": 30, "num_talkers": 4.0},
            "field num_talkers: found 4.0; allowed: integer, 2 to 12 talkers",
        ),
        ({"kind": "file", "snr_db": 30}, "field (top level): path missing"),
        (
            {"kind": "file", "snr_db": 30, "path": 3},
            "field path: found 3; allowed: string, a sound file, relative to the recipe",
        ),
    ],
)
def test_anything_else_is_refused_in_one_line(table: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refused:
        BedSpec.from_table(table, WHERE, Path())
    assert str(refused.value) == f"{WHERE}: {message}"


def test_the_constructor_checks_too() -> None:
    for wrong in (
        {"kind": "pink"},
        {"kind": "pink", "level_dbfs": float("inf")},
        {"kind": "babble", "level_dbfs": -50.0},
        {"kind": "file", "level_dbfs": -50.0},
    ):
        with pytest.raises(InputError, match=r"^bed: "):
            BedSpec(**wrong)


def test_a_file_is_described_by_its_hash_and_not_by_where_it_lay(
    recorded: Callable[..., Path],
) -> None:
    path = recorded(0.1 * np.random.default_rng(1).standard_normal((16000, 2)))
    table = {"kind": "file", "path": path.name, "channel": 1, "level_dbfs": -50}
    spec = BedSpec.from_table(table, WHERE, path.parent)
    assert spec.describe() == {
        "kind": "file",
        "level_dbfs": -50,
        "recording": {"sha256": sha256_file(path), "channel": 1},
    }
    assert str(path.parent) not in repr(spec)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.wav").write_text("no sound")
    for name in ("none.wav", "text.wav", "."):
        with pytest.raises(InputError, match=f"^{WHERE}: field path: .* not a readable sound"):
            BedSpec.from_table({"kind": "file", "path": name, "snr_db": 9}, WHERE, tmp_path)


def test_snr_is_counted_from_the_speech_down() -> None:
    assert BedSpec("pink", snr_db=30.0).level(-20.0) == -50.0
    assert BedSpec("pink", snr_db=30.0).level(-26.0) == -56.0
    assert BedSpec("pink", level_dbfs=-45.0).level(-26.0) == -45.0


@pytest.mark.parametrize(
    ("snr_db", "speech", "found", "allowed"),
    [(80.0, -20.0, "-100", "0 to 70"), (5.0, -10.0, "-15", "10 to 80")],
)
def test_an_snr_that_leaves_the_levels_is_refused(
    snr_db: float, speech: float, found: str, allowed: str
) -> None:
    message = f"at {found} dBFS; allowed: -90 to -20 dBFS, so snr_db {allowed}$"
    with pytest.raises(InputError, match=message):
        BedSpec("pink", snr_db=snr_db).level(speech)
