"""Progress: how far the last experiment in a store is, from names of files."""

from typing import NamedTuple

from bakeoff.basics.errors import ResultsError, SpecError
from bakeoff.basics.notices import notify
from bakeoff.basics.text import counted
from bakeoff.runs import OF_USERS, Run, run_from_text
from bakeoff.store import NAME, Fault, Group, Job, Manifest, Store, planned, stream_key


class Progress(NamedTuple):
    """How much there is to do, and how much is done."""

    problems: int
    problems_done: int
    jobs: int
    jobs_done: int
    runs: int
    runs_done: int
    errors: int  # runs that ended in an error
    failed: int  # jobs that failed as a whole, and problems that could not be read
    faults: list[Fault]  # files that cannot be used


def progress_of(store: Store) -> Progress:
    """How far the last experiment is."""
    manifest = store.manifest()
    if manifest is None:
        raise ResultsError(f"{store.folder}: is not a store of results")
    faults = store.check()
    groups = _groups(store, manifest)
    problems = [(one.facts, one.shuffles) for one in manifest.problems]
    jobs = planned(problems, groups, manifest.own)
    left = store.missing(jobs)
    streams = {stream_key(job.facts, job.shuffle) for job in left}
    return Progress(
        problems=len(problems),
        problems_done=len(problems) - len({job.facts.digest for job in left}),
        jobs=len(jobs),
        jobs_done=len(jobs) - len(left),
        runs=_runs(jobs),
        runs_done=_runs(jobs) - _runs(left),
        errors=store.errors(jobs).height,
        failed=sum(file.failed and file.stream in streams for file in store.files())
        + len(manifest.unreadable),
        faults=faults,
    )


def _groups(store: Store, manifest: Manifest) -> list[Group]:
    """The groups of runs that were asked for, as far as this version knows them."""
    groups, unknown = [], []
    for texts in manifest.runs.values():
        runs: list[Run] = []
        for text in texts:
            try:
                runs.append(run_from_text(text))
            except SpecError:
                unknown.append(text)
        if runs:
            groups.append(Group(tuple(runs)))
    if unknown:
        are_users = all(text.startswith(OF_USERS) for text in unknown)
        whose = (
            "rules or explorers whose code is not here"
            if are_users
            else "another version of bakeoff"
        )
        notify(
            f"{store.folder / NAME}: {counted(len(unknown), 'run')} of {whose}, such as "
            f"'{unknown[0].partition(' ')[0]}', are shown, but not counted as done or missing"
        )
    return groups


def _runs(jobs: list[Job]) -> int:
    return sum(len(job.runs) for job in jobs)
