"""Learning rates without choosing: nine lanes, and the best so far decides."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bakeoff import Learner, Run, load, simulate
from bakeoff.live.verify import verify
from bakeoff.runs.grids import RATES
from tests.configurations import BANDITS, Configuration

X = np.random.default_rng(2).normal(size=(400, 5))
Y = (X @ np.random.default_rng(3).normal(size=(5, 3))).argmin(axis=1)
every_bandit = pytest.mark.parametrize("configuration", BANDITS, ids=str)


def play(learner: Learner, contexts: Any, right: Any) -> float:
    """The mean cost of what a learner does."""
    total = 0.0
    for x, y in zip(contexts, right, strict=True):
        decision = learner.choose(x)
        cost = float(decision.action != y)
        learner.learn(decision, cost=cost)
        total += cost
    return total / len(contexts)


def lanes_by_hand(spec: str) -> list[list[float]]:
    """What each choice is drawn from, with nine learners in place of lanes."""
    rates = [0.5, *RATES]
    learners = [Learner(spec, 3, learning_rate=rate, seed=4) for rate in rates]
    costs, weights = np.zeros(10), np.zeros(10)
    drawn = []
    for x, y in zip(X, Y, strict=True):
        lead = int(np.argmin((costs + 0.5) / (weights + 1.0)))
        decision = learners[lead].choose(x)
        cost, p = float(decision.action != y), decision.probability
        drawn.append(decision.probabilities.tolist())
        for i, learner in enumerate(learners):
            if i != lead:
                learner.ledger.t += 1
            scores = scores_of(learner, x)
            best = np.flatnonzero(scores == scores.min())
            if decision.action in best:
                costs[i] += 1.0 / p * cost / len(best)
                weights[i] += 1.0 / p / len(best)
            event = learner.model.encoder.by_number(x)
            loss = cost + learner.run.offset
            p_all = decision.probabilities
            learner.model.engine.learn(event, decision.t, decision.action, p_all, loss)
    return drawn


def scores_of(learner: Learner, x: Any) -> Any:
    """Scores of all actions by the first policy."""
    event, _ = learner.model.event(x)
    learner.model.engine.choose(event, 1, np.empty(3))
    return learner.model.engine.bandit.scores[:, 0].copy()


@pytest.mark.parametrize("spec", ["epsilon-greedy:epsilon=0.1", "cover:nu", "regcb"])
def test_lanes_are_learners_side_by_side(spec: str) -> None:
    learner = Learner(spec, 3, learning_rate="auto", seed=4)
    drawn = []
    for x, y in zip(X, Y, strict=True):
        decision = learner.choose(x)
        drawn.append(decision.probabilities.tolist())
        learner.learn(decision, cost=float(decision.action != y))

    assert_array_equal(drawn, lanes_by_hand(spec))


@every_bandit
def test_probabilities_stay_exact(configuration: Configuration, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = configuration.learner(3, learning_rate="auto", log=path)  # type: ignore[arg-type]
    play(learner, X[:150], Y[:150])

    verdict = verify(path)

    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (150, 0)
    assert verdict.ratios.contradictions == 0


def test_a_learner_that_looks_for_its_rate_is_saved(tmp_path: Path) -> None:
    learner = Learner("bag", 3, learning_rate="auto", seed=1)
    play(learner, X[:100], Y[:100])
    learner.save(tmp_path / "m")
    loaded = Learner.load(tmp_path / "m")

    for x in X[100:120]:
        assert_array_equal(loaded.probabilities(x), learner.probabilities(x))
    assert loaded.learning_rate == learner.learning_rate


def test_a_good_rate_is_found() -> None:
    problem = load("embedded:iris").shuffled(1)
    X = problem.contexts.value.reshape(problem.n, -1)[:, :-1].astype(np.float64)
    right = problem.true_costs.right
    runs = [Run("regcb:optimistic", learning_rate=rate, seed=1) for rate in RATES]
    losses = [result.pv_loss for result in simulate(problem, runs)]
    learner = Learner("regcb:optimistic", 3, learning_rate="auto", seed=1)

    cost = play(learner, X, right)

    assert cost < np.median(losses)
