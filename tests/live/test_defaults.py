"""What a learner is if nobody says."""

import numpy as np
import pytest

from bakeoff import Learner, Run


def test_a_learner_without_a_spec_is_what_results_recommend() -> None:
    learner = Learner(actions=["a", "b"])

    assert learner.run.explorer == "regcb:c0=0.001,optimistic"
    assert (learner.run.offset, learner.run.learning_rate) == (-1, 1)
    assert learner.run.inputs == "centred"


def test_products_of_features_are_raw_unless_they_are_not_made() -> None:
    actions = {"a": {"size": 1.0}, "b": {"size": 2.0}}

    assert Learner(actions=actions).run.inputs == "raw"
    assert Learner(actions=actions, interactions=False).run.inputs == "centred"
    assert Learner("greedy", actions=["a", "b"]).run.inputs == "raw"
    assert Learner(actions=["a", "b"], inputs="raw").run.inputs == "raw"


@pytest.mark.parametrize("as_text", [False, True])
def test_a_learner_may_be_a_run_or_its_text(as_text: bool) -> None:
    run = Run("bag:n_policies=3", "dr", 0.3, offset=0, seed=9)

    assert Learner(str(run) if as_text else run, 3).run == run


def test_settings_count_more_than_those_of_a_run() -> None:
    run = Run("bag", learning_rate=0.3, seed=9)

    learner = Learner(run, 3, learning_rate=2.0, seed=4, encoding="0/1")

    assert (learner.run.learning_rate, learner.run.seed) == (2.0, 4)
    assert learner.run.offset == 0


def test_the_contract() -> None:
    x = np.ones(4)
    learner = Learner("epsilon-greedy:epsilon=0.05", n_actions=10, seed=1)
    decision = learner.choose(x)

    assert learner.learn(decision, loss=1.0)
    assert not learner.learn(decision, loss=1.0)
    assert learner.probabilities(x).sum() == pytest.approx(1.0, abs=1e-12)
