"""Display: the time that is left goes by work, not by runs or examples."""

from dataclasses import replace

import pytest

from bakeoff.experiment.display import Tally
from bakeoff.experiment.jobs import Group, Job, groups_of, planned
from bakeoff.experiment.plan import Plan
from tests.stores import FACTS, runs_at

SMALL = replace(FACTS, name="small", digest="cd" * 32)
WIDE = replace(FACTS, name="wide", nonzeros=100 * FACTS.nonzeros, n_actions=30)


def plan_of(*jobs: Job) -> Plan:
    groups: list[Group] = []
    return Plan([], groups, list(jobs), list(jobs), [], {}, {}, {})


def test_a_wide_dataset_that_comes_first_does_not_stretch_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [group] = groups_of(runs_at(0.1, 1.0))
    several = [replace(SMALL, digest=f"{i:064x}") for i in range(99)]
    jobs = planned([(WIDE, (1,)), *((facts, (1,)) for facts in several)], [group])
    clock = iter([0.0, 0.0, 60.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    watcher = Tally()
    watcher.planned(plan_of(*jobs))

    assert jobs[0].facts is WIDE  # the longest comes first
    watcher.worked(jobs[0], 2 * WIDE.n)

    # By runs and examples one per cent is done, which would leave 99 minutes.
    left = watcher.seconds_left
    work = sum(job.work for job in jobs)
    assert left == pytest.approx(60 * (work / jobs[0].work - 1))
    assert left is not None
    assert left < 10


def test_nothing_is_left_when_all_is_done() -> None:
    [group] = groups_of(runs_at(0.1))
    jobs = planned([(SMALL, (1, 2, 3))], [group])
    watcher = Tally()
    watcher.planned(plan_of(*jobs))

    for job in jobs:
        watcher.worked(job, 100)
        watcher.worked(job, job.facts.n - 100)

    assert watcher.seconds_left == pytest.approx(0, abs=1e-9)
