"""A log as a problem, so that an experiment can play algorithms on it.

The costs of the actions that were not taken are unknown. The cross-fitted reward model estimates
them; the cost of the action taken is corrected by its reward (doubly robust):

    cost(a) = 1 - (q(x, a) + [a taken] (r - q(x, a)) / p),   cut to [0, 1]

Cutting keeps costs in their range, and leaves some of the model's bias. `replay` has no bias, and
uses fewer events.
"""

from functools import partial
from pathlib import Path

import numpy as np

from bakeoff.basics.notices import notify
from bakeoff.core.types import Doubles
from bakeoff.data import Log, Problem
from bakeoff.evaluation.models import fit
from bakeoff.reading.catalog import Source
from bakeoff.reading.files import plain_stem
from bakeoff.reading.logs import is_log, read_log
from bakeoff.reading.options import Options


def costs_of(log: Log) -> Doubles:
    """A cost in [0, 1] for every action of every event; 1 if the action is not available."""
    rewards = fit(log).table(log, 0, log.n)
    rows = np.arange(log.n)
    own = rewards[rows, log.action]
    rewards[rows, log.action] += (log.reward - own) / log.probability
    costs = 1.0 - np.clip(rewards, 0.0, 1.0)
    if log.available is not None:
        costs[~log.available] = 1.0
    return costs


def problem_of_log(log: Log, name: str | None = None) -> Problem:
    """The log as a problem whose costs are estimates; a notice says so."""
    notify(
        f"{log.name}: a log knows the reward of one action per event; the costs of "
        f"the others are estimated, so losses are estimates, too"
    )
    costs, called = costs_of(log), name or log.name
    if log.first_row is None:
        return Problem.from_costs(log.X, costs, class_names=log.action_names, name=called)
    sizes = np.diff(log.first_row)
    flat = costs[np.arange(log.n_actions) < sizes[:, None]]
    events = np.repeat(np.arange(log.n), sizes)
    return Problem.from_action_costs(log.X, flat, events, name=called)


def source_of(text: str) -> Source | str:
    """A log as the source of a problem; any other text is returned as it is."""
    path = Path(text).expanduser()
    if not is_log(path):
        return text
    return Source(plain_stem(path), partial(_read, path), origin=text, path=path)


def _read(path: Path, options: Options) -> Problem:
    return problem_of_log(read_log(path), options.name)
