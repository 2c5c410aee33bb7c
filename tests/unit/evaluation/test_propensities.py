"""Wrong probabilities are noticed, whatever policy is judged; right ones are not suspected."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from bakeoff import Log, evaluate, read_pieces
from bakeoff.core.types import Doubles
from bakeoff.evaluation.propensities import drawn_in, propensities
from tests.decision_logs import made_log


def log_of(p: Doubles, logged: Doubles, X: Doubles | None = None, seed: int = 0) -> Log:
    """Actions drawn with probabilities p, and logged with others."""
    rng = np.random.default_rng(seed)
    n, K = p.shape
    action = (rng.random((n, 1)) >= p.cumsum(axis=1)[:, :-1]).sum(axis=1)
    rewards = np.where(rng.random(n) < 0.3, 1.0, 0.0)
    return Log.from_arrays(X, action, logged[np.arange(n), action], rewards, n_actions=K)


def contextual(n: int) -> tuple[Doubles, Doubles]:
    """A logger that likes one of four actions where x is 1, and another where it is 0."""
    x = np.random.default_rng(5).integers(0, 2, n)
    p = np.where(x[:, None] == 1, [0.4, 0.1, 0.25, 0.25], [0.1, 0.4, 0.25, 0.25])
    return x[:, None].astype(float), p


def test_an_action_that_is_drawn_too_often_is_noticed_without_distributions() -> None:
    log = log_of(np.tile([0.4, 0.2, 0.2, 0.2], (3000, 1)), np.full((3000, 4), 0.25))

    found = evaluate(log, "uniform")

    assert not found.can_answer
    assert "1 / p of action 0 adds up to" in found.advice
    assert "What would help" not in found.advice


@pytest.mark.parametrize("is_sparse", [False, True])
def test_a_logger_that_looks_at_contexts_and_claims_not_to_is_noticed(is_sparse: bool) -> None:
    """Each action is drawn as often as it should be, over all events."""
    X, p = contextual(3000)
    log = log_of(p, np.full_like(p, 0.25), X)
    if is_sparse:
        log = replace(log, X=sparse.csr_array(X))

    found = evaluate(log, "uniform")

    assert not found.can_answer
    assert "where feature 0 is" in found.advice


def test_distributions_are_held_against_contexts_too() -> None:
    X, p = contextual(3000)
    log = log_of(p, np.full_like(p, 0.25), X)
    log = log.with_probabilities(None, np.full_like(p, 0.25))

    assert not evaluate(log, "uniform").can_answer


def test_right_probabilities_are_rarely_suspected() -> None:
    """A p-value below x has probability x at most: 300 logs with and without distributions."""
    values = []
    for seed in range(150):
        log = made_log(400, seed=seed).log
        for part in (log, replace(log, probabilities=None)):
            check = propensities(drawn_in(part), part)
            assert not check.fails
            values.append(check.p_value)

    assert np.mean(np.array(values) < 0.05) < 0.08


def test_actions_that_are_not_always_there_are_no_offence() -> None:
    n = 2000
    there = np.random.default_rng(1).random((n, 3)) < 0.5
    there[:, 0] = True
    p = there / there.sum(axis=1, keepdims=True)
    log = replace(log_of(p, p), available=there)

    assert not propensities(drawn_in(log), log).fails


def test_guessed_probabilities_are_not_tested() -> None:
    log = replace(made_log(100).log, probabilities=None, is_estimated=True)

    assert np.isnan(propensities(drawn_in(log), log).p_value)


def test_a_log_in_pieces_says_the_same(tmp_path: Path) -> None:
    log = log_of(np.tile([0.4, 0.2, 0.2, 0.2], (3000, 1)), np.full((3000, 4), 0.25))
    path = tmp_path / "log.csv"
    rows = zip(log.action.tolist(), log.probability.tolist(), log.reward.tolist(), strict=True)
    lines = [f"{a},{p},{r}" for a, p, r in sorted(rows)]  # pieces lack later actions
    path.write_text("action,probability,reward\n" + "\n".join(lines) + "\n")

    found = evaluate(read_pieces(path, events=700), "uniform", ["ips"])
    whole = evaluate(log, "uniform", ["ips"])

    assert not found.can_answer
    assert found.checks[1].text == whole.checks[1].text
    assert found.checks[1].p_value == pytest.approx(whole.checks[1].p_value, rel=1e-6)


def test_sums_among_more_actions_are_those_of_a_log_that_has_them() -> None:
    p = np.tile([0.6, 0.4], (300, 1))
    log = log_of(p, p)
    few, more = drawn_in(log), drawn_in(replace(log, n_actions=4))

    assert few is not None
    assert more is not None
    for ours, expected in zip(few.widened(4), more, strict=True):
        np.testing.assert_allclose(ours, expected, atol=1e-9)
