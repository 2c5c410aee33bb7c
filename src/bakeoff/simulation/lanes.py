"""Lanes: runs of one structure, made ready to share a pass over a problem.

Runs may differ lane by lane in learning rate, offset, seed and the explorer's numbers;
what changes the shape of the computation is their structure.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, Reduction, new_regressors
from bakeoff.core.explorers import ESTIMATES, Explorer
from bakeoff.core.random import key_of
from bakeoff.core.types import Revealed, Sizes
from bakeoff.core.waiting import Waiting, new_waiting, waiting_bytes
from bakeoff.data import Facts, Problem, at_once
from bakeoff.runs import Run, explorer_of
from bakeoff.simulation.inputs import mapped_sizes

AT_ONCE = at_once(0)  # where no schedule is looked at


class Structure(NamedTuple):
    """What runs must have in common to share a pass."""

    kernels: str  # of the explorer
    reduction: str | None
    n_policies: int
    baseline: bool
    log_loss: bool
    inputs: str

    @property
    def n_regressors(self) -> int:
        """One per policy, and DR's."""
        return self.n_policies + self.has_estimator

    @property
    def has_estimator(self) -> bool:
        """Whether DR has a loss estimator to keep."""
        return self.reduction in ("dr", "dr-unweighted")


def structure_of(run: Run) -> Structure:
    """The structure of a run."""
    kernels, n_policies, log_loss = _of_explorer(run.settings)
    return Structure(kernels, run.reduction, n_policies, run.baseline, log_loss, run.inputs)


@lru_cache(maxsize=1024)
def _of_explorer(settings: Any) -> tuple[str, int, bool]:
    explorer = explorer_of(settings)
    return explorer.kernels, explorer.n_policies(settings), explorer.has_log_loss(settings)


def needs_steps(run: Run) -> bool:
    """Whether a round asks for step sizes of all actions, not only of the one taken."""
    return explorer_of(run.settings).looks_at_steps(run.settings) or learns_from_all(run)


def learns_from_all(run: Run) -> bool:
    """Whether learning looks at all actions of a round, not only at the one taken."""
    return explorer_of(run.settings).sees_all_costs or run.reduction in ESTIMATES


def sizes_of(problem: Problem | Facts) -> Sizes:
    """The sizes of a problem, with or without its data."""
    schedule = problem.schedule
    return Sizes(
        problem.n_features + 1,
        problem.n_actions,
        1 if problem.shares_weights else problem.n_actions,
        problem.longest_row,
        problem.nonzeros / problem.n,
        0 if schedule is None else schedule.n_slots,
    )


def bytes_per_lane(run: Run, sizes: Sizes) -> int:
    """The memory that one more run like this takes in a pass.

    Per action it has a score and a target (four bytes) by each policy, a probability
    (eight), two estimates (four), and what its explorer keeps.
    """
    structure, sizes = structure_of(run), mapped_sizes(run, sizes)
    regressors = structure.n_regressors
    cells = sizes.n_blocks * regressors
    weights = 3 * sizes.n_features + sizes.longest_row + 6
    taken = regressors * (sizes.longest_row + 15)  # of updates on the action taken
    explorer = explorer_of(run.settings)
    numbers = structure.n_policies + 2 + explorer.state_numbers
    own = explorer.state_bytes(sizes)
    own += waiting_bytes(sizes.waiting, sizes.n_actions if learns_from_all(run) else 0)
    return 4 * (cells * weights + taken) + 8 * numbers * sizes.n_actions + own


def new_lanes(
    runs: Sequence[Run], sizes: Sizes, problem: Problem | None = None
) -> tuple[Explorer, Any, Bandit]:
    """The explorer of runs of one structure, its state, and the bandit they share."""
    structure = structure_of(runs[0])
    settings = [run.settings for run in runs]
    explorer = explorer_of(settings[0])
    L, K = len(runs), sizes.n_actions
    eta = np.array([run.learning_rate for run in runs], np.float32)
    is_dr = structure.has_estimator
    C = structure.n_policies * L
    offset = np.array([run.offset for run in runs])
    policies = new_regressors(
        sizes.n_features,
        sizes.n_blocks,
        np.tile(eta, structure.n_policies),
        sizes.longest_row,
        baseline=structure.baseline and not is_dr,
        clock_per_block=explorer.sees_all_costs,
        least=np.tile(offset, structure.n_policies) if structure.log_loss else None,
    )
    estimator = new_regressors(
        sizes.n_features,
        sizes.n_blocks,
        eta if is_dr else eta[:0],
        sizes.longest_row,
        baseline=structure.baseline and is_dr,
    )
    bandit = Bandit(
        policies=policies,
        estimator=estimator,
        reduction=int(Reduction[(structure.reduction or "none").upper().replace("-", "_")]),
        needs_steps=any(map(needs_steps, runs)),
        offset=offset,
        c_min=offset.astype(np.float32),
        c_max=(offset + 1.0).astype(np.float32),
        key=np.array([key_of(run.seed) for run in runs]),
        scores=np.zeros((K, C), np.float32),
        best=np.zeros(C, np.float32),
        n_tied=np.zeros(C, np.float32),
        p=np.zeros((K, L)),
        action=np.zeros(L, np.int64),
        probability=np.zeros(L),
        loss=np.zeros(L, np.float32),
        weight=np.ones(C, np.float32),
        importance=np.ones(C, np.float32),
        once=np.ones(L, np.int64),
        expected=np.zeros((K, L), np.float32),
        estimates=np.zeros((K, L), np.float32),
        targets=np.zeros((K, C), np.float32),
        repeats=np.ones(C, np.int64),
        spare=np.zeros((2, L)),
    )
    revealed = None
    if problem is not None:
        costs = problem.revealed_costs
        revealed = Revealed(costs, problem.task == "multiclass")
    return explorer, explorer.new_state(settings, sizes, revealed), bandit


def new_waiting_rounds(runs: Sequence[Run], problem: Problem) -> Waiting:
    """When the feedback of a problem comes, and room for what waits in these runs."""
    schedule = problem.schedule
    if schedule is None:
        schedule = AT_ONCE if problem.told_costs is None else at_once(problem.n)
    told = problem.true_costs if problem.told_costs is None else problem.told_costs
    n_actions = problem.n_actions if learns_from_all(runs[0]) else 0
    return new_waiting(told, *schedule, len(runs), n_actions)
