"""Estimate: how long an experiment will take, from a small sample of it."""

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bakeoff.engines.data import Problems
from bakeoff.experiment import Plan
from bakeoff.jobs import Group, Job
from bakeoff.own import simulate_all
from bakeoff.problems.problem import Contexts, Costs, Problem
from bakeoff.simulation import MOST_LANES

SAMPLE = 400  # events


class Estimate(NamedTuple):
    """What is left to do, and what it will take."""

    jobs: int
    runs: int
    run_examples: int
    seconds: float  # with all threads busy
    memory: int  # bytes at the largest


def estimate(plan: Plan, problems: Problems, threads: int) -> Estimate:
    """Play the first events of a typical problem with each group of runs."""
    speeds: dict[str, float] = {}
    for job in _typical(plan):
        speeds[job.group.key] = _seconds_per_work(job, problems)
    work = sum(speeds[job.group.key] * job.work for job in plan.left)
    return Estimate(
        len(plan.left),
        plan.n_left,
        plan.examples_left,
        work / threads,
        _memory(plan, threads),
    )


def _typical(plan: Plan) -> list[Job]:
    """For each group of runs, the job of median length."""
    by_group: dict[str, list[Job]] = {}
    for job in plan.left:
        by_group.setdefault(job.group.key, []).append(job)
    return [
        sorted(jobs, key=lambda job: job.work)[len(jobs) // 2]
        for jobs in by_group.values()
    ]


def _seconds_per_work(job: Job, problems: Problems) -> float:
    sample = first(problems.get(job.facts, job.shuffle), SAMPLE)
    runs = job.runs[:MOST_LANES]
    simulate_all(first(sample, 1), runs)  # compiles, and touches the memory
    began = time.perf_counter()
    simulate_all(sample, runs)
    seconds = time.perf_counter() - began
    share = sample.n / job.facts.n * len(runs) / len(job.runs)
    return seconds / (job.work * share)


def _memory(plan: Plan, threads: int) -> int:
    """Data and learners of the jobs that can be in memory together."""
    sizes = sorted((_size(job.group, job) for job in plan.left), reverse=True)
    return sum(sizes[:threads])


def _size(group: Group, job: Job) -> int:
    lanes = min(len(job.runs), MOST_LANES)
    return group.bytes_per_lane(job.facts) * lanes + 2 * job.facts.bytes


def first(problem: Problem, n: int) -> Problem:
    """The first events of a problem."""
    n = min(n, problem.n)
    x, costs = problem.contexts, problem.true_costs
    n_rows = int(x.first_row[n])
    end, last = int(x.start[n_rows]), int(costs.start[n])
    return replace(
        problem,
        contexts=Contexts(
            x.start[: n_rows + 1], x.feature[:end], x.value[:end], x.first_row[: n + 1]
        ),
        true_costs=Costs(
            costs.start[: n + 1],
            costs.right[:last] if costs.right.size else costs.right,
            costs.value[:last] if costs.value.size else np.empty(0),
        ),
        n=n,
    )
