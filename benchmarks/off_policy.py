"""Off-policy: how far estimators are from the truth, and how long they take.

    python benchmarks/off_policy.py                              # embedded suite
    python benchmarks/off_policy.py --data DIR SOURCE ...        # any other problems
    python benchmarks/off_policy.py --digits                     # next to obp's example
    python benchmarks/off_policy.py --speed                      # 1,000,000 x 10
    python benchmarks/off_policy.py --pieces                     # a file in pieces

A log is what a run would have logged (`Log.from_run`): the truth is known. The policy
to judge is a logistic regression fitted to every second event's true costs: a good one.
The table shows root mean squared errors over problems and shuffles, by logger.

`--digits` is the setting of the multiclass example of Open Bandit Pipeline: 30 splits
of digits, a logger that is a logistic regression for 0.4, a policy that is a random
forest for 0.9, uniform for the rest. It shows mean relative errors.
"""

import argparse
import resource
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from bakeoff import Log, Run, evaluate, read_pieces
from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles
from bakeoff.data.problem import Problem
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.policies import deterministic
from bakeoff.reading.catalog.sources import find_all, read
from bakeoff.reading.options import Options

LOGGERS = (
    "greedy", "epsilon-greedy:epsilon=0.05", "active:epsilon=0.05,c0=1e-6",
    "bag:n_policies=4", "bag:n_policies=4,greedy", "cover:n_policies=4,psi=0.1",
    "cover:n_policies=4,psi=0.1,nu", "regcb:c0=1e-3", "regcb:c0=1e-3,optimistic",
)  # fmt: skip
SMALL = ("embedded:iris", "embedded:wine", "embedded:breast-cancer", "embedded:digits")
MIX = 0.9  # of the policy; the rest is uniform
SPLITS = 30  # of --digits
BLOCK = 10_000  # rows that are written together
PUBLISHED = {  # examples/multiclass/README.md of obp 0.5
    "dm": 0.436541, "ips": 0.030288, "snips": 0.022764, "dr": 0.016156,
    "sndr": 0.022082, "switch-dr": 0.034657, "dros": 0.015868,
}  # fmt: skip


def mixed(actions: Any, K: int, share: float) -> Doubles:
    """A share of the probability on the actions given, the rest on all alike."""
    return share * deterministic(actions, K) + (1 - share) / K


# ---- logs of the nine algorithms


def good_policy(log: Log) -> Doubles:
    """A classifier of the best action, learned from true rewards of even events."""
    assert log.true_rewards is not None
    best = log.true_rewards.argmax(axis=1)
    model = make_pipeline(MaxAbsScaler(), LogisticRegression(max_iter=200))
    model.fit(log.X[::2], best[::2])
    return mixed(model.predict(log.X), log.n_actions, MIX)


def errors(problem: Problem, shuffle: int) -> dict[str, dict[str, float]]:
    """How far every estimator is from the truth, by logger, on one order of events."""
    policy, found = None, {}
    for logger in LOGGERS:
        log = Log.from_run(problem, Run(logger), shuffle)
        if policy is None:  # the events of all loggers are the same
            policy = good_policy(log)
        one = evaluate(log, policy, list(ESTIMATORS), interval="normal")
        assert one.truth is not None
        found[logger] = {name: e.value - one.truth for name, e in one.items()}
    return found


def show_errors(sources: list[str], data: str | None, shuffles: int) -> None:
    """Root mean squared errors by logger and estimator."""
    problems = [read(one, Options()) for one in find_all(sources, data)]
    squares: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for problem in problems:
        for shuffle in range(1, shuffles + 1):
            try:
                found = errors(problem, shuffle)
            except DataError as error:
                print(f"{problem.name}: {error}", file=sys.stderr)
                continue
            for logger, gaps in found.items():
                for name, gap in gaps.items():
                    squares[logger][name].append(gap * gap)
        print(f"{problem.name}: done", file=sys.stderr, flush=True)
    named = ", ".join(f"{problem.name} ({problem.n:,})" for problem in problems)
    print(f"{named}; {shuffles} shuffles: RMSE of the mean reward")
    head("logger", ESTIMATORS)
    for logger, row in squares.items():
        cells = [f"{np.sqrt(np.mean(row[name])):.3f}" for name in ESTIMATORS]
        print(f"| {logger} | " + " | ".join(cells) + " |")


def head(first: str, names: Any) -> None:
    """The head of a table."""
    print(f"| {first} | " + " | ".join(names) + " |")
    print("|---|" + "---|" * len(names))


# ---- the example of obp


def digits_log(split: int) -> tuple[Log, Doubles, float]:
    """A log of digits as obp makes it, the policy to judge, and its true value."""
    X, y = load_digits(return_X_y=True)
    X_fit, X, y_fit, y = train_test_split(X, y, test_size=0.7, random_state=split)
    behaviour = LogisticRegression(C=100, max_iter=10_000, random_state=12345)
    judged = RandomForestClassifier(
        n_estimators=30, max_depth=5, min_samples_leaf=10, random_state=12345
    )
    p = mixed(behaviour.fit(X_fit, y_fit).predict(X), 10, 0.4)
    policy = mixed(judged.fit(X_fit, y_fit).predict(X), 10, 0.9)
    rng, rows = np.random.default_rng(split), np.arange(len(y))
    action = (rng.random((len(y), 1)) >= p.cumsum(axis=1)[:, :-1]).sum(axis=1)
    log = Log.from_arrays(X, action, p[rows, action], action == y, n_actions=10, probabilities=p)
    return log, policy, float(policy[rows, y].mean())


def show_digits() -> None:
    """Mean relative errors next to the published ones."""
    gaps: dict[str, list[float]] = defaultdict(list)
    for split in range(SPLITS):
        log, policy, truth = digits_log(split)
        found = evaluate(log, policy, list(ESTIMATORS), interval="normal")
        for name, one in found.items():
            gaps[name].append(abs(one.value - truth) / truth)
    print(f"{SPLITS} splits of digits: mean relative error (standard deviation)")
    head("", ESTIMATORS)
    ours = (f"{np.mean(g):.4f} ({np.std(g, ddof=1):.4f})" for g in gaps.values())
    theirs = (f"{PUBLISHED[n]:.4f}" if n in PUBLISHED else "" for n in ESTIMATORS)
    print("| bakeoff | " + " | ".join(ours) + " |")
    print("| obp, published | " + " | ".join(theirs) + " |")


# ---- time and memory


def large_log(n: int, K: int, d: int = 10) -> Log:
    """A softmax logger on random contexts."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    p = np.exp(X @ rng.normal(size=(d, K)))
    p = 0.8 * p / p.sum(axis=1, keepdims=True) + 0.2 / K
    action = (rng.random((n, 1)) >= p.cumsum(axis=1)[:, :-1]).sum(axis=1)
    reward = (rng.random(n) < 0.3 + 0.4 * (action % 2)).astype(np.float64)
    own = p[np.arange(n), action]
    return Log.from_arrays(X, action, own, reward, n_actions=K, probabilities=p)


def show_speed(n: int = 1_000_000, K: int = 10) -> None:
    """The time of all estimators together, and the most memory it took."""
    log = large_log(n, K)
    before, wall, own = _peak(), time.perf_counter(), time.process_time()
    found = evaluate(log, "uniform", list(ESTIMATORS))
    wall, own = time.perf_counter() - wall, time.process_time() - own
    print(f"{n:,} events x {K} actions, {len(found)} estimators with intervals:")
    print(f"{wall:.1f} s, {own:.1f} s of processor time")
    print(f"peak memory {_peak():.2f} GB, of which {before:.2f} GB to make the log")


def show_pieces(n: int = 3_000_000, d: int = 50) -> None:
    """The most memory it takes to evaluate a table of `n` rows in pieces."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.csv"
        names = [*(f"x{j}" for j in range(d)), "action", "probability", "reward"]
        rows = _some_rows(d)
        with path.open("w") as file:
            file.write(",".join(names) + "\n")
            for _ in range(n // BLOCK):
                file.write(rows)
        size, before, began = path.stat().st_size / 1e9, _peak(), time.perf_counter()
        found = evaluate(read_pieces(path), "uniform", ["ips", "snips", "clipped"])
        spent = time.perf_counter() - began
    print(f"a table of {found.n:,} events, {size:.2f} GB, in pieces: {spent:.1f} s")
    print(f"peak memory {_peak():.2f} GB, of which {before:.2f} GB before it was read")


def _some_rows(d: int) -> str:
    """Lines of a table with random features, of a uniform logger."""
    rng = np.random.default_rng(0)
    X, right = rng.normal(size=(BLOCK, d)), rng.integers(0, 2, BLOCK)
    action = rng.integers(0, 10, BLOCK)
    lines = (
        ",".join(f"{value:.6f}" for value in x) + f",{a},0.1,{r}\n"
        for x, a, r in zip(X, action, right, strict=True)
    )
    return "".join(lines)


def _peak() -> float:
    """The most memory so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="*", default=list(SMALL))
    parser.add_argument("--data")
    parser.add_argument("--shuffles", type=int, default=5)
    parser.add_argument("--digits", action="store_true")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--pieces", action="store_true")
    asked = parser.parse_args()
    if asked.digits:
        show_digits()
    elif asked.speed:
        show_speed()
    elif asked.pieces:
        show_pieces()
    else:
        show_errors(asked.sources, asked.data, asked.shuffles)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
