"""Coverage: how often intervals hold the true value, and how wide they are.

    python benchmarks/interval_coverage.py                    # 1,000 logs a cell
    python benchmarks/interval_coverage.py --logs 1000 1000 300      # fewer of the largest
    python benchmarks/interval_coverage.py --logs 200 --sizes 100 1000
    python benchmarks/interval_coverage.py --stopping         # look twenty times

Contexts are eight kinds of users, actions are four, rewards are 0 or 1: the true value
of a policy is known exactly. Loggers:

    uniform     every action alike
    epsilon     greedy for a fixed table, which is wrong for half of the users
    learning    epsilon-greedy on what it has seen: the log is adaptive
    settling    the same, but it explores with probability 1 / sqrt(t)
    unseen      uniform, but never tries an action with 4 % of the policy's mass, whose
                reward is 0
    partial     uniform, but for half of the users never tries two actions with 8 % of
                the policy's mass, whose reward is 1

With light weights epsilon and learning explore 40 % of the time, with heavy weights 2 %.
A cell is coverage (mean width). It is bold where it is below the promise: 95 % for an interval
that holds for every n, 93 % for one that holds in the limit.
"""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bakeoff.core.types import Bools, Doubles, Ints
from bakeoff.data.log import Log
from bakeoff.evaluation.bounds import Inputs, bounds_of
from bakeoff.evaluation.can_answer import Support, support_of
from bakeoff.evaluation.difference import interval_for
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.intervals import INTERVALS
from bakeoff.evaluation.intervals.base import Bounds, Interval
from bakeoff.evaluation.policies import policy_of
from bakeoff.evaluation.weights import model_for, weigh, with_model, without_model

S, K = 8, 4  # kinds of users, actions
LOGGERS = ("uniform", "epsilon", "learning", "settling", "unseen", "partial")
LEARNERS = ("learning", "settling")
WEIGHTS = {"light": 0.4, "heavy": 0.02}
ALPHA = 0.05
LOOKS = 20
LOOKED_AT = ("student", "smoothing", "sequence", "robust")
ALL = (*INTERVALS, "auto")


class World(NamedTuple):
    """The chance of a reward by user and action, and a policy to evaluate."""

    means: Doubles  # (S, K)
    target: Doubles  # (S, K)
    tried: Bools  # (S, K) what a logger that is partly blind tries

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


def new_world(logger: str = "uniform", seed: int = 7) -> World:
    """Rewards between 0.1 and 0.7; the policy is greedy but for a tenth.

    If the logger is partly blind, it misses rewards of 0 or of 1.
    """
    means = np.random.default_rng(seed).uniform(0.1, 0.7, (S, K))
    target = np.full((S, K), 0.1 / K)
    target[np.arange(S), means.argmax(axis=1)] += 0.9
    tried = np.ones((S, K), np.bool_)
    if logger in ("unseen", "partial"):
        n_hidden, users = (1, np.arange(S)) if logger == "unseen" else (2, np.arange(0, S, 2))
        worst = means[users].argsort(axis=1)[:, :n_hidden]
        tried[users[:, None], worst] = False
        target = np.where(tried, target, 0.0)
        target *= ((1 - 0.04 * (~tried).sum(axis=1)) / target.sum(axis=1))[:, None]
        target = np.where(tried, target, 0.04)
        means = np.where(tried, means, 0.0 if logger == "unseen" else 1.0)
    return World(means, target, tried)


def simulate(world: World, logger: str, epsilon: float, n: int, logs: int, seed: int) -> Logs:
    """Logs of one logger, all at once, event by event."""
    rng = np.random.default_rng(seed)
    user = rng.integers(0, S, (n, logs))
    u, coin = rng.random((n, logs)), rng.random((n, logs))
    wrong = np.where(np.arange(S) % 2, world.means.argmax(1), world.means.argmin(1))
    action = np.zeros((n, logs), np.int64)
    p = np.full((n, logs, K), 1.0 / K)
    reward = np.zeros((n, logs))
    wins, tries = np.full((logs, S, K), 0.5), np.ones((logs, S, K))
    each = np.arange(logs)
    for t in range(n):
        x = user[t]
        if logger in ("unseen", "partial"):
            p[t] = world.tried[x] / world.tried[x].sum(axis=1, keepdims=True)
        elif logger != "uniform":
            best = wrong[x]
            if logger in LEARNERS:
                best = (wins[each, x] / tries[each, x]).argmax(axis=1)
            explores = epsilon if logger != "settling" else 1 / np.sqrt(t + 1)
            p[t] = explores / K
            p[t, each, best] += 1 - explores
        a = (u[t, :, None] >= p[t].cumsum(axis=1)[:, :-1]).sum(axis=1)
        r = coin[t] < world.means[x, a]
        action[t], reward[t] = a, r
        wins[each, x, a] += r
        tries[each, x, a] += 1
    return Logs(user.T, action.T, reward.T, p.swapaxes(0, 1))


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
    """Inputs of estimators, and how well the log covers the policy."""

    inputs: dict[str, Inputs]
    support: Support


def prepare(log: Log, world: World, estimators: Sequence[str]) -> Prepared:
    """What intervals look at."""
    policy = policy_of(lambda X: X @ world.target, log)
    weighted = weigh(log, policy)
    plain = without_model(log, weighted)
    inputs = {}
    for name in estimators:
        inputs[name], kind = plain, ESTIMATORS[name].model
        if kind != "none":
            model = model_for(log, kind, weighted, None)
            inputs[name] = with_model(log, policy, weighted, model)
    return Prepared(inputs, support_of(weighted))


def columns(wanted: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of estimator and interval that differ."""
    for name in wanted:
        for estimator in ("ips", "snips", "dr"):
            if name == "auto" or _differs(INTERVALS[name], estimator):
                yield estimator, name


def _differs(interval: Interval, estimator: str) -> bool:
    """Whether an interval of an estimator is not that of IPS."""
    if estimator == "ips" or interval.of_estimate:
        return True
    return interval.uses_streams and estimator == "dr"


def looked_at(world: World, log: Log, wanted: Sequence[str]) -> Iterator[tuple[str, Bounds]]:
    """Every interval on one log, by its column."""
    pairs = list(columns(wanted))
    ready = prepare(log, world, list(dict.fromkeys(e for e, _ in pairs)))
    for estimator, name in pairs:
        inputs = ready.inputs[estimator]
        rule = interval_for(name, log.adaptive, ready.support, inputs.events)
        bounds = bounds_of(ESTIMATORS[estimator], 0.0, inputs, rule, ALPHA)
        yield f"{estimator}/{name}", bounds.within


def cell(
    world: World, made: Logs, n: int, adaptive: bool, wanted: Sequence[str]
) -> dict[str, tuple[float, float]]:
    """Coverage and mean width by interval, at n events."""
    held: dict[str, list[bool]] = defaultdict(list)
    wide: dict[str, list[float]] = defaultdict(list)
    for k in range(len(made.user)):
        for key, (low, high) in looked_at(world, log_of(made, k, n, adaptive), wanted):
            held[key].append(low <= world.truth <= high)
            wide[key].append(high - low)
    return {key: (float(np.mean(held[key])), float(np.mean(wide[key]))) for key in held}


def stopped(
    world: World, made: Logs, n: int, adaptive: bool, wanted: Sequence[str]
) -> dict[str, float]:
    """How often an interval holds at each of twenty looks."""
    looks = np.unique(np.geomspace(50, n, LOOKS).astype(int))
    held: dict[str, list[bool]] = defaultdict(list)
    for k in range(len(made.user)):
        fine: dict[str, bool] = defaultdict(lambda: True)
        for look in looks:
            log = log_of(made, k, int(look), adaptive)
            for key, (low, high) in looked_at(world, log, wanted):
                fine[key] &= low <= world.truth <= high
        for key, always in fine.items():
            held[key].append(always)
    return {key: float(np.mean(each)) for key, each in held.items()}


def promise(key: str) -> float:
    """The coverage below which an interval has failed."""
    name = key.partition("/")[2]
    return 0.95 if name != "auto" and INTERVALS[name].exact else 0.93


def shown(key: str, coverage: float, width: float | None = None) -> str:
    """A cell of the table, bold if the interval failed."""
    text = f"{100 * coverage:.1f} %"
    if coverage < promise(key):
        text = f"**{text}**"
    return text if width is None else text + f" ({width:.2f})".replace("(0.", "(.")


def show(rows: dict[str, dict[str, str]]) -> None:
    """Tables with a row per cell: what holds in the limit, and what always holds."""
    names = list(dict.fromkeys(key for row in rows.values() for key in row))
    limit = [key for key in names if promise(key) < 0.95 and "auto" not in key]
    for group in (limit, [key for key in names if key not in limit]):
        if group:
            titles = (key.replace("/", ", ") for key in group)
            print("\n| | " + " | ".join(titles) + " |\n|---|" + "---|" * len(group))
        for title, row in rows.items() if group else ():
            print(f"| {title} | " + " | ".join(row.get(k, "") for k in group) + " |")


def show_failures(rows: dict[str, dict[str, str]]) -> None:
    """Every bold cell once more, by interval."""
    failed: dict[str, list[str]] = defaultdict(list)
    for title, row in rows.items():
        for key, text in row.items():
            if text.startswith("**"):
                failed[key].append(f"{title}: {text.split('**')[1]}")
    print("\nBelow the promise:" if failed else "\nEvery interval kept its promise.")
    for key, where in failed.items():
        print(f"- {key.replace('/', ', ')}: {'; '.join(where)}")


def main() -> None:
    """Run the selected cells and print them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--logs", type=int, nargs="+", default=[1000])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--intervals", nargs="+", choices=ALL)
    parser.add_argument("--loggers", nargs="+", default=LOGGERS, choices=LOGGERS)
    parser.add_argument("--stopping", action="store_true")
    options = parser.parse_args()
    sizes = options.sizes[-1:] if options.stopping else options.sizes
    if len(options.logs) not in (1, len(sizes)):
        parser.error("--logs takes one number, or one for each of --sizes")
    number = options.logs * len(sizes) if len(options.logs) == 1 else options.logs
    per_size = dict(zip(sizes, number, strict=True))
    wanted = options.intervals or (LOOKED_AT if options.stopping else ALL)
    began = time.perf_counter()
    rows: dict[str, dict[str, str]] = {}
    for logger in options.loggers:
        world = new_world(logger)
        for weights, epsilon in WEIGHTS.items():
            if logger not in ("epsilon", "learning") and weights == "heavy":
                continue
            adaptive = logger in LEARNERS
            for n, logs in per_size.items():
                made = simulate(world, logger, epsilon, n, logs, seed=n)
                title = f"{logger}, {weights}, n = {n:,}"
                if options.stopping:
                    each = stopped(world, made, n, adaptive, wanted)
                    rows[title] = {k: shown(k, c) for k, c in each.items()}
                else:
                    both = cell(world, made, n, adaptive, wanted)
                    rows[title] = {k: shown(k, c, w) for k, (c, w) in both.items()}
                spent = time.perf_counter() - began
                print(f"{title}: {spent:.0f} s", file=sys.stderr, flush=True)
    what = "held at every look" if options.stopping else "coverage (mean width)"
    number_of = ", ".join(f"{logs:,} for n = {n:,}" for n, logs in per_size.items())
    print(f"Logs per cell: {number_of}. Cells: {what}.")
    show(rows)
    show_failures(rows)


if __name__ == "__main__":
    main()
