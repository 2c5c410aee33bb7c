"""check_learner: try a learner against what the package's own algorithms are tried against.

    print(bakeoff.check_learner(MyLearner))

A check is a function that gets a `Trial`, which makes learners and plays them. It returns
nothing, or raises a `LearnerError` that says what is wrong. Its name without "check_" is the name
for `expected_failures`; its docstring says what the learner has to do.
docs/guide/own-learner.md tells how to use the checks.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import BakeoffError, DeclinedError, LearnerError, SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.core.types import Bools, Doubles, Ints
from bakeoff.data import Problem
from bakeoff.learners.contract import Factory, new_learner, refusal
from bakeoff.learners.play import facts_of, play_rounds
from bakeoff.learners.source import factory_of, import_learner, tasks_of
from bakeoff.learners.spec import parse_own

Test = TypeVar("Test", bound=Callable[..., Any])
PASSED, FAILED, SKIPPED = "passed", "FAILED", "skipped"
EXPECTED, SURPRISE = "failed as expected", "passed, though expected to fail"
SEEDS, ROUNDS = 200, 20  # of the check of frequencies
ERROR_RATE = 1e-9  # how often a correct learner fails it
OFFSETS = (0.0, -1.0, 9.0)  # of the paper's encodings


class NotApplicableError(Exception):
    """The learner does not offer what the check tests."""


class Record(NamedTuple):
    """The decisions of a learner, round by round."""

    actions: Ints
    probabilities: Doubles
    costs: Doubles


class Trial(NamedTuple):
    """A learner on trial."""

    factory: Factory

    def learner(
        self, problem: Problem, seed: int, learning_rate: float = 0.5, offset: float = 0.0
    ) -> Any:
        """A new learner for a problem, unless it declines."""
        why = refusal(self.factory, facts_of(problem))
        if why:
            raise NotApplicableError(f"it declines: {why}")
        try:
            return new_learner(self.factory, problem, learning_rate, offset, seed)
        except DeclinedError as error:
            raise NotApplicableError(f"it declines: {error}") from None

    def play(
        self, problem: Problem, *, seed: int = 1, learning_rate: float = 0.5, offset: float = 0.0
    ) -> Record:
        """Play a new learner on a problem."""
        learner = self.learner(problem, seed, learning_rate, offset)
        return _record(learner, problem, offset)


def _record(learner: Any, problem: Problem, offset: float = 0.0) -> Record:
    sums = play_rounds(learner, problem, offset)
    return Record(sums.actions[:, 0], sums.probabilities[:, 0], sums.costs[:, 0])


def _rng() -> np.random.Generator:
    return np.random.default_rng(20181)


def _classes(n: int, n_actions: int = 3) -> Problem:
    """Features of several scales, with zeros, and classes that depend on them."""
    rng = _rng()
    Z = rng.normal(size=(n, 5))
    y = (Z @ rng.normal(size=(5, n_actions))).argmax(axis=1)
    X = Z * np.array([1.0, 0.1, 10.0, 1.0, 1.0]) * (rng.random((n, 5)) < 0.8)
    return Problem.from_classes(X, y, n_actions, name="classes")


def _costs(n: int, n_actions: int) -> Problem:
    rng = _rng()
    return Problem.from_costs(rng.normal(size=(n, 4)), rng.random((n, n_actions)), name="costs")


def _ranking(n: int, fewest: int, most: int) -> Problem:
    """Queries with different numbers of documents."""
    rng = _rng()
    query = np.repeat(np.arange(n), rng.integers(fewest, most + 1, n))
    X = rng.normal(size=(len(query), 4))
    grades = np.clip(np.rint(2 + 2 * X[:, 0]), 0, 4)
    return Problem.from_ranking(X, grades, query, name="documents")


def check_decisions(trial: Trial) -> None:
    """Choose an action of the event and a probability in (0, 1], with any encoding."""
    for problem in (_classes(100), _costs(60, 2), _costs(30, 50)):
        for offset in OFFSETS:
            trial.play(problem, offset=offset)


def check_frequencies(trial: Trial) -> None:
    """Draw actions as often as their probabilities say."""
    problem = _classes(ROUNDS, n_actions=2)
    played = [trial.play(problem, seed=seed) for seed in range(SEEDS)]
    taken = np.array([record.actions for record in played])
    p = np.array([record.probabilities for record in played])
    first = np.where(taken == 0, p, 1 - p)  # the other one of two actions has the rest
    likelier = np.where(first >= 0.5, 0, 1)
    for what, drawn, chance in (
        ("the first of two actions", taken == 0, first),
        ("the likelier of two actions", taken == likelier, np.maximum(first, 1 - first)),
    ):
        for t in range(ROUNDS):
            _compare(f"in round {t + 1}, {what}", drawn[:, t], chance[:, t])
        _compare(f"in all rounds, {what}", drawn, chance)
    certain = (p[:, 0] == 1).all()
    if certain and len(set(taken[:, 0])) > 1:
        raise LearnerError(
            "learners with different seeds choose different actions in round 1, each with "
            "probability 1; the probability must say how often an action is drawn"
        )


def _compare(what: str, drawn: Bools, chance: Doubles) -> None:
    """Compare how often something was drawn with its chances (Bernstein's bound)."""
    gap = abs(float(drawn.sum() - chance.sum()))
    variance = float((chance * (1 - chance)).sum())
    tests = 2 * (ROUNDS + 1)
    size = np.log(2 * tests / ERROR_RATE)
    if gap > np.sqrt(2 * variance * size) + size / 3 + 1e-6:
        raise LearnerError(
            f"{what} was drawn {int(drawn.sum())} times of {drawn.size}, but its "
            f"probabilities say {chance.sum():.1f}"
        )


def check_same_seed(trial: Trial) -> None:
    """Do the same again with the same seed, in the same process."""
    problem = _classes(150)
    first, second = (trial.play(problem, seed=7) for _ in range(2))
    _same(first, second, "the same seed gives another run")


def _same(a: Record, b: Record, what: str) -> None:
    differs = (a.actions != b.actions) | (a.probabilities != b.probabilities)
    if differs.any():
        t = int(np.flatnonzero(differs)[0])
        raise LearnerError(
            f"{what}: round {t + 1} has (action, probability) "
            f"({a.actions[t]}, {a.probabilities[t]:.6g}) and "
            f"({b.actions[t]}, {b.probabilities[t]:.6g})"
        )


def check_other_seed(trial: Trial) -> None:
    """Draw other actions with another seed, if it takes one and draws at all."""
    if "seed" not in trial.factory.takes:
        raise NotApplicableError("it takes no seed")
    problem = _costs(300, 3)
    first, second = (trial.play(problem, seed=seed) for seed in (1, 2))
    if (first.probabilities == 1).all():
        raise NotApplicableError("it draws nothing: all probabilities are 1")
    if (first.actions == second.actions).all():
        raise LearnerError("seeds 1 and 2 give the same actions in 300 rounds")


def check_alone(trial: Trial) -> None:
    """Be unmoved by another learner of its kind that plays at the same time."""
    problem = _classes(80)
    alone = trial.play(problem, seed=3)
    beside = _record(_Pair(*(trial.learner(problem, seed) for seed in (3, 4))), problem)
    _same(alone, beside, "another learner beside it changes its run")


class _Pair:
    """A learner, and a second one that plays the same events at the same time."""

    def __init__(self, learner: Any, other: Any) -> None:
        self.learner, self.other = learner, other
        self.takes_sparse = getattr(learner, "takes_sparse", False)
        self.decision: Any = None

    def choose(self, x: Any) -> Any:
        self.decision = self.other.choose(x.copy())
        return self.learner.choose(x)

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        self.other.learn(x.copy(), self.decision[0], 0.5, self.decision[1])
        self.learner.learn(x, action, loss, probability)


def check_unchosen_costs(trial: Trial) -> None:
    """Decide without the costs of the actions it did not choose."""
    rng = _rng()
    X, costs = rng.normal(size=(200, 4)), rng.random((200, 3))
    before = trial.play(Problem.from_costs(X, costs))
    taken = np.arange(200), before.actions
    poisoned = 1 - costs
    poisoned[taken] = costs[taken]
    after = trial.play(Problem.from_costs(X, poisoned))
    _same(before, after, "costs that it never saw change its run")


DOES_NOT_RANK = "; if it need not rank, leave 'ranking' out of its attribute tasks"


def _must_rank(trial: Trial) -> None:
    if "ranking" not in tasks_of(trial.factory):
        raise NotApplicableError("its attribute tasks says that it does not rank")


def check_ranking(trial: Trial) -> None:
    """Choose among documents, whose number differs from query to query."""
    _must_rank(trial)
    problem = _ranking(60, 2, 6)
    for offset in OFFSETS:
        trial.play(problem, offset=offset)


def check_one_document(trial: Trial) -> None:
    """Take the only document of a query with probability 1."""
    _must_rank(trial)
    problem = _ranking(60, 1, 3)
    sizes = np.diff(problem.contexts.first_row)
    record = trial.play(problem)
    least = record.probabilities[sizes == 1].min()
    if least < 1 - 1e-6:
        raise LearnerError(f"the only document has probability {least:.6g}, not 1")


def check_sparse_contexts(trial: Trial) -> None:
    """Take wide sparse rows, and rows without any feature, if it takes sparse ones."""
    small = _classes(3)  # a learner of dense contexts may need much memory for wide ones
    if not getattr(trial.learner(small, 1), "takes_sparse", False):
        raise NotApplicableError("it has no true attribute takes_sparse")
    rng = _rng()
    X = sparse.random_array((60, 20_000), density=1e-3, rng=rng, format="csr")
    X = sparse.vstack([X, sparse.csr_array((2, 20_000))]).tocsr()
    problem = Problem.from_classes(X, np.arange(62) % 3, name="sparse")
    trial.play(problem)


def check_large_features(trial: Trial) -> None:
    """Stay finite with features in the thousands, and with learning rates up to 10."""
    rng = _rng()
    X = rng.normal(size=(200, 4)) * np.array([1e4, 1e3, 1.0, 0.0])
    problem = Problem.from_classes(X, np.arange(200) % 3)
    rates = (0.1, 10.0) if "learning_rate" in trial.factory.takes else (0.5,)
    for rate in rates:
        trial.play(problem, learning_rate=rate)


def check_learning(trial: Trial) -> None:
    """Learn an easy problem: halve the cost of the best constant action."""
    rng = _rng()
    y = rng.integers(4, size=1_000)
    X = np.eye(4)[y] + 0.1 * rng.normal(size=(1_000, 4))
    problem = Problem.from_classes(X, y, name="easy")
    takes_rate = "learning_rate" in trial.factory.takes
    costs = [
        trial.play(problem, learning_rate=rate, offset=offset).costs.mean()
        for rate in ((0.1, 0.5, 2.0) if takes_rate else (0.5,))
        for offset in (0.0, -1.0)
    ]
    wanted = problem.constant_action_cost / 2
    if min(costs) > wanted:
        raise LearnerError(
            f"its mean cost in {problem.n} rounds is {min(costs):.3f} at best; "
            f"{wanted:.3f} is easy, and uniform choice has {problem.uniform_cost:.3f}"
        )


Check = Callable[[Trial], None]

CHECKS: dict[str, Check] = {
    check.__name__.removeprefix("check_"): check
    for check in (
        check_decisions,
        check_frequencies,
        check_same_seed,
        check_other_seed,
        check_alone,
        check_unchosen_costs,
        check_ranking,
        check_one_document,
        check_sparse_contexts,
        check_large_features,
        check_learning,
    )
}


# ---- the verdict


class Outcome(NamedTuple):
    """The outcome of one check."""

    check: str
    asks: str  # what a learner has to do
    status: str
    reason: str = ""  # why it did not pass

    def __str__(self) -> str:
        line = f"{self.status:8} {self.check}: {self.asks}"
        return f"{line}\n         {self.reason}" if self.reason else line


@dataclass(frozen=True, repr=False)
class Checkup:
    """The verdict on a learner; print it to read it."""

    learner: str
    outcomes: tuple[Outcome, ...]

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """Checks that failed unexpectedly."""
        return tuple(outcome for outcome in self.outcomes if outcome.status == FAILED)

    @property
    def passed(self) -> bool:
        """Whether nothing failed unexpectedly."""
        return not self.failures

    def __str__(self) -> str:
        total = len(self.outcomes)
        verdict = f"{len(self.failures) or 'none'} of {total} checks failed"
        return "\n".join([f"{self.learner}: {verdict}", *map(str, self.outcomes)])

    __repr__ = __str__  # what a notebook shows


def check_learner(
    factory: Callable[..., Any] | str,
    *,
    expected_failures: Mapping[str, str] | None = None,
    raises: bool = True,
) -> Checkup:
    """Try a learner against what the package's own algorithms are tried against.

    `factory` is a class or a function that makes the learner, or its spec
    ("python:module.Name,key=value"). `expected_failures` names checks that it cannot
    pass, each with the reason. An unexpected failure raises a `LearnerError` with the whole
    verdict, unless `raises` is False.

    Parameters
    ----------
    factory
        The class, a function, or a spec.
    expected_failures
        Names of checks, each with the reason why it fails.
    raises
        Whether an unexpected failure is an error.

    Returns
    -------
    Checkup
        A `Checkup`: `passed`, and `outcomes` with one entry per check.

    Raises
    ------
    LearnerError
        If a check fails unexpectedly and `raises` is true.
    SpecError
        If there is no such learner or check.

    Examples
    --------
    >>> class First:
    ...     def choose(self, x):
    ...         return 0, 1.0
    ...
    ...     def learn(self, x, action, loss, probability):
    ...         pass
    >>> bakeoff.check_learner(First, raises=False).passed  # it does not learn
    False
    """
    expected = _checked_names(expected_failures or {})
    trial = trial_of(factory)
    outcomes = tuple(_outcome(name, trial, expected) for name in CHECKS)
    checkup = Checkup(trial.factory.text, outcomes)
    if raises and not checkup.passed:
        raise LearnerError(str(checkup))
    return checkup


def parametrize_with_checks(
    factories: Sequence[Callable[..., Any] | str],
    *,
    expected_failures: Mapping[str, str] | None = None,
) -> Callable[[Test], Test]:
    """A pytest mark: one test per learner and check.

    For instance::

        @bakeoff.parametrize_with_checks([MyLearner])
        def test_my_learner(check):
            check()

    Checks named in `expected_failures` are marked xfail, with the reason given there.

    Parameters
    ----------
    factories
        Classes, functions or specs.
    expected_failures
        Names of checks, each with the reason why it fails.

    Returns
    -------
    Callable[[Test], Test]
        A mark for a test function with the parameter `check`.

    Raises
    ------
    SpecError
        If there is no such learner or check.

    Examples
    --------
    >>> mark = bakeoff.parametrize_with_checks([])
    >>> mark.name
    'parametrize'
    """
    pytest = importlib.import_module("pytest")
    expected = _checked_names(expected_failures or {})
    cases = []
    for factory in factories:
        trial = trial_of(factory)
        for name in CHECKS:
            xfail = pytest.mark.xfail(reason=expected.get(name, ""), strict=False)
            case = partial(_run, name, trial, pytest.skip)
            label = f"{trial.factory.text}-{name}"
            marks = [xfail] if name in expected else []
            cases.append(pytest.param(case, marks=marks, id=label))
    mark: Callable[[Test], Test] = pytest.mark.parametrize("check", cases)
    return mark


def _run(name: str, trial: Trial, skip: Callable[[str], object]) -> None:
    try:
        CHECKS[name](trial)
    except NotApplicableError as reason:
        skip(str(reason))


def _outcome(name: str, trial: Trial, expected: Mapping[str, str]) -> Outcome:
    asks = (CHECKS[name].__doc__ or "").splitlines()[0].rstrip(".").lower()
    try:
        CHECKS[name](trial)
    except NotApplicableError as reason:
        return Outcome(name, asks, SKIPPED, str(reason))
    except BakeoffError as error:
        if name in expected:
            return Outcome(name, asks, EXPECTED, expected[name])
        hint = DOES_NOT_RANK if CHECKS[name] in (check_ranking, check_one_document) else ""
        return Outcome(name, asks, FAILED, f"{error}{hint}")
    return Outcome(name, asks, SURPRISE if name in expected else PASSED)


def trial_of(factory: Callable[..., Any] | str) -> Trial:
    """The trial of a class, a function or a spec."""
    if isinstance(factory, str):
        return Trial(import_learner(parse_own(factory)))
    if not callable(factory):
        raise SpecError(
            f"a learner must be a class, a function that makes it, or 'python:module.Name', "
            f"got {factory!r}"
        )
    name = getattr(factory, "__qualname__", repr(factory))
    return Trial(factory_of(factory, name, {}))


def _checked_names(expected: Mapping[str, str]) -> Mapping[str, str]:
    for name in expected:
        if name not in CHECKS:
            raise SpecError(f"unknown check {name!r}{did_you_mean(name, CHECKS)}")
    return expected
