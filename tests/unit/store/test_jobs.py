"""Jobs: what is one, which comes first, and what it is called."""

from dataclasses import replace

from bakeoff import Run
from bakeoff.data.facts import Facts
from bakeoff.learners.spec import OwnRun
from bakeoff.runs.grids import grid
from bakeoff.store.jobs import SHORT, SMALL, Job, groups_of, planned
from tests.stores import FACTS, runs_at

GROUPS = groups_of(grid(["fixed"]))
LONG = replace(FACTS, n=10**6, nonzeros=10**7, digest="cd" * 32)
WIDE = replace(FACTS, n_features=10**6, digest="ef" * 32)


def jobs_on(facts: Facts) -> list[Job]:
    return planned([(facts, (1,))], GROUPS)


def test_runs_that_take_little_time_are_one_job() -> None:
    [job] = jobs_on(FACTS)

    assert job.runs == tuple(run for group in GROUPS for run in group.runs)
    assert job.group.kinds == [kind for group in GROUPS for kind in group.kinds]
    assert str(job) == "G, eG, R, RO, A, C-nu, C-u, B, B-g, OAA on iris"


def test_runs_of_a_long_problem_are_a_job_for_each_structure() -> None:
    assert {job.group for job in jobs_on(LONG)} == set(GROUPS)


def test_runs_that_take_much_memory_are_by_themselves() -> None:
    on_its_own = {len(job.group.kinds) == 1 for job in jobs_on(WIDE)}
    smaller = replace(WIDE, n_features=500)

    assert on_its_own == {True}
    assert all(group.bytes_per_pass(WIDE) > SMALL for group in GROUPS)
    assert max(group.bytes_per_pass(smaller) for group in GROUPS) < SMALL
    assert len(jobs_on(smaller)) == 1


def test_own_learners_are_by_themselves_since_they_may_fail() -> None:
    own = [OwnRun("python:tests.learners.Turns", seed=seed) for seed in (1, 2)]

    jobs = planned([(FACTS, (1,))], groups_of([*own, *runs_at(0.1), Run("bag")]))

    assert {job.runs for job in jobs} == {(own[0],), (own[1],), (*runs_at(0.1), Run("bag"))}


def test_jobs_together_are_still_short() -> None:
    for n in (10**3, 10**4, 10**5):
        facts = replace(FACTS, n=n, nonzeros=4 * n)
        jobs = jobs_on(facts)

        assert all(len(job.group.kinds) == 1 or job.work <= SHORT for job in jobs)
        assert sorted(str(run) for job in jobs for run in job.runs) == sorted(
            str(run) for group in GROUPS for run in group.runs
        )


def test_orders_of_the_rows_share_a_group_and_the_longest_job_comes_first() -> None:
    jobs = planned([(FACTS, (1, 2)), (LONG, (1, 2))], GROUPS)

    assert len({id(job.group) for job in jobs if job.facts is FACTS}) == 1
    assert [job.work for job in jobs] == sorted((job.work for job in jobs), reverse=True)
    assert jobs[0].facts is LONG
