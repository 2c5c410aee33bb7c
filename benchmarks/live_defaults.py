"""What a learner should do if nobody tells it: the evidence behind the defaults.

`python benchmarks/live_defaults.py --data DIR` (or on the embedded suite): the nine
algorithms at the paper's fixed hyperparameters, -1/0, at one learning rate for all
datasets, next to the best rate of each dataset in hindsight; `learning_rate="auto"`;
and what a floor on probabilities costs. Multiclass datasets of 200 to `--most` rows.
`--candidates` compares the default with others that `live_worlds` tries in its worlds.
"""

import argparse
import csv
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bakeoff import Learner, Problem, Run, load, simulate
from bakeoff.reading.catalog.sources import find, read
from bakeoff.reading.options import Options
from bakeoff.runs.grids import FIXED, RATES

SPECS = FIXED[-1.0]
FLOORS = (0.0, 0.001, 0.005, 0.02)
DEFAULT_RATE = 0.5


class Played(NamedTuple):
    """Losses on one dataset."""

    name: str
    fixed: Any  # (algorithms, rates)
    auto: Any  # (algorithms,)
    floors: Any  # (algorithms of FLOORED, floors)


REGCB = "regcb:c0=1e-3,optimistic"
CANDIDATES: dict[str, dict[str, Any]] = {
    "default": {"explorer": REGCB},
    "default, 0/1": {"explorer": REGCB, "encoding": "0/1"},
    "default, baseline": {"explorer": REGCB, "baseline": True},
    "default, 0/1, baseline": {"explorer": REGCB, "encoding": "0/1", "baseline": True},
    "epsilon-greedy": {"explorer": "epsilon-greedy:epsilon=0.05"},
    "epsilon-greedy, dr": {"explorer": "epsilon-greedy:epsilon=0.05", "reduction": "dr"},
    "squarecb": {"explorer": "squarecb"},
    "squarecb, 0/1": {"explorer": "squarecb", "encoding": "0/1"},
    "randomised RegCB": {"explorer": "randregcb:c0=1e-3"},
    "randomised RegCB, 0/1": {"explorer": "randregcb:c0=1e-3", "encoding": "0/1"},
    "fastcb": {"explorer": "fastcb:gamma=10"},
    "greedy, log loss": {"explorer": "greedy:logistic"},
}
CANDIDATE_RATES = (0.3, 0.5, 1.0)
FLOORED = ("epsilon-greedy:epsilon=0.02", "regcb:c0=1e-3,optimistic")


def problems_in(folder: str | None, most: int, limit: int) -> list[Problem]:
    """Datasets that are neither tiny nor large, spread over the list."""
    if folder is None:
        found = load("embedded")
    else:
        with (Path(folder) / "manifest.csv").open(newline="") as file:
            rows = [int(row["n"]) for row in csv.DictReader(file)]
        sources = find(Path(folder)).sources
        fitting = [s for s, n in zip(sources, rows, strict=True) if n <= most]
        step = max(1, len(fitting) // limit)
        found = [read(source, Options()) for source in fitting[::step]]
    return [p for p in found if p.task == "multiclass" and 200 <= p.n <= most][:limit]


def rows_of(problem: Problem) -> Any:
    """The contexts of a problem, without the bias."""
    x = problem.contexts
    shape = (problem.n, problem.n_features + 1)
    return sparse.csr_array((x.value, x.feature, x.start), shape=shape)[:, 1:]


def live_loss(problem: Problem, X: Any, spec: str, **settings: Any) -> float:
    """The mean cost of a live learner that is told each cost at once."""
    learner = Learner(spec, problem.n_actions, seed=1, **settings)
    right = problem.true_costs.right
    total = 0.0
    for x, y in zip(X, right.tolist(), strict=True):
        decision = learner.choose(x)
        cost = float(decision.action != y)
        learner.learn(decision, cost=cost)
        total += cost
    return total / problem.n


def play(problem: Problem, inputs: str) -> Played:
    """All losses on one dataset, in one order of its rows."""
    shuffled = problem.shuffled(1)
    runs = [
        Run(spec, learning_rate=rate, seed=1, inputs=inputs)
        for spec in SPECS
        for rate in (*RATES, DEFAULT_RATE)
    ]
    results = simulate(shuffled, runs)
    fixed = np.array([result.pv_loss for result in results]).reshape(len(SPECS), -1)
    X = rows_of(shuffled).toarray().astype(np.float64)
    auto = np.array([live_loss(shuffled, X, s, learning_rate="auto", inputs=inputs) for s in SPECS])
    K = problem.n_actions
    floors = np.array([
        [live_loss(shuffled, X, spec, floor=min(floor, 1 / K), inputs=inputs) for floor in FLOORS]
        for spec in FLOORED
    ])  # fmt: skip
    return Played(problem.name, fixed, auto, floors)


def compare(problems: list[Problem], inputs: str, orders: int) -> None:
    """Print mean losses of the candidates, and how they differ from the default at rate 1."""
    names = [(name, rate) for name in CANDIDATES for rate in CANDIDATE_RATES]
    runs = [
        Run(**CANDIDATES[name], learning_rate=rate, seed=1, inputs=inputs) for name, rate in names
    ]
    losses = np.array([
        np.mean([[r.pv_loss for r in simulate(p.shuffled(s), runs)] for s in range(orders)], axis=0)
        for p in problems
    ])  # fmt: skip
    base = losses[:, names.index(("default", 1.0))]
    print(f"{len(problems)} datasets, {orders} orders; minus the default at rate 1")
    print("| candidate | rate | mean loss | difference | its error | better | worse by .01 |")
    print("|---|---|---|---|---|---|---|")
    for (name, rate), column in zip(names, losses.T, strict=True):
        minus = column - base
        error = minus.std(ddof=1) / np.sqrt(len(minus)) if len(minus) > 1 else np.nan
        print(f"| {name} | {rate:g} | {column.mean():.4f} | {minus.mean():+.4f} | {error:.4f} | "
              f"{(minus < 0).sum()} | {(minus > 0.01).sum()} |")  # fmt: skip


def show(played: list[Played]) -> None:
    """Print the tables."""
    fixed = np.array([p.fixed for p in played])  # (datasets, algorithms, rates)
    auto = np.array([p.auto for p in played])
    mean = np.nanmean(fixed, axis=0)
    hindsight = np.nanmin(fixed, axis=2).mean(axis=0)
    print(f"{len(played)} datasets; mean progressive validation losses")
    print("| algorithm | one rate for all | that rate | rate 0.5 | auto | hindsight |")
    print("|---|---|---|---|---|---|")
    order = np.argsort(mean.min(axis=1))
    for a in order:
        best = int(mean[a].argmin())
        rate = (*RATES, DEFAULT_RATE)[best]
        print(f"| {SPECS[a]} | {mean[a, best]:.4f} | {rate:g} | {mean[a, -1]:.4f} | "
              f"{auto[:, a].mean():.4f} | {hindsight[a]:.4f} |")  # fmt: skip
    print("\nwhat a floor costs: mean loss at rate 0.5")
    print("| algorithm | " + " | ".join(f"floor {f:g}" for f in FLOORS) + " |")
    print("|---|" + "---|" * len(FLOORS))
    floors = np.array([p.floors for p in played]).mean(axis=0)
    for spec, losses in zip(FLOORED, floors, strict=True):
        print(f"| {spec} | " + " | ".join(f"{loss:.4f}" for loss in losses) + " |")


def main() -> None:
    """Play, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="a folder of datasets; the embedded suite if none")
    parser.add_argument("--most", type=int, default=3000, help="rows of a dataset")
    parser.add_argument("--limit", type=int, default=60, help="datasets")
    parser.add_argument("--inputs", default="centred", help="raw or centred (centred)")
    parser.add_argument("--candidates", action="store_true", help="compare other defaults only")
    parser.add_argument("--orders", type=int, default=3, help="of rows, for --candidates")
    options = parser.parse_args()
    found = problems_in(options.data, options.most, options.limit)
    if options.candidates:
        compare(found, options.inputs, options.orders)
        return
    played = []
    for problem in found:
        played.append(play(problem, options.inputs))
        print(f"{len(played)} of {len(found)}: {problem.name}", flush=True)
    show(played)


if __name__ == "__main__":
    main()
