"""Feedback that comes late, never, or for what was never shown."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bakeoff import DataError, Learner, SpecError, read_log
from bakeoff.basics.errors import DataNotice
from bakeoff.live.feedback import Feedback
from bakeoff.live.replay import catch_up
from bakeoff.live.verify import verify
from tests.live.test_safety import weights

X = np.random.default_rng(3).normal(size=(30, 3))


def learner_with(**settings: Any) -> tuple[Learner, list[float]]:
    """A learner whose clock is the number in the list."""
    learner = Learner("greedy", 2, seed=1, feedback=Feedback(**settings))
    now = [1000.0]
    learner.ledger.clock = lambda: now[0]
    return learner, now


def test_what_never_comes_is_given_up() -> None:
    learner, now = learner_with(wait=60)
    old = learner.choose(X[0])
    now[0] += 50
    new = learner.choose(X[1])
    now[0] += 20

    assert learner.forget_overdue() == 1

    assert learner.pending == [new.id]
    assert not learner.learn(old, reward=1.0)
    assert learner.learn(new, reward=1.0)
    assert learner.version == 1


def test_what_never_comes_may_teach_a_default() -> None:
    learner, now = learner_with(wait=60, default_reward=0.0)
    twin = Learner("greedy", 2, seed=1)
    learner.choose(X[0])
    decision = twin.choose(X[0])
    now[0] += 61

    learner.choose(X[1])
    twin.learn(decision, reward=0.0)

    assert_array_equal(weights(learner), weights(twin))
    assert learner.version == 1


def test_what_was_not_shown_teaches_no_default() -> None:
    learner, now = learner_with(wait=60, default_reward=0.0)
    learner.choose(X[0], active=False)
    shown = learner.choose(X[1], active=False)
    learner.activate(shown)
    now[0] += 61

    assert learner.forget_overdue() == 2

    assert learner.version == 1
    assert not learner.learn(shown.id, reward=1.0)


def test_the_oldest_go_when_too_many_wait() -> None:
    learner, _ = learner_with(limit=5)

    ids = [learner.choose(x).id for x in X]

    assert learner.pending == ids[-5:]


def test_a_second_outcome_may_be_an_error() -> None:
    learner, _ = learner_with(twice="refuse")
    decision = learner.choose(X[0])
    learner.learn(decision, reward=1.0)

    with pytest.raises(DataError, match="was learned before"):
        learner.learn(decision, reward=1.0)


def test_a_user_may_give_ids() -> None:
    learner, _ = learner_with()
    learner.choose(X[0], id="request-1")

    assert learner.learn("request-1", reward=1.0)
    with pytest.raises(DataError, match="'request-1' already"):
        learner.choose(X[0], id="request-1")
    with pytest.raises(DataError, match="id must be a string"):
        learner.choose(X[0], id=7)  # type: ignore[arg-type]


def test_what_does_not_wait_cannot_be_activated() -> None:
    learner, _ = learner_with()

    with pytest.raises(DataError, match="no decision 'a' waits"):
        learner.activate("a")


@pytest.mark.parametrize(
    "settings",
    [{"wait": 0}, {"wait": -1}, {"limit": 0}, {"default_reward": float("nan")}, {"twice": "x"}],
)
def test_bad_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match=next(iter(settings))):
        Feedback(**settings)


def test_what_was_shown_is_known_after_a_crash(tmp_path: Path) -> None:
    log, model = tmp_path / "log.jsonl", tmp_path / "model"
    feedback = Feedback(default_reward=0.0)
    learner = Learner("greedy", 3, seed=1, feedback=feedback, log=log)
    learner.save(model)
    hidden, shown = (learner.choose([1.0], active=False, id=id) for id in ("hidden", "shown"))
    learner.activate(shown)
    learner.activate("shown")
    learner.learn(learner.choose([1.0]), reward=1.0)
    learner.close()
    again = Learner.load(model)
    catch_up(again, log)

    waiting = again.ledger.pending.waiting
    assert {id: w.is_active for id, w in waiting.items()} == {hidden.id: False, shown.id: True}
    assert log.read_text().count("activation") == 1
    assert verify(log).is_fine
    with pytest.warns(DataNotice, match="left out: 2 decisions"):
        assert read_log(log).n == 1
