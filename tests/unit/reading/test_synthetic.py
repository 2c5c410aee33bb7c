"""Each made-up problem shows its effect, in every one of twenty shuffles."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bakeoff import Problem, Run, simulate
from bakeoff.core.types import Doubles
from bakeoff.reading.catalog.synthetic import greedy_trap, rich_contexts, shared_baseline, uniforms

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
SEEDS = range(20)

COVER = {  # the paper's fixed choices for an encoding
    -1: Run("cover:n_policies=4,psi=0.1", "ips"),
    0: Run("cover:n_policies=4,psi=0.1", "dr"),
}


def best_losses(problem: Problem, run: Run, offset: float, baseline: bool = False) -> Doubles:
    """The loss at the best of nine learning rates, shuffle by shuffle."""
    losses = []
    for seed in SEEDS:
        runs = [
            replace(run, learning_rate=rate, offset=offset, baseline=baseline, seed=seed)
            for rate in RATES
        ]
        results = simulate(problem.shuffled(seed), runs)
        losses.append(min(result.pv_loss for result in results))
    return np.array(losses)


# ---- greedy-trap


@pytest.mark.parametrize("offset", [-1, 0])
def test_the_worst_cover_is_better_than_the_best_greedy_in_the_trap(offset: int) -> None:
    problem = greedy_trap()

    greedy = best_losses(problem, Run("greedy"), offset)
    cover = best_losses(problem, COVER[offset], offset)

    assert cover.max() < greedy.min() - 0.1


def test_epsilon_greedy_gets_out_of_the_trap_with_pessimistic_losses() -> None:
    problem = greedy_trap()

    greedy = best_losses(problem, Run("greedy"), -1)
    explorer = best_losses(problem, Run("epsilon-greedy"), -1)

    assert explorer.max() < greedy.min() - 0.1


def test_greedy_with_pessimistic_losses_never_leaves_its_first_action() -> None:
    runs = [Run("greedy", learning_rate=rate, offset=-1) for rate in RATES]

    results = simulate(greedy_trap(), runs, record=True)

    for result in results:
        assert result.actions is not None
        assert len(set(result.actions.tolist())) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_greedy_with_optimistic_losses_gives_the_right_action_up(seed: int) -> None:
    problem = greedy_trap().shuffled(seed)
    runs = [Run("greedy", learning_rate=rate, offset=0, seed=seed) for rate in RATES]

    results = simulate(problem, runs, record=True)

    is_ten = problem.contexts.value[problem.contexts.start[:-1]] == 10
    late = is_ten & (np.arange(problem.n) >= problem.n // 2)
    for result in results:
        assert result.actions is not None
        assert not (result.actions[late] == 0).any()


# ---- shared-baseline


@pytest.mark.parametrize("offset", [-1, 0, 9])
def test_greedy_with_a_baseline_is_better_in_every_shuffle(offset: int) -> None:
    problem = shared_baseline()

    without = best_losses(problem, Run("greedy"), offset)
    with_baseline = best_losses(problem, Run("greedy"), offset, baseline=True)

    assert (with_baseline < without).all()


@pytest.mark.parametrize("offset", [-1, 9])
def test_the_worst_with_a_baseline_is_better_than_the_best_without(offset: int) -> None:
    problem = shared_baseline()

    without = best_losses(problem, Run("greedy"), offset)
    with_baseline = best_losses(problem, Run("greedy"), offset, baseline=True)

    assert with_baseline.max() < without.min()


# ---- rich-contexts


@pytest.mark.parametrize("offset", [-1, 0])
def test_exploring_costs_more_than_it_brings_in_rich_contexts(offset: int) -> None:
    problem = rich_contexts()

    greedy = best_losses(problem, Run("greedy"), offset)
    uniform = best_losses(problem, Run("epsilon-greedy"), offset)
    cover = best_losses(problem, COVER[offset], offset)

    assert (greedy < uniform).all()
    assert (greedy < cover).all()


# ---- numbers


def test_uniform_numbers_do_not_depend_on_the_version_of_numpy() -> None:
    numbers = uniforms(1, 2, 2)

    raw = [[4610079356560476, 8561015897205333], [1298474356252035, 8544674593265037]]
    assert_array_equal(numbers, np.array(raw) / 2**53)


def test_uniform_numbers_fill_the_unit_interval() -> None:
    numbers = uniforms(2, 100, 100).ravel()

    counts = np.bincount(np.floor(10 * numbers).astype(np.int64))

    assert len(counts) == 10
    chi_square = ((counts - 1000.0) ** 2 / 1000).sum()
    assert chi_square < 27.9  # exceeded once in a thousand times, 9 degrees of freedom
