"""Bounds: what was never tried, ends in their order, and estimates inside their intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff import Log, compare_policies, evaluate
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.intervals import INTERVALS
from benchmarks.interval_coverage import ALPHA, cell, log_of, new_world, simulate
from tests.decision_logs import made_log

LOGS = 60
LEAST = 1 - ALPHA - 3 * np.sqrt(ALPHA * (1 - ALPHA) / LOGS)


# ---- what was never tried


@pytest.mark.parametrize("logger", ["unseen", "partial"])
def test_intervals_allow_any_reward_where_nothing_was_tried(logger: str) -> None:
    world = new_world(logger)
    made = simulate(world, logger, 1.0, 3000, LOGS, seed=5)
    wanted = [name for name in INTERVALS if name != "bootstrap"]

    found = cell(world, made, 3000, adaptive=False, wanted=[*wanted, "auto"])

    assert {key: held for key, (held, _) in found.items() if held < LEAST} == {}


@pytest.mark.parametrize("logger", ["unseen", "partial"])
def test_every_estimator_allows_any_reward_where_nothing_was_tried(logger: str) -> None:
    world = new_world(logger)
    made = simulate(world, logger, 1.0, 3000, 20, seed=6)
    held = dict.fromkeys(ESTIMATORS, 0)

    for i in range(20):
        log = log_of(made, i, 3000, adaptive=False)
        found = evaluate(log, lambda X: X @ world.target, list(ESTIMATORS), interval="student")
        for name, estimate in found.items():
            held[name] += estimate.low <= world.truth <= estimate.high

    assert min(held.values()) >= 17


@pytest.mark.parametrize("estimator", ["ips", "dr"])
def test_sequences_count_what_was_never_tried_once(estimator: str) -> None:
    """With n large, the interval is as wide as the share never tried, not twice as wide."""
    n, share = 200_000, 0.2
    rng = np.random.default_rng(0)
    p = np.tile([0.5, 0.5, 0.0], (n, 1))
    log = Log.from_arrays(
        None, rng.integers(0, 2, n), np.full(n, 0.5), np.full(n, 0.5), n_actions=3,
        probabilities=p, adaptive=True,
    )  # fmt: skip
    policy = np.tile([0.4, 0.4, share], (n, 1))

    found = evaluate(log, policy, [estimator], interval="robust")[estimator]
    paired = compare_policies(
        log, {"new": policy}, baseline="logged", estimator=estimator, interval="robust"
    ).differences["new"]

    assert share <= found.width < 1.2 * share
    assert share <= paired.high - paired.low < 1.2 * share


@pytest.mark.parametrize("interval", ["student", "robust"])
def test_differences_allow_any_reward_where_nothing_was_tried(interval: str) -> None:
    for logger in ("unseen", "partial"):
        world = new_world(logger)
        made = simulate(world, logger, 1.0, 3000, 20, seed=7)
        base = world.tried / world.tried.sum(axis=1, keepdims=True)
        truth = world.truth - float((base * world.means).sum(axis=1).mean())
        for target, sign in ((lambda X, w=world: X @ w.target, 1), (lambda X, b=base: X @ b, -1)):
            other = (lambda X, b=base: X @ b) if sign > 0 else (lambda X, w=world: X @ w.target)
            held = 0
            for i in range(20):
                log = log_of(made, i, 3000, adaptive=False)
                found = compare_policies(log, {"new": target}, baseline=other, interval=interval)
                low, high = found.differences["new"].low, found.differences["new"].high
                held += low <= sign * truth <= high
            assert held >= 17


# ---- ends in their order, the estimate between them


@st.composite
def logs_and_policies(draw: st.DrawFn) -> tuple[Log, np.ndarray]:
    """Logs of all kinds: few events, heavy weights, rare rewards, actions never tried."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, K = draw(st.integers(1, 60)), draw(st.integers(2, 4))
    p = rng.dirichlet(np.full(K, draw(st.sampled_from([0.05, 1.0]))), n)
    if draw(st.booleans()):
        p[:, 0] = 0.0
    p = np.where(p < 1e-9, 0.0, p)
    p[p.sum(axis=1) == 0] = 1.0
    p /= p.sum(axis=1, keepdims=True)
    action = np.array([rng.choice(K, p=row) for row in p])
    kind = draw(st.sampled_from(["noise", "one", "zero", "policy"]))
    policy = rng.dirichlet(np.full(K, draw(st.sampled_from([0.05, 1.0]))), n)
    reward = {
        "noise": rng.random(n),
        "one": np.ones(n),
        "zero": np.zeros(n),
        "policy": (policy[np.arange(n), action] > 0.5).astype(float),  # fitted to the log
    }[kind]
    own = p[np.arange(n), action]
    log = Log.from_arrays(
        rng.normal(size=(n, 2)), action, own, reward, n_actions=K,
        probabilities=p if draw(st.booleans()) else None, adaptive=draw(st.booleans()),
    )  # fmt: skip
    return log, policy


@settings(max_examples=60, deadline=None)
@given(made=logs_and_policies(), interval=st.sampled_from(["auto", *INTERVALS]))
def test_no_interval_is_empty_inside_out_or_without_its_estimate(
    made: tuple[Log, np.ndarray], interval: str
) -> None:
    log, policy = made

    found = evaluate(log, policy, list(ESTIMATORS), interval=interval)

    for estimate in (found.logged, *found.values()):
        assert 0 <= estimate.low <= estimate.high <= 1
        assert estimate.low <= min(max(estimate.value, 0), 1) <= estimate.high


def fitted_log() -> tuple[Log, np.ndarray]:
    """A policy that plays what was played: its log cannot judge it."""
    rng = np.random.default_rng(3)
    n, K = 800, 8
    p = np.full((n, K), 0.02)
    p[:, 0] += 1 - 0.02 * K
    action = np.array([rng.choice(K, p=row) for row in p])
    reward = (rng.random(n) < 0.5).astype(float)
    policy = 0.5 * np.eye(K)[action] + 0.5 / K
    log = Log.from_arrays(
        rng.normal(size=(n, 2)), action, p[np.arange(n), action], reward, n_actions=K,
        probabilities=p, adaptive=True,
    )  # fmt: skip
    return log, policy


def test_bounds_that_contradict_each_other_are_an_objection() -> None:
    log, policy = fitted_log()

    found = evaluate(log, policy, ["ips", "dr"], interval="sequence")

    assert not found.can_answer
    assert "above the upper one" in found.advice
    assert all(estimate.low <= estimate.high <= 1 for estimate in found.values())


@pytest.mark.parametrize("interval", ["sequence", "robust"])
@pytest.mark.parametrize("baseline", ["logged", "uniform"])
def test_an_interval_of_a_difference_holds_it(baseline: str, interval: str) -> None:
    log, policy = fitted_log()

    found = compare_policies(
        log, {"new": policy}, baseline=baseline, estimator="ips", interval=interval
    )

    one = found.differences["new"]
    assert -1 <= one.low <= min(one.value, 1) <= one.high <= 1
    assert found.best is None


def test_a_shrunk_estimate_is_inside_its_interval_or_a_word_is_said() -> None:
    n = 5000
    rng = np.random.default_rng(0)
    p = np.tile([0.95, 0.05], (n, 1))
    action = (rng.random(n) < 0.05).astype(int)
    reward = (action == 1).astype(float)
    log = Log.from_arrays(
        None, action, p[np.arange(n), action], reward, n_actions=2, probabilities=p, adaptive=True
    )

    found = evaluate(log, "constant:1", ["ips", "clipped:limit=1"])

    clipped = found["clipped:limit=1"]
    assert clipped.low <= clipped.value < found["ips"].low
    assert "clipped: the interval was widened" in found.advice


# ---- adaptively weighted intervals


def test_the_weighted_interval_is_students_where_variances_are_even() -> None:
    made = made_log(4000, spread=0.0)

    found, plain = (
        evaluate(made.log, "uniform", ["ips"], interval=name)["ips"]
        for name in ("stabilised", "student")
    )

    assert found.low == pytest.approx(plain.low, abs=0.1 * plain.width)
    assert found.width == pytest.approx(plain.width, rel=0.02)


def test_the_weighted_interval_holds_on_the_log_of_a_learner_and_is_short() -> None:
    world = new_world()
    made = simulate(world, "learning", 0.4, 1500, LOGS, seed=8)

    found = cell(world, made, 1500, adaptive=True, wanted=["stabilised", "robust"])

    for estimator in ("ips", "dr"):
        held, width = found[f"{estimator}/stabilised"]
        assert held >= LEAST
        assert width < 0.8 * found[f"{estimator}/robust"][1]


# ---- the check of the mean weight


@pytest.mark.parametrize("has_distributions", [True, False])
@pytest.mark.parametrize("policy", ["rare", "mix", "uniform"])
@pytest.mark.parametrize(("n", "epsilon"), [(300, 0.05), (1000, 0.02)])
def test_sound_logs_are_not_accused(
    n: int, epsilon: float, policy: str, has_distributions: bool
) -> None:
    """Epsilon-greedy loggers, ten actions: promised is one accusation in 10,000 logs."""
    K, rng = 10, np.random.default_rng(n)
    p = np.full(K, epsilon / K)
    p[0] += 1 - epsilon
    played = {
        "rare": np.eye(K)[1],
        "mix": 0.9 * np.eye(K)[0] + 0.1 / K,
        "uniform": np.full(K, 1 / K),
    }[policy]
    accused = 0

    for _ in range(200):
        action = rng.choice(K, n, p=p)
        log = Log.from_arrays(
            None, action, p[action], rng.random(n), n_actions=K,
            probabilities=np.tile(p, (n, 1)) if has_distributions else None,
        )  # fmt: skip
        found = evaluate(log, np.tile(played, (n, 1)), ["ips"])
        accused += "do not fit" in found.advice

    assert accused == 0


@pytest.mark.parametrize("power", [0.5, 1.5])
def test_wrong_probabilities_are_accused(power: float) -> None:
    """Distributions that do not belong to the draws: too even, or too bold."""
    made = made_log(3000)
    assert made.log.probabilities is not None
    p = made.log.probabilities**power
    p /= p.sum(axis=1, keepdims=True)
    log = Log.from_arrays(
        made.log.X, made.log.action, None, made.log.reward, n_actions=4, probabilities=p
    )

    found = evaluate(log, "constant:2", ["ips"])

    (check,) = [check for check in found.checks if check.name == "mean weight"]
    assert check.fails
    assert "do not fit" in found.advice
