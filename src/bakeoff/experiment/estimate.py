"""Estimate: how long an experiment will take, from a small sample of it."""

import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bakeoff.basics.errors import BakeoffError, DeclinedError
from bakeoff.basics.notices import notify
from bakeoff.basics.text import counted
from bakeoff.core.types import Contexts, Costs
from bakeoff.data import Problem
from bakeoff.experiment.display import duration, size
from bakeoff.experiment.engines.job_memory import Memory
from bakeoff.experiment.engines.problems import Problems
from bakeoff.experiment.plan import Plan
from bakeoff.learners import Pool
from bakeoff.runs import Run
from bakeoff.simulation import MOST_LANES, play_in_order, player_of, sizes_of
from bakeoff.store import ROW, Group, Job

SAMPLE = 400  # events
REPEATS = 5  # of a sample, if that is short: others use the machine too
ENOUGH = 0.2  # seconds for all of them
_IS_FINE = time.get_clock_info("thread_time").resolution < 1e-4
_clock = time.thread_time if _IS_FINE else time.perf_counter  # not while others have the core


class Means(NamedTuple):
    """The threads and the memory an experiment may use."""

    threads: int  # or processes
    learners: int  # bytes
    data: int  # bytes


class Estimate(NamedTuple):
    """What is left to do, and what it will take."""

    jobs: int
    runs: int
    run_examples: int
    seconds: float  # with all threads busy
    memory: int  # bytes at the largest
    too_large: int  # jobs that will fail: memory does not allow one of their runs


class DryRun(NamedTuple):
    """What an experiment would do."""

    plan: Plan
    estimate: Estimate
    means: Means

    def __str__(self) -> str:
        left = self.estimate
        text = (
            f"{counted(len(self.plan.problems), 'problem')}, {counted(self.plan.n_runs, 'run')}; "
            f"to do: {counted(left.jobs, 'job')}, {counted(left.runs, 'run')}, "
            f"{left.run_examples:,} run-examples"
        )
        if not left.runs:
            return text
        threads = counted(self.means.threads, "thread")
        return (
            f"{text}\nabout {duration(left.seconds)} with {threads}, {size(left.memory)} of memory"
        )

    def __repr__(self) -> str:  # a notebook shows it
        return str(self)


def estimate(plan: Plan, problems: Problems, means: Means) -> Estimate:
    """Play the first events of a typical problem with the runs of each structure."""
    parts = [
        replace(job, group=part, runs=part.runs) for job in plan.left for part in job.left.parts
    ]
    speeds: dict[str, float] = {}
    with closing(Pool()) as pool:
        for key, alike in _typical(parts).items():
            speeds[key] = _first_speed(alike, problems, pool)
    seconds = sum(
        (speeds[job.left.key] * job.left.cost(job.facts) + 1e-9 * ROW * len(job.runs))
        / _at_a_time(job, means)
        for job in parts
    )
    return Estimate(
        len(plan.left),
        plan.n_left,
        plan.examples_left,
        seconds,
        _memory(plan, means),
        sum(_is_too_large(job, means) for job in plan.left),
    )


def _at_a_time(job: Job, means: Means) -> int:
    """How many jobs such as this one get on at a time."""
    return max(1, min(means.threads, means.learners // max(1, _learners(job, means))))


def _typical(jobs: Iterable[Job]) -> dict[str, list[Job]]:
    """For each group of runs its jobs, the one of median length first."""
    by_group: dict[str, list[Job]] = {}
    for job in jobs:
        by_group.setdefault(job.left.key, []).append(job)
    typical = {}
    for key, alike in by_group.items():
        by_length = sorted(alike, key=lambda job: job.work)
        middle = len(alike) // 2
        typical[key] = [*by_length[middle::-1], *by_length[middle + 1 :]]
    return typical


def _first_speed(jobs: Sequence[Job], problems: Problems, pool: Pool) -> float:
    """Seconds per cost on the first problem that the runs play; 0 if there is none.

    A learner of a user may decline some problems, or fail there.
    """
    seen: set[str] = set()
    for job in jobs:
        if job.facts.digest in seen:
            continue
        seen.add(job.facts.digest)
        try:
            return _seconds_per_cost(job, problems, pool)
        except DeclinedError as error:
            notify(f"{job} will not be played: {error}")
        except BakeoffError as error:
            if not player_of(job.runs[0]).apart:
                raise
            notify(f"{job} will fail: {error}")
    return 0.0


def _seconds_per_cost(job: Job, problems: Problems, pool: Pool) -> float:
    sample = first(problems.get(job.facts, job.shuffle), SAMPLE)
    runs = job.runs[:MOST_LANES]
    _played(first(sample, 1), runs, pool)  # compiles, and touches the memory
    seconds: list[float] = []
    while len(seconds) < REPEATS and sum(seconds) < ENOUGH:
        seconds.append(_played(sample, runs, pool))
    facts = replace(job.facts, n=sample.n, nonzeros=sample.nonzeros)
    return min(seconds) / Group(runs).cost(facts)


def _played(sample: Problem, runs: Sequence[Run], pool: Pool) -> float:
    """How long runs take on a sample, with a core to themselves."""
    if player_of(runs[0]).apart:
        with pool.process() as process:
            return sum(process.play(sample, run).seconds for run in runs)
    began = _clock()
    play_in_order(sample, runs)
    return _clock() - began


def _is_too_large(job: Job, means: Means) -> bool:
    sizes = sizes_of(job.facts)
    return any(player_of(run).width(run, sizes, means.learners) == 0 for run, _ in job.left.kinds)


def _memory(plan: Plan, means: Means) -> int:
    """Learners of the jobs that can be in memory together, and their data."""
    learners = sorted((_learners(job, means) for job in plan.left), reverse=True)
    streams = {(job.facts.digest, job.shuffle): job.facts.bytes for job in plan.left}
    data = sum(sorted(streams.values(), reverse=True)[: means.threads])
    unshuffled = min(data, means.data)  # as they were read, before they were shuffled
    return min(sum(learners[: means.threads]), means.learners) + data + unshuffled


def _learners(job: Job, means: Means) -> int:
    return Memory(means.learners, means.learners // means.threads).of_job(job)


def first(problem: Problem, n: int) -> Problem:
    """The first events of a problem."""
    n = min(n, problem.n)
    x, told = problem.contexts, problem.told_costs
    n_rows = int(x.first_row[n])
    end = int(x.start[n_rows])
    return replace(
        problem,
        contexts=Contexts(
            x.start[: n_rows + 1], x.feature[:end], x.value[:end], x.first_row[: n + 1]
        ),
        true_costs=_first_costs(problem.true_costs, n),
        told_costs=None if told is None else _first_costs(told, n),
        hours=None if problem.hours is None else problem.hours[:n],
        n=n,
    )


def _first_costs(costs: Costs, n: int) -> Costs:
    last = int(costs.start[n])
    return Costs(
        costs.start[: n + 1],
        costs.right[:last] if costs.right.size else costs.right,
        costs.value[:last] if costs.value.size else np.empty(0),
    )
