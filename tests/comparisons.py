"""Ways to play a run (ours, live, by the reference), and what makes two the same."""

from dataclasses import asdict
from functools import lru_cache

import numpy as np
from numpy.testing import assert_array_equal

from bakeoff import Decision, Learner, Problem, Result, Run, simulate
from tests.problems import Sample
from tests.reference import simulation as reference


def assert_same(one: Result, other: Result) -> None:
    """All that two runs did is equal to the last bit; only time may differ."""
    assert one.run == other.run
    assert one.n == other.n
    assert one.error == other.error
    for field in (
        "pv_loss", "ips_reward", "ips_loss", "uniform_cost",
        "actions", "probabilities", "costs",
    ):  # fmt: skip
        assert_array_equal(getattr(one, field), getattr(other, field), field)
    _, mine, theirs = np.intersect1d(one.curve.rounds, other.curve.rounds, return_indices=True)
    if len(one.curve.rounds) == len(other.curve.rounds):
        assert_array_equal(one.curve.rounds, other.curve.rounds)
    assert len(mine) >= min(len(one.curve.rounds), len(other.curve.rounds))
    assert_array_equal(one.curve.pv_loss[mine], other.curve.pv_loss[theirs])


@lru_cache(maxsize=8)
def play(problem: Problem, runs: tuple[Run, ...]) -> dict[Run, Result]:
    """What we do in all runs on a problem, from one call."""
    results = simulate(problem, runs, record=True)
    return dict(zip(runs, results, strict=True))


def follow(learner: Learner, played: Sample) -> list[Decision]:
    """What a learner decides, event after event, told each cost at once."""
    decisions = []
    for x, costs in zip(played.contexts, played.costs, strict=True):
        decision = learner.choose(x)
        learner.learn(decision, cost=costs[decision.action])
        decisions.append(decision)
    return decisions


def play_reference(
    played: Sample,
    run: Run,
    arrivals: list[int] | None = None,
    told: list[list[float]] | None = None,
) -> reference.Record:
    """What the reference does in a run."""
    name, _, _ = run.explorer.partition(":")
    return reference.simulate(
        played.events,
        name,
        asdict(run.settings),
        run.reduction,
        run.learning_rate,
        run.offset,
        run.baseline,
        run.seed,
        played.problem.task,
        arrivals,
        told,
    )


def assert_equals_reference(result: Result, record: reference.Record) -> None:
    """A recorded run and the reference agree action by action, to the last bit."""
    assert result.error is None
    assert_array_equal(result.actions, record.actions)
    assert_array_equal(result.probabilities, record.probabilities)
    assert_array_equal(result.costs, record.costs)
    assert result.pv_loss == record.pv_loss
    assert result.ips_loss == record.ips_loss
    assert result.ips_reward == record.ips_reward
