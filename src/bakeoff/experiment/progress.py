"""Progress: how far the last experiment in a store is, from names of files."""

from typing import NamedTuple

from bakeoff.errors import ResultsError
from bakeoff.experiment.jobs import Facts, Group, Job, planned
from bakeoff.runs.own import run_from_text
from bakeoff.store.store import Store


class Done(NamedTuple):
    """What there is to do, and what is done."""

    problems: int
    problems_done: int
    jobs: int
    jobs_done: int
    runs: int
    runs_done: int
    errors: int  # runs that ended in an error
    failed: int  # jobs that failed as a whole, and problems that could not be read


def progress_of(store: Store) -> Done:
    """How far the last experiment is."""
    manifest = store.manifest()
    if not manifest:
        raise ResultsError(f"{store.folder}: is no store of results")
    groups = [
        Group(tuple(run_from_text(text) for text in texts))
        for texts in manifest["runs"].values()
    ]
    problems = []
    for values in manifest["problems"]:
        shuffles = values.pop("shuffles")
        problems.append((Facts(**values), shuffles))
    jobs = planned(problems, groups)
    left = store.missing(jobs)
    keys = {job.key for job in left}
    return Done(
        problems=len(problems),
        problems_done=len(problems) - len({job.facts.digest for job in left}),
        jobs=len(jobs),
        jobs_done=len(jobs) - len(left),
        runs=_runs(jobs),
        runs_done=_runs(jobs) - _runs(left),
        errors=store.errors(jobs).height,
        failed=sum(file.failed and file.key in keys for file in store.files())
        + len(manifest["unreadable"]),
    )


def _runs(jobs: list[Job]) -> int:
    return sum(len(job.runs) for job in jobs)
