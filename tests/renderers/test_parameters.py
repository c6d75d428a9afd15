"""A renderer with parameters that make no sense is refused when it is made, in one line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import synthkit as sk


@pytest.mark.parametrize(
    "make",
    [
        lambda: sk.Fade(ms=-5),
        lambda: sk.Fade(ms=float("nan")),
        lambda: sk.HighPass(9000),
        lambda: sk.HighPass(0),
        lambda: sk.Trim(margin_ms=-5),
        lambda: sk.Trim(threshold_db=-3),
        lambda: sk.Trim(over_noise_db=-1),
        lambda: sk.PostWindow(ms=float("nan")),
        lambda: sk.PostWindow(ms="half"),  # type: ignore[arg-type]
        lambda: sk.Resample(0),
        lambda: sk.Level(peak="clip"),  # type: ignore[arg-type]
        lambda: sk.Level(dbfs=float("inf")),
        lambda: sk.CrestControl(dbfs=6),
        lambda: sk.LowPass(True),
        lambda: sk.Room("living_room", "attic"),
    ],
)
def test_a_senseless_parameter_is_refused_with_what_is_allowed(make: Callable[[], object]) -> None:
    with pytest.raises(sk.InputError) as error:
        make()
    assert re.search(r"allowed: ", str(error.value))
    assert "\n" not in str(error.value)
