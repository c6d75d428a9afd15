"""Statistics against scipy's, brute force, and values worked out by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

from synthkit.audit.statistics import (
    auc,
    concordance,
    cross_validated_auc,
    fold_of,
    holm,
    least_p,
    sign_flip_p,
)

# Ids by fold, as the hash has them: found here, used below.
IDS = [f"door_{number}" for number in range(60)]


def test_auc_counts_pairs_in_order_with_ties_half() -> None:
    # Of 2 x 3 pairs 1 < 2, 1 < 3, 2 < 3 are in order, 1 = 1 and 2 = 2 tie, 1 < 2 is not.
    assert auc(np.array([1.0, 2.0]), np.array([1.0, 2.0, 3.0])) == pytest.approx(4 / 6)


def test_auc_agrees_with_mann_whitneys_u() -> None:
    generator = np.random.default_rng(5)
    low, high = generator.integers(0, 9, 40) * 1.0, generator.integers(2, 11, 30) * 1.0
    u = scipy.stats.mannwhitneyu(high, low).statistic
    assert auc(low, high) == pytest.approx(u / (40 * 30))


def test_concordance_counts_equal_sides_half() -> None:
    assert concordance(np.array([1.0, 2.0, 0.0, -1.0])) == 0.625


def test_cross_validated_auc_of_sides_that_lie_apart_is_one_in_either_direction() -> None:
    low, high = np.zeros(60), np.ones(60)
    assert cross_validated_auc(low, high, IDS) == 1
    assert cross_validated_auc(high, low, IDS) == 1


def test_a_direction_that_does_not_hold_counts_against_an_auc() -> None:
    folds = np.array([fold_of(name) for name in IDS])
    turned = folds == 0
    low, high = np.where(turned, 1.0, 0.0), np.where(turned, 0.0, 1.0)
    expected = 1 - turned.mean()  # wrong throughout in the fold that goes the other way
    assert cross_validated_auc(low, high, IDS) == pytest.approx(expected)


def test_one_fold_alone_has_no_cross_validated_auc() -> None:
    assert cross_validated_auc(np.zeros(1), np.ones(1), ["door"]) is None


def test_p_of_few_commands_is_that_of_all_ways_to_swap() -> None:
    differences = np.array([0.5, -0.5, 1.0, 2.0, 2.0, -3.0, 4.0, 0.0, 5.0])  # ties and a zero
    ranks = scipy.stats.rankdata(np.abs(differences[differences != 0]))
    observed = abs(float(np.sum(np.sign(differences[differences != 0]) * ranks)))
    sums = [abs(float(np.dot(signs, ranks))) for signs in product((-1, 1), repeat=len(ranks))]
    expected = np.mean([total >= observed for total in sums])
    assert sign_flip_p(differences) == pytest.approx(expected)


@pytest.mark.parametrize("num_commands", [12, 80, 200])
def test_p_agrees_with_wilcoxons_exact_test(num_commands: int) -> None:
    differences = np.random.default_rng(num_commands).normal(0.3, 1, num_commands)
    expected = scipy.stats.wilcoxon(differences, method="exact").pvalue
    assert sign_flip_p(differences) == pytest.approx(expected, rel=1e-6)


def test_p_of_many_commands_is_the_normal_one() -> None:
    differences = np.random.default_rng(7).normal(0.1, 1, 400)
    expected = scipy.stats.wilcoxon(differences, method="asymptotic").pvalue
    assert sign_flip_p(differences) == pytest.approx(expected, rel=1e-6)


def test_p_does_not_depend_on_scale_or_sign_or_rounding() -> None:
    differences = np.array([1.0, 1.0, -1.0, 2.0, 3.0, 3.0, 4.0])
    p = sign_flip_p(differences)
    assert sign_flip_p(-differences) == p
    assert sign_flip_p(differences * 1e-7) == p
    assert sign_flip_p(differences * (1 + 1e-13 * np.arange(7))) == p


def test_p_of_sides_that_are_equal_is_one_and_of_all_one_way_the_least() -> None:
    assert sign_flip_p(np.zeros(9)) == 1
    assert sign_flip_p(np.zeros(0)) == 1
    assert sign_flip_p(np.ones(9)) == least_p(9) == 2 / 512


def test_p_is_below_one_percent_in_one_percent_of_draws_without_a_difference() -> None:
    generator = np.random.default_rng(11)
    below = [sign_flip_p(generator.normal(0, 1, 40)) < 0.01 for _ in range(3000)]
    assert np.mean(below) == pytest.approx(0.01, abs=3 * np.sqrt(0.01 * 0.99 / 3000))


def test_holm_steps_down() -> None:
    # 0.005 x 4, 0.01 x 3, 0.03 x 2, then 0.04 x 1, which is not less than what comes before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []
