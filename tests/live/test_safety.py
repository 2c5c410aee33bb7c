"""What a live learner refuses, and what happens in many threads."""

import json
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from bakeoff import DataError, Decision, Learner, SpecError
from bakeoff.core import live
from bakeoff.core.jit import compiled
from bakeoff.data.checks import LARGEST

X = np.random.default_rng(0).normal(size=(200, 5))


def weights(learner: Learner) -> Any:
    """All that a learner has learned, to compare."""
    return learner.model.engine.bandit.policies.w.copy()


def trained(**settings: Any) -> Learner:
    """A learner that has seen something."""
    learner = Learner("epsilon-greedy:epsilon=0.2", 4, seed=1, **settings)
    for x in X[:50]:
        learner.learn(learner.choose(x), cost=float(x[0] > 0))
    return learner


def rebuilt(decision: Decision, **changes: Any) -> Decision:
    """A decision with another field, as a careless program would make it."""
    record = json.loads(decision.to_json()) | changes
    return Decision.from_json(json.dumps(record))


def test_limits_agree() -> None:
    assert live.LARGEST == LARGEST


# Decisions that nobody made


@pytest.mark.parametrize("p", [1e-320, 1e-13])
def test_a_probability_too_small_to_learn_from_is_refused(p: float) -> None:
    with pytest.raises(DataError, match=r"'tiny' .*1e-12"):
        Decision(0, [p, 1.0], context=[1.0], id="tiny")

    learner = Learner("greedy", 2, seed=1)
    decision = Decision(0, [0.5, 0.5], context=[1.0], id="tiny")
    decision.probabilities[:] = p, 1.0
    decision.probability = p
    with pytest.raises(DataError, match=r"'tiny' .*1e-12"):
        learner.admit(decision)

    assert learner.pending == []


@pytest.mark.parametrize("action", [4, 100_000, -1, 1.5, "1"])
def test_a_decision_has_an_action_that_exists(action: Any) -> None:
    with pytest.raises(DataError, match="from 0 to 3"):
        rebuilt(trained().choose(X[0]), action=action)


@pytest.mark.parametrize("p", [0.0, float("nan"), -1.0, 5.0, 0.123])
def test_a_decision_has_the_probability_of_its_action(p: float) -> None:
    with pytest.raises(DataError, match="contradicts"):
        rebuilt(trained().choose(X[0]), probability=p)


@pytest.mark.parametrize(
    "p", [[1.0, 1.0, 0.0, 0.0], [-1.0, 2.0, 0.0, 0.0], [float("nan")] * 4, [0.5], []]
)
def test_probabilities_of_a_decision_are_a_distribution(p: list[float]) -> None:
    with pytest.raises(DataError):
        Decision(0, p, context=[1.0], id="a")


def test_a_decision_with_another_action_teaches_nothing() -> None:
    learner = trained()
    decision = learner.choose(X[0])
    before = weights(learner)
    other = (decision.action + 1) % 4
    forged = Decision(other, decision.probabilities, context=X[0], id=decision.id)

    with pytest.raises(DataError, match=f"was action {decision.action} with"):
        learner.learn(forged, cost=0.0)

    assert_array_equal(weights(learner), before)


@pytest.mark.parametrize("by_id", [False, True])
def test_a_decision_of_another_learner_teaches_nothing(by_id: bool) -> None:
    learner = trained()
    before = weights(learner)
    decision = trained().choose(X[0])

    with pytest.raises(DataError, match="another learner"):
        learner.learn(decision.id if by_id else decision, cost=0.0)

    assert_array_equal(weights(learner), before)


@pytest.mark.parametrize("what", [None, 3, ["a"], {}])
def test_what_is_no_decision_teaches_nothing(what: Any) -> None:
    with pytest.raises(DataError):
        trained().learn(what, cost=0.0)


# Contexts


@pytest.mark.parametrize(
    "x", [X[0][:4], np.append(X[0], 0.0), [], X[0][:4].tolist(), sparse.csr_array((1, 4))]
)
def test_a_context_of_another_length_is_refused(x: Any) -> None:
    learner = trained()

    with pytest.raises(DataError, match="5 features"):
        learner.choose(x)

    assert learner.t == 50


def test_the_length_of_contexts_can_be_given() -> None:
    learner = Learner("greedy", 2, n_features=3)

    with pytest.raises(DataError, match="3 features, got 2"):
        learner.choose([1.0, 2.0])


def test_a_refused_first_context_settles_nothing() -> None:
    learner = Learner("greedy", 2)

    with pytest.raises(DataError):
        learner.choose([1.0, np.nan])

    assert learner.choose([1.0, 2.0, 3.0]).t == 1


def test_a_learner_of_arrays_refuses_names() -> None:
    with pytest.raises(DataError, match="5 features"):
        trained().choose({"a": 1.0})


def test_a_learner_of_names_refuses_arrays() -> None:
    learner = Learner("greedy", 2)
    learner.choose({"a": 1.0})

    with pytest.raises(DataError, match="named features"):
        learner.choose([1.0])


def test_a_context_that_changes_later_is_learned_as_it_was() -> None:
    one, other = trained(), trained()
    x = X[0].copy()
    decision, same = one.choose(x), other.choose(X[0])
    x[:] = 1e6

    one.learn(decision, cost=0.0)
    other.learn(same, cost=0.0)

    assert_array_equal(weights(one), weights(other))


# Feedback


@pytest.mark.parametrize("by_id", [False, True])
def test_feedback_that_comes_twice_is_learned_once(by_id: bool) -> None:
    learner = trained()
    decision = learner.choose(X[0])
    assert learner.learn(decision, cost=0.0)
    before = weights(learner)

    assert not learner.learn(decision.id if by_id else decision, cost=0.0)

    assert_array_equal(weights(learner), before)
    assert learner.version == 51


def test_a_reward_is_the_opposite_of_a_cost() -> None:
    one, other = trained(), trained()

    one.learn(one.choose(X[0]), cost=0.25)
    other.learn(other.choose(X[0]), reward=0.75)

    assert_array_equal(weights(one), weights(other))


def test_a_reward_given_as_a_loss_is_refused_if_the_offset_says_so() -> None:
    learner = Learner("greedy", 2, offset=-1)

    with pytest.raises(DataError, match=r"loss .*between -1 and 0"):
        learner.learn(learner.choose([1.0]), loss=1.0)


def test_a_loss_is_a_cost_if_nobody_has_named_an_offset() -> None:
    one, other = trained(), trained()

    one.learn(one.choose(X[0]), loss=1.0)
    other.learn(other.choose(X[0]), cost=1.0)

    assert_array_equal(weights(one), weights(other))


# Seeds


def test_workers_explore_differently() -> None:
    learners = [Learner("epsilon-greedy:epsilon=1", 10) for _ in range(6)]

    actions = [[learner.choose(x).action for x in X[:5]] for learner in learners]

    assert len({learner.seed for learner in learners}) == 6
    assert len({tuple(a) for a in actions}) > 1  # equal with probability 10^-25


def test_a_seed_that_is_given_is_kept() -> None:
    assert Learner("greedy", 2, seed=7).choose([1.0]).seed == 7


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(SpecError, match="'rate'"):
        Learner("greedy", 2, rate=1.0)


# The first request

FIRST = """
from bakeoff import Learner
learner = Learner("greedy", 2, warm_up={})
loops = learner.model.engine._arrays
before = len(loops.choose.signatures), len(loops.learn.signatures)
learner.learn(learner.choose([1.0]), cost=1.0)
print(before, (len(loops.choose.signatures), len(loops.learn.signatures)))
"""


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@pytest.mark.parametrize("warm_up", [False, True])
def test_kernels_are_compiled_before_the_first_request(warm_up: bool) -> None:
    program = FIRST.format(warm_up)

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    ready = int(warm_up)
    assert done.stdout == f"({ready}, {ready}) (1, 1)\n"


# Threads


def test_many_threads_decide_and_learn_as_one_after_the_other() -> None:
    learner = Learner("epsilon-greedy:epsilon=0.3", 4, seed=3)
    steps: list[tuple[Decision, float]] = []
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        try:
            for _ in range(500):
                x = X[rng.integers(len(X))]
                decision = learner.choose(x)
                assert decision.probability == decision.probabilities[decision.action]
                cost = float(x[decision.action % 5] > 0)
                assert learner.learn(decision, cost=cost)
                steps.append((decision, cost))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    rounds = [decision.t for decision, _ in steps]
    assert sorted(rounds) == list(range(1, 4001))
    assert len({decision.id for decision, _ in steps}) == 4000
    assert (learner.t, learner.version, learner.pending) == (4000, 4000, [])
