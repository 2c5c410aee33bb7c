"""Warm starts: learning from logs, priors of new actions, rewards in any range."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bakeoff import DataError, DataNotice, Feedback, Learner, Log, SpecError, evaluate, read_log
from bakeoff.live import catch_up, events_learned, verify

N, K = 60, 3
SPECS = [
    "greedy",
    "epsilon-greedy:epsilon=0.1",
    "regcb:c0=1e-3,optimistic",
    "cover:n_policies=3,psi=0.1,nu",
    "bag:n_policies=3",
]


def _log(n: int = N, **given: Any) -> Log:
    rng = np.random.default_rng(3)
    X = rng.random((n, 4))
    p = rng.dirichlet(np.ones(K), n)
    action = np.array([rng.choice(K, p=row) for row in p])
    reward = (rng.random(n) < np.where(action == 1, X[:, 0], 0.3)).astype(float)
    given = {"probabilities": p, "n_actions": K, **given}
    probability = None if given.get("probabilities") is None else p[np.arange(n), action]
    return Log.from_arrays(X, action, given.pop("probability", probability), reward, **given)


def _weights(learner: Learner) -> list[bytes]:
    bandit = learner.model.engine.bandit
    return [
        getattr(f, name).tobytes() for f in (bandit.policies, bandit.estimator) for name in "wANT"
    ]


@pytest.mark.parametrize("spec", SPECS)
def test_a_log_is_learned_by_the_kernels_event_by_event(spec: str) -> None:
    log = _log()
    assert log.probabilities is not None
    learner, by_hand = Learner(spec, K, seed=1), Learner(spec, K, seed=1)

    assert learner.learn_log(log) == N

    engine = by_hand.model.engine
    for e in range(N):
        event, _ = by_hand.model.event(log.X[e])
        loss = 1.0 - float(log.reward[e]) + by_hand.run.offset
        engine.learn(event, e + 1, int(log.action[e]), log.probabilities[e], loss)
    assert _weights(learner) == _weights(by_hand)
    assert (learner.t, learner.version) == (N, N)


def test_without_distributions_the_rest_is_shared_as_when_watching() -> None:
    log = _log(probabilities=None, probability=np.linspace(0.2, 0.9, N))
    learner, watching = Learner("greedy", K, seed=1), Learner("greedy", K, seed=1)

    learner.learn_log(log)

    for e in range(N):
        action, p, reward = int(log.action[e]), float(log.probability[e]), float(log.reward[e])
        watching.watch(log.X[e], action, p, reward=reward)
    assert _weights(learner) == _weights(watching)


def test_without_probabilities_importance_is_one_and_a_notice_says_so() -> None:
    with pytest.warns(DataNotice, match="estimated"):
        log = _log(probabilities=None, probability=None)
    learner, certain = Learner("greedy", K, seed=1), Learner("greedy", K, seed=1)

    with pytest.warns(DataNotice, match="importance 1") as notices:
        learner.learn_log(log)

    assert len(notices) == 1
    certain.learn_log(_log(probabilities=None, probability=np.ones(N)))
    assert _weights(learner) == _weights(certain)


@pytest.mark.parametrize(
    ("weight", "times"), [(2, 2 * N), (0.5, N // 2), (0.25, N // 4), (1.5, 90)]
)
def test_a_weight_says_how_often_events_count(weight: float, times: int) -> None:
    log = _log()
    learner, by_hand = Learner("greedy", K, seed=1), Learner("greedy", K, seed=1)

    assert learner.learn_log(log, weight=weight) == times

    for e in range(N):
        for _ in range(int((e + 1) * weight) - int(e * weight)):
            by_hand.learn_log(log.part([e]))
    assert _weights(learner) == _weights(by_hand)


@pytest.mark.parametrize("weight", [0, -1, float("nan"), 1e9, "2", None])
def test_bad_weights_are_refused(weight: Any) -> None:
    with pytest.raises(DataError, match="weight must lie above 0"):
        Learner("greedy", K, seed=1).learn_log(_log(), weight=weight)


def test_a_decision_log_of_named_features_teaches_what_its_learner_learned(tmp_path: Path) -> None:
    teacher = Learner("epsilon-greedy:epsilon=0.2", actions=["a", "b"], seed=4,
                      log=tmp_path / "d.jsonl")  # fmt: skip
    for i in range(40):
        decision = teacher.choose({"city": "Rome" if i % 2 else "Oslo", "age": i})
        teacher.learn(decision, reward=float(decision.name == "b"))
    pupil = Learner("epsilon-greedy:epsilon=0.2", actions=["a", "b"], seed=9)

    assert pupil.learn_log(tmp_path / "d.jsonl") == 40

    x = {"city": "Rome", "age": 3}
    assert pupil.probabilities(x).tolist() == teacher.probabilities(x).tolist()


def test_events_with_their_own_actions_are_learned_from_a_log(tmp_path: Path) -> None:
    rows = [{"topic": "sport"}, {"topic": "news"}]
    teacher = Learner("epsilon-greedy:epsilon=0.2", seed=4, log=tmp_path / "d.jsonl")
    for i in range(20):
        decision = teacher.choose({"age": i}, actions=rows[: 1 + i % 2])
        teacher.learn(decision, reward=float(decision.action))
    pupil = Learner("epsilon-greedy:epsilon=0.2", seed=9)
    pupil.learn_log(read_log(tmp_path / "d.jsonl"))

    given = {"actions": rows}
    mine, theirs = (one.probabilities({"age": 3}, **given) for one in (pupil, teacher))
    assert mine.tolist() == theirs.tolist()


def test_a_learner_may_have_more_actions_than_a_log_in_another_order() -> None:
    log = _log(action_names=["a", "b", "c"])
    learner = Learner("greedy", actions=["c", "new", "b", "a"], seed=1)
    plain = Learner("greedy", 3, seed=1)
    learner.learn_log(log)
    plain.learn_log(log)

    w, v = learner.model.engine.bandit.policies, plain.model.engine.bandit.policies
    apart = w.w.reshape(4, learner.model.engine.room.n_features)
    assert apart[1].any() == False  # noqa: E712
    blocks = v.w.reshape(-1, 3)
    for number, other in enumerate([2, None, 1, 0]):
        if other is not None:
            assert apart[number][:5].tolist() == blocks[:5, other].tolist()


@pytest.mark.parametrize(
    ("learner", "text"),
    [
        ({"n_actions": 2}, "has 3 actions, but the learner 2"),
        ({"actions": ["a", "b", "x"]}, "add_action\\('c'\\)"),
        ({}, "features of their own"),
        ({"n_actions": 3, "reward_range": (-1.0, 0.5)}, "reward must lie between -1 and 0.5"),
    ],
)
def test_logs_that_do_not_fit_are_refused_and_nothing_is_learned(
    learner: dict[str, Any], text: str
) -> None:
    one = Learner("greedy", seed=1, **learner)

    with pytest.raises(DataError, match=text):
        one.learn_log(_log(action_names=["a", "b", "c"]))
    assert one.version == 0


def test_a_learner_is_not_judged_by_its_warm_start(tmp_path: Path) -> None:
    log = _log()
    learner = Learner("epsilon-greedy:epsilon=0.1", K, seed=1)
    learner.learn_log(log.part(slice(0, 40)))
    learner.save(tmp_path / "model")

    loaded = Learner.load(tmp_path / "model")

    assert events_learned(loaded, log) == 40
    assert evaluate(log, loaded).n == 20
    assert events_learned(loaded, log.part(slice(5, None))) == 0


def test_verify_and_replays_know_of_warm_starts(tmp_path: Path) -> None:
    learner = Learner("epsilon-greedy:epsilon=0.1", K, seed=1, log=tmp_path / "d.jsonl")
    learner.learn_log(_log())
    learner.save(tmp_path / "model")
    _play(learner, 10)

    alone = verify(tmp_path / "d.jsonl")
    assert alone.replay is None
    assert "warm-started with 60 events of 'log'" in alone.why_not
    checked = verify(tmp_path / "d.jsonl", tmp_path / "model")
    assert checked.replay is not None
    assert (checked.replay.decisions, checked.replay.different) == (10, 0)


def test_a_warm_start_in_the_middle_of_a_log_is_known(tmp_path: Path) -> None:
    learner = Learner("epsilon-greedy:epsilon=0.1", K, seed=1, log=tmp_path / "d.jsonl")
    _play(learner, 5)
    learner.save(tmp_path / "before")
    learner.learn_log(_log())
    learner.save(tmp_path / "after")
    _play(learner, 5)

    verdict = verify(tmp_path / "d.jsonl")
    assert verdict.replay is None
    assert "d.jsonl:12: the learner was warm-started" in verdict.why_not
    with pytest.raises(DataError, match="saved after that"):
        catch_up(Learner.load(tmp_path / "before"), tmp_path / "d.jsonl")
    again = Learner.load(tmp_path / "after")
    assert catch_up(again, tmp_path / "d.jsonl").decisions == 5
    assert _weights(again) == _weights(learner)


def _play(learner: Learner, n: int) -> None:
    rng = np.random.default_rng(learner.t)
    for _ in range(n):
        decision = learner.choose(rng.random(4))
        learner.learn(decision, reward=float(decision.action == 0))


# ---- priors


@pytest.mark.parametrize("spec", [*SPECS, "epsilon-greedy:epsilon=0.1 reduction=dr"])
def test_a_prior_moves_the_new_action_only(spec: str, tmp_path: Path) -> None:
    learner = Learner(spec, actions=["a", "b"], seed=1, log=tmp_path / "d.jsonl")
    for i in range(30):
        decision = learner.choose({"x": i / 30})
        learner.learn(decision, reward=0.4)
    before = [[_score(learner, {"x": x}, a) for x in (0.1, 0.9)] for a in ("a", "b")]

    learner.add_action("c", prior=0.9, prior_events=50)

    after = [[_score(learner, {"x": x}, a) for x in (0.1, 0.9)] for a in ("a", "b")]
    assert after == before
    high, low = (_expected(spec, prior) for prior in (0.9, 0.1))
    assert high < low  # scores are losses
    for i in range(10):
        learner.learn(learner.choose({"x": i / 10}), reward=0.5)
    verdict = verify(tmp_path / "d.jsonl")
    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (48, 0)  # 8 by _score


def _expected(spec: str, prior: float) -> float:
    learner = Learner(spec, actions=["a", "b"], seed=1)
    learner.add_action("c", prior=prior, prior_events=50)
    return _score(learner, {"x": 0.0}, "c")


def _score(learner: Learner, x: dict[str, float], action: str) -> float:
    """The score of an action, if it were the only one."""
    copy = learner.choose(x, available=[action])
    value = float(copy.why().score)
    learner.give_up(copy)
    return value


def test_a_log_that_begins_with_a_prior_can_be_verified(tmp_path: Path) -> None:
    learner = Learner("bag:n_policies=3", actions=["a", "b"], seed=1, log=tmp_path / "d.jsonl")
    learner.add_action("c", prior=0.2)
    _play_named(learner, 12)
    learner.save(tmp_path / "model")
    _play_named(learner, 3)

    verdict = verify(tmp_path / "d.jsonl")
    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (15, 0)
    again = Learner.load(tmp_path / "model")
    catch_up(again, tmp_path / "d.jsonl")
    assert _weights(again) == _weights(learner)


def _play_named(learner: Learner, n: int) -> None:
    for i in range(n):
        learner.learn(learner.choose({"x": i}), reward=float(i % 2))


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"prior": 2}, "prior must lie between 0 and 1, got 2"),
        ({"prior": "x"}, "prior must lie"),
        ({"prior": 0.5, "prior_events": 0}, "prior_events must be an integer from 1"),
        ({"name": "b", "prior": 0.5}, "there is an action 'b' already"),
    ],
)
def test_bad_priors_are_refused(given: dict[str, Any], text: str) -> None:
    learner = Learner("greedy", actions=["a", "b"], seed=1)

    with pytest.raises(DataError, match=text):
        learner.add_action(**{"name": "c", **given})
    assert learner.actions == ["a", "b"]


def test_actions_that_come_back_or_have_features_need_no_prior() -> None:
    learner = Learner("greedy", actions=["a", "b", "c"], seed=1)
    learner.retire_action("c")
    with pytest.raises(DataError, match="knows what it knew"):
        learner.add_action("c", prior=0.5)
    with_features = Learner("greedy", actions={"a": {"t": 1}, "b": {"t": 2}}, seed=1)
    with pytest.raises(DataError, match="its features tell"):
        with_features.add_action("c", {"t": 3}, prior=0.5)


# ---- rewards in any range


def test_rewards_of_any_range_are_costs_inside(tmp_path: Path) -> None:
    wide = Learner("greedy", 2, seed=1, reward_range=(-1, 3), log=tmp_path / "d.jsonl")
    unit = Learner("greedy", 2, seed=1)
    for i in range(20):
        x = [float(i), 1.0]
        reward = (i % 5) - 1.0
        a, b = wide.choose(x), unit.choose(x)
        assert a.action == b.action
        wide.learn(a, reward=reward)
        unit.learn(b, cost=(3 - reward) / 4)

    assert _weights(wide) == _weights(unit)
    log = read_log(tmp_path / "d.jsonl")
    assert log.reward_range == (-1, 3)
    assert log.mean_reward == pytest.approx(1.0)
    rows = wide.monitor()["actions"]
    mean = sum(row["reward"] * row["outcomes"] for row in rows if row["outcomes"]) / 20
    assert mean == pytest.approx(1.0)
    verdict = verify(tmp_path / "d.jsonl")
    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (20, 0)
    wide.save(tmp_path / "model")
    assert Learner.load(tmp_path / "model").reward_range == (-1, 3)
    lines = (tmp_path / "d.jsonl").read_text().splitlines()
    assert json.loads(lines[2])["reward"] == -1.0


def test_rewards_outside_the_declared_range_are_refused() -> None:
    learner = Learner("greedy", 2, seed=1, reward_range=(-1, 1))
    decision = learner.choose([1.0])

    for reward in (-1.5, 1.01, float("nan"), float("inf")):
        with pytest.raises(DataError, match="reward must lie between -1 and 1"):
            learner.learn(decision, reward=reward)
    assert learner.learn(decision, reward=-1.0)


@pytest.mark.parametrize("ends", [(1, 1), (1, 0), (0,), None, (0, float("inf")), ("a", 1)])
def test_bad_ranges_are_refused(ends: Any) -> None:
    with pytest.raises(SpecError, match="reward_range must be"):
        Learner("greedy", 2, seed=1, reward_range=ends)


def test_the_default_reward_is_in_the_range() -> None:
    feedback = Feedback(default_reward=-0.5)
    with pytest.raises(SpecError, match="default_reward must lie between 0 and 1"):
        Learner("greedy", 2, seed=1, feedback=feedback)
    learner = Learner("greedy", 2, seed=1, feedback=Feedback(limit=1, default_reward=-0.5),
                      reward_range=(-1, 1))  # fmt: skip
    learner.choose([1.0])
    learner.choose([1.0])

    assert learner.monitor()["defaulted"] == 1
    assert learner.monitor()["actions"][0]["reward"] == -0.5
