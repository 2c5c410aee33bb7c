"""Own learners at play: Algorithm 1 with somebody's Python objects."""

import operator
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csr_array

from bakeoff.basics.errors import BakeoffError, SpecError
from bakeoff.basics.errors import LearnerError as LearnerError  # raised here
from bakeoff.core.rounds import Sums, cost_of
from bakeoff.core.types import Floats, Ints, Sizes
from bakeoff.data import Facts, Problem
from bakeoff.learners.run import OwnRun
from bakeoff.learners.source import tasks_of
from bakeoff.learners.spec import Maker, maker_of, parse_own, said, shown, where
from bakeoff.simulation import Report, Result, new_sums, result_of

_TURN_SECONDS = 0.05  # how long a learner plays before progress gets a turn
_ROUNDING = 1e-6  # probabilities in single precision may exceed one by that much


class OwnPlayer:
    """Plays learners one by one, since each may fail by itself (see base.py)."""

    apart = True

    def group(self, run: OwnRun) -> Hashable:
        """Every run is a group."""
        return run

    def cost(self, run: OwnRun, facts: Facts) -> float:
        """A guess: VW and scikit-learn take 0.1 to 0.3 ms for an event of digits."""
        return 1e5 * facts.n

    def bytes_per_run(self, run: OwnRun, sizes: Sizes) -> int:
        """A guess: four doubles for each feature and action."""
        return 4 * 8 * sizes.n_features * sizes.n_actions

    def width(self, run: OwnRun, sizes: Sizes, memory: int) -> int:
        """One: nobody but the learner looks after its memory."""
        return 1

    def kernels(self, run: OwnRun) -> None:
        """Nothing is compiled."""
        return

    def play(
        self, problem: Problem, runs: Sequence[OwnRun], record: bool, report: Report
    ) -> list[Result]:
        """One learner on `problem`, from its first event to its last."""
        [run] = runs
        result = play(problem, run, report)
        if not record:
            result = replace(result, actions=None, probabilities=None, costs=None)
        return [result]


PLAYER = OwnPlayer()


def play(problem: Problem, run: OwnRun, report: Report = lambda _: None) -> Result:
    """Play a learner on `problem` and keep what happened round by round.

    What it does wrong is a `LearnerError`. `report` is called now and then with how
    many events are done.
    """
    began = time.perf_counter()
    maker = maker_of(parse_own(run.explorer))
    tasks = tasks_of(maker.make, maker.text)
    if problem.task not in tasks:
        raise SpecError(
            f"{run.label} plays {' and '.join(tasks) or 'no'} problems (its `tasks`), "
            f"but {problem.name!r} is {problem.task}"
        )
    learner = new_learner(maker, problem, run.learning_rate, run.offset, run.seed)
    sums = play_rounds(learner, problem, run.offset, report)
    return result_of(problem, run, sums, 0, time.perf_counter() - began)


class Known(Protocol):
    """What a learner may ask for before it begins."""

    @property
    def n_actions(self) -> int:
        """How many actions there are."""

    @property
    def n_features(self) -> int:
        """How many features a context has."""

    @property
    def task(self) -> str:
        """What kind of problem it is."""


def new_learner(
    maker: Maker, problem: Known, learning_rate: float, offset: float, seed: int
) -> Any:
    """A learner, told what it wants to know."""
    known = {
        "n_actions": problem.n_actions,
        "n_features": problem.n_features,
        "task": problem.task,
        "learning_rate": learning_rate,
        "offset": offset,
        "seed": seed,
    }
    wanted = {name: known[name] for name in maker.takes}
    try:
        learner = maker.make(**wanted, **maker.parameters)
    except BakeoffError:
        raise
    except (Exception, SystemExit) as error:
        why = f"{said(error)}{where(error)}"
        raise SpecError(f"{maker.text!r} cannot be made: {why}") from error
    for name in ("choose", "learn"):
        if not callable(getattr(learner, name, None)):
            raise SpecError(f"{maker.text!r} makes a learner without {name}(...)")
    return learner


def play_rounds(
    learner: Any, problem: Problem, offset: float, report: Report = lambda _: None
) -> Sums:
    """Let a learner play all events, and add up what happened."""
    due = time.perf_counter()
    sums = new_sums(problem.n, 1, record=True)
    n_actions = _actions_per_event(problem)
    for e in range(problem.n):
        try:
            _play_round(learner, problem, e, int(n_actions[e]), offset, sums)
        except LearnerError as error:
            raise LearnerError(f"round {e + 1}: {error}") from error.__cause__
        if time.perf_counter() >= due:
            report(e + 1)
            due = time.perf_counter() + _TURN_SECONDS
    report(problem.n)
    _sum_up(sums, n_actions)
    return sums


def _play_round(learner: Any, problem: Problem, e: int, K: int, offset: float, sums: Sums) -> None:
    """The learner sees the context, decides, and sees the loss of its decision."""
    sparse = getattr(learner, "takes_sparse", False)
    x = sparse_context(problem, e) if sparse else dense_context(problem, e)
    a, p = decision(asked(learner.choose, x), K)
    cost = float(cost_of(problem.true_costs, e, a))
    sums.actions[e], sums.probabilities[e], sums.costs[e] = a, p, cost
    asked(learner.learn, x, a, cost + offset, p)


def dense_context(problem: Problem, e: int) -> Floats:
    """The features of an event without the bias; when ranking, a row per action."""
    x = problem.contexts
    first, end = x.first_row[e], x.first_row[e + 1]
    rows = np.zeros((end - first, problem.n_features), np.float32)
    for i in range(first, end):
        entries = slice(x.start[i], x.start[i + 1] - 1)  # the bias comes last
        rows[i - first, x.feature[entries] - 1] = x.value[entries]
    return rows if problem.shares_weights else rows[0]


def sparse_context(problem: Problem, e: int) -> csr_array:
    """The features of an event without the bias: one row, or a row per action."""
    x = problem.contexts
    start = x.start[x.first_row[e] : x.first_row[e + 1] + 1]
    feature, value = (array[start[0] : start[-1]] for array in (x.feature, x.value))
    is_given = feature > 0  # index 0 is the bias
    before = start - start[0] - np.arange(len(start))  # one bias in each row before
    shape = (len(start) - 1, problem.n_features)
    return csr_array((value[is_given], feature[is_given] - 1, before), shape=shape)


def asked(method: Callable[..., Any], *given: Any) -> Any:
    """What a learner's method returns; whatever it raises is a `LearnerError`."""
    try:
        return method(*given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        name = getattr(method, "__name__", "learner")
        raise LearnerError(f"{name} raised {said(error)}{where(error)}") from error


def decision(given: Any, K: int) -> tuple[int, float]:
    """Check what `choose` returned: an action and its probability."""
    try:
        action, probability = given
        a, p = operator.index(action), float(probability)
    except KeyboardInterrupt:
        raise
    except BaseException:
        raise LearnerError(
            f"choose must return an integer and its probability, got {shown(given)}"
        ) from None
    if not 0 <= a < K:
        raise LearnerError(f"choose must return an action from 0 to {K - 1}, got {shown(a)}")
    if not 0.0 < p <= 1.0 + _ROUNDING:
        raise LearnerError(f"choose must return a probability in (0, 1], got {p}")
    return a, min(p, 1.0)


def _actions_per_event(problem: Problem) -> Ints:
    if problem.shares_weights:
        return np.diff(problem.contexts.first_row)
    return np.full(problem.n, problem.n_actions)


def _sum_up(sums: Sums, n_actions: Ints) -> None:
    """Fill in the sums over all rounds, added up in their order as kernels do."""
    cost = sums.costs[:, 0]
    weight = n_actions * sums.probabilities[:, 0]
    so_far = np.cumsum(cost)
    sums.cost[0] = so_far[-1]
    sums.curve[:, 0] = so_far[sums.rounds - 1]
    sums.ips_loss[0] = np.cumsum(cost / weight)[-1]
    sums.ips_reward[0] = np.cumsum((1.0 - cost) / weight)[-1]
