"""Learner: one algorithm in an application, one event at a time.

The same kernels as a simulation, with one lane: fed the events of a simulated run, it
takes the same actions to the last bit.
"""

from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse

from bakeoff.core.arrays import Doubles
from bakeoff.core.events import Contexts, Event
from bakeoff.core.jit import announce_compilation
from bakeoff.core.oracles.regression import Regressors
from bakeoff.core.rounds import loops_of
from bakeoff.errors import BakeoffError, DataError, SpecError
from bakeoff.problems.checks import LARGEST, as_pieces, is_integer
from bakeoff.problems.problem import with_bias
from bakeoff.runs.run import Run
from bakeoff.runs.specs import explorer_of
from bakeoff.simulation.lanes import Sizes, new_lanes


@dataclass(frozen=True, eq=False)
class Decision:
    """An action, and how likely it was: log both, they are what evaluation needs."""

    action: int
    probability: float
    probabilities: Doubles  # of all actions
    t: int  # the round
    context: Contexts = field(repr=False)


class Learner:
    """A contextual bandit to run: `choose` an action, `learn` from its loss.

    With `n_actions`, a context is one row of features; without, it is a matrix with one
    row per action, and their number may differ from event to event. Losses lie between
    `offset` and `offset + 1`. The other arguments are those of `Run`.
    """

    def __init__(
        self,
        explorer: Any,
        n_actions: int | None = None,
        *,
        reduction: str | None = None,
        learning_rate: float = 0.5,
        offset: float = 0,
        baseline: bool = False,
        seed: int = 0,
    ) -> None:
        self.run = Run(explorer, reduction, learning_rate, offset, baseline, seed)
        record = explorer_of(self.run.settings)
        if record.sees_all_costs:
            raise SpecError(
                f"{record.name!r} learns from the costs of all actions, which no "
                f"application has; choose another explorer"
            )
        if n_actions is not None and not (is_integer(n_actions) and n_actions >= 2):
            raise SpecError(
                f"n_actions must be an integer from 2, got {n_actions!r} "
                f"(leave it out if actions have features of their own)"
            )
        self.n_actions = n_actions
        self.t = 0
        self._kernels, self._loops = record.kernels, loops_of(record)
        self._sizes = Sizes(1, n_actions or 2, n_actions or 1, 1)
        _, self._state, self._bandit = new_lanes([self.run], self._sizes)

    def __repr__(self) -> str:
        return f"Learner({self.run}, n_actions={self.n_actions}, t={self.t})"

    def choose(self, x: Any) -> Decision:
        """An action for context `x`, drawn with the probability it reports."""
        context = self._context(x)
        event = Event(0, self._count_actions(context), self.t + 1)
        self._make_room(context, event.K)
        done = announce_compilation(f"choose_{self._kernels}")
        with np.errstate(all="ignore"):
            broken = self._loops.choose(self._state, self._bandit, context, event)
        done()
        if broken:
            raise BakeoffError(
                f"scores stopped being finite in round {event.t}; "
                f"smaller features or a smaller learning rate may help"
            )
        self.t = event.t
        return Decision(
            action=int(self._bandit.action[0]),
            probability=float(self._bandit.probability[0]),
            probabilities=self._bandit.p[: event.K, 0].copy(),
            t=event.t,
            context=context,
        )

    def learn(
        self,
        decision: Decision,
        loss: float | None = None,
        *,
        cost: float | None = None,
    ) -> None:
        """Learn the loss of a decision, or its cost in [0, 1]: loss = cost + offset.

        Feedback may come late and in any order.
        """
        value = self._loss(loss, cost)
        K = len(decision.probabilities)
        rows = len(decision.context.start) - 1
        fitting = (rows, rows) if self.n_actions is None else (self.n_actions, 1)
        if (K, rows) != fitting:
            raise DataError(
                f"the decision is among {K} actions with {rows} rows of features, "
                f"which does not fit n_actions={self.n_actions}"
            )
        self._make_room(decision.context, K)
        bandit = self._bandit
        bandit.p[:K, 0] = decision.probabilities
        bandit.action[0] = decision.action
        bandit.probability[0] = decision.probability
        bandit.loss[0] = np.float32(value)
        event = Event(0, K, decision.t)
        done = announce_compilation(f"learn_{self._kernels}")
        with np.errstate(all="ignore"):
            self._loops.learn(self._state, bandit, decision.context, event)
        done()

    def _loss(self, loss: Any, cost: Any) -> float:
        """The loss, checked, from either."""
        if (loss is None) == (cost is None):
            raise DataError("learn takes either a loss or a cost")
        low = self.run.offset
        given = loss if cost is None else cost
        if not isinstance(given, Real):
            raise DataError(f"feedback must be a number, got {given!r}")
        value = float(given) if cost is None else float(given) + low
        if not low <= value <= low + 1:
            raise DataError(
                f"loss must lie between {low:g} and {low + 1:g} "
                f"(offset to offset + 1), got {value}"
            )
        return value

    def _context(self, x: Any) -> Contexts:
        """`x` as rows of features, the bias last in each."""
        wanted = 2 if self.n_actions is None else 1
        if sparse.issparse(x):
            if x.shape[0] != 1 and (wanted == 1 or x.shape[0] == 0):
                what = "one row of features" if wanted == 1 else "one row per action"
                raise DataError(f"x must be {what}, got shape {x.shape}")
            return with_bias(as_pieces(x), np.zeros(0, np.int64))
        try:
            rows = np.asarray(x, np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(f"x must hold numbers: {error}") from None
        if rows.ndim == 2 and wanted == 1 and len(rows) == 1:
            rows = rows[0]
        if rows.ndim != wanted:
            what = "one row of features" if wanted == 1 else "one row per action"
            raise DataError(f"x must be {what}, got shape {rows.shape}")
        rows = np.atleast_2d(rows)
        if not len(rows):
            raise DataError("x must have at least one action, got none")
        if not (np.abs(rows) <= LARGEST).all():
            raise DataError(f"x must hold finite numbers of at most {LARGEST:g}")
        rows = rows.astype(np.float32)
        biased = np.ones((len(rows), rows.shape[1] + 1), np.float32)
        biased[:, :-1] = rows
        at, columns = np.nonzero(biased)
        index = np.where(columns == rows.shape[1], 0, columns + 1).astype(np.int32)
        start = np.searchsorted(at, np.arange(len(rows) + 1)).astype(np.int64)
        return Contexts(start, index, biased[at, columns], start[:0])

    def _count_actions(self, context: Contexts) -> int:
        return self.n_actions or len(context.start) - 1

    def _make_room(self, context: Contexts, K: int) -> None:
        """Grow the arrays to hold features, rows or actions not seen before."""
        old = self._sizes
        needed = Sizes(
            int(context.feature.max()) + 1,
            K,
            old.n_blocks,
            int(np.diff(context.start).max()),
        )
        if all(have >= want for have, want in zip(old, needed, strict=True)):
            return
        self._sizes = Sizes(
            *(max(a, 2 * b) if b > a else a for a, b in zip(old, needed, strict=True))
        )
        _, self._state, fresh = new_lanes([self.run], self._sizes)
        self._bandit = fresh._replace(
            policies=_moved(self._bandit.policies, fresh.policies),
            estimator=_moved(self._bandit.estimator, fresh.estimator),
        )


def _moved(old: Regressors, new: Regressors) -> Regressors:
    """What `old` has learned, in the larger arrays of `new`."""
    for ours, theirs in ((new.w, old.w), (new.A, old.A), (new.N, old.N)):
        ours[: len(theirs)] = theirs
    return new._replace(T=old.T, S=old.S, lo=old.lo, hi=old.hi, w0=old.w0, A0=old.A0)
