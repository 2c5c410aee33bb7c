"""What must hold for every explorer found, in every configuration."""

import itertools
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray
from scipy import sparse, stats

from bakeoff import Problem, ResourceError, Result, Run, parse, simulate, to_text
from bakeoff.data.problem import Task
from bakeoff.simulation.lanes import bytes_per_lane, sizes_of
from bakeoff.simulation.passes import MOST_LANES
from tests.comparisons import assert_same, follow
from tests.configurations import (
    BANDITS,
    CONFIGURATIONS,
    EXPLOSIVE,
    ONE_PER_EXPLORER,
    SKYLINES,
    Configuration,
)
from tests.explosions import explosion_of
from tests.outcomes import outcomes
from tests.problems import TASKS, Sample, sample

ROOT = Path(__file__).parents[2]
ROUNDS = 300

every_configuration = pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
every_bandit = pytest.mark.parametrize("configuration", BANDITS, ids=str)
every_explosive = pytest.mark.parametrize("configuration", EXPLOSIVE, ids=str)
every_task = pytest.mark.parametrize("task", TASKS)


def runs_of_all() -> list[Run]:
    """Three runs of each configuration."""
    return [
        configuration.run(learning_rate=rate, offset=offset, seed=number)
        for number, configuration in enumerate(CONFIGURATIONS)
        for rate, offset in ((0.5, 0), (2.0, -1), (0.1, 9))
    ]


@lru_cache(maxsize=1_000)
def alone(problem: Problem, run: Run) -> Result:
    """A run that shares its pass with no other."""
    [result] = simulate(problem, [run], record=True)
    return result


# Probabilities and draws


@every_bandit
@pytest.mark.parametrize("n_actions", [2, 3, 1_000])
def test_probabilities_are_a_distribution(configuration: Configuration, n_actions: int) -> None:
    played = sample("cost-sensitive", 50, n_actions)

    decisions = follow(configuration.learner(n_actions), played)

    p = np.array([decision.probabilities for decision in decisions])
    assert p.shape == (50, n_actions)
    assert (p >= 0).all()
    assert np.abs(p.sum(axis=1) - 1).max() < 1e-12  # 1,000 roundings of 1e-16


@every_bandit
def test_probabilities_are_a_distribution_over_the_actions_of_the_event(
    configuration: Configuration,
) -> None:
    played = sample("ranking", ROUNDS, 5)

    decisions = follow(configuration.learner(None), played)

    for decision, costs in zip(decisions, played.costs, strict=True):
        assert decision.probabilities.shape == costs.shape
        assert (decision.probabilities >= 0).all()
        assert abs(decision.probabilities.sum() - 1) < 1e-12  # five roundings of 1e-16


@every_bandit
def test_a_decision_reports_the_probability_of_its_action(configuration: Configuration) -> None:
    played = sample("multiclass", 50)

    decisions = follow(configuration.learner(3), played)

    for decision in decisions:
        assert decision.probability == decision.probabilities[decision.action] > 0


@every_bandit
def test_actions_are_drawn_with_the_probabilities_reported(configuration: Configuration) -> None:
    played = sample("multiclass", 30)
    learners = [configuration.learner(3, seed=seed) for seed in range(60)]

    decisions = [d for learner in learners for d in follow(learner, played)]

    p = np.array([decision.probabilities for decision in decisions])
    taken = np.eye(3)[[decision.action for decision in decisions]]
    by_rank = np.argsort(-p, axis=1, kind="stable")  # the likeliest action first
    ranked = [np.take_along_axis(table, by_rank, axis=1) for table in (taken, p)]
    assert chance_of(taken, p) > 1e-4
    assert chance_of(*ranked) > 1e-4


def chance_of(taken: NDArray[np.float64], p: NDArray[np.float64]) -> float:
    """The p-value of draws (one-hot rows) from the distributions in the rows of `p`.

    Given what came before, each row of taken - p has mean 0 and covariance
    diag(p) - p p^T: the sums are a martingale, and the quadratic form of their total in
    the inverse of their total covariance is chi-square, as in Pearson's test.
    """
    total = (taken - p).sum(axis=0)[:-1]
    covariance = (np.diag(p.sum(axis=0)) - p.T @ p)[:-1, :-1]
    statistic = total @ np.linalg.solve(covariance, total)
    return float(stats.chi2.sf(statistic, df=len(total)))


@pytest.mark.parametrize("configuration", SKYLINES, ids=str)
@every_task
def test_what_sees_all_costs_is_always_certain(configuration: Configuration, task: Task) -> None:
    result = alone(sample(task, ROUNDS).problem, configuration.run())

    assert result.probabilities is not None
    assert (result.probabilities == 1).all()


@every_configuration
def test_the_only_action_of_an_event_is_taken_for_certain(configuration: Configuration) -> None:
    played = sample("ranking", ROUNDS)
    has_one = np.array([len(costs) == 1 for costs in played.costs])

    result = alone(played.problem, configuration.run(seed=3))

    assert result.actions is not None
    assert result.probabilities is not None
    assert has_one.sum() > 50
    assert (result.actions[has_one] == 0).all()
    off = np.abs(result.probabilities[has_one] - 1).max()
    assert off <= 2**-52  # epsilon + (1 - epsilon) may round to a neighbour of 1


@every_configuration
def test_actions_belong_to_their_event(configuration: Configuration) -> None:
    played = sample("ranking", ROUNDS, 5)
    sizes = np.array([len(costs) for costs in played.costs])

    result = alone(played.problem, configuration.run(seed=3))

    assert result.actions is not None
    assert (result.actions < sizes).all()
    assert set(result.actions[sizes == 5]) == {0, 1, 2, 3, 4}


# Seeds


@every_configuration
@every_task
def test_the_same_seed_gives_the_same_bits(configuration: Configuration, task: Task) -> None:
    problem = sample(task, ROUNDS).problem
    run = configuration.run(seed=4)

    [first] = simulate(problem, [run], record=True)
    [second] = simulate(problem, [run], record=True)

    assert_same(first, second)


@every_bandit
@pytest.mark.parametrize("task", ["multiclass", "cost-sensitive"])
def test_another_seed_gives_other_draws(configuration: Configuration, task: Task) -> None:
    problem = sample(task, ROUNDS).problem

    one, other = simulate(problem, [configuration.run(seed=s) for s in (0, 1)], record=True)

    assert one.actions is not None
    assert other.actions is not None
    assert (one.actions != other.actions).any()


# What a run may depend on


@every_bandit
def test_costs_of_other_actions_are_never_read(configuration: Configuration) -> None:
    rng = np.random.default_rng(5)
    X, costs = rng.normal(size=(ROUNDS, 4)), rng.random((ROUNDS, 3))
    run = configuration.run(seed=5)
    [before] = simulate(Problem.from_costs(X, costs), [run], record=True)
    assert before.actions is not None
    poisoned = 1 - costs
    taken = np.arange(ROUNDS), before.actions
    poisoned[taken] = costs[taken]

    [after] = simulate(Problem.from_costs(X, poisoned), [run], record=True)

    assert_array_equal(after.actions, before.actions)
    assert_array_equal(after.probabilities, before.probabilities)
    assert_array_equal(after.costs, before.costs)
    assert after.pv_loss == before.pv_loss


@every_task
def test_a_run_does_not_depend_on_runs_that_share_its_pass(task: Task) -> None:
    problem, runs = sample(task, ROUNDS).problem, runs_of_all()

    together = simulate(problem, runs, record=True)

    for run, result in zip(runs, together, strict=True):
        assert_same(result, alone(problem, run))


@every_task
def test_a_run_does_not_depend_on_the_order_of_runs(task: Task) -> None:
    problem, runs = sample(task, ROUNDS).problem, runs_of_all()
    order = np.random.default_rng(6).permutation(len(runs))

    ordered = simulate(problem, runs, record=True)
    shuffled = simulate(problem, [runs[i] for i in order], record=True)

    for position, i in enumerate(order):
        assert_same(shuffled[position], ordered[i])


@every_task
@pytest.mark.parametrize("lanes", [1, 2])
def test_a_run_does_not_depend_on_how_memory_splits_passes(task: Task, lanes: int) -> None:
    problem, runs = sample(task, ROUNDS).problem, runs_of_all()
    sizes = sizes_of(problem)
    largest = max(bytes_per_lane(run, sizes) for run in runs)

    whole = simulate(problem, runs, record=True)
    split = simulate(problem, runs, record=True, memory=lanes * largest)

    for one, other in zip(whole, split, strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("configuration", ONE_PER_EXPLORER, ids=str)
def test_a_run_does_not_depend_on_the_number_of_runs(configuration: Configuration) -> None:
    problem = sample("multiclass", ROUNDS).problem
    rates = np.geomspace(0.01, 10, 2 * MOST_LANES + 2)
    runs = [configuration.run(learning_rate=rate, seed=7) for rate in rates]

    results = simulate(problem, runs, record=True)

    for run, result in zip(runs[::10], results[::10], strict=True):
        assert_same(result, alone(problem, run))


def test_threads_do_not_disturb_each_other() -> None:
    problems = [sample(task, ROUNDS).problem for task in TASKS] * 2

    def play_all(problem: Problem) -> list[Result]:
        return simulate(problem, runs_of_all(), record=True)

    with ThreadPoolExecutor(2) as pool:
        at_once = list(pool.map(play_all, problems))
    in_turn = [play_all(problem) for problem in problems]

    for ours, theirs in zip(at_once, in_turn, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert_same(one, other)


@every_configuration
@every_task
def test_sparse_features_give_the_same_run_as_dense_ones(
    configuration: Configuration, task: Task
) -> None:
    played = sample(task, ROUNDS)
    run = configuration.run(seed=8)

    dense, thin = (
        simulate(problem_of(played, task, as_sparse), [run], record=True)[0]
        for as_sparse in (False, True)
    )

    assert_same(dense, thin)


def problem_of(played: Sample, task: Task, as_sparse: bool) -> Problem:
    """The sample's problem, made once more."""
    X = np.vstack(played.contexts)
    x = sparse.coo_array(X) if as_sparse else X
    if task == "multiclass":
        return Problem.from_classes(x, [int(c.argmin()) for c in played.costs], 3)
    if task == "cost-sensitive":
        return Problem.from_costs(x, np.array(played.costs))
    sizes = [len(costs) for costs in played.costs]
    grades = 4 * (1 - np.concatenate(played.costs))
    return Problem.from_ranking(x, grades, np.repeat(np.arange(len(sizes)), sizes))


@pytest.mark.slow
def test_compiled_kernels_give_the_same_bits_as_plain_python(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "tests.outcomes", str(tmp_path / "plain.npz")],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
    )

    compiled = outcomes()

    with np.load(tmp_path / "plain.npz") as plain:
        assert set(plain) == set(compiled)
        for name, values in compiled.items():
            assert_array_equal(plain[name], values, name)


# Learning


@every_configuration
def test_an_easy_problem_is_learned(configuration: Configuration) -> None:
    rng = np.random.default_rng(9)
    y = rng.integers(4, size=1_500)
    problem = Problem.from_classes(np.eye(4)[y] + 0.1 * rng.normal(size=(1_500, 4)), y)
    runs = [
        configuration.run(learning_rate=rate, offset=offset, seed=9)
        for rate in (0.1, 0.5, 2.0)
        for offset in (0, -1)
    ]

    results = simulate(problem, runs)

    best = min(result.pv_loss for result in results)
    assert best < problem.constant_action_cost / 2


@every_explosive
def test_scores_that_are_not_finite_make_a_run_an_error(configuration: Configuration) -> None:
    problem, _, broken = explosion_of(configuration)

    result = alone(problem, broken)

    assert result.error is not None
    assert result.error.startswith("scores stopped being finite in round ")
    assert np.isnan([result.pv_loss, result.ips_loss, result.ips_reward]).all()
    assert np.isnan(result.curve.pv_loss).all()


@every_explosive
def test_a_run_that_breaks_leaves_runs_of_its_pass_alone(configuration: Configuration) -> None:
    problem, fine, broken = explosion_of(configuration)

    before, failed, after = simulate(problem, [fine, broken, fine], record=True)

    assert failed.error is not None
    assert_same(before, alone(problem, fine))
    assert_same(after, alone(problem, fine))
    assert before.error is None


# What a result says


@every_task
def test_the_learning_curve_is_the_mean_cost_so_far(task: Task) -> None:
    problem = sample(task, ROUNDS).problem

    results = simulate(problem, runs_of_all(), record=True)

    for result in results:
        rounds, pv_loss = result.curve
        assert result.costs is not None
        assert (np.diff(rounds) > 0).all()
        assert (rounds[0], rounds[-1]) == (1, ROUNDS)
        assert_array_equal(pv_loss, np.cumsum(result.costs)[rounds - 1] / rounds)
        assert pv_loss[-1] == result.pv_loss


@pytest.mark.parametrize("n", [1, 2, 9, 11])
def test_the_learning_curve_of_few_rounds_ends_at_the_last(n: int) -> None:
    problem = Problem.from_classes(np.ones((n, 1)), np.zeros(n, int), n_actions=2)

    [result] = simulate(problem, [Run("greedy")])

    assert result.curve.rounds[-1] == n
    assert result.curve.pv_loss[-1] == result.pv_loss


@every_task
def test_costs_and_ips_estimates_follow_from_the_record(task: Task) -> None:
    played = sample(task, ROUNDS)
    sizes = np.array([len(costs) for costs in played.costs])

    results = simulate(played.problem, runs_of_all(), record=True)

    for result in results:
        assert result.actions is not None
        assert result.costs is not None
        assert result.probabilities is not None
        true = [c[a] for c, a in zip(played.costs, result.actions, strict=True)]
        weights = sizes * result.probabilities
        assert_array_equal(result.costs, true)
        assert result.ips_loss == in_order(result.costs / weights) / ROUNDS
        assert result.ips_reward == 1 - in_order((1 - result.costs) / weights) / ROUNDS


def in_order(values: NDArray[np.float64]) -> float:
    """The sum from first to last; np.sum adds in another order."""
    return float(np.cumsum(values)[-1])


@every_task
def test_uniform_cost_is_the_mean_cost_of_all_actions(task: Task) -> None:
    played = sample(task, ROUNDS)

    [result] = simulate(played.problem, [Run("greedy")])

    expected = np.mean([costs.mean() for costs in played.costs])
    assert result.uniform_cost == pytest.approx(expected, rel=1e-12)  # sums reordered


@every_task
def test_ips_estimates_of_epsilon_greedy_are_unbiased(task: Task) -> None:
    played = sample(task, 5_000)
    sizes = np.array([len(costs) for costs in played.costs])
    uniform = np.array([costs.mean() for costs in played.costs])

    result = alone(played.problem, Run("epsilon-greedy:epsilon=0.2", seed=10))

    assert result.costs is not None
    assert result.probabilities is not None
    weights = 1 / (sizes * result.probabilities)
    losses = result.costs * weights - uniform
    rewards = (1 - result.costs) * weights - (1 - uniform)
    for estimate, terms in ((result.ips_loss, losses), (result.ips_reward, rewards)):
        standard_error = terms.std() / np.sqrt(len(terms))
        assert abs(estimate - result.uniform_cost) < 4 * standard_error


def test_a_result_says_how_long_it_took() -> None:
    results = simulate(sample("multiclass", ROUNDS).problem, runs_of_all())

    assert all(result.seconds > 0 for result in results)


def test_no_record_is_kept_unless_asked_for() -> None:
    [result] = simulate(sample("multiclass", ROUNDS).problem, [Run("greedy")])

    assert (result.actions, result.probabilities, result.costs) == (None, None, None)


@every_configuration
def test_specs_survive_a_round_trip(configuration: Configuration) -> None:
    run = configuration.run(learning_rate=0.1, offset=-1, seed=11)

    assert to_text(parse(configuration.spec)) == configuration.spec
    assert Run.from_text(str(run)) == run


# The call


def test_no_runs_give_no_results() -> None:
    assert simulate(sample("multiclass", ROUNDS).problem, []) == []


def test_progress_grows_and_ends_at_the_total() -> None:
    problem, runs = sample("multiclass", ROUNDS).problem, runs_of_all()
    calls = []

    simulate(problem, runs, progress=lambda done, total: calls.append((done, total)))

    done, totals = zip(*calls, strict=True)
    assert set(totals) == {ROUNDS * len(runs)}
    assert all(a < b for a, b in itertools.pairwise(done))
    assert done[-1] == ROUNDS * len(runs)


def test_an_interrupt_stops_a_simulation_at_once() -> None:
    problem, runs = sample("multiclass", ROUNDS).problem, runs_of_all()
    calls = []

    def interrupt(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(problem, runs, progress=interrupt)

    assert len(calls) == 3
    assert calls[-1] < problem.n * len(runs) / 10


@every_configuration
def test_too_little_memory_is_an_error(configuration: Configuration) -> None:
    problem = sample("multiclass", ROUNDS).problem

    with pytest.raises(ResourceError, match=r"one run of .* on 'multiclass' takes"):
        simulate(problem, [configuration.run()], memory=100)
