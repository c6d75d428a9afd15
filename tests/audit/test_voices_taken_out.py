"""What voices have of their own, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from synthkit.audit.statistics import sign_flip_p
from synthkit.audit.voices import Voices


def test_what_belongs_to_voices_goes_and_what_belongs_to_sides_stays() -> None:
    voices = Voices.of(["ann", "bob"], ["bob", "ann"], [0, 1])
    assert voices
    # Apart by 5 and -3: the second side has 1 more, bob 4 more than ann, 2 over the mean of both.
    first, second = voices.taken_out(np.array([1.0, 5.0]), np.array([6.0, 2.0]))
    assert first == pytest.approx(np.array([3, 3]))
    assert second == pytest.approx(np.array([4, 4]))


def test_what_belongs_to_the_words_does_not_pass_for_a_voices_own() -> None:
    voices = Voices.of(["ann", "bob", "cleo"], ["bob", "cleo", "ann"], [0, 1, 2])
    assert voices
    words, own = np.array([10.0, 200.0, 3000.0]), np.array([-1.0, 0.0, 1.0])
    first, second = voices.taken_out(words + own, words + np.roll(own, -1) + 0.5)
    assert first == pytest.approx(words)
    assert second == pytest.approx(words + 0.5)


def test_a_voices_own_leans_to_neither_side_however_often_it_stands_there() -> None:
    voices = Voices.of(["ann", "ann", "ann", "bob"], ["bob", "bob", "bob", "ann"], [0, 1, 2, 3])
    assert voices
    # The second side has 2 more, bob 4 more than ann: 6, 6, 6 and -2 apart.
    first, second = voices.taken_out(np.array([1.0, 1, 1, 5]), np.array([7.0, 7, 7, 3]))
    assert second - first == pytest.approx(np.full(4, 2))


def test_a_voice_that_is_always_the_bystander_cannot_be_taken_out() -> None:
    assert Voices.of(["ann", "bob"], ["bob", "cleo"], [0, 1]) is None
    assert Voices.of(["ann", "ann"], ["bob", "bob"], [0, 1]) is None


def test_voices_without_a_name_cannot_be_taken_out() -> None:
    assert Voices.of(["ann", None], [None, "ann"], [0, 1]) is None


def test_evidence_has_no_voice_in_it_and_the_sides_alike() -> None:
    voices = Voices.of(["ann", "bob", "cleo"] * 2, ["bob", "cleo", "ann"] * 2, range(6))
    assert voices
    own = np.array([1.0, 3.0, -4.0] * 2)  # what goes from ann to bob, to cleo, and back to ann
    evidence = voices.evidence(own + 0.5)
    # Two of six go for the voices; the sides, which no voice can stand for, keep all their
    # energy: 6 x 0.5^2 in four numbers.
    assert evidence == pytest.approx(np.full(4, np.sqrt(6 * 0.25 / 4)))


def test_evidence_is_uncorrelated() -> None:
    voices = Voices.of(*dealt(24), range(24))
    assert voices
    weights = np.array([voices.evidence(command) for command in np.eye(24)])
    assert weights.T @ weights == pytest.approx(np.eye(24 - 8), abs=1e-9)


def test_voices_that_lean_to_a_side_leave_less_of_it() -> None:
    # Three times ann, bob and once bob, ann: a voice's own fits (1, 1, 1, -1) x 2 / 4 of the
    # sides, a quarter of their energy; three quarters are left, in three numbers.
    voices = Voices.of(["ann", "ann", "ann", "bob"], ["bob", "bob", "bob", "ann"], range(4))
    assert voices
    evidence = voices.evidence(np.ones(4))
    assert evidence == pytest.approx(np.ones(3))


def test_pairs_of_one_command_are_its_mean() -> None:
    voices = Voices.of(["ann", "ann", "bob"], ["bob", "cleo", "ann"], [0, 0, 1])
    assert voices is None  # cleo is never first
    voices = Voices.of(["ann", "ann", "bob"], ["bob", "bob", "ann"], [0, 0, 1])
    assert voices
    first, second = voices.taken_out(np.array([1.0, 5.0]), np.array([6.0, 2.0]))
    assert first == pytest.approx(np.array([3, 3]))
    assert second == pytest.approx(np.array([4, 4]))


def dealt(num_commands: int) -> tuple[list[str], list[str]]:
    """Nine voices as wearer and bystander, in rounds, as a plan deals them."""
    order = np.arange(num_commands)
    wearer, step = order % 9, 1 + (order // 9) % 8
    names = np.array(list("abcdefghi"))
    return names[wearer].tolist(), names[(wearer + step) % 9].tolist()


@pytest.mark.parametrize("shape", [2, 0.5])  # of a gamma distribution: 0.5 has heavy tails
@pytest.mark.parametrize("num_commands", [24, 80])
def test_p_is_below_one_percent_in_one_percent_of_draws_after_nine_voices(
    num_commands: int, shape: float
) -> None:
    generator = np.random.default_rng(num_commands)
    voices = Voices.of(*dealt(num_commands), range(num_commands))
    assert voices
    draws = 3000
    sides = generator.gamma(shape, size=(draws, 2, num_commands))
    below = [sign_flip_p(voices.evidence(second - first)) < 0.01 for first, second in sides]
    assert np.mean(below) == pytest.approx(0.01, abs=3 * np.sqrt(0.01 * 0.99 / draws))
