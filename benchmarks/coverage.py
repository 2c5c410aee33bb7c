"""Coverage: how often intervals hold the true value, and how wide they are.

    python benchmarks/coverage.py                    # 1,000 logs a cell
    python benchmarks/coverage.py --logs 200 --sizes 100 1000
    python benchmarks/coverage.py --stopping         # look twenty times

Contexts are eight kinds of users, actions are four, rewards are 0 or 1: the true value
of a policy is known exactly. Loggers:

    uniform     every action alike
    epsilon     greedy for a fixed table, which is wrong for half of the users
    learning    epsilon-greedy on what it has seen: the log is adaptive

With light weights the two explore 40 % of the time, with heavy weights 2 %.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bakeoff.core.arrays import Doubles, Ints
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.evaluate import within_reach
from bakeoff.evaluation.intervals import INTERVALS
from bakeoff.evaluation.intervals.base import Evidence, Interval
from bakeoff.evaluation.policies import policy_of
from bakeoff.evaluation.weights import model_for, weigh, with_model, without_model
from bakeoff.logs.log import Log

S, K = 8, 4  # kinds of users, actions
LOGGERS = ("uniform", "epsilon", "learning")
WEIGHTS = {"light": 0.4, "heavy": 0.02}
ALPHA = 0.05
LOOKS = 20


class World(NamedTuple):
    """The chance of a reward by user and action, and a policy to evaluate."""

    means: Doubles  # (S, K)
    target: Doubles  # (S, K)

    @property
    def truth(self) -> float:
        """The value of the policy."""
        return float((self.target * self.means).sum(axis=1).mean())


class Logs(NamedTuple):
    """Many logs side by side: (logs, n), and distributions (logs, n, K)."""

    user: Ints
    action: Ints
    reward: Doubles
    p: Doubles


def new_world(seed: int = 7) -> World:
    """Rewards between 0.1 and 0.7; the policy is greedy but for a tenth."""
    means = np.random.default_rng(seed).uniform(0.1, 0.7, (S, K))
    target = np.full((S, K), 0.1 / K)
    target[np.arange(S), means.argmax(axis=1)] += 0.9
    return World(means, target)


def simulate(
    world: World, logger: str, epsilon: float, n: int, logs: int, seed: int
) -> Logs:
    """Logs of one logger."""
    rng = np.random.default_rng(seed)
    user = rng.integers(0, S, (logs, n))
    u, coin = rng.random((logs, n)), rng.random((logs, n))
    wrong = np.where(np.arange(S) % 2, world.means.argmax(1), world.means.argmin(1))
    action = np.zeros((logs, n), np.int64)
    p = np.full((logs, n, K), 1.0 / K)
    reward = np.zeros((logs, n))
    wins, tries = np.full((logs, S, K), 0.5), np.ones((logs, S, K))
    each = np.arange(logs)
    for t in range(n):
        x = user[:, t]
        if logger != "uniform":
            best = wrong[x]
            if logger == "learning":
                best = (wins[each, x] / tries[each, x]).argmax(axis=1)
            p[:, t] = epsilon / K
            p[each, t, best] += 1 - epsilon
        a = (u[:, t, None] >= p[:, t].cumsum(axis=1)[:, :-1]).sum(axis=1)
        r = coin[:, t] < world.means[x, a]
        action[:, t], reward[:, t] = a, r
        wins[each, x, a] += r
        tries[each, x, a] += 1
    return Logs(user, action, reward, p)


def log_of(made: Logs, i: int, n: int, adaptive: bool) -> Log:
    """The first n events of one log."""
    rows = np.arange(n)
    return Log.from_arrays(
        np.eye(S)[made.user[i, :n]],
        made.action[i, :n],
        made.p[i, rows, made.action[i, :n]],
        made.reward[i, :n],
        n_actions=K,
        probabilities=made.p[i, :n],
        adaptive=adaptive,
    )


class Prepared(NamedTuple):
    """Evidence for a log by estimator."""

    evidence: dict[str, Evidence]


def prepare(log: Log, world: World, estimators: Sequence[str]) -> Prepared:
    """What intervals look at."""
    policy = policy_of(lambda X: X @ world.target, log)
    weighted = weigh(log, policy)
    plain = without_model(log, weighted)
    found = {}
    for name in estimators:
        estimator = ESTIMATORS[name]
        seen = plain
        if estimator.model != "none":
            model = model_for(log, estimator.model, weighted, None)
            seen = with_model(log, policy, weighted, model)
        parts = estimator.parts(seen.events, 0.0)
        found[name] = Evidence(parts, seen.events, seen.streams)
    return Prepared(found)


def columns(wanted: Sequence[str]) -> Iterator[tuple[str, Interval]]:
    """Pairs of estimator and interval that differ."""
    for name in wanted:
        interval = INTERVALS[name]
        for estimator in ("ips", "snips", "dr"):
            if interval.of_estimate or (
                estimator == "ips" or (interval.uses_streams and estimator == "dr")
            ):
                yield estimator, interval


def cell(
    world: World, made: Logs, n: int, adaptive: bool, wanted: Sequence[str]
) -> dict[str, tuple[float, float]]:
    """Coverage and mean width by interval, at n events."""
    pairs = list(columns(wanted))
    held = {f"{e}/{i.name}": 0 for e, i in pairs}
    wide = dict.fromkeys(held, 0.0)
    logs = len(made.user)
    for k in range(logs):
        log = log_of(made, k, n, adaptive)
        ready = prepare(log, world, ["ips", "snips", "dr"])
        for estimator, interval in pairs:
            bounds = interval.bounds(ready.evidence[estimator], ALPHA)
            low, high = within_reach(bounds, 0.0)
            key = f"{estimator}/{interval.name}"
            held[key] += low <= world.truth <= high
            wide[key] += high - low
    return {key: (held[key] / logs, wide[key] / logs) for key in held}


def stopped(
    world: World, made: Logs, n: int, adaptive: bool, wanted: Sequence[str]
) -> dict[str, float]:
    """How often an interval holds at each of twenty looks."""
    pairs = list(columns(wanted))
    looks = np.unique(np.geomspace(50, n, LOOKS).astype(int))
    held = {f"{e}/{i.name}": 0 for e, i in pairs}
    for k in range(len(made.user)):
        fine = dict.fromkeys(held, True)
        for look in looks:
            log = log_of(made, k, int(look), adaptive)
            ready = prepare(log, world, ["ips", "snips", "dr"])
            for estimator, interval in pairs:
                bounds = interval.bounds(ready.evidence[estimator], ALPHA)
                low, high = within_reach(bounds, 0.0)
                fine[f"{estimator}/{interval.name}"] &= low <= world.truth <= high
        for key in held:
            held[key] += fine[key]
    return {key: count / len(made.user) for key, count in held.items()}


def show(rows: dict[str, dict[str, str]]) -> None:
    """A table with a row per cell and a column per interval."""
    names = list(dict.fromkeys(key for row in rows.values() for key in row))
    print("| | " + " | ".join(names) + " |")
    print("|---|" + "---|" * len(names))
    for title, row in rows.items():
        print(f"| {title} | " + " | ".join(row.get(k, "") for k in names) + " |")


def main() -> None:
    """Run the cells that are asked for and print them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--logs", type=int, default=1000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--intervals", nargs="+", default=list(INTERVALS))
    parser.add_argument("--loggers", nargs="+", default=list(LOGGERS))
    parser.add_argument("--stopping", action="store_true")
    asked = parser.parse_args()
    world, began = new_world(), time.perf_counter()
    rows = {}
    for logger in asked.loggers:
        for weights, epsilon in WEIGHTS.items():
            if logger == "uniform" and weights == "heavy":
                continue
            sizes = asked.sizes[-1:] if asked.stopping else asked.sizes
            made = simulate(world, logger, epsilon, max(sizes), asked.logs, seed=1)
            adaptive = logger == "learning"
            for n in sizes:
                title = f"{logger}, {weights}, n = {n:,}"
                if asked.stopping:
                    found = stopped(world, made, n, adaptive, asked.intervals)
                    rows[title] = {k: f"{c:.1%}" for k, c in found.items()}
                else:
                    both = cell(world, made, n, adaptive, asked.intervals)
                    rows[title] = {
                        k: f"{c:.1%} ({w:.3f})" for k, (c, w) in both.items()
                    }
    print(f"{asked.logs} logs a cell, truth {world.truth:.4f}: coverage (mean width)")
    show(rows)
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
