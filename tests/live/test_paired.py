"""Products of contexts and actions, which kernels make: equal to those made in Python."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bakeoff import DataError, Learner, evaluate, read_log, rule, train
from bakeoff.basics.errors import DataNotice
from bakeoff.core.explorers.regcb import REGCB
from bakeoff.evaluation.policies import policy_of
from bakeoff.live import paired
from bakeoff.live.paired import ActionRows, Paired, Table
from bakeoff.live.verify import verify

USERS: list[dict[str, Any]] = [
    {"age": 0.5, "who": "a"},
    {"age": -1.5, "who": "b", "tags": ["x", "y"]},
    {},
    {"age": 0.0, "who": "c"},
]
ARTICLES: list[dict[str, Any]] = [
    {"topic": "sport", "length": 2.0},
    {"topic": "news", "length": 0.0, "tags": ["x"]},
    {"topic": "art", "length": 1e-30, "tags": ["x", "y", "z"]},
    {"topic": "sport", "length": -3.0},
    {"length": 7.0},
]
SPECS = [
    "greedy learning_rate=1",
    "epsilon-greedy:epsilon=0.2 reduction=dr",
    "epsilon-greedy:epsilon=0.2 baseline",
    "bag:n_policies=3",
    "cover:n_policies=2,psi=0.1",
    "regcb:c0=1e-3,optimistic",
    "regcb:c0=0.1 baseline",
    "active:epsilon=0.2,c0=1e-3",
    "active:epsilon=0.2,c0=1e-3 reduction=dr",
    "randregcb:c0=0.1",
    "linucb",
    "regcb:c0=0.1,forget=20,restart=5",
]


def offers(n: int) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Events with different users and numbers of articles."""
    rng = np.random.default_rng(3)
    sizes = itertools.cycle([2, 5, 3])
    return [
        (USERS[i % 4], [ARTICLES[j] for j in rng.integers(5, size=next(sizes)).tolist()])
        for i in range(n)
    ]


def played(learner: Learner, n: int = 40) -> list[tuple[int, list[float]]]:
    """Decisions of a learner, which learns two events later."""
    made: list[Any] = []
    for user, articles in offers(n):
        made.append(learner.choose(user, actions=articles))
        if len(made) > 2:
            decision = made[-3]
            learner.learn(decision, reward=float(decision.action == 0))
    return [(d.action, d.probabilities.tolist()) for d in made]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("rate", [None, "auto"])
def test_kernels_make_the_same_products(
    spec: str, rate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Learner(spec, seed=1, bits=6, learning_rate=rate)
    decisions = played(mine)
    other = Learner(spec, seed=1, bits=6, learning_rate=rate)
    event = other.model._with_features
    monkeypatch.setattr(other.model, "_with_features", lambda e: event(e).crossed())  # type: ignore[union-attr]

    assert played(other) == decisions
    for name in ("w", "A", "N", "T", "S"):
        assert_array_equal(
            getattr(mine.model.engine.bandit.policies, name),
            getattr(other.model.engine.bandit.policies, name),
        )
    assert mine.model.engine.bandit.policies.w.any() or spec == "linucb"  # its own oracle


def test_explorers_of_users_see_the_rows_of_pairs() -> None:
    mine = Learner(rule(REGCB), seed=1, bits=6)
    ours = Learner("regcb", seed=1, bits=6)

    assert [p for _, p in played(mine)] == [p for _, p in played(ours)]


def test_rules_have_the_bounds_of_pairs() -> None:
    def lowest(scores: Any, lower: Any) -> Any:
        """What RegCB-opt does."""
        least = lower == lower.min()
        return least / least.sum()

    mine = Learner(rule(lowest), seed=1, bits=6, learning_rate=0.5)
    ours = Learner("regcb:optimistic", seed=1, bits=6, learning_rate=0.5)

    assert [p for _, p in played(mine)] == [p for _, p in played(ours)]


def test_features_without_a_context_have_no_products() -> None:
    mine = Learner("greedy", seed=1, interactions=False)
    other = Learner("greedy", seed=1)
    for _, articles in offers(30):
        a = mine.choose({"age": 3.0}, actions=articles)
        b = other.choose(articles)
        assert_array_equal(a.probabilities, b.probabilities)
        for learner, decision in ((mine, a), (other, b)):
            learner.learn(decision, reward=float(decision.action == 1))


def test_an_action_that_changes_in_place_is_another_action() -> None:
    rows = ActionRows(Learner("greedy", seed=1).model.encoder.row)
    article: dict[str, Any] = {"topic": "sport", "tags": ["x"]}
    [first] = rows.numbers([article]).tolist()

    assert rows.numbers([article]).tolist() == [first]
    assert rows.numbers([{"topic": "sport", "tags": ["x"]}]).tolist() == [first]
    article["tags"].append("y")
    assert rows.numbers([article]).tolist() == [first + 1]
    article["topic"] = "news"
    assert rows.numbers([article]).tolist() == [first + 2]
    assert rows.numbers([{"tags": ["x"], "topic": "sport"}]).tolist() == [first + 3]  # in order


def test_rows_are_forgotten_but_not_by_decisions_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paired, "_MOST_ROWS", 3)
    few, many = Learner("bag", seed=1), Learner("bag", seed=1)
    few_decisions = played(few)
    assert few.model.encoder.action_rows.table.n_rows <= 8
    monkeypatch.undo()

    assert played(many) == few_decisions


def test_a_table_grows() -> None:
    table, rng = Table(), np.random.default_rng(1)
    rows = [(rng.integers(9, size=n), rng.random(n)) for n in rng.integers(90, size=300).tolist()]
    numbers = [table.add(row) for row in rows]

    for number, (place, value) in zip(numbers, rows, strict=True):
        assert_array_equal(table.row(number)[0], place)
        assert_array_equal(table.row(number)[1], value)


def test_a_decision_that_waits_takes_little_memory_and_space(tmp_path: Path) -> None:
    learner = Learner("greedy", seed=1)
    user = {f"u{i}": float(i) for i in range(50)}
    articles = [{f"a{i}": float(i + k) for i in range(20)} for k in range(50)]
    for _ in range(20):
        learner.choose(user, actions=articles)
    learner.save(tmp_path / "model")

    assert (tmp_path / "model").stat().st_size < 100_000  # with all products it was 16 MB
    event = learner.ledger.pending.waiting[learner.pending[0]].event
    assert isinstance(event, Paired)
    assert event.table is learner.model.encoder.action_rows.table


def test_decisions_that_wait_are_saved(tmp_path: Path) -> None:
    learner = Learner("bag", seed=1)
    played(learner)
    waiting = learner.pending
    learner.save(tmp_path / "model")
    again = Learner.load(tmp_path / "model")

    assert again.pending == waiting != []
    for id in waiting:
        assert learner.learn(id, reward=1.0)
        assert again.learn(id, reward=1.0)
    for name in ("w", "A", "N"):
        assert_array_equal(
            getattr(learner.model.engine.bandit.policies, name),
            getattr(again.model.engine.bandit.policies, name),
        )


@pytest.mark.parametrize("value", [1e12, float("nan"), float("inf")])
def test_products_that_are_too_large_are_refused(value: float) -> None:
    learner = Learner("greedy", seed=1)
    learner.choose({"u": 1.0}, actions=[{"a": 1.0}, {"a": 2.0}])

    with pytest.raises(DataError, match="finite numbers"):
        learner.choose({"u": value}, actions=[{"a": 1.0}, {"a": 1e12}])
    assert learner.t == 1


def matching(users: list[str], n: int, log: Path, learner: Learner) -> float:
    """The share of clicks if users click on their own topic only; all is logged."""
    rng, clicks = np.random.default_rng(2), 0.0
    for _ in range(n):
        user = users[int(rng.integers(len(users)))]
        decision = learner.choose({"who": user}, actions=[{"topic": name} for name in users])
        reward = float(users[decision.action] == user)
        learner.learn(decision, reward=reward)
        clicks += reward
    learner.close()
    return clicks / n


def test_training_pairs_features_as_a_learner_does(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("epsilon-greedy:epsilon=1", seed=1, log=path)
    assert matching(["a", "b", "c", "d"], 600, path, learner) < 0.4
    log = read_log(path)
    found = evaluate(log, train(log), ["snips"])

    assert found["snips"].value > 0.8  # .25 without pairs: no article is best for all


def test_logs_of_actions_with_features_that_come_and_go_can_be_read(tmp_path: Path) -> None:
    path, model = tmp_path / "log.jsonl", tmp_path / "model"
    articles = {name: {"topic": name} for name in "abc"}
    learner = Learner("epsilon-greedy:epsilon=0.5", seed=1, actions=articles, log=path)
    for i in range(60):
        if i % 20 == 19:
            learner.add_action(f"new{i}", {"topic": "d", "age": 1.0})
            learner.retire_action(learner.actions[i // 20])  # type: ignore[index]
        decision = learner.choose({"who": "x"})
        learner.learn(decision, reward=float(decision.name == "c"))
    learner.save(model)
    learner.close()
    log = read_log(path)

    assert log.n == 60
    assert log.n_actions == 3
    assert verify(path).is_fine
    by_number = learner.probabilities({"who": "x"})
    [retired, *_] = np.flatnonzero(by_number == 0).tolist()
    assert retired == 0
    table = policy_of(Learner.load(model), log).probabilities(log, 59, 60)
    assert_array_equal(table[0], by_number[by_number > 0])


def test_a_floor_that_leaves_nothing_to_choose_is_said() -> None:
    learner = Learner("greedy", seed=1, floor=0.25)
    learner.choose({}, actions=ARTICLES[:3])
    with pytest.warns(DataNotice, match="5 actions, so floor=0.25 makes all of them"):
        learner.choose({}, actions=ARTICLES)

    learner.choose({}, actions=ARTICLES)  # once
