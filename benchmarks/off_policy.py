"""Off-policy: how far estimators are from the truth on logs of the nine algorithms.

    python benchmarks/off_policy.py                              # embedded suite
    python benchmarks/off_policy.py --data DIR SOURCE ...        # any other problems

A log is what a run would have logged (`Log.from_run`): the truth is known. The policy
to judge is a logistic regression fitted to every second event's true costs: a good one.
The table shows root mean squared errors over problems and shuffles, by logger.
"""

import argparse
import sys
import warnings
from collections import defaultdict

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from bakeoff import Log, Run, evaluate
from bakeoff.core.arrays import Doubles
from bakeoff.errors import DataError
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.problems.catalog.sources import find_all, read
from bakeoff.problems.problem import Problem
from bakeoff.problems.readers.options import Options

LOGGERS = (
    "greedy", "epsilon-greedy:epsilon=0.05", "active:epsilon=0.05,c0=1e-6",
    "bag:n_policies=4", "bag:n_policies=4,greedy", "cover:n_policies=4,psi=0.1",
    "cover:n_policies=4,psi=0.1,nu", "regcb:c0=1e-3", "regcb:c0=1e-3,optimistic",
)  # fmt: skip
SMALL = ("embedded:iris", "embedded:wine", "embedded:breast-cancer", "embedded:digits")
MIX = 0.9  # of the policy; the rest is uniform


def good_policy(log: Log) -> Doubles:
    """A classifier of the best action, learned from true rewards of even events."""
    assert log.true_rewards is not None
    best = log.true_rewards.argmax(axis=1)
    model = make_pipeline(MaxAbsScaler(), LogisticRegression(max_iter=200))
    model.fit(log.X[::2], best[::2])
    table = np.full((log.n, log.n_actions), (1 - MIX) / log.n_actions)
    table[np.arange(log.n), model.predict(log.X)] += MIX
    return table


def errors(problem: Problem, logger: str, shuffle: int) -> dict[str, float]:
    """How far every estimator is from the truth on one log."""
    log = Log.from_run(problem, Run(logger), shuffle)
    found = evaluate(log, good_policy(log), list(ESTIMATORS), interval="normal")
    assert found.truth is not None
    return {name: one.value - found.truth for name, one in found.items()}


def main() -> None:
    """Print root mean squared errors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="*", default=list(SMALL))
    parser.add_argument("--data")
    parser.add_argument("--shuffles", type=int, default=5)
    asked = parser.parse_args()
    problems = [read(one, Options()) for one in find_all(asked.sources, asked.data)]
    squares: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for problem in problems:
        for logger in LOGGERS:
            for shuffle in range(1, asked.shuffles + 1):
                try:
                    found = errors(problem, logger, shuffle)
                except DataError as error:
                    print(f"{problem.name}, {logger}: {error}", file=sys.stderr)
                    continue
                for name, gap in found.items():
                    squares[logger][name].append(gap * gap)
    print(
        f"{len(problems)} problems, {asked.shuffles} shuffles: RMSE of the mean reward"
    )
    print("| logger | " + " | ".join(ESTIMATORS) + " |")
    print("|---|" + "---|" * len(ESTIMATORS))
    for logger, row in squares.items():
        cells = [f"{np.sqrt(np.mean(row[name])):.3f}" for name in ESTIMATORS]
        print(f"| {logger} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
