"""Simulated rollouts under continuous looking: how often a candidate is promoted.

`python -m benchmarks.rollouts --rollouts 1000`: candidates that are worse, equal and
better than the incumbent; two policies that never agree, clicks. A promotion of one that
is not better is false, and may happen in a share alpha of the rollouts.
"""

import argparse

import numpy as np

from bakeoff.live.stages import Stages, Weights


def play(incumbent: float, candidate: float, n: int, alpha: float, seed: int) -> Stages:
    """One rollout."""
    stages, rng = Stages(alpha=alpha), np.random.default_rng(seed)
    for u, v in rng.random((n, 2)).tolist():
        share = stages.share
        if u < share:
            stages.add(Weights(0.0, 1.0 / share), float(v < candidate))
        else:
            weights = Weights(1.0 / (1.0 - share), 0.0) if share else None
            stages.add(weights, float(v < incumbent))
    return stages


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=1000)
    parser.add_argument("--outcomes", type=int, default=3000)
    parser.add_argument("--alpha", type=float, default=0.05)
    options = parser.parse_args()
    print("| candidate | beyond 5 % | at 90 % | back at 0 |\n|---|---|---|---|")
    for candidate in (0.2, 0.3, 0.4, 0.5):
        runs = [
            play(0.3, candidate, options.outcomes, options.alpha, seed)
            for seed in range(options.rollouts)
        ]
        beyond = sum(max([s for _, s in run.history], default=0.0) > 0.05 for run in runs)
        whole, back = sum(run.share > 0.5 for run in runs), sum(run.is_stopped for run in runs)
        n = options.rollouts
        print(f"| {candidate} | {beyond / n:.1%} | {whole / n:.1%} | {back / n:.1%} |", flush=True)


if __name__ == "__main__":
    main()
