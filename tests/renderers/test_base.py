"""Renderers compose, and their fingerprints tell what determines the sound."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.renderers.base import Renderer, chain
from synthkit.renderers.crestcontrol import CrestControl
from synthkit.renderers.fade import Fade
from synthkit.renderers.highpass import HighPass
from synthkit.renderers.level import Level
from synthkit.renderers.lowpass import LowPass
from synthkit.renderers.postwindow import PostWindow
from synthkit.renderers.resample import Resample
from synthkit.renderers.room import Room
from synthkit.renderers.trim import Trim

ALL = [
    Resample(),
    Trim(),
    CrestControl(),
    HighPass(),
    LowPass(4000),
    Room("living_room", "across"),
    PostWindow(),
    Fade(),
    Level(),
    chain(Fade(), Level()),
]


def test_a_chain_applies_its_first_renderer_first(speech: Audio) -> None:
    chained = chain(LowPass(4000), PostWindow(), Fade())(speech)
    stepwise = Fade()(PostWindow()(LowPass(4000)(speech)))
    np.testing.assert_array_equal(chained.samples, stepwise.samples)
    assert chained.speech == stepwise.speech


def test_an_empty_chain_changes_nothing(speech: Audio) -> None:
    np.testing.assert_array_equal(chain()(speech).samples, speech.samples)


def test_a_chain_is_a_renderer_and_nests(speech: Audio) -> None:
    nested = chain(LowPass(4000), chain(PostWindow(), Fade()))(speech)
    flat = chain(LowPass(4000), PostWindow(), Fade())(speech)
    np.testing.assert_array_equal(nested.samples, flat.samples)


def test_notes_stand_in_the_order_of_the_chain(speech: Audio) -> None:
    notes = chain(Trim(), CrestControl(), Level())(speech).notes
    assert [note.renderer for note in notes] == ["trim", "crestcontrol", "level"]


@pytest.mark.parametrize("renderer", ALL, ids=lambda r: r.name)
def test_a_renderer_leaves_its_input_as_it_was(renderer: Renderer, speech: Audio) -> None:
    before = speech.samples.copy()
    renderer(speech)
    np.testing.assert_array_equal(speech.samples, before)


@pytest.mark.parametrize("renderer", ALL, ids=lambda r: r.name)
def test_the_same_input_gives_the_same_bits(renderer: Renderer, speech: Audio) -> None:
    assert renderer(speech).samples.tobytes() == renderer(speech).samples.tobytes()


@pytest.mark.parametrize("renderer", ALL, ids=lambda r: r.name)
def test_a_description_is_plain_json_with_the_name(renderer: Renderer) -> None:
    described = renderer.describe()
    assert described["renderer"] == type(renderer).__name__.lower()
    assert json.loads(json.dumps(described, allow_nan=False)) == json.loads(json.dumps(described))


@pytest.mark.parametrize("renderer", ALL, ids=lambda r: r.name)
def test_renderers_are_frozen(renderer: Renderer) -> None:
    field = dataclasses.fields(renderer)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(renderer, field, 1)


def test_all_renderers_have_fingerprints_of_their_own() -> None:
    assert len({renderer.fingerprint for renderer in ALL}) == len(ALL)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Fade(), Fade(6.0)),
        (LowPass(4000.0), LowPass(4001.0)),
        (Level(), Level(peak="refuse")),
        (HighPass(), HighPass(order=2)),
        (CrestControl(), CrestControl(highpass=HighPass(cutoff=80.0))),
        (PostWindow(200), PostWindow("full")),
        (Room("living_room", "across"), Room("living_room", "wearer")),
        (chain(Fade(), Level()), chain(Level(), Fade())),
        (chain(Fade()), chain(Fade(), Fade())),
        (chain(), chain(chain())),
    ],
)
def test_a_fingerprint_changes_with_parameters_and_order(one: Renderer, other: Renderer) -> None:
    assert one.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    "make", [Fade, LowPass, lambda db: Level(-db), PostWindow, lambda cutoff: HighPass(cutoff)]
)
def test_equal_renderers_have_equal_fingerprints(make: Callable[[float], Renderer]) -> None:
    # 20 and 20.0 are one number, in a recipe as in Python.
    assert make(20) == make(20.0)
    assert make(20).fingerprint == make(20.0).fingerprint


def test_a_fingerprint_is_a_sha256() -> None:
    assert len(bytes.fromhex(Fade().fingerprint)) == 32


def test_a_renderer_that_renders_nothing_says_so(speech: Audio) -> None:
    class Nothing(Renderer):
        pass

    with pytest.raises(TypeError, match="Nothing"):
        Nothing()(speech)
