"""Copies of events, and assignments that stick to a user, are noticed: intervals are too short."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from bakeoff import Log, evaluate, read_pieces
from bakeoff.core.types import Ints
from bakeoff.evaluation.propensities import drawn_in, propensities
from bakeoff.evaluation.repeats import NAME, keys_of, repeats, share_of_copies
from tests.decision_logs import made_log


def some(log: Log, events: Ints) -> Log:
    """Events in any order, and more than once."""
    assert log.probabilities is not None
    return Log.from_arrays(
        log.X[events], log.action[events], None, log.reward[events], n_actions=log.n_actions,
        probabilities=log.probabilities[events],
    )  # fmt: skip


def users(n: int, sticky: bool, seed: int = 0) -> Log:
    """A hundred users who come again and again, to one of two actions."""
    rng = np.random.default_rng(seed)
    features, fate = rng.normal(size=(100, 3)), rng.integers(0, 2, 100)
    user = rng.integers(0, 100, n)
    action = fate[user] if sticky else rng.integers(0, 2, n)
    return Log.from_arrays(features[user], action, np.full(n, 0.5), rng.random(n))


@pytest.mark.parametrize("how", ["one after the other", "the log twice"])
def test_a_log_with_every_event_twice_cannot_answer(how: str) -> None:
    """Student's interval would be shorter by the root of two, and wrong for one log in six."""
    once = made_log(500).log
    each = np.arange(500)
    twice = some(once, np.repeat(each, 2) if "after" in how else np.tile(each, 2))

    found = evaluate(twice, "uniform")

    assert evaluate(some(once, each), "uniform").can_answer
    assert not found.can_answer
    assert "This log cannot answer: about 50.0% of its events are copies" in found.advice
    assert "What would help" not in found.advice


def test_an_assignment_that_sticks_to_a_user_is_noticed() -> None:
    assert evaluate(users(1000, sticky=False), "uniform").can_answer
    assert not evaluate(users(1000, sticky=True), "uniform").can_answer


def test_a_few_copies_are_a_warning() -> None:
    once = made_log(2000).log

    found = evaluate(some(once, np.concatenate((np.arange(2000), np.arange(40)))), "uniform")

    assert found.can_answer
    assert "Intervals are too short: about 2.0% of its events are copies" in found.advice


def test_sound_logs_are_not_accused() -> None:
    """Few kinds of contexts, or one, or as many as events; loggers that learn or not."""
    accused = 0
    for seed in range(100):
        log = made_log(400, seed=seed).log
        few = replace(log, X=np.sign(log.X[:, :2]))
        none = replace(log, X=np.zeros((400, 0)))
        for one in (log, few, none, users(400, sticky=False, seed=seed)):
            accused += repeats(keys_of(one), one).p_value < 0.05
            assert not repeats(keys_of(one), one).fails
    assert accused / 400 < 0.05


def test_contexts_are_the_same_in_any_form() -> None:
    log = made_log(300).log
    X = np.round(log.X)
    dense, flat = keys_of(replace(log, X=X)), keys_of(replace(log, X=sparse.csr_array(X)))
    _, groups = np.unique(X + 0.0, axis=0, return_inverse=True)

    for keys in (dense, flat):
        assert np.array_equal(
            keys[:, None] == keys[None, :], groups.ravel()[:, None] == groups.ravel()[None, :]
        )


def test_actions_with_features_make_contexts_of_all_their_rows() -> None:
    X = np.array([[1.0], [2.0], [1.0], [2.0], [2.0], [1.0]])
    log = Log.from_arrays(None, [0, 1, 1], [0.5] * 3, [0.0, 1.0, 1.0])
    keys = keys_of(replace(log, X=X, first_row=np.array([0, 2, 4, 6])))

    assert keys[0] == keys[1] != keys[2]


def test_the_share_of_copies_is_about_right() -> None:
    log = made_log(2000).log
    copied = some(log, np.concatenate((np.arange(2000), np.arange(500))))

    assert share_of_copies(keys_of(log), log) == 0.0
    assert share_of_copies(keys_of(copied), copied) == pytest.approx(0.2, abs=0.03)


def test_guessed_probabilities_tell_nothing() -> None:
    log = replace(made_log(100).log, probabilities=None, is_estimated=True)

    assert np.isnan(repeats(keys_of(log), log).p_value)


def test_copies_are_noticed_in_pieces(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    path = tmp_path / "log.csv"
    lines = [f"{rng.integers(0, 2)},0.5,{rng.integers(0, 2)}" for _ in range(400)]
    path.write_text("action,probability,reward\n" + "\n".join(np.repeat(lines, 2)) + "\n")

    found = evaluate(read_pieces(path, events=300), "uniform", ["ips"])

    assert [check.name for check in found.checks if check.fails] == [NAME]


def test_rare_actions_are_not_suspected_as_the_normal_distribution_would() -> None:
    """Six draws are expected of each of nine actions: the normal one accused 16 of 10,000."""
    n, K = 3000, 10
    p = np.full(K, 0.002)
    p[0] += 0.98
    accused, rng = 0, np.random.default_rng(3)
    table, contexts = np.tile(p, (n, 1)), np.zeros((n, 0))
    log = Log.from_arrays(
        contexts, np.zeros(n, int), None, np.zeros(n), n_actions=K, probabilities=table
    )
    drawn = drawn_in(log)
    assert drawn is not None

    for times in rng.multinomial(n, p, 4000).astype(float):
        accused += propensities(drawn._replace(times=times), log).fails

    assert accused <= 1


def test_probabilities_near_one_that_are_wrong_are_noticed() -> None:
    """Before, nothing was said where so few other draws are expected."""
    p = np.tile([0.9999, 0.0001], (1000, 1))
    action = (np.arange(1000) % 10 == 0).astype(int)
    log = Log.from_arrays(None, action, None, np.zeros(1000), probabilities=p)

    assert propensities(drawn_in(log), log).fails
