"""The embedded suite measured: sizes, losses, time, and the effects it is made for.

    python benchmarks/effects.py

Losses are those of the best of nine learning rates, the algorithms at the paper's fixed
hyperparameters. Every shuffle has draws of its own, as in an experiment. The tables are
Markdown, for docs/reference/embedded.md; all of them take a minute or two.
"""

import math
import os
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, pairwise

import numpy as np

from bakeoff import Problem, Run, simulate
from bakeoff.core.types import Doubles
from bakeoff.reading.catalog.embedded import sources
from bakeoff.reading.options import Options
from bakeoff.runs.grids import FIXED, SUPERVISED, grid

ENCODINGS = ("-1/0", "0/1")
LABELS = [Run.from_text(text).label for text in FIXED[-1.0]]
SKYLINE_LABEL = Run(SUPERVISED).label
ESCAPE = 0.1  # so far below Greedy is out of the trap
SUITE_SHUFFLES, TRAP_SHUFFLES, EFFECT_SHUFFLES = 10, 100, 40
SINGLE_SHUFFLES = (  # of these, docs/reference/embedded.md says how shuffles differ
    ("iris-majority", "0/1", "G"),
    ("iris-majority", "0/1", "R"),
    ("breast_cancer-triage", "-1/0", "G"),
    ("breast_cancer-triage", "-1/0", "eG"),
)

Losses = dict[tuple[str, str, bool], Doubles]  # encoding, label, baseline -> shuffles


def best_losses(problem: Problem, runs: Sequence[Run], n_shuffles: int) -> Losses:
    """The least loss in each shuffle of runs that differ in their rate only."""

    def one(shuffle: int) -> dict[tuple[str, str, bool], float]:
        least: dict[tuple[str, str, bool], float] = {}
        played = [run.for_job(problem.digest, shuffle) for run in runs]
        for result in simulate(problem.shuffled(shuffle), played):
            key = (result.run.encoding, result.run.label, result.run.baseline)
            least[key] = min(least.get(key, math.inf), result.pv_loss)
        return least

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        shuffles = list(pool.map(one, range(1, n_shuffles + 1)))
    return {key: np.array([least[key] for least in shuffles]) for key in shuffles[0]}


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table in Markdown; losses are the only numbers with decimals."""
    print("| " + " | ".join(columns) + " |")
    print("|" + " --- |" * len(columns))
    for row in rows:
        cells = (f"{x:.3f}" if isinstance(x, float) else str(x) for x in row)
        print("| " + " | ".join(cells) + " |", flush=True)


# ---- the suite


def print_sizes(problems: Sequence[Problem]) -> None:
    """What the problems are, and what can be had without learning anything."""
    columns = ("name", "task", "n", "d", "K", "constant", "random", "perfect")
    rows = []
    for p in problems:
        costs = (p.constant_action_cost, p.uniform_cost, perfect_cost(p))
        sizes = (p.name, p.task, p.n, p.n_features, p.n_actions)
        rows.append((*sizes, *(f"{cost:.4f}" for cost in costs)))
    print_table(columns, rows)
    for p in problems:
        if p.task == "multilabel":
            counts = np.bincount(np.diff(p.true_costs.start)).tolist()
            print(f"\n{p.name}: rows with 0, 1, ... labels: {counts}")
        if p.name == "digits-nearest":
            print(f"\n{p.name}: the smallest sum costs {smallest_sum_cost(p):.3f}")


def perfect_cost(problem: Problem) -> float:
    """The mean cost of the best action of each event."""
    costs = problem.true_costs
    if costs.value.size:
        return float(np.minimum.reduceat(costs.value, costs.start[:-1]).mean())
    return float(np.mean(np.diff(costs.start) == 0))


def smallest_sum_cost(problem: Problem) -> float:
    """The mean cost of the document with the smallest sum of features."""
    x = problem.contexts
    sums = np.add.reduceat(x.value, x.start[:-1])
    chosen = [row + sums[row:end].argmin() for row, end in pairwise(x.first_row)]
    return float(problem.true_costs.value[chosen].mean())


def print_losses(problems: Sequence[Problem]) -> None:
    """The mean loss of every algorithm on every problem, and some shuffles singly."""
    runs = grid(["fixed"], encodings=ENCODINGS)
    losses = {p.name: best_losses(p, runs, SUITE_SHUFFLES) for p in problems}
    rows = []
    for name, found in losses.items():
        skyline = found["0/1", SKYLINE_LABEL, False].mean()
        for encoding in ENCODINGS:
            means = [found[encoding, label, False].mean() for label in LABELS]
            rows.append((name, encoding, skyline, *means))
    print(f"\n## Losses, mean of {SUITE_SHUFFLES} shuffles\n")
    print_table(("name", "encoding", SKYLINE_LABEL, *LABELS), rows)

    constant = {p.name: p.constant_action_cost for p in problems}
    single = []
    for name, encoding, label in SINGLE_SHUFFLES:
        ends = np.sort(losses[name][encoding, label, False])
        above = int(np.sum(ends > constant[name] - 1e-9))
        shown = " ".join(f"{loss:.3f}" for loss in ends)
        single.append((name, encoding, label, shown, above))
    print("\n## Losses of single shuffles, sorted\n")
    columns = ("losses", "no better than a constant action")
    print_table(("name", "encoding", "algorithm", *columns), single)


def print_time(repeats: int = 3) -> None:
    """Seconds for building all problems and playing one shuffle, on one core."""
    runs = grid(["fixed"])
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        for source in sources():
            simulate(source.read(Options()).shuffled(1), runs)
        times.append(time.perf_counter() - began)
    print(
        f"\n## Time\n\nBuilding the problems and {len(runs)} runs on each take less "
        f"than {5 * math.ceil(min(times) / 5)} s once kernels are compiled (the least "
        f"of {repeats}, rounded up to 5 s)"
    )


# ---- known effects


def print_heading(problem: Problem, found: Losses) -> None:
    """Which problem, how often shuffled, and what can be learned of it."""
    sky = found["0/1", SKYLINE_LABEL, False]
    print(f"\n## {problem.name}, {len(sky)} shuffles; skyline {sky.mean():.3f}\n")


def print_greedy_trap(problem: Problem) -> None:
    """Greedy is caught, Cover is not."""
    found = best_losses(problem, grid(["fixed"], encodings=ENCODINGS), TRAP_SHUFFLES)
    rows = []
    for label in LABELS:
        row: list[object] = [label]
        for encoding in ENCODINGS:
            losses, greedy = found[encoding, label, False], found[encoding, "G", False]
            escapes = "-" if label == "G" else int(np.sum(losses < greedy - ESCAPE))
            row += [losses.mean(), losses.min(), losses.max(), escapes]
        rows.append(row)
    print_heading(problem, found)
    columns = [(f"{e}: mean", "best", "worst", "escapes") for e in ENCODINGS]
    print_table(("algorithm", *chain(*columns)), rows)
    print_actions_in_the_trap(problem)


def print_actions_in_the_trap(problem: Problem) -> None:
    """What Greedy does all the time, at all rates."""
    runs = grid(["greedy"], encodings=ENCODINGS)
    n_actions: dict[str, list[int]] = {encoding: [] for encoding in ENCODINGS}
    right, late = [], []  # rounds of 0/1 with action 0 where the feature is 10
    for shuffle in range(1, TRAP_SHUFFLES + 1):
        shuffled = problem.shuffled(shuffle)
        played = [run.for_job(problem.digest, shuffle) for run in runs]
        large = shuffled.contexts.value[shuffled.contexts.start[:-1]] == 10
        for result in simulate(shuffled, played, record=True):
            actions = np.asarray(result.actions)
            n_actions[result.run.encoding].append(len(np.unique(actions)))
            if result.run.encoding == "0/1":
                taken = large & (actions == 0)
                right.append(int(taken.sum()))
                late.append(int(taken[problem.n // 2 :].sum()))
    print("\nRuns of Greedy in which it took one, two and all three actions:")
    for encoding, counts in n_actions.items():
        print(f"{encoding}: {np.bincount(counts, minlength=4)[1:].tolist()}")
    print(
        f"With 0/1, where the feature is 10, it took action 0 at most {max(right)} "
        f"times, {max(late)} in the second half"
    )


def print_shared_baseline(problem: Problem) -> None:
    """What a baseline gains."""
    runs = grid(["fixed"], encodings=ENCODINGS, baseline="both")
    runs += grid(["greedy"], encodings=["9/10"], baseline="both")
    found = best_losses(problem, runs, EFFECT_SHUFFLES)
    rows: list[list[object]] = []
    for encoding, label, baseline in found:
        if baseline:
            without, having = (found[encoding, label, flag] for flag in (False, True))
            gain = without - having
            gains = (gain.mean(), gain.min(), int(np.sum(gain > 0)))
            rows.append([encoding, label, span(without), span(having), *gains])
    print_heading(problem, found)
    columns = ("without", "with baseline", "gain", "least gain", "shuffles")
    print_table(("encoding", "algorithm", *columns), rows)


def span(losses: Doubles) -> str:
    """Mean, best and worst."""
    return f"{losses.mean():.3f} ({losses.min():.3f} to {losses.max():.3f})"


def print_rich_contexts(problem: Problem) -> None:
    """Greedy is the best."""
    found = best_losses(problem, grid(["fixed"], encodings=ENCODINGS), EFFECT_SHUFFLES)
    rows = []
    for label in LABELS:
        row: list[object] = [label]
        for encoding in ENCODINGS:
            losses = found[encoding, label, False]
            behind = losses - found[encoding, "G", False]
            row += [losses.mean(), behind.mean(), int(np.sum(behind > 0))]
        rows.append(row)
    print_heading(problem, found)
    columns = [(f"{e}: mean", "behind Greedy", "shuffles") for e in ENCODINGS]
    print_table(("algorithm", *chain(*columns)), rows)


def main() -> None:
    """Print all tables."""
    problems = {source.name: source.read(Options()) for source in sources()}
    print_sizes(list(problems.values()))
    print_losses(list(problems.values()))
    print_time()
    print_greedy_trap(problems["greedy-trap"])
    print_shared_baseline(problems["shared-baseline"])
    print_rich_contexts(problems["rich-contexts"])


if __name__ == "__main__":
    main()
