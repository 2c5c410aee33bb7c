"""Simulation: Algorithm 1 on supervised data, many runs in one pass.

    results = simulate(problem, [Run("greedy", learning_rate=lr) for lr in rates])

A run's result is the same to the last bit whichever runs share its pass.
"""

import importlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from bakeoff.basics.errors import DataError, ResourceError
from bakeoff.basics.memory import available_memory
from bakeoff.basics.notices import notify
from bakeoff.data import Problem
from bakeoff.runs import CENTRED, Run, Runlike, runs_of
from bakeoff.simulation.inputs import is_mostly_zero
from bakeoff.simulation.lanes import sizes_of
from bakeoff.simulation.passes import Passes
from bakeoff.simulation.player import Player, Progress
from bakeoff.simulation.result import Result
from bakeoff.simulation.results import Simulated

FEW_ROWS = 5  # of a class; below, an order by class may be chance

PLAYERS: dict[str, Player] = {"passes": Passes()}
ROOMS = {"own": "bakeoff.learners.play"}  # players that are imported when they are needed


def player_of(run: Run) -> Player:
    """What plays a run, whatever its kind."""
    if run.player not in PLAYERS:
        PLAYERS[run.player] = importlib.import_module(ROOMS[run.player]).PLAYER
    return PLAYERS[run.player]


def group_by_structure(runs: Sequence[Run]) -> list[list[int]]:
    """Positions of the runs that can share a pass, one list for each structure."""
    groups: dict[object, list[int]] = {}
    for i, run in enumerate(runs):
        groups.setdefault((run.player, player_of(run).group(run)), []).append(i)
    return list(groups.values())


def simulate(
    problem: Problem,
    runs: Runlike | Sequence[Runlike],
    *,
    shuffle: int | None = None,
    record: bool = False,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Simulated:
    """Play `runs` on `problem`, from its first event to its last; results in order.

    `runs` are runs, or what `grid` makes runs of: simulate(problem, ["greedy", Mine]). The
    results are a list, with a `frame()` of all and a `plot()` of the best.

    With `shuffle`, the runs are played as an `Experiment` plays that shuffle, bit for
    bit: the rows in its order (0: as they stand), the draws from its seeds. `record`
    keeps what happened round by round. `memory` bounds the bytes of learners in flight
    (half of what is available, if not given). `progress` is called now and then with
    how many run-examples are done, and how many there are.

    A learner of your own that fails raises a `LearnerError`.

    Parameters
    ----------
    problem
        What to play on.
    runs
        Runs, specs, classes or functions; one may stand for a list of one.
    shuffle
        The order of the rows, as in an `Experiment`; as they stand if not given.
    record
        Whether to keep actions, probabilities and costs of every round.
    memory
        The most bytes of learners in flight.
    progress
        Called with how many run-examples are done, and how many there are.

    Returns
    -------
    Simulated
        A `Simulated`, with a `Result` for each run.

    Raises
    ------
    SpecError
        If a run is not valid, or cannot play this problem.
    LearnerError
        If a learner of your own fails.
    ResourceError
        If even one run needs more memory than there is.

    Examples
    --------
    >>> problem = bakeoff.load("embedded:iris").shuffled(1)
    >>> [result] = bakeoff.simulate(problem, bakeoff.Run("greedy", learning_rate=1))
    >>> result.n
    150
    """
    _check_problem(problem)
    runs = runs_of(runs) if not _are_runs(runs) else list(runs)
    if is_mostly_zero(problem) and any(run.inputs == CENTRED for run in runs):
        notify(
            f"{problem.name}: centred inputs leave its rare features as they are, which are most"
        )
    if shuffle is None:
        _notify_if_sorted(problem)
        return Simulated(play_in_order(problem, runs, record, memory, progress))
    order = problem.shuffled(shuffle) if shuffle else problem
    played = [run.for_job(problem.draws, shuffle) for run in runs]
    results = play_in_order(order, played, record, memory, progress)
    return Simulated(replace(r, run=run) for r, run in zip(results, runs, strict=True))


def play_in_order(
    problem: Problem,
    runs: Sequence[Run],
    record: bool = False,
    memory: int | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Play runs on a problem as it stands, without a notice about its order."""
    runs = list(runs)
    total, done = problem.n * len(runs), 0
    results: dict[int, Result] = {}
    for chunk in _chunks(problem, runs, memory):

        def report(events: int, lanes: int = len(chunk.members), before: int = done) -> None:
            if progress is not None:
                progress(before + events * lanes, total)

        played = [runs[i] for i in chunk.members]
        new = chunk.player.play(problem, played, record, report)
        results.update(zip(chunk.members, new, strict=True))
        done += problem.n * len(played)
    return [results[i] for i in range(len(runs))]


def _check_problem(problem: Problem) -> None:
    if not isinstance(problem, Problem):
        actual = repr(problem) if isinstance(problem, str) else type(problem).__name__
        hint = f"load({problem!r})" if isinstance(problem, str) else "load(...)"
        raise DataError(f"simulate takes a Problem, got {actual}; write {hint}")


def _notify_if_sorted(problem: Problem) -> None:
    """Notify the user if the rows are sorted by class."""
    right = problem.true_costs.right
    if problem.task != "multiclass" or problem.n < FEW_ROWS * problem.n_actions:
        return
    if np.count_nonzero(np.diff(right)) + 1 == len(np.unique(right)) > 1:
        notify(
            f"{problem.name}: its rows are sorted by class, so a learner sees one "
            f"class after the other; simulate(..., shuffle=1) plays them as an "
            f"experiment would, shuffle=0 as they stand"
        )


def _are_runs(runs: Any) -> TypeGuard[Sequence[Run]]:
    """Whether all are runs already; the same run may be there twice."""
    return isinstance(runs, Sequence) and all(isinstance(run, Run) for run in runs)


class _Chunk(NamedTuple):
    """Runs that share a pass."""

    player: Player
    members: list[int]  # positions of the runs


def _chunks(problem: Problem, runs: list[Run], memory: int | None) -> list[_Chunk]:
    """The passes: each holds runs of one structure and fits into the memory."""
    budget = available_memory() // 2 if memory is None else memory
    chunks = []
    for members in group_by_structure(runs):
        player = player_of(runs[members[0]])
        width = _width(problem, runs[members[0]], budget)
        passes = -(-len(members) // width)
        parts = np.array_split(members, passes)
        chunks += [_Chunk(player, part.tolist()) for part in parts]
    return chunks


def _width(problem: Problem, run: Run, budget: int) -> int:
    """How many such runs share a pass."""
    sizes, player = sizes_of(problem), player_of(run)
    width = player.width(run, sizes, budget)
    if width == 0:
        each = player.bytes_per_run(run, sizes)
        raise ResourceError(
            f"one run of {run.explorer!r} on {problem.name!r} takes "
            f"{each / 1e6:,.3g} MB, but memory allows {budget / 1e6:,.3g} MB"
        )
    return width
