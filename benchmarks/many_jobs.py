"""A store of 100,000 small jobs: how long `status` and a resume take, and how much.

    python benchmarks/many_jobs.py [--jobs 100000]

The files are made up (names as they would be, one content); bars: seconds, and memory
that grows with the number of jobs by less than 2 kB each.
"""

import argparse
import hashlib
import io
import resource
import sys
import tempfile
import time
from pathlib import Path

from bakeoff.data.facts import Facts
from bakeoff.experiment.engines.workbench import failure
from bakeoff.experiment.progress import progress_of
from bakeoff.runs.grids import grid
from bakeoff.store.jobs import Group, groups_of, planned
from bakeoff.store.manifest import Manifest, Planned
from bakeoff.store.store import Store

SHUFFLES = tuple(range(1, 11))  # of each problem; small ones are one job a shuffle


def facts_of(number: int) -> Facts:
    """A problem that does not exist."""
    digest = hashlib.sha256(str(number).encode()).hexdigest()
    name = f"problem-{number}"
    return Facts(name, name, digest, "multiclass", 100, 10, 2, 1000, 11, 0.5, 0.5)


def make_store(folder: Path, problems: list[Facts], groups: list[Group]) -> int:
    """A store with a file for every job; how many."""
    store = Store(folder)
    with store.writing():
        jobs = planned([(facts, SHUFFLES) for facts in problems], groups)
        content = io.BytesIO()
        failure(jobs[0], "made up").rows.write_parquet(content)
        for job in jobs:
            name = f"{job.key}-{len(job.runs)}-0.parquet"
            (store.jobs / name).write_bytes(content.getvalue())
        store.write_manifest(
            Manifest(
                runs={group.key: tuple(map(str, group.runs)) for group in groups},
                problems=tuple(Planned(**vars(f), shuffles=SHUFFLES) for f in problems),
            )
        )
    return len(jobs)


def megabytes() -> float:
    """The largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Print the times; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--jobs", type=int, default=100_000)
    options = parser.parse_args()
    groups = groups_of(grid(["fixed"]))
    problems = [facts_of(i) for i in range(options.jobs // len(SHUFFLES))]
    with tempfile.TemporaryDirectory() as folder:
        n_jobs = make_store(Path(folder), problems, groups)
        before = megabytes()
        began = time.perf_counter()
        found = progress_of(Store(Path(folder)))
        status = time.perf_counter() - began
        began = time.perf_counter()
        left = Store(Path(folder)).missing(
            planned([(facts, SHUFFLES) for facts in problems], groups)
        )
        resume = time.perf_counter() - began
    each = (megabytes() - before) * 1e6 / n_jobs
    print(
        f"{n_jobs:,} jobs: status {status:.1f} s, what a resume must know "
        f"{resume:.1f} s (bar 10 s each); {each:,.0f} bytes more per job (bar 2,000)"
    )
    complete = found.jobs_done == n_jobs and not left
    return int(not complete or max(status, resume) > 10 or each > 2000)


if __name__ == "__main__":
    sys.exit(main())
