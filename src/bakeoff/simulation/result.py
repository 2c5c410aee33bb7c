"""Result: what a run did on a problem, and the sums it is made of."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.rounds import Sums
from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Problem
from bakeoff.runs import Run

WINDOWS = 100  # of a stream: so many evenly spaced points are in its learning curves
NEAR = 0.02  # a loss so close to the one before a change counts as recovered


class Curve(NamedTuple):
    """Progressive validation loss at log-spaced rounds; in streams also at evenly spaced ones.

    Attributes
    ----------
    rounds
        The rounds at which the loss is given.
    pv_loss
        The mean cost up to there.

    Examples
    --------
    >>> problem = bakeoff.load("embedded:iris").shuffled(1)
    >>> [result] = bakeoff.simulate(problem, bakeoff.Run("greedy"))
    >>> int(result.curve.rounds[-1])
    150
    """

    rounds: Ints
    pv_loss: Doubles

    def windows(self, n: int = 20) -> "Curve":
        """The mean cost within each of n windows; `rounds` are their ends.

        Windows end at points of the curve, so only those of a stream are of equal length.

        Parameters
        ----------
        n
            How many windows.

        Returns
        -------
        Curve
            A `Curve` with a point for each window.
        """
        wanted = np.arange(1, n + 1) * self.rounds[-1] / n
        ends = np.unique(np.searchsorted(self.rounds, np.rint(wanted)))
        sums = (self.rounds * self.pv_loss)[ends]
        rounds = self.rounds[ends]
        return Curve(rounds, np.diff(sums, prepend=0.0) / np.diff(rounds, prepend=0))

    def recovery(self, change: int, n: int = 20) -> int | None:
        """How many rounds after a change the loss is what it was before; None if never.

        Looked at in n windows: the mean of the last two before the change, and the end of
        the first two after it whose mean is at most 0.02 above that.

        Parameters
        ----------
        change
            The round of the change.
        n
            How many windows to look at.

        Returns
        -------
        int | None
            A number of rounds, or None.
        """
        rounds, loss = self.windows(n)
        before = loss[rounds <= change][-2:]
        later, after = rounds[rounds > change], loss[rounds > change]
        if not len(before) or len(after) < 2:
            return None
        back = later[1:][(after[1:] + after[:-1]) / 2 <= before.mean() + NEAR]
        return int(back[0]) - change if len(back) else None


@dataclass(frozen=True, eq=False)
class Result:
    """What a run did on a problem. With an `error`, its numbers are not a number.

    Attributes
    ----------
    run
        What was played.
    n
        How many rounds.
    pv_loss
        The mean true cost of the actions taken.
    curve
        The loss from round to round.
    ips_reward, ips_loss
        Estimates of the uniform policy's cost, from rewards and from costs.
    uniform_cost
        What both estimate.
    seconds
        Its share of the pass.
    error
        What went wrong, or None.
    actions, probabilities, costs
        Round by round, with `record=True`.

    Examples
    --------
    >>> problem = bakeoff.load("embedded:iris").shuffled(1)
    >>> [result] = bakeoff.simulate(problem, bakeoff.Run("greedy"), record=True)
    >>> float(result.costs.mean()) == result.pv_loss
    True
    """

    run: Run
    n: int
    pv_loss: float  # mean true cost of the actions taken
    curve: Curve
    ips_reward: float  # IPS estimate of the uniform policy's cost, from 1 - cost
    ips_loss: float  # the same from costs
    uniform_cost: float  # what both estimate
    seconds: float  # its share of the pass
    error: str | None = None
    actions: Ints | None = None  # with record=True, round by round:
    probabilities: Doubles | None = None  # of the actions taken
    costs: Doubles | None = None  # of the actions taken

    def __repr__(self) -> str:
        outcome = f"error={self.error!r}" if self.error else f"pv_loss={self.pv_loss:.4f}"
        return f"Result({self.run}, n={self.n}, {outcome})"


def new_sums(n: int, lanes: int, record: bool, stream: bool = False) -> Sums:
    """Sums of n rounds, all zero; the curve of a stream has evenly spaced points, too."""
    points = np.geomspace(1, n, num=1 + int(10 * np.log10(n))) if n > 1 else np.ones(1)
    if stream:
        points = np.concatenate((points, np.arange(1, WINDOWS + 1) * n / WINDOWS, [1]))
    rounds = np.unique(np.maximum(np.rint(points), 1).astype(np.int64))
    shape = (n if record else 0, lanes)
    return Sums(
        cost=np.zeros(lanes),
        ips_loss=np.zeros(lanes),
        ips_reward=np.zeros(lanes),
        failed_at=np.zeros(lanes, np.int64),
        rounds=rounds,
        curve=np.zeros((len(rounds), lanes)),
        actions=np.zeros(shape, np.int64),
        probabilities=np.zeros(shape),
        costs=np.zeros(shape),
    )


def result_of(problem: Problem, run: Run, sums: Sums, lane: int, seconds: float) -> Result:
    """What a lane's sums say of its run."""
    n, failed_at = problem.n, int(sums.failed_at[lane])
    error = None
    if failed_at:
        error = (
            f"scores stopped being finite in round {failed_at}; "
            f"smaller features or a smaller learning rate may help"
        )
    rounds = float("nan") if error else n
    is_recorded = sums.actions.shape[0] > 0
    return Result(
        run=run,
        n=n,
        pv_loss=float(sums.cost[lane] / rounds),
        curve=Curve(sums.rounds, sums.curve[:, lane] / (sums.rounds * rounds / n)),
        ips_reward=1.0 - float(sums.ips_reward[lane] / rounds),
        ips_loss=float(sums.ips_loss[lane] / rounds),
        uniform_cost=problem.uniform_cost,
        seconds=seconds,
        error=error,
        actions=sums.actions[:, lane].copy() if is_recorded else None,
        probabilities=sums.probabilities[:, lane].copy() if is_recorded else None,
        costs=sums.costs[:, lane].copy() if is_recorded else None,
    )
