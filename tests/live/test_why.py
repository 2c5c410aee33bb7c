"""`decision.why()`: contributions add up to the score, to the last bit."""

from typing import Any

import numpy as np
import pytest

from bakeoff import DataError, Decision, Learner, catch_up, verify

SPECS = ("greedy", "epsilon-greedy:epsilon=0.2", "regcb:c0=1e-3,optimistic", "squarecb")


def score_of(learner: Learner, position: int) -> float:
    """The score that the kernels computed for the last decision."""
    return float(learner.model.engine.bandit.scores[position, 0])


def added_up(contributions: dict[str, float]) -> float:
    total = np.float32(0)
    for value in contributions.values():
        total = total + np.float32(value)
    return float(total)


def taught(learner: Learner, event: Any) -> Learner:
    for i in range(60):
        x, kwargs = event(i)
        decision = learner.choose(x, **kwargs)
        learner.learn(decision, reward=float((i + decision.action) % 3 == 0))
    return learner


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("settings", [{}, {"baseline": True}, {"learning_rate": "auto"}])
def test_contributions_add_up_with_arrays(spec: str, settings: Any) -> None:
    rng = np.random.default_rng(1)
    learner = Learner(spec, 3, seed=2, **settings)
    taught(learner, lambda i: (rng.normal(size=5), {}))

    decision = learner.choose(np.array([0.5, 0.0, -1.0, 2.0, 1.0]))
    why = decision.why()

    if settings != {"learning_rate": "auto"}:  # where other lanes have scores, too
        assert why.score == score_of(learner, decision.action)
    assert added_up(why.contributions) == why.score
    assert "1" not in why.contributions  # a feature that is zero
    assert sum(why.against.values()) == pytest.approx(why.score - (why.runner_up_score or 0.0))


def test_contributions_have_the_names_of_features() -> None:
    learner = Learner("greedy", actions=["sport", "news"], seed=2)
    users = [{"age": i % 5, "city": f"c{i % 3}", "likes": ["a", "b"]} for i in range(60)]
    taught(learner, lambda i: (users[i], {}))

    decision = learner.choose({"age": 3, "city": "c1", "likes": ["a"], "none": None})
    why = decision.why()

    assert list(why.contributions) == ["age", "city=c1", "likes=a", "(constant)"]
    assert why.score == score_of(learner, decision.action) == added_up(why.contributions)
    assert {why.name, why.runner_up_name} == {"sport", "news"}
    assert not why.explored


def test_actions_with_features_and_those_that_come_and_go() -> None:
    learner = Learner("greedy", actions={"a": {"t": "x"}, "b": {"t": "y"}, "c": {"n": 2}}, seed=2)
    taught(learner, lambda i: ({"u": f"{i % 4}"}, {}))

    decision = learner.choose({"u": "1"}, available=["b", "c"])
    why = decision.why()

    assert why.score == added_up(why.contributions)
    assert any(" x " in name for name in why.contributions)
    assert {why.name, why.runner_up_name} == {"b", "c"}


def test_actions_of_the_event() -> None:
    learner = Learner("greedy", seed=2)
    rows = [{"t": "x"}, {"t": "y"}, {"t": "z", "n": 1.5}]
    taught(learner, lambda i: ({"u": f"{i % 4}"}, {"actions": rows}))

    decision = learner.choose({"u": "1"}, actions=rows)
    why = decision.why()

    assert why.score == score_of(learner, decision.action) == added_up(why.contributions)


def test_actions_apart() -> None:
    learner = Learner("greedy", actions=["a", "b"], seed=2)
    taught(learner, lambda i: ({"u": f"{i % 4}"}, {}))
    learner.add_action("c")
    taught(learner, lambda i: ({"u": f"{i % 4}"}, {}))

    decision = learner.choose({"u": "2"})
    why = decision.why()

    assert why.score == score_of(learner, decision.action) == added_up(why.contributions)


def test_exploration_is_said() -> None:
    learner = Learner("epsilon-greedy:epsilon=0.9", 4, seed=3)
    taught(learner, lambda i: (np.array([1.0, i % 2]), {}))

    decisions = [learner.choose(np.array([1.0, 0.0])) for _ in range(50)]
    explored = [decision.why().explored for decision in decisions]

    most_likely = [decision.probability == decision.probabilities.max() for decision in decisions]
    assert 0 < sum(explored) < 50
    assert explored == [not flag for flag in most_likely]


def test_a_decision_is_explained_before_the_learner_learns() -> None:
    learner = Learner("greedy", 2, seed=1)
    first, second = learner.choose([1.0]), learner.choose([1.0])
    learner.learn(first, reward=1.0)

    with pytest.raises(DataError, match="version 0"):
        second.why()


def test_a_decision_of_another_process_cannot_be_explained() -> None:
    decision = Learner("greedy", 2, seed=1).choose([1.0])

    with pytest.raises(DataError, match="process"):
        Decision.from_json(decision.to_json()).why()


def test_decisions_among_own_actions_are_admitted_and_replayed(tmp_path: Any) -> None:
    reader, log = Learner("greedy", seed=1), tmp_path / "log.jsonl"
    writer = Learner("greedy", seed=2, log=log)
    writer.save(tmp_path / "model")
    rows = [{"t": "x"}, {"t": "y"}]
    for i in range(20):
        text = reader.choose({"u": f"{i % 3}"}, actions=rows).to_json()
        decision = Decision.from_json(text)
        writer.admit(decision)
        writer.learn(decision.id, reward=float(decision.action))
    writer.close()

    again = Learner.load(tmp_path / "model")
    replay = catch_up(again, log)

    assert (replay.admitted, replay.outcomes) == (20, 20)
    assert verify(log).is_fine
    x = {"u": "1"}
    assert (
        again.probabilities(x, actions=rows).tolist()
        == writer.probabilities(x, actions=rows).tolist()
    )
