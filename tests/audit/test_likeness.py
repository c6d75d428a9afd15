"""How late one stretch of samples is against another, however short they are."""

from __future__ import annotations

import numpy as np
import pytest

from synthkit.audit.likeness import lag


@pytest.mark.parametrize("number", [1, 2, 5, 300, 700, 800, 801, 2000])
@pytest.mark.parametrize("late", [-3, 0, 1, 750])
@pytest.mark.parametrize("whitened", [False, True])
def test_a_sound_is_as_late_as_it_was_made_however_short_it_is(number, late, whitened):
    sound = np.random.default_rng(number).normal(size=number)
    before = np.concatenate((np.zeros(max(0, -late)), sound))
    after = np.concatenate((np.zeros(max(0, late)), sound))
    assert lag(before, after, whitened) == late


def test_two_sounds_of_one_sample_are_not_late():
    assert lag(np.ones(1), np.ones(1)) == 0
