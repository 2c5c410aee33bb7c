"""Simulated contextual bandit problems (Algorithm 1) and what a run records."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.reference.active import Active
from tests.reference.draws import ACTION_STREAM, draw_action, key_of, uniform
from tests.reference.explorers import Bag, Cover, EpsilonGreedy, Explorer, Supervised
from tests.reference.linear import LinMED, LinTS, LinUCB
from tests.reference.reductions import DR, Reduction
from tests.reference.regcb import RegCB
from tests.reference.regression import ONE, Regressor, Row
from tests.reference.safeguards import Safe
from tests.reference.today import Decaying, FastCB, First, RandRegCB, Softmax, SquareCB, SynthCover

Array = NDArray[np.generic]
SAFEGUARDS = ("forget", "explore", "restart")
LINEAR: dict[str, Callable[..., Explorer]] = {"linmed": LinMED, "lints": LinTS, "linucb": LinUCB}


@dataclass
class Event:
    """One round: a row that all actions share, or a row per action (ranking)."""

    rows: list[Row]
    costs: list[float]
    n_actions: int


@dataclass
class Record:
    """What happened, round by round; `probabilities` are those of `actions`."""

    actions: list[int] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    n_actions: list[int] = field(default_factory=list)

    @property
    def pv_loss(self) -> float:
        """Progressive validation loss: the mean cost."""
        return mean(self.costs)

    @property
    def ips_reward(self) -> float:
        """IPS estimate of the uniform policy's cost, from the rewards 1 - cost."""
        rounds = zip(self.costs, self.n_actions, self.probabilities, strict=True)
        return 1.0 - mean([(1.0 - c) / (K * p) for c, K, p in rounds])

    @property
    def ips_loss(self) -> float:
        """IPS estimate of the uniform policy's cost, from the costs."""
        rounds = zip(self.costs, self.n_actions, self.probabilities, strict=True)
        return mean([c / (K * p) for c, K, p in rounds])


def mean(values: list[float]) -> float:
    """The mean, summed in order."""
    total = 0.0
    for value in values:
        total = total + value
    return total / len(values)


def simulate(
    events: list[Event],
    explorer_name: str,
    settings: dict[str, Any],
    reduction: str | None,
    learning_rate: float,
    offset: float,
    baseline: bool,
    seed: int,
    task: str,
    arrivals: list[int] | None = None,
    told: list[list[float]] | None = None,
) -> Record:
    """Run one algorithm over the events (Algorithm 1).

    `arrivals` are the events, from 0, after which the feedback of each event comes; those
    that come after the same event come oldest first. `told` are the costs that are
    learned. Without them feedback comes at once, and is true.

    `task` is "multiclass", "multilabel", "cost-sensitive" or "ranking". A `reduction`
    of None is the paper's choice: DR for Cover-NU, IPS for Cover, IWR elsewhere (RegCB
    and the skyline have none). The baseline is the loss estimator's with DR, else the
    policies' (D12). The skyline uses neither the offset nor the seed.
    """
    name = reduction or default_reduction(explorer_name, settings)
    refuse_what_has_no_meaning(explorer_name, name, baseline)
    bias_index, _ = events[0].rows[0][-1]
    n_blocks = 1 if task == "ranking" else events[0].n_actions
    new = partial(Regressor, bias_index + 1, n_blocks, learning_rate)
    key = key_of(seed)

    explorer: Explorer | Supervised
    if explorer_name == "supervised":
        f = new(per_class_clocks=task != "ranking")
        explorer = Supervised(f, multiclass=task == "multiclass")
    else:
        estimator = new(baseline=baseline) if name in DR else None
        estimates = Reduction(name, estimator)
        policy = partial(new, baseline=baseline and name not in DR)
        safe = {word: settings[word] for word in SAFEGUARDS if word in settings}
        own = {word: value for word, value in settings.items() if word not in safe}
        made = [] if estimator is None else [estimator]

        def one_policy(**more: Any) -> Regressor:
            made.append(policy(**more))
            return made[-1]

        explorer = build(explorer_name, own, estimates, one_policy, offset, key)
        if safe:
            explorer = Safe(explorer, made, least=np.float32(offset), **safe)

    record = Record()
    taken: list[tuple[int, list[float]]] = []
    with np.errstate(all="ignore"):
        for t, event in enumerate(events, start=1):
            p = explorer.explore(event.rows, t)
            a = draw_action(p, uniform(key, t, ACTION_STREAM))
            taken.append((a, p))
            due = [t - 1]
            if arrivals is not None:
                due = [e for e in range(t) if arrivals[e] == t - 1]
            for e in due:
                past, (b, q) = events[e], taken[e]
                costs = told[e] if told else past.costs
                if isinstance(explorer, Supervised):
                    explorer.learn(past.rows, costs)
                elif not np.isnan(costs[b]):  # else it never comes
                    explorer.learn(past.rows, b, np.float32(costs[b] + offset), q, e + 1)
            record.actions.append(a)
            record.probabilities.append(p[a])
            record.costs.append(event.costs[a])
            record.n_actions.append(event.n_actions)
    return record


def default_reduction(explorer_name: str, settings: dict[str, Any]) -> str:
    """The paper's choice; "none" where there is nothing to choose."""
    if explorer_name in {*LINEAR, "fastcb", "randregcb", "regcb", "squarecb", "supervised"}:
        return "none"
    if explorer_name == "cover":
        return "dr" if settings.get("nu", False) else "ips"
    return "iwr"


def refuse_what_has_no_meaning(explorer_name: str, name: str, baseline: bool) -> None:
    """Raise ValueError for a reduction or a baseline that the explorer cannot have."""
    admitted = {
        "greedy": ["iwr"],
        "cover": ["ips", *DR],
        "fastcb": ["none"],
        "linmed": ["none"],
        "lints": ["none"],
        "linucb": ["none"],
        "randregcb": ["none"],
        "regcb": ["none"],
        "squarecb": ["none"],
        "supervised": ["none"],
    }
    if name not in admitted.get(explorer_name, ["ips", *DR, "iwr"]):
        raise ValueError(f"{explorer_name} with reduction {name!r}")
    if baseline and (name == "ips" or explorer_name == "supervised"):
        raise ValueError(f"{explorer_name} with reduction {name!r} has no baseline")


def build(
    name: str,
    settings: dict[str, Any],
    reduction: Reduction,
    policy: Callable[..., Regressor],
    offset: float,
    key: int,
) -> Explorer:
    """The explorer `name`; `policy()` is a new regressor."""
    settings = dict(settings)
    if settings.pop("logistic", name == "fastcb"):
        policy = partial(policy, least=offset)
    if name == "greedy":
        return EpsilonGreedy(policy(), reduction, 0.0)
    if name == "epsilon-greedy":
        return Decaying(policy(), reduction, settings["epsilon"], settings["decay"])
    if name == "softmax":
        return Softmax(policy(), reduction, settings["sharpness"], settings["exponent"])
    if name == "first":
        return First(policy(), reduction, settings["tau"])
    if name == "synthcover":
        return SynthCover(policy(), reduction, settings["psi"], offset)
    if name == "squarecb":
        return SquareCB(policy(), **settings, offset=offset)
    if name == "fastcb":
        return FastCB(policy(), **settings, offset=offset)
    if name in LINEAR:
        return LINEAR[name](policy(), **settings)
    if name == "randregcb":
        return RandRegCB(policy(), **settings, offset=offset)
    if name == "active":
        epsilon, c0 = settings["epsilon"], settings["c0"]
        return Active(policy(), reduction, epsilon, c0, offset)
    if name == "regcb":
        return RegCB(policy(), settings["c0"], settings.get("optimistic", False), offset)
    if name == "bag":
        policies = [policy() for _ in range(settings["n_policies"])]
        greedy, exponential = settings.get("greedy", False), settings.get("exponential", False)
        return Bag(policies, reduction, greedy, key, exponential)
    if name == "cover":
        policies = [policy() for _ in range(settings["n_policies"])]
        return Cover(policies, reduction, settings["psi"], settings.get("nu", False))
    raise ValueError(f"unknown explorer {name!r}")


def row_of(x: Array) -> Row:
    """The nonzero values of `x` as f32, then a bias of 1."""
    values = [(j, np.float32(value)) for j, value in enumerate(x)]
    row = [(j, value) for j, value in values if value != 0]
    return [*row, (len(x), ONE)]


def events_from_arrays(X: Array, costs: Array) -> list[Event]:
    """Events with a shared context: X (n, d), costs (n, K)."""
    return [
        Event([row_of(x)], [float(cost) for cost in c], len(c))
        for x, c in zip(X, costs, strict=True)
    ]


def events_from_ranking(queries: list[tuple[Array, Array]]) -> list[Event]:
    """Events with a row per document: for every query X (K, d) and costs (K,)."""
    return [Event([row_of(x) for x in X], [float(cost) for cost in c], len(c)) for X, c in queries]
