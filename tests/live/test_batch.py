"""Batches: what they decide and learn is what single events would."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from bakeoff import DataError, Learner
from bakeoff.live.feedback import Feedback
from bakeoff.live.verify import verify
from tests.configurations import BANDITS, Configuration
from tests.live.test_safety import weights

X = np.random.default_rng(9).normal(size=(120, 4)).round(2)
COSTS = np.random.default_rng(8).random((120, 3))
every_bandit = pytest.mark.parametrize("configuration", BANDITS, ids=str)


@every_bandit
def test_a_batch_is_many_events_that_are_learned_later(configuration: Configuration) -> None:
    one, many = configuration.learner(3), configuration.learner(3)

    for part in np.split(np.arange(120), 6):
        singles = [one.choose(x) for x in X[part]]
        batch = many.choose_batch(X[part])
        assert_array_equal(batch.actions, [d.action for d in singles])
        assert_array_equal(batch.probabilities, [d.probabilities for d in singles])
        assert_array_equal(batch.probability, [d.probability for d in singles])
        costs = COSTS[part, batch.actions]
        for decision, cost in zip(singles, costs, strict=True):
            one.learn(decision, cost=cost)
        assert many.learn_batch(batch, cost=costs) == 20

    assert_array_equal(weights(many), weights(one))
    assert (many.t, many.version) == (one.t, one.version)


@pytest.mark.parametrize("contexts", [sparse.csr_array(X), X.tolist()], ids=["sparse", "lists"])
def test_contexts_of_a_batch_may_have_other_forms(contexts: Any) -> None:
    plain, other = (Learner("bag", 3, seed=1) for _ in range(2))

    assert_array_equal(
        other.choose_batch(contexts).probabilities, plain.choose_batch(X).probabilities
    )


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_a_frame_is_a_batch_of_its_rows(library: str) -> None:
    frame = pytest.importorskip(library).DataFrame(
        {"age": [31, 40, 22], "city": ["Rome", "Oslo", "Rome"]}
    )
    one, many = (Learner("bag", 3, seed=1) for _ in range(2))
    rows = [{"age": 31, "city": "Rome"}, {"age": 40, "city": "Oslo"}, {"age": 22, "city": "Rome"}]

    batch = many.choose_batch(frame)

    assert_array_equal(batch.actions, [one.choose(x).action for x in rows])


def test_an_empty_batch_is_refused() -> None:
    with pytest.raises(DataError, match="at least one context"):
        Learner("bag", 3).choose_batch([])


def test_a_batch_of_named_features() -> None:
    one, many = (Learner("bag", 3, seed=1) for _ in range(2))
    contexts = [{"a": float(x[0]), "b": f"v{i % 3}"} for i, x in enumerate(X)]

    batch = many.choose_batch(contexts)

    assert_array_equal(batch.actions, [one.choose(x).action for x in contexts])


def test_outcomes_that_are_missing_teach_nothing() -> None:
    one, other = (Learner("bag", 3, seed=1) for _ in range(2))
    first, second = one.choose_batch(X), other.choose_batch(X)
    costs = np.where(np.arange(120) % 3 == 0, np.nan, 0.25)

    assert one.learn_batch(first, cost=costs) == 80
    for i in np.flatnonzero(~np.isnan(costs)):
        other.model.engine.learn(
            second.event._replace(start=second.event.start[i : i + 2]),
            second.t + int(i),
            int(second.actions[i]),
            second.probabilities[i],
            0.25 + other.run.offset,
        )

    assert_array_equal(weights(one), weights(other))


def test_a_batch_is_learned_once() -> None:
    learner = Learner("bag", 3, seed=1)
    batch = learner.choose_batch(X)
    learner.learn_batch(batch, reward=np.ones(120))

    assert learner.learn_batch(batch, reward=np.ones(120)) == 0

    strict = Learner("bag", 3, feedback=Feedback(twice="refuse"))
    batch = strict.choose_batch(X)
    strict.learn_batch(batch, reward=np.ones(120))
    with pytest.raises(DataError, match="learned before"):
        strict.learn_batch(batch, reward=np.ones(120))


def test_a_logged_batch_can_be_made_again(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("epsilon-greedy:epsilon=0.5", 3, log=path)
    batch = learner.choose_batch(X)
    learner.learn_batch(batch, cost=COSTS[np.arange(120), batch.actions])
    learner.choose(X[0])

    verdict = verify(path)

    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.outcomes) == (121, 120)
    assert verdict.is_fine


@pytest.mark.parametrize(
    ("feedback", "message"),
    [
        ({}, "loss, cost and reward"),
        ({"cost": np.zeros(3)}, "cost .*120"),
        ({"cost": np.full(120, 2.0)}, "cost .*between 0 and 1"),
        ({"reward": np.full(120, -1.0)}, "reward .*between 0 and 1"),
    ],
)
def test_bad_feedback_is_refused(feedback: dict[str, Any], message: str) -> None:
    learner = Learner("bag", 3, seed=1)
    batch = learner.choose_batch(X)

    with pytest.raises(DataError, match=message):
        learner.learn_batch(batch, **feedback)
    with pytest.raises(DataError, match="another learner"):
        Learner("bag", 3).learn_batch(batch, cost=np.zeros(120))


def test_a_batch_from_before_actions_changed_is_learned() -> None:
    one, other = (Learner("bag", 3, seed=1) for _ in range(2))
    first, second = one.choose_batch(X), other.choose_batch(X)
    one.add_action()

    one.learn_batch(first, cost=np.full(120, 0.25))
    other.learn_batch(second, cost=np.full(120, 0.25))

    same = one.probabilities(X[0], available=[0, 1, 2])[:3]
    assert_array_equal(same, other.probabilities(X[0]))


def test_a_batch_is_monitored_like_single_events() -> None:
    one, many = (Learner("epsilon-greedy:epsilon=0.5", 3, seed=1) for _ in range(2))
    batch = many.choose_batch(X)
    many.learn_batch(batch, cost=np.full(120, 0.25))
    singles = [one.choose(x) for x in X]
    for decision in singles:
        one.learn(decision, cost=0.25)

    for a, b in zip(one.monitor()["actions"], many.monitor()["actions"], strict=True):
        assert a.pop("name") == b.pop("name")
        assert a == pytest.approx(b, rel=1e-12)  # sums in another order


def test_batches_need_actions_with_numbers() -> None:
    with pytest.raises(DataError, match="choose_batch needs"):
        Learner("bag").choose_batch(X)
