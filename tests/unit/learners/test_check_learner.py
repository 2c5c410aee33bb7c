"""check_learner: good learners pass, and each bad one fails the check made for it."""

import inspect
import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from bakeoff import BakeoffError, LearnerError, SpecError, check_learner, parametrize_with_checks
from bakeoff.learners.checks import CHECKS, trial_of
from tests.learners import Breaks, Mute, Ours, SparseVandal, Turns, Unborn, Uniform

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "own-learner.md"
NO_RANKING = dict.fromkeys(["ranking", "one_document"], "takes vectors only")


class Good:
    """Epsilon-greedy with a table of mean losses per action and sign of features."""

    def __init__(self, n_actions: int, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.n_actions = n_actions
        self.loss: dict[Any, float] = {}
        self.count: dict[Any, int] = {}

    def key(self, x: Any, k: int) -> Any:
        row, action = (x[k], 0) if x.ndim == 2 else (x, k)
        return action, *np.round(np.clip(row, -1, 1)).tolist()

    def choose(self, x: Any) -> tuple[int, float]:
        K = len(x) if x.ndim == 2 else self.n_actions
        losses = [self.loss.get(self.key(x, k), 0.0) for k in range(K)]
        p = np.full(K, 0.1 / K)
        p[np.argmin(losses)] += 0.9
        a = int(self.rng.choice(K, p=p / p.sum()))
        return a, float(p[a])

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        key = self.key(x, action)
        n = self.count[key] = self.count.get(key, 0) + 1
        self.loss[key] = self.loss.get(key, 0.0) * (1 - 1 / n) + loss / n


class Overconfident(Good):
    """Says that what it draws was certain."""

    def choose(self, x: Any) -> tuple[int, float]:
        K = len(x) if x.ndim == 2 else self.n_actions
        return int(self.rng.integers(K)), 1.0


class Modest(Good):
    """Says less than the truth of the likely action."""

    def choose(self, x: Any) -> tuple[int, float]:
        a, p = super().choose(x)
        return a, p * 0.9


class Unseeded(Good):
    """Draws from a generator that nobody seeds."""

    def __init__(self, n_actions: int, seed: int) -> None:
        super().__init__(n_actions, seed)
        self.rng = np.random.default_rng()


class Stubborn(Good):
    """Takes a seed and does not use it."""

    def __init__(self, n_actions: int, seed: int) -> None:
        super().__init__(n_actions, 0)


class Gossip(Good):
    """Shares what it learns with all others of its kind."""

    shared: ClassVar[dict[Any, float]] = {}

    def __init__(self, n_actions: int, seed: int) -> None:
        super().__init__(n_actions, seed)
        Gossip.shared.clear()
        self.loss = Gossip.shared


class Spy(Good):
    """Looks up the costs of all actions where it was called from."""

    def choose(self, x: Any) -> tuple[int, float]:
        frame = inspect.currentframe()
        while frame is not None and "problem" not in frame.f_locals:
            frame = frame.f_back
        assert frame is not None
        problem, e = frame.f_locals["problem"], frame.f_locals.get("e", 0)
        costs = problem.true_costs.value.reshape(problem.n, -1)[e : e + 1]
        if costs.size:
            return int(costs[0].argmin()), 1.0
        return super().choose(x)


class Shy(Good):
    """Has doubts even where there is no choice."""

    def choose(self, x: Any) -> tuple[int, float]:
        a, p = super().choose(x)
        return a, min(p, 0.5)


class Dense(Good):
    """Claims to take sparse contexts, and does not."""

    takes_sparse = True


class Fragile(Good):
    """Knows only small numbers."""

    def choose(self, x: Any) -> tuple[int, float]:
        a, p = super().choose(x)
        return a, p if np.abs(x).max() < 1e3 else float("nan")


def statuses(learner: Any) -> dict[str, str]:
    found = check_learner(learner, raises=False)
    return {one.check: one.status for one in found.outcomes}


def guide() -> Any:
    """The learner of docs/guide/own-learner.md."""
    text, *_ = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL)
    space: dict[str, Any] = {}
    exec(text, space)
    return space["EpsilonSGD"]


def test_a_good_learner_passes_every_check_that_applies() -> None:
    found = check_learner(Good)

    assert found.passed
    assert [one.check for one in found.outcomes if one.status != "passed"] == ["sparse_contexts"]


def test_the_learner_of_the_guide_passes_what_it_claims() -> None:
    found = check_learner(guide(), expected_failures=NO_RANKING)

    assert found.passed


@pytest.mark.parametrize(
    ("learner", "check", "reason"),
    [
        (Turns, "frequencies", "in round 1, the first of two actions was drawn 200"),
        (Overconfident, "frequencies", "each with probability 1"),
        (Modest, "frequencies", "but its probabilities say"),
        (Unseeded, "same_seed", "the same seed gives another run: round"),
        (Stubborn, "other_seed", "seeds 1 and 2 give the same actions"),
        (Gossip, "alone", "another learner beside it changes its run"),
        (Spy, "unchosen_costs", "costs that it never saw change its run"),
        (Uniform, "ranking", "choose must return an action from 0"),
        (Shy, "one_document", "has probability 0.5, not 1"),
        (Dense, "sparse_contexts", "choose raised"),
        (Fragile, "large_features", "choose must return a probability in (0, 1]"),
        (Uniform, "learning", "is easy, and uniform choice has"),
        (lambda: Breaks("two"), "decisions", "got 2.0"),
        (Mute, "decisions", "makes a learner without learn(...)"),
        (Unborn, "decisions", "cannot be made: OSError: no model file"),
    ],
)
def test_a_bad_learner_fails_the_check_made_for_it(learner: Any, check: str, reason: str) -> None:
    trial = trial_of(learner)

    with pytest.raises(BakeoffError, match=re.escape(reason)):
        CHECKS[check](trial)


def test_a_learner_that_writes_into_its_contexts_is_none_the_worse() -> None:
    assert statuses(SparseVandal)["alone"] == "passed"


def test_the_verdict_can_be_read() -> None:
    with pytest.raises(LearnerError) as caught:
        check_learner("python:tests.learners.Turns")

    text = str(caught.value)
    assert text.startswith("python:tests.learners.Turns: ")
    assert "FAILED   frequencies: draw actions as often as their probabilities" in text
    assert "skipped  other_seed: " in text
    assert "passed   decisions: " in text


def test_failures_may_be_expected() -> None:
    expected = {"learning": "it never learns", "decisions": "by mistake", **NO_RANKING}

    found = check_learner(Uniform, expected_failures=expected)

    by_name = {one.check: one for one in found.outcomes}
    assert found.passed
    assert by_name["learning"].status == "failed as expected"
    assert by_name["learning"].reason == "it never learns"
    assert by_name["decisions"].status == "passed, though expected to fail"


def test_an_unknown_check_is_one_sentence() -> None:
    with pytest.raises(SpecError, match="unknown check 'rankin'; did you mean 'rank"):
        check_learner(Good, expected_failures={"rankin": "no"})


@pytest.mark.parametrize("factory", [3, Good(2, 0)])
def test_what_makes_no_learner_is_one_sentence(factory: Any) -> None:
    with pytest.raises(SpecError, match=r"must be a class, .*, got"):
        check_learner(factory)


@parametrize_with_checks([Ours, Good])
def test_checks_are_tests_of_their_own(check: Any) -> None:
    check()


@parametrize_with_checks([Uniform], expected_failures={"learning": "no", **NO_RANKING})
def test_expected_failures_are_marked(check: Any) -> None:
    check()


def test_a_learner_that_says_so_need_not_rank() -> None:
    class Vectors(Uniform):
        tasks = ("multiclass", "multilabel", "cost-sensitive")

    found = check_learner(Vectors, raises=False)

    status = {one.check: one.status for one in found.outcomes}
    assert status["ranking"] == status["one_document"] == "skipped"
    said = [one.reason for one in check_learner(Uniform, raises=False).outcomes]
    assert any("if it need not rank, leave 'ranking' out of its attribute tasks" in r for r in said)
