"""What voices have of their own, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from synthkit.audit.statistics import sign_flip_p
from synthkit.audit.voices import Voices


def test_what_belongs_to_voices_goes_and_what_belongs_to_sides_stays() -> None:
    voices = Voices.of(["ann", "bob"], ["bob", "ann"])
    assert voices
    # Apart by 5 and -3: the second side has 1 more, bob 4 more than ann, 2 over the mean of both.
    first, second = voices.taken_out(np.array([1.0, 5.0]), np.array([6.0, 2.0]))
    assert first == pytest.approx(np.array([3, 3]))
    assert second == pytest.approx(np.array([4, 4]))


def test_what_belongs_to_the_words_does_not_pass_for_a_voices_own() -> None:
    voices = Voices.of(["ann", "bob", "cleo"], ["bob", "cleo", "ann"])
    assert voices
    words, own = np.array([10.0, 200.0, 3000.0]), np.array([-1.0, 0.0, 1.0])
    first, second = voices.taken_out(words + own, words + np.roll(own, -1) + 0.5)
    assert first == pytest.approx(words)
    assert second == pytest.approx(words + 0.5)


def test_a_voices_own_leans_to_neither_side_however_often_it_stands_there() -> None:
    voices = Voices.of(["ann", "ann", "ann", "bob"], ["bob", "bob", "bob", "ann"])
    assert voices
    # The second side has 2 more, bob 4 more than ann: 6, 6, 6 and -2 apart.
    first, second = voices.taken_out(np.array([1.0, 1, 1, 5]), np.array([7.0, 7, 7, 3]))
    assert second - first == pytest.approx(np.full(4, 2))


def test_a_voice_that_is_always_the_bystander_cannot_be_taken_out() -> None:
    assert Voices.of(["ann", "bob"], ["bob", "cleo"]) is None
    assert Voices.of(["ann", "ann"], ["bob", "bob"]) is None


def test_voices_without_a_name_cannot_be_taken_out() -> None:
    assert Voices.of(["ann", None], [None, "ann"]) is None


@pytest.mark.parametrize(("num_commands", "left"), [(6, 4 / 6), (24, 22 / 24), (1, 0.0)])
def test_three_voices_cost_two_differences(num_commands: int, left: float) -> None:
    voices = Voices.of(["ann", "bob", "cleo"], ["bob", "cleo", "ann"])
    assert voices
    assert voices.freedom(num_commands) == pytest.approx(left)


def test_voices_that_lean_to_a_side_leave_less_of_it() -> None:
    # With three times ann, bob and once bob, ann, voices fit 3 - 1 of 4 parts of the sides:
    # (2 / 4)^2 = 1/4 of them; and one of 4 differences goes for the voices.
    voices = Voices.of(["ann", "ann", "ann", "bob"], ["bob", "bob", "bob", "ann"])
    assert voices
    assert voices.freedom(4) == pytest.approx(3 / 4 * 3 / 4)


@pytest.mark.parametrize("num_commands", [24, 80])
def test_p_is_below_one_percent_in_one_percent_of_draws_after_nine_voices(
    num_commands: int,
) -> None:
    generator = np.random.default_rng(num_commands)
    names = np.array(list("abcdefghi"))
    below, draws = 0, 1000
    for _ in range(draws):
        order = np.arange(num_commands)
        wearer, step = order % 9, 1 + (order // 9) % 8  # as voices are dealt: in rounds
        voices = Voices.of(names[wearer].tolist(), names[(wearer + step) % 9].tolist())
        assert voices
        first, second = voices.taken_out(*generator.normal(0, 1, (2, num_commands)))
        below += sign_flip_p(second - first, voices.freedom(num_commands)) < 0.01
    assert below / draws == pytest.approx(0.01, abs=3 * np.sqrt(0.01 * 0.99 / draws))
