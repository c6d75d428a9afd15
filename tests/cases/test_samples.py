"""Positions and impulse responses: whole samples, and no constant that was not there."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.audio import Audio, Span
from synthkit.clip import Gap, join
from synthkit.renderers.room import Room
from tests.cases.sets import ROW, generate, write_jsonl, write_recipe
from tests.conftest import rows_of

HALL = 'name = "Hall"\ndescription = ""\nlicense = "CC0-1.0"\n[places.stage]\nrir = "rir.wav"\n'


def test_an_impulse_response_with_a_negative_echo_adds_that_echo_and_no_constant(
    tmp_path: Path,
) -> None:
    # NVIDIA-NeMo/Speech#6429: shifted by its minimum, it got 0.286 a tap.
    response = np.zeros(1600)
    response[0], response[100] = 1.0, -0.4
    soundfile.write(tmp_path / "rir.wav", response, 16000, subtype="FLOAT")
    (tmp_path / "hall.toml").write_text(HALL)
    dry = 0.1 * np.random.default_rng(1).standard_normal(8000)
    dry -= dry.mean()
    wet = Room(str(tmp_path / "hall.toml"), "stage")(Audio(dry, 16000, Span(0, 8000))).samples
    echo = np.zeros(len(wet))
    echo[100:8100] = dry
    wanted = np.pad(dry, (0, len(wet) - 8000)) - 0.4 * echo
    # A response in single precision holds 0.4 to 1e-8.
    assert np.abs(wet - wanted).max() < 1e-7
    assert abs(wet.mean()) < 1e-9
    gain = np.dot(wet - np.pad(dry, (0, len(wet) - 8000)), echo) / np.dot(echo, echo)
    assert 20 * math.log10(abs(gain)) == pytest.approx(-7.96, abs=0.01)
    assert gain < 0


@pytest.mark.parametrize("ms", [0.1, 33.3, 100.1, 1000 / 3])
def test_parts_of_any_length_in_seconds_end_where_the_clip_ends(ms: float) -> None:
    # lhotse-speech/lhotse#263: 0.1 + 0.1 + 0.1 ends at 0.30000000000000004.
    part = Audio(np.full(1600, 0.1), 16000, Span(0, 1600))
    clip = join(part, Gap(ms), part, Gap(ms), part)
    assert clip.segments[-1].span.end == len(clip.pcm)
    assert all(type(at) is int for s in (*clip.segments, *clip.gaps) for at in s.span)
    ends = [1600, len(clip.pcm) - 1600 - clip.gaps[1].span.num_samples]
    assert [s.span.end for s in clip.segments[:2]] == ends


def test_a_manifests_places_are_whole_samples_and_no_part_outlasts_its_clip(tmp_path: Path) -> None:
    rows = [{"id": f"a{i}", **ROW, "trigger": "Lamp on." + " Again." * i} for i in range(6)]
    grid = ("[grid]", 'rule = "source"', 'field_applies_to = ["trigger"]', "[grid.factors]",
            'source = ["same"]', 'field = ["near"]', "gap_ms = [0.1, 33.3]")  # fmt: skip
    recipe = write_recipe(tmp_path / "x.toml", write_jsonl(tmp_path / "x.jsonl", rows), *grid)
    code, said = generate(recipe, tmp_path / "out")
    assert code == 0, said
    for row in (row for command in rows_of(tmp_path / "out").values() for row in command.values()):
        parts = [*row["segments"], *row["gaps"]]
        assert all(isinstance(part[edge], int) for part in parts for edge in ("start", "end"))
        assert max(part["end"] for part in parts) == row["num_samples"]
        # What another tool computes in seconds from these must not pass the clip's duration.
        assert all(part["end"] / 16000 <= row["duration"] for part in parts)
        assert row["duration"] == row["num_samples"] / 16000
