"""Throughput of a bake-off: run-examples per second, next to VW on a sample of it.

    python benchmarks/throughput.py --data DIR

The fixed grid, both encodings, all nine learning rates, on every dataset of the folder
(or $BAKEOFF_DATA, or any source): run-examples per second and core, the share of time
outside kernels, the speed-up from one core to two (and that of two processes which
share nothing), and what the paper's full grid on its 516 datasets would take. One
thread and two take turns; medians count. Vowpal Wabbit runs a random sample of the same
work, one process per run, as its users do.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import polars as pl

from bakeoff.data.problem import Problem
from bakeoff.experiment import Experiment
from bakeoff.experiment.engines.problems import Problems
from bakeoff.experiment.engines.workbench import Done
from bakeoff.experiment.plan import Plan
from bakeoff.experiment.progress_listener import ProgressListener
from bakeoff.runs.grids import grid
from bakeoff.runs.run import Run
from bakeoff.store.jobs import groups_of, planned
from bakeoff.store.store import Store

PAPER_EXAMPLES = 28.4e6  # rows of the paper's 516 datasets
CORES = 16

VW_OPTIONS = {  # of the paper's algorithms, as its program called them
    "G": "--cb_explore_adf --epsilon 0 --cb_type mtr",
    "eG": "--cb_explore_adf --epsilon 0.02 --cb_type mtr",
    "R": "--cb_explore_adf --regcb --mellowness 0.001 --cb_type mtr",
    "RO": "--cb_explore_adf --regcbopt --mellowness 0.001 --cb_type mtr",
    "B": "--cb_explore_adf --bag {n_policies} --cb_type mtr",
    "B-g": "--cb_explore_adf --bag {n_policies} --greedify --cb_type mtr",
    "C-nu": "--cb_explore_adf --cover {n_policies} --psi {psi} --nounif --cb_type dr",
    "C-u": "--cb_explore_adf --cover {n_policies} --psi {psi} --cb_type {reduction}",
}


class Clock(ProgressListener):
    """Sums the time that runs spent in kernels, as their results tell it."""

    def __init__(self) -> None:
        self.kernel_seconds = 0.0
        self.plan: Plan | None = None
        self.began = 0.0

    def planned(self, plan: Plan) -> None:
        """Start the clock: reading the problems is not part of it."""
        self.plan = plan
        self.began = time.perf_counter()

    def finished(self, done: Done) -> None:
        """Add the time of a job's runs."""
        self.kernel_seconds += float(done.rows["run_seconds"].sum())


class Measured(NamedTuple):
    """An experiment that was carried out."""

    plan: Plan
    seconds: float  # from the plan to the last result
    outside: float  # the share of the cores' time outside simulations
    rows: pl.DataFrame


def measure(sources: list[str], runs: list[Run], threads: int) -> Measured:
    """Carry out an experiment and take its time; reading problems is not counted."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        Experiment(sources, runs).run(folder, jobs=threads, watcher=clock)
        seconds = time.perf_counter() - clock.began
        rows = Store(Path(folder)).read()
    assert clock.plan is not None
    outside = 1 - clock.kernel_seconds / (threads * seconds)
    return Measured(clock.plan, seconds, outside, rows)


def median(some: list[Measured]) -> Measured:
    """The one in the middle, by its time."""
    return sorted(some, key=lambda one: one.seconds)[len(some) // 2]


def seconds_side_by_side(source: str) -> float:
    """The same experiment in two processes at once, each with one thread."""
    command = [sys.executable, __file__, "--data", source, "--threads", "1"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    return max(float(process.communicate()[0].split()[-1]) for process in both)


# ---- the same work by Vowpal Wabbit


def vw_seconds(problem: Problem, run: Run, folder: Path) -> float:
    """The time of one process for one run."""
    settings = run.settings
    values = {
        "n_policies": getattr(settings, "n_policies", 0),
        "psi": getattr(settings, "psi", 0),
        "reduction": run.reduction,
    }
    file = folder / "data.vw"
    write_vw(problem, file)
    losses = f"--loss0 {run.offset:g} --loss1 {run.offset + 1:g}"
    command = [
        sys.executable, "-m", "vowpalwabbit", "--quiet", "-d", str(file),
        *f"--cbify {problem.n_actions} {losses} -l {run.learning_rate}".split(),
        *VW_OPTIONS[run.label].format(**values).split(),
    ]  # fmt: skip
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def write_vw(problem: Problem, file: Path) -> None:
    """The problem as text; features have names that are no integers."""
    x, right = problem.contexts, problem.true_costs.right
    with file.open("w") as out:
        for i in range(problem.n):
            part = slice(int(x.start[i]), int(x.start[i + 1]) - 1)  # no bias
            pairs = zip(x.feature[part], x.value[part], strict=True)
            words = " ".join(f"f{j}:{value:.6g}" for j, value in pairs)
            out.write(f"{right[i] + 1} | {words}\n")


def against_vw(sources: list[str], done: Measured, n: int, seed: int) -> tuple[float, float]:
    """Seconds of VW and of ours for the same runs, drawn at random by their length."""
    experiment = Experiment(sources, [Run("greedy")])
    problems = Problems(experiment._read, 2**30)
    facts = {facts.digest: facts for facts, _ in done.plan.problems}
    draw = random.Random(seed)
    rows = done.rows.filter(pl.col("algorithm").is_in(list(VW_OPTIONS))).to_dicts()
    rows = [row for row in rows if row["task"] == "multiclass"]
    vw = ours = 0.0
    for row in draw.choices(rows, [row["n"] for row in rows], k=n):
        problem = problems.get(facts[row["digest"]], row["shuffle"])
        with tempfile.TemporaryDirectory() as folder:
            vw += vw_seconds(problem, Run.from_text(row["run"]), Path(folder))
        ours += row["run_seconds"]
    return vw, ours


def hours_of_the_paper(done: Measured, threads: int) -> float:
    """The paper's whole grid on all its examples, if they are like these."""
    runs = grid(["paper"], encodings=["-1/0", "0/1", "9/10"])
    whole = planned(done.plan.problems, groups_of(runs))
    core_seconds = threads * done.seconds / sum(job.work for job in done.plan.jobs)
    n_examples = sum(facts.n for facts, _ in done.plan.problems)
    work = sum(job.work for job in whole) * PAPER_EXAMPLES / n_examples
    return work * core_seconds / CORES / 3600


def main() -> int:
    """Print the figures; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    data = os.environ.get("BAKEOFF_DATA", "embedded")
    parser.add_argument("--data", default=data, metavar="SOURCE")
    parser.add_argument("--vw", type=int, default=30, metavar="N", help="runs of VW")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=3, metavar="N")
    help_ = "only print the seconds that so many threads take"
    parser.add_argument("--threads", type=int, metavar="N", help=help_)
    options = parser.parse_args()
    runs = grid(["fixed"], encodings=["-1/0", "0/1"])
    with tempfile.TemporaryDirectory() as folder:
        Experiment("embedded:iris", runs).run(folder)  # compiles

    if options.threads:
        print(measure([options.data], runs, options.threads).seconds)
        return 0
    turns: dict[int, list[Measured]] = {1: [], 2: []}
    for _ in range(options.turns):
        for threads, before in turns.items():
            before.append(measure([options.data], runs, threads))
    done = {threads: median(some) for threads, some in turns.items()}
    for threads, one in done.items():
        rate = one.plan.examples_left / one.seconds
        print(
            f"{threads} thread(s): {one.plan.n_runs:,} runs, "
            f"{one.plan.examples_left:,} run-examples in {one.seconds:.1f} s: "
            f"{rate:,.0f} per second, {rate / threads:,.0f} per core; "
            f"{one.outside:.1%} of the time outside simulations (bar 15 %)"
        )
    ratios = [a.seconds / b.seconds for a, b in zip(turns[1], turns[2], strict=True)]
    speedup = done[1].seconds / done[2].seconds
    alone = 2 * done[1].seconds / seconds_side_by_side(options.data)
    print(
        f"speed-up from one thread to two: {speedup:.2f}x (bar 1.9x; turn by turn "
        f"{', '.join(f'{ratio:.2f}' for ratio in ratios)}); two processes that share "
        f"nothing: {alone:.2f}x"
    )
    vw, ours = against_vw([options.data], done[1], options.vw, options.seed)
    print(
        f"{options.vw} random runs, one process each, by Vowpal Wabbit: {vw:.1f} s; "
        f"their share of our passes: {ours:.2f} s ({vw / ours:.0f}x)"
    )
    print(
        f"the paper's grid (88 configurations, 9 rates, 3 encodings) on its "
        f"{PAPER_EXAMPLES / 1e6:.1f} million examples, if they are like these: about "
        f"{hours_of_the_paper(done[2], 2):.1f} h on {CORES} cores"
    )
    return int(speedup < 1.9 or done[2].outside > 0.15)


if __name__ == "__main__":
    sys.exit(main())
