"""The analysed version of active epsilon-greedy: fast sums against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.theory import CELLS, TAU, Case, at_its_best, explored, new_tree, play, regret
from tests.reference.analysed_active import AnalysedActive


@pytest.mark.parametrize(("cells", "m", "n"), [(4, 10, 6000), (15, 3, 1500)])
@pytest.mark.slow
def test_the_tree_plays_as_the_reference_does(cells: int, m: int, n: int) -> None:
    draw = np.random.default_rng(cells)
    x = draw.integers(cells, size=n)
    draw_action, draw_loss = draw.random(n), draw.random(n)
    thresholds = np.arange(cells + 1)[:, np.newaxis]
    policies = (np.arange(cells) >= thresholds).astype(np.int64)
    reference = AnalysedActive(policies, 2, Fraction(2, m), 0.05)
    actions = np.zeros(n, np.int64)

    regret = play(new_tree(cells), 1, cells, m, True, x, draw_action, draw_loss, actions)

    best, expected, singles = (x >= (cells + 1) // 2).astype(int), 0.0, 0
    for t in range(1, n + 1):
        i = t - 1
        p = reference.explore(int(x[i]), t)
        chosen = p.index(max(p))
        a = chosen if draw_action[i] < float(p[chosen]) else 1 - chosen
        assert actions[i] == a
        mean = (1 - TAU if a == best[i] else 1 + TAU) / 2
        reference.learn(int(x[i]), a, int(draw_loss[i] < mean), p)
        expected += TAU * float(p[1 - best[i]])
        singles += max(p) == 1
    assert regret == pytest.approx(expected, rel=1e-12)
    assert sum(p) == 1
    if cells == 4:
        assert singles > 0  # else the disagreement test never mattered


@pytest.mark.slow
def test_epsilon_greedys_exponent_is_that_of_its_epsilon() -> None:
    """At the order of the theorem nearly all regret is exploration, whatever is learned."""
    T = 300_000
    theorem = Case("", CELLS, False, 1 / 3, 10.0)

    assert explored(T, theorem) == pytest.approx(regret(T, theorem, 1), rel=0.02)


@pytest.mark.slow
def test_both_are_shown_at_their_best_epsilon() -> None:
    T = 100_000

    best = at_its_best("epsilon-greedy", False, "T^(-1/2)", T, 2)

    documented = Case("", CELLS, True, 1 / 3, 10.0)  # active, at the order of its theorem
    assert regret(T, best, 1) < regret(T, documented, 1)
    assert best.power == 1 / 2
