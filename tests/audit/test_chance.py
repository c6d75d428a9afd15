"""Whether chance explains a table: against scipy, and against every order there is."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import binomtest, fisher_exact

from synthkit.audit.chance import (
    DRAWS,
    FIRST_DRAWS,
    SETTLED,
    coded,
    cramers_v,
    evenly,
    swapped,
    together,
)


def near(p: float) -> object:
    """Equal to ``p``, which is twice a share of draws, within four standard errors.

    Where ten of the first draws reach what was found, no more are made.
    """
    share = p / 2
    draws = DRAWS if share * FIRST_DRAWS < SETTLED / 2 else FIRST_DRAWS
    return pytest.approx(p, abs=8 * np.sqrt(share * (1 - share) / draws))


def table(*counts: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Commands with two labels each, so many of each cell: both codings."""
    cells = [(i, j) for i, row in enumerate(counts) for j, n in enumerate(row) for _ in range(n)]
    return tuple(coded([str(cell[at])] for cell in cells).counts for at in (0, 1))


def every_order(one: np.ndarray, other: np.ndarray, strata: list[list[int]]) -> float:
    """Twice the smaller share of orders whose largest, or whole, deviation reaches the found."""
    found = []
    for orders in product(*(permutations(group) for group in strata)):
        order = np.arange(len(one))
        for group, new in zip(strata, orders, strict=True):
            order[group] = new
        found.append(one.T @ other[order])
    tables = np.array(found)
    deviations = np.abs(tables - tables.mean(axis=0))
    varies = tables.std(axis=0) > 0
    z = deviations[:, varies] / tables.std(axis=0)[varies]
    shares = [np.mean(s >= s[0] - 1e-9) for s in (z.max(axis=1), np.square(z).sum(axis=1))]
    return min(1.0, 2 * float(min(shares)))


# With equal rows every table is as likely as its mirror, and Fisher's two sides are the same two.
@pytest.mark.parametrize("counts", [((9, 3), (3, 9)), ((7, 5), (5, 7)), ((6, 14), (13, 7))])
def test_two_by_two_is_fishers_exact_test_twice_over(counts: tuple[tuple[int, int], ...]) -> None:
    verdict = together(*table(*counts), [""] * sum(map(sum, counts)))
    assert verdict.p == near(min(1, 2 * fisher_exact(counts).pvalue))


def test_a_small_p_is_as_small_as_fishers() -> None:
    counts = ((12, 3), (3, 12))
    verdict = together(*table(*counts), [""] * 30)
    assert verdict.p == near(2 * fisher_exact(counts).pvalue)
    assert verdict.z == pytest.approx(
        (12 - 7.5) / np.sqrt(15 * 15 * 15 * 15 / (30 * 30 * 29)), 1e-6
    )


@pytest.mark.parametrize(
    ("one", "other", "strata"),
    [
        ("aaabbcc", "xxxyyzz", [list(range(7))]),
        ("aaabbcc", "xyzxyzx", [list(range(7))]),
        ("aabbaabb", "xxyyxyyx", [[0, 1, 2, 3], [4, 5, 6, 7]]),
        ("aabbcccc", "xxyyyyxx", [[0, 1, 2, 3], [4, 5, 6, 7]]),
    ],
)
def test_p_is_that_of_all_orders_within_strata(
    one: str, other: str, strata: list[list[int]]
) -> None:
    left, right = coded(one).counts, coded(other).counts
    names = [str(next(i for i, g in enumerate(strata) if n in g)) for n in range(len(one))]
    assert together(left, right, names).p == near(every_order(left, right, strata))


def test_several_labels_of_a_command_are_counted_as_often_as_they_stand() -> None:
    found = coded([Counter(call=1, mute=3).elements(), Counter(mute=2).elements(), []])
    assert found.levels == ("call", "mute")
    assert found.counts.tolist() == [[1, 3], [0, 2], [0, 0]]
    one = coded([["a", "b"], ["b", "c"], ["c", "a"], ["a", "b"], ["b"], ["c"]]).counts
    other = coded([["x"], ["x"], ["y"], ["x", "y"], [], ["y"]]).counts
    expected = every_order(one, other, [list(range(6))])
    assert together(one, other, [""] * 6).p == near(expected)


@pytest.mark.parametrize("ahead", [5, 7, 9])
def test_sides_are_tossed_like_coins(ahead: int) -> None:
    signs = np.array([[1.0]] * ahead + [[-1.0]] * (10 - ahead) + [[0.0]] * 4)
    expected = min(1, 2 * binomtest(ahead, 10).pvalue)
    assert swapped(signs).p == near(expected)


def test_what_is_used_is_tossed_like_a_coin_between_two() -> None:
    for uses in ((5, 7), (3, 11), (2, 13)):
        expected = min(1, 2 * binomtest(uses[0], sum(uses)).pvalue)
        assert evenly(np.array(uses, dtype=float)).p == near(expected)


def test_what_is_used_among_three_is_dealt_in_all_ways() -> None:
    uses, share = np.array([5.0, 1.0, 0.0]), []
    for ways in product(range(3), repeat=6):
        found = np.bincount(ways, minlength=3)
        share.append((np.abs(found - 2).max() >= 3, np.square(found - 2).sum() >= 14))
    expected = min(1, 2 * np.mean(share, axis=0).min())
    assert evenly(uses).p == near(expected)


def test_nothing_that_varies_is_nothing_to_find() -> None:
    same, other = coded(["a"] * 8).counts, coded("xxxxyyyy").counts
    assert together(same, other, [""] * 8).p == 1
    assert together(other, other, list("ppppqqqq")).p == 1  # each alone within its stratum
    assert swapped(np.zeros((8, 2))).p == 1
    assert evenly(np.array([8.0])).p == 1


def test_the_same_set_has_the_same_p() -> None:
    counts = table((9, 4), (4, 9))
    assert together(*counts, [""] * 26) == together(*counts, [""] * 26)


def test_chance_alone_is_found_as_seldom_as_is_said() -> None:
    """Of 400 dealings of chance about 4 pass 0.01; 12 would be four standard errors more."""
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(400):
        one, other = (np.eye(3)[rng.integers(0, 3, 20)] for _ in range(2))
        found += together(one, other, [""] * 20).p <= 0.01
    assert found < 12


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([[8, 0], [0, 8]], 1), ([[4, 4], [4, 4]], 0), ([[3, 1], [1, 3]], 0.5), ([[5, 3]], 0)],
)
def test_cramers_v(counts: list[list[int]], expected: float) -> None:
    assert cramers_v(np.array(counts)) == pytest.approx(expected)
