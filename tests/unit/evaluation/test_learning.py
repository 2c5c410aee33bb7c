"""Learning from logs: trained policies, replay, and plans."""

from typing import Any

import numpy as np
import pytest

from bakeoff import Log, Run, evaluate, load, replay, simulate, train
from bakeoff.basics.errors import DataNotice, LearnerError, SpecError
from bakeoff.data.problem import Problem
from bakeoff.evaluation.plan import Question, events_needed, simulated_power
from bakeoff.evaluation.problem import costs_of, problem_of_log
from bakeoff.learners.spec import OwnRun
from tests.decision_logs import made_log


def uniform_log(n: int = 3000, seed: int = 0) -> tuple[Log, Problem]:
    """A uniform log of a problem with two easy classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 2)) + 2.0 * np.stack((y, 1 - y), axis=1)
    problem = Problem.from_classes(X, y)
    action = rng.integers(0, 2, n)
    log = Log.from_arrays(X, action, np.full(n, 0.5), (action == y).astype(float), n_actions=2)
    return log, problem


def test_a_trained_policy_is_better_than_chance() -> None:
    log, _ = uniform_log()

    found = evaluate(log, train(log), ["ips", "dr"])

    assert found["dr"].low > 0.8
    assert found.can_answer


def test_a_trained_policy_never_saw_what_it_is_judged_on() -> None:
    """Rewards of pure noise: a policy that had seen them would beat one half."""
    rng = np.random.default_rng(0)
    n = 300
    log = Log.from_arrays(
        np.eye(n), rng.integers(0, 2, n), np.full(n, 0.5), rng.integers(0, 2, n), n_actions=2
    )

    found = evaluate(log, train(log, passes=3), ["snips"])

    assert abs(found["snips"].value - log.reward.mean()) < 0.15


def test_on_an_adaptive_log_training_uses_only_the_past() -> None:
    made = made_log(600)
    rewards = made.log.reward.copy()
    rewards[-50:] = 1 - rewards[-50:]
    tables = []

    for r in (made.log.reward, rewards):
        log = Log.from_arrays(
            made.log.X, made.log.action, made.log.probability, r, n_actions=4, adaptive=True
        )
        tables.append(train(log).probabilities(log, 0, 300))

    np.testing.assert_array_equal(tables[0], tables[1])


def test_training_takes_any_of_our_algorithms_and_ranking_logs() -> None:
    made = made_log(200)
    rng = np.random.default_rng(0)
    problem = Problem.from_ranking(
        rng.normal(size=(90, 3)), rng.integers(0, 5, 90), np.repeat(np.arange(30), 3)
    )
    ranked = Log.from_run(problem, Run("epsilon-greedy:epsilon=0.5"))

    for log, run in ((made.log, Run("cover:nu")), (ranked, Run("greedy"))):
        table = train(log, run).probabilities(log, 0, log.n)
        np.testing.assert_allclose(table.sum(axis=1), 1.0, rtol=1e-12)

    with pytest.raises(SpecError, match="passes must be at least 1"):
        train(made.log, passes=0)


def test_replay_on_a_uniform_log_is_what_a_simulation_scores() -> None:
    log, problem = uniform_log(4000)
    run = Run("epsilon-greedy:epsilon=0.1", seed=3)

    found = replay(log, run)
    (result,) = simulate(problem, [run])

    assert found.capped == 0
    assert abs(found.accepted - log.n / 2) < 4 * np.sqrt(log.n / 4)
    assert found.low <= 1 - result.pv_loss <= found.high
    assert found.dr_value == pytest.approx(1 - result.pv_loss, abs=0.05)


def test_a_larger_multiplier_keeps_more_events_and_says_what_it_cut() -> None:
    log, _ = uniform_log(1000)

    fair, greedy = (replay(log, "epsilon-greedy:epsilon=0.1", multiplier=m) for m in (0.5, 2.0))

    assert fair.capped == 0
    assert greedy.capped > 0.3
    assert greedy.accepted > fair.accepted
    with pytest.raises(SpecError, match="multiplier must be positive"):
        replay(log, "greedy", multiplier=-1)


def test_replay_of_a_run_on_its_own_kind_of_log_of_digits() -> None:
    problem = load("embedded:iris")
    assert isinstance(problem, Problem)
    log = Log.from_run(problem, Run("epsilon-greedy:epsilon=1"), shuffle=1)

    found = replay(log, "epsilon-greedy:epsilon=0.2")

    assert 0 < found.accepted < log.n
    assert found.pv_loss == pytest.approx(1 - found.value)


class Counting:
    """Epsilon-greedy on mean losses by the larger feature; notes what it learned."""

    def __init__(self, n_actions: int, seed: int, epsilon: float = 0.1) -> None:
        self.rng, self.epsilon = np.random.default_rng(seed), epsilon
        self.losses, self.tries = np.zeros((2, n_actions)), np.ones((2, n_actions))
        self.learned: list[tuple[int, float, float]] = []

    def choose(self, x: Any) -> tuple[int, float]:
        assert x.dtype == np.float32
        side = int(x[0] > x[1])
        p = np.full(2, self.epsilon / 2)
        p[(self.losses[side] / self.tries[side]).argmin()] += 1 - self.epsilon
        action = int(self.rng.choice(len(p), p=p))
        return action, float(p[action])

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        side = int(x[0] > x[1])
        self.losses[side, action] += loss
        self.tries[side, action] += 1
        self.learned.append((action, loss, probability))


def test_a_learner_of_one_s_own_is_replayed_as_it_would_have_played() -> None:
    log, problem = uniform_log(4000)
    learner = Counting(n_actions=2, seed=1)
    spec = f"python:{Counting.__module__}.Counting"

    found, by_name = replay(log, learner), replay(log, spec)
    results = simulate(problem, [OwnRun(spec, seed=seed) for seed in range(5)])

    assert abs(found.accepted - log.n / 2) < 4 * np.sqrt(log.n / 4)
    assert found.capped == 0
    assert len(learner.learned) == found.accepted
    assert {loss for _, loss, _ in learner.learned} == {-1.0, 0.0}
    assert {round(p, 6) for _, _, p in learner.learned} == {0.05, 0.95}
    scores = [1 - result.pv_loss for result in results]
    assert min(scores) > 0.8
    for one in (found, by_name):
        assert one.low <= np.mean(scores) <= one.high
        assert one.dr_value == pytest.approx(np.mean(scores), abs=0.05)


def test_what_a_learner_of_one_s_own_does_wrong_is_said_with_the_event() -> None:
    log, _ = uniform_log(50)

    class Wrong:
        def choose(self, x: Any) -> tuple[int, float]:
            return 7, 0.5

        def learn(self, *given: Any) -> None:
            raise AssertionError

    with pytest.raises(LearnerError, match="event 0: choose must return an action"):
        replay(log, Wrong())
    with pytest.raises(SpecError, match="learner with choose and learn, got int"):
        replay(log, 3)


# ---- plans


def test_half_the_effect_needs_four_times_the_events() -> None:
    whole = events_needed(Question(10, 0.02), 0.05)
    half = events_needed(Question(10, 0.01), 0.05)

    assert half.events == pytest.approx(4 * whole.events, rel=0.01)


def test_exploration_pays_in_events_and_costs_in_reward() -> None:
    little, much = (events_needed(Question(10, 0.02), e) for e in (0.02, 0.2))

    assert little.events > 5 * much.events
    assert little.price < much.price


def test_a_plan_keeps_its_promise_in_simulation() -> None:
    question = Question(4, 0.05, rate=0.3)
    needed = events_needed(question, 0.2)

    power = simulated_power(question, 0.2, needed.events, times=400)

    sd = np.sqrt(0.8 * 0.2 / 400)
    assert abs(power - 0.8) < 4 * sd


@pytest.mark.parametrize(
    "wrong", [{"effect": 0.0}, {"power": 1.0}, {"n_actions": 1}, {"rate": 2.0}]
)
def test_a_plan_refuses_what_makes_no_sense(wrong: dict[str, float]) -> None:
    question = Question(4, 0.05)._replace(**wrong)  # type: ignore[arg-type]

    with pytest.raises(SpecError):
        events_needed(question, 0.1)


# ---- a log as a problem


def test_a_log_is_a_problem_whose_costs_are_guesses() -> None:
    log, problem = uniform_log()

    with pytest.warns(DataNotice, match="costs of the others are estimated"):
        made = problem_of_log(log)
    runs = [Run("greedy", learning_rate=rate) for rate in (0.01, 0.5)]
    guessed, true = (simulate(one, runs) for one in (made, problem))

    assert (made.n, made.n_actions) == (log.n, 2)
    for ours, theirs in zip(guessed, true, strict=True):
        assert ours.pv_loss == pytest.approx(theirs.pv_loss, abs=0.1)


def test_costs_of_what_was_done_follow_what_was_seen() -> None:
    log, _ = uniform_log(500)

    costs = costs_of(log)
    own = costs[np.arange(log.n), log.action]

    assert own[log.reward == 1].mean() < 0.1
    assert own[log.reward == 0].mean() > 0.9
    assert costs.min() >= 0
    assert costs.max() <= 1
