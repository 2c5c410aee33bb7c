"""Rollouts: exact probabilities, honest moves, and false promotions as rare as promised."""

import errno
import itertools
import json
import math
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bakeoff import DataError, Learner, Rollout, SpecError, verify
from bakeoff.basics.errors import ResultsError
from bakeoff.live.stages import Stages, Weights
from bakeoff.reading.logs import placed_records_of
from tests.live.test_whole_calls import in_a_child, interrupted


class Fixed:
    """A policy with the same probabilities in every context."""

    def __init__(self, *p: float) -> None:
        self.p = np.array(p)

    def probabilities(self, x: Any, *, available: Any = None, actions: Any = None) -> Any:
        return self.p


def played(stages: Stages, incumbent: float, candidate: float, n: int, seed: int) -> Stages:
    """Two deterministic policies of given click rates that never agree."""
    rng = np.random.default_rng(seed)
    for u, v in rng.random((n, 2)):
        share = stages.share
        if u < share:
            stages.add(Weights(0.0, 1.0 / share), float(v < candidate))
        else:
            weights = Weights(1.0 / (1.0 - share), 0.0) if share else None
            stages.add(weights, float(v < incumbent))
    return stages


def largest_share(stages: Stages) -> float:
    return max([share for _, share in stages.history], default=0.0)


@pytest.mark.slow
@pytest.mark.parametrize("candidate", [0.3, 0.25])
def test_false_promotions_are_rare(candidate: float) -> None:
    alpha = 0.2
    runs = [
        played(Stages(alpha=alpha, least=50), 0.3, candidate, 1500, seed) for seed in range(100)
    ]

    promoted = sum(largest_share(run) > 0.05 for run in runs)

    assert promoted <= 100 * alpha
    assert all(largest_share(run) >= 0.05 for run in runs)  # each was given a try


def test_a_better_candidate_gets_all_but_the_holdback() -> None:
    stages = played(Stages(holdback=0.1), 0.2, 0.6, 6000, 1)
    report = stages.report()

    assert stages.share == 0.9
    assert [share for _, share in stages.history] == [0.05, 0.2, 0.9]
    assert 0 < report["low"] < 0.4 < report["high"]


def test_a_worse_candidate_goes_back_and_stays() -> None:
    stages = played(Stages(), 0.7, 0.2, 8000, 1)
    report = stages.report()

    assert report["stopped"]
    assert report["share"] == 0.0
    assert report["high"] < 0


@pytest.mark.slow
def test_bounds_hold_the_truth_at_every_moment() -> None:
    misses = 0
    for seed in range(40):
        stages = Stages(alpha=0.1, least=100)
        for piece in range(15):
            played(stages, 0.4, 0.5, 100, 1000 * seed + piece)
            report = stages.report()
            if not report["low"] <= 0.1 <= report["high"]:
                misses += 1
                break

    assert misses <= 0.2 * 40


def test_one_exact_probability() -> None:
    rollout = Rollout(Fixed(1, 0, 0), Fixed(0, 0.5, 0.5), seed=1, least=1, stages=(0, 0.2, 1))
    decision = rollout.choose({})
    rollout.learn(decision, reward=1.0)
    p = rollout.choose({}).probabilities

    assert decision.probabilities.tolist() == [1, 0, 0]
    assert p.tolist() == pytest.approx([0.8, 0.1, 0.1])
    drawn = [rollout.choose({}).action for _ in range(4000)]
    assert np.bincount(drawn) / 4000 == pytest.approx(p, abs=0.03)


def test_learners_learn_and_the_log_is_that_of_the_mixture(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    incumbent = Learner("greedy", actions=["a", "b"], seed=1, log=log)
    candidate = Learner("epsilon-greedy:epsilon=0.5", actions=["a", "b"], seed=2)
    rollout = Rollout(incumbent, candidate, least=20, seed=3)
    for i in range(200):
        decision = rollout.choose({"n": i % 3})
        assert rollout.learn(decision.id, reward=float(decision.name == "b"))
    assert not rollout.learn(decision.id, reward=1.0)

    records = [record for _, record in placed_records_of(log)]
    decisions = [record for record in records if record["kind"] == "decision"]
    assert (incumbent.version, candidate.version) == (200, 200)
    assert len(decisions) == 200
    assert any(0 < record["probability"] < 1 for record in decisions)
    assert verify(log).is_fine
    some = rollout.choose({"n": 1}, available=["b"])
    assert (some.name, some.probability) == ("b", 1.0)


def test_wrong_arguments() -> None:
    for settings in ({"holdback": 0}, {"alpha": 2}, {"stages": (0.1, 1)}, {"stages": (0, 1, 0.5)}):
        with pytest.raises(SpecError):
            Rollout(Fixed(1), Fixed(1), **settings)
    with pytest.raises(DataError, match="same actions"):
        Rollout(Fixed(1), Fixed(0.5, 0.5)).choose({})
    rollout = Rollout(Fixed(1), Fixed(1))
    with pytest.raises(DataError, match="between 0 and 1"):
        rollout.learn(rollout.choose({}), reward=2.0)


class Says:
    """A policy that says anything."""

    def __init__(self, p: Any) -> None:
        self.p = p

    def probabilities(self, x: Any, *, available: Any = None, actions: Any = None) -> Any:
        return self.p


@pytest.mark.parametrize(
    "p",
    [[math.nan, 0.5], [1.5, -0.5], [0.0, 0.0], [1.0, 1.0], [[0.5, 0.5]], [], None, ["a", "b"],
     [math.inf, 0.0], [1e308, 1e308], [0.5, [0.5]], pytest.param(object(), id="object")],
    ids=str,
)  # fmt: skip
def test_policies_that_say_no_distribution_are_refused(p: Any) -> None:
    with pytest.raises(DataError, match="the incumbent's probabilities must be numbers"):
        Rollout(Says(p), Fixed(0.5, 0.5)).choose([1.0])
    with pytest.raises(DataError, match="the candidate's probabilities must be numbers"):
        Rollout(Fixed(0.5, 0.5), Says(p)).choose([1.0])


def test_an_interrupted_rollout_counts_the_same_in_all_places(tmp_path: Path) -> None:
    spec = "epsilon-greedy:epsilon=0.4"
    one, other = (Learner(spec, 3, n_features=4, seed=seed) for seed in (1, 2))
    rollout = Rollout(one, other, least=3, seed=1)
    n_cut = 0
    for moment in itertools.count(1):
        id = f"visit-{moment}"
        chosen, _ = interrupted(moment, rollout.choose, np.ones(4), id=id)
        if not chosen:
            with suppress(DataError):  # it has happened already
                rollout.choose(np.ones(4), id=id)
        learned, _ = interrupted(moment, rollout.learn, id, reward=1.0)
        rollout.learn(id, reward=1.0)
        n_cut += (not chosen) + (not learned)
        assert rollout.learn(id, reward=1.0) is False
        assert (one.version, other.version) == (moment, moment)
        assert rollout.report()["outcomes"] == moment
        if chosen and learned:
            break
    assert n_cut > 50


def test_a_rollout_whose_log_is_full_can_be_taught_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Learner("greedy", 2, n_features=1)
    other = Learner("greedy", 2, n_features=1, log=tmp_path / "log.jsonl")
    rollout = Rollout(one, other)
    decision = rollout.choose([1.0])

    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        for call in (lambda: rollout.learn(decision, reward=1.0), lambda: rollout.choose([2.0])):
            with pytest.raises(ResultsError, match="No space left"):
                call()

    assert one.pending == []
    assert rollout.learn(decision, reward=1.0)
    assert (one.version, other.version, rollout.report()["outcomes"]) == (1, 1, 1)


def test_a_fork_has_ids_and_draws_of_its_own() -> None:
    spec = "epsilon-greedy:epsilon=1"
    one, other = (Learner(spec, 10, n_features=1, seed=seed) for seed in (1, 2))
    rollout = Rollout(one, other, seed=3)

    def decide() -> list[list[Any]]:
        made = [rollout.choose([1.0]) for _ in range(20)]
        return [[one.id, one.action] for one in made]

    theirs, mine = in_a_child(decide), decide()

    assert not {id for id, _ in theirs} & {id for id, _ in mine}
    assert [action for _, action in theirs] != [action for _, action in mine]


def test_decisions_of_before_the_candidate_had_a_share_are_no_evidence() -> None:
    rollout = Rollout(Fixed(0.999, 0.001), Fixed(0.001, 0.999), least=5, seed=1)
    early = [rollout.choose([1.0]) for _ in range(2000)]
    for decision in early[:5]:
        rollout.learn(decision, reward=0.5)
    assert rollout.share == 0.05

    for decision in early[5:]:  # their weights would be as large as 999
        rollout.learn(decision, reward=float(decision.action == 1))

    assert rollout.stages.better.n == 0
    assert rollout.report()["difference"] is None


def test_stages_go_on_from_their_state() -> None:
    whole, first, rest = Stages(least=50), Stages(least=50), Stages(least=50)
    played(whole, 0.3, 0.6, 1000, 1)
    played(whole, 0.3, 0.6, 1000, 2)
    played(first, 0.3, 0.6, 1000, 1)
    rest.restore(json.loads(json.dumps(first.state())))
    played(rest, 0.3, 0.6, 1000, 2)

    assert rest.report() == whole.report()
    assert rest.state() == whole.state()


def test_rewards_have_the_range_of_the_learners() -> None:
    one, other = (Learner("greedy", 2, seed=s, reward_range=(-1, 1)) for s in (1, 2))
    rollout = Rollout(one, other, least=3)
    with pytest.raises(DataError, match="between -1 and 1"):
        rollout.learn(rollout.choose([1.0]), reward=2)
    assert rollout.learn(rollout.choose([1.0]), reward=-1)
    assert (one.version, other.version) == (1, 1)
