"""Voices against one another: embeddings in a plane, so that every cosine is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import synthkit.speech.audit.cast as cast
from synthkit.instruments.mos import Mos
from synthkit.instruments.words import WordErrors
from synthkit.speech.audit.hear import Heard
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines import engine
from synthkit.speech.voice import Voice


def vectors(*degrees: float) -> np.ndarray:
    angles = np.deg2rad(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def heard(name: str, degrees: tuple[float, ...], pace: float = 1.0, checkpoint: str = "a") -> Heard:
    card = VoiceCard(
        id=f"cast/{name}", name=name, description="", engine="tone", language="en-US",
        checkpoint=checkpoint, processing="none", code_license="", voice_license="",
        attribution="", parameters={}, folder=Path(),
    )  # fmt: skip
    rates = np.array([4.0, 5.0, 4.5, 5.5]) * pace
    return Heard(
        voice=Voice(card, engine("tone")), words=WordErrors(), mos=Mos(3, 3, 3, 3), f0=np.ones(1),
        embeddings=vectors(*degrees), contours=(np.zeros((3, 1)),) * 4,
        syllables_per_second=rates, bandwidths=np.ones(4), reductions_db=np.zeros(4),
    )  # fmt: skip


@pytest.fixture(autouse=True)
def warp(monkeypatch):
    monkeypatch.setattr(cast, "warp_ms", lambda one, other: 12.0)


STEADY = (-1.0, 1.0, -1.0, 1.0)


def test_cosines_are_those_of_the_angles_between_centres():
    found = cast.compare(
        [heard("ann", STEADY), heard("bob", (59, 61, 59, 61)), heard("cy", (29, 31, 29, 31))]
    )
    assert np.array(found.cosines)[[0, 0, 1], [1, 2, 2]] == pytest.approx(
        np.cos(np.deg2rad([60, 30, 30])), abs=1e-3
    )
    # Halves: ann's second at 1 degree and bob's first at 59, or cy's first at 29.
    assert found.closest_halves.value == pytest.approx(np.cos(np.deg2rad(28)), abs=1e-3)
    assert found.loosest_own_halves.value == pytest.approx(np.cos(np.deg2rad(2)), abs=1e-3)
    assert found.identified == (1.0, 1.0, 1.0)
    assert np.array(found.paces) == pytest.approx(1.0)
    assert found.closest_timing == cast.Pair(("cast/ann", "cast/bob"), 12.0)


def test_only_voices_of_one_kind_are_a_pair_and_confused():
    found = cast.compare(
        [
            heard("ann", STEADY),
            heard("bob", (79, 81, 79, 81)),
            heard("cy", (9, 11, 9, 11), checkpoint="b"),
        ]
    )
    assert found.closest_pair.voices == ("cast/ann", "cast/bob")
    assert found.closest_of_all.voices == ("cast/ann", "cast/cy")
    assert found.identified == (1.0, 1.0, None)


def test_a_voice_alone_has_no_pair():
    found = cast.compare([heard("ann", STEADY)])
    assert (found.closest_pair, found.closest_of_all, found.closest_timing) == (None, None, None)
    assert found.cosines == ((1.0,),)
    assert found.identified == (None,)


def test_identification_leaves_each_sentence_out_of_its_own_centre():
    # Sentence 4 at 40 degrees: its own centre is at 0 without it, and bob's at 50 is nearer.
    # With it in the centre (10 degrees), 45 would still be nearer, but 29 would not: see below.
    own = [vectors(0, 0, 0, 40), vectors(50, 50, 50, 50)]
    assert cast.identified(0, own) == 0.75
    # At 26: 26 from the others' centre and 24 from bob's, a miss; counted in, its own centre would
    # be at about 6.5 degrees, 19.5 away, a hit.
    assert cast.identified(0, [vectors(0, 0, 0, 26), own[1]]) == 0.75
    assert cast.identified(0, [vectors(0, 0, 0, 24), own[1]]) == 1.0
