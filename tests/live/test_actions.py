"""Actions by name, some of them, new ones, and with features of their own."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bakeoff import DataError, Learner, SpecError
from bakeoff.reading.logs.lines import records_of
from tests.configurations import BANDITS, Configuration

X = np.random.default_rng(1).normal(size=(300, 4))
every_bandit = pytest.mark.parametrize("configuration", BANDITS, ids=str)


def cost(x: Any, action: int) -> float:
    """Action 0 is right for positive first features, the others by turns."""
    return float((x[0] > 0) != (action % 2 == 0))


def test_actions_have_names() -> None:
    learner = Learner("greedy", actions=["sport", "news"], seed=1)

    decision = learner.choose([1.0])

    assert decision.name == ["sport", "news"][decision.action]
    assert learner.n_actions == 2


@every_bandit
def test_only_available_actions_are_chosen_with_exact_probabilities(
    configuration: Configuration,
) -> None:
    learner = configuration.learner(5)
    rng = np.random.default_rng(2)

    for x in X:
        mask = rng.random(5) < 0.6
        mask[rng.integers(5)] = True
        decision = learner.choose(x, available=mask)
        p = decision.probabilities
        assert mask[decision.action]
        assert (p[~mask] == 0).all()
        assert_allclose(p.sum(), 1.0, rtol=0, atol=1e-12)  # five roundings
        assert decision.probability == p[decision.action]
        learner.learn(decision, cost=cost(x, decision.action))


@every_bandit
def test_actions_that_never_appear_might_as_well_not_exist(configuration: Configuration) -> None:
    few, many = configuration.learner(3), configuration.learner(6)

    for x in X[:150]:
        one, other = few.choose(x), many.choose(x, available=[0, 2, 5])
        assert [0, 2, 5][one.action] == other.action
        assert_array_equal(one.probabilities, other.probabilities[[0, 2, 5]])
        few.learn(one, cost=cost(x, one.action))
        many.learn(other, cost=cost(x, one.action))


@every_bandit
def test_a_new_action_leaves_the_others_as_they_are(configuration: Configuration) -> None:
    learner, twin = configuration.learner(3), configuration.learner(3)
    for x in X[:100]:
        for one in (learner, twin):
            one.learn(one.choose(x), cost=cost(x, 0))

    number = learner.add_action()

    assert number == 3
    assert learner.n_actions == 4
    for x in X[100:150]:
        same = learner.probabilities(x, available=[0, 1, 2])
        assert_array_equal(same[:3], twin.probabilities(x))


def test_a_decision_made_before_actions_changed_is_learned() -> None:
    learner, twin = (Learner("bag", 3, seed=1) for _ in range(2))
    decisions = [(learner.choose(x), twin.choose(x)) for x in X[:20]]

    learner.add_action()
    for mine, theirs in decisions:
        learner.learn(mine, cost=cost(X[0], mine.action))
        twin.learn(theirs, cost=cost(X[0], theirs.action))

    same = learner.probabilities(X[0], available=[0, 1, 2])
    assert_array_equal(same[:3], twin.probabilities(X[0]))


def test_a_retired_action_is_not_chosen_and_not_forgotten() -> None:
    learner = Learner("epsilon-greedy:epsilon=0.5", actions=["a", "b", "c"], seed=1)
    for x in X[:100]:
        decision = learner.choose(x)
        learner.learn(decision, cost=float(decision.name != "b"))
    before = learner.probabilities(X[0])

    learner.retire_action("b")
    names = {learner.choose(x).name for x in X}
    learner.add_action("b")

    assert names == {"a", "c"}
    assert_array_equal(learner.probabilities(X[0]), before)
    assert learner.actions == ["a", "b", "c"]


def test_many_actions_may_be_added() -> None:
    learner = Learner("greedy", actions=["a", "b"], seed=1)
    learner.learn(learner.choose([1.0, 2.0]), reward=1.0)

    for i in range(100):
        learner.add_action(f"n{i}")
        learner.learn(learner.choose([1.0, float(i)]), reward=0.5)

    assert len(learner.probabilities([1.0, 1.0])) == 102


def test_users_matter_where_actions_share_weights() -> None:
    actions = {"a": {"topic": "sport"}, "b": {"topic": "news"}}
    learner = Learner("epsilon-greedy:epsilon=0.1", actions=actions, seed=1)
    plain = Learner("epsilon-greedy:epsilon=0.1", actions=actions, seed=1, interactions=False)

    right = {True: 0, False: 0}
    for i in range(600):
        user = {"likes": ["sport", "news"][i % 2], "age": 30}
        for one in (learner, plain):
            decision = one.choose(user)
            hit = actions[str(decision.name)]["topic"] == user["likes"]
            right[one is learner] += hit and i >= 300
            one.learn(decision, reward=float(hit))

    assert right[True] > 270  # 300 rounds, 5 % of them a wrong guess
    assert right[False] < 200


def test_an_event_may_bring_its_actions() -> None:
    learner = Learner("epsilon-greedy:epsilon=0.1", seed=1)
    hits = 0
    for i in range(400):
        topics = [["a", "b"], ["b", "c", "a"], ["c", "a"]][i % 3]
        decision = learner.choose({"likes": "a"}, actions=[{"topic": topic} for topic in topics])
        hit = topics[decision.action] == "a"
        hits += hit and i >= 200
        assert len(decision.probabilities) == len(topics)
        learner.learn(decision, reward=float(hit))

    assert hits > 170  # 200 rounds, at most 7 % of them a wrong guess


@pytest.mark.parametrize(
    ("available", "message"),
    [
        ([], "at least one"),
        ([7], "no action 7"),
        (["x"], "no action 'x'"),
        ([0, 0], "available .*differ"),
        ([True], "mask .*3 flags"),
        ([False] * 3, "at least one"),
    ],
)
def test_bad_subsets_are_refused(available: Any, message: str) -> None:
    learner = Learner("greedy", 3)

    with pytest.raises(DataError, match=message):
        learner.choose([1.0], available=available)

    assert learner.t == 0


@pytest.mark.parametrize("actions", [["a"], ["a", "a"], "ab", [1, 2], [], {"a": {}}, 3, ["a", ""]])
def test_bad_lists_of_actions_are_refused(actions: Any) -> None:
    with pytest.raises(SpecError, match=r"actions|names of"):
        Learner("greedy", actions=actions)


def test_a_refused_change_of_actions_writes_no_header(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("greedy", actions=["a", "b"], log=path)
    learner.choose([1.0])

    with pytest.raises(DataError):
        learner.add_action("a")
    with pytest.raises(DataError):
        learner.retire_action("z")
    learner.choose([1.0])

    assert [r["kind"] for r in records_of(path)] == ["bakeoff-log", "decision", "decision"]


def test_actions_that_cannot_change_are_refused() -> None:
    learner = Learner("greedy", actions=["a", "b"])

    with pytest.raises(DataError, match="action 'a' already"):
        learner.add_action("a")
    with pytest.raises(DataError, match="no action 'z'"):
        learner.retire_action("z")
    learner.retire_action("a")
    with pytest.raises(DataError, match="last action"):
        learner.retire_action("b")
    with pytest.raises(DataError, match="its own"):
        Learner("greedy").add_action("a")


# A floor


@every_bandit
def test_no_action_is_rarer_than_the_floor(configuration: Configuration) -> None:
    learner = configuration.learner(4, floor=0.03)

    for x in X[:100]:
        decision = learner.choose(x)
        assert (decision.probabilities >= 0.03 * (1 - 1e-12)).all()  # one rounding
        assert_allclose(decision.probabilities.sum(), 1.0, rtol=0, atol=1e-12)
        learner.learn(decision, cost=cost(x, decision.action))


@pytest.mark.parametrize("floor", [-0.1, 0.3, np.nan, "a"])
def test_a_floor_that_cannot_be_kept_is_refused(floor: Any) -> None:
    with pytest.raises(SpecError, match=r"floor must lie between 0 and 0\.25"):
        Learner("greedy", 4, floor=floor)


def test_a_lone_name_is_no_list_of_actions() -> None:
    learner = Learner("greedy", actions=["sport", "news"])

    with pytest.raises(DataError, match=r"available .*got 's"):
        learner.choose({"a": 1.0}, available="sport")


@pytest.mark.parametrize("first", [10, ["sport", "news"]])
def test_actions_in_place_of_an_algorithm_are_refused(first: Any) -> None:
    with pytest.raises(SpecError, match="algorithm first"):
        Learner(first)
