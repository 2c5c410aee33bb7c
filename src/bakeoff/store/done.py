"""Done: which jobs have results, as far as the names of files tell."""

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence

from bakeoff.store.job_files import File
from bakeoff.store.jobs import Group, Job, key_of, stream_key
from bakeoff.store.rows import marked


def by_stream_of(files: Iterable[File]) -> dict[str, list[File]]:
    """Files by problem and shuffle."""
    by_stream: dict[str, list[File]] = defaultdict(list)
    for file in files:
        by_stream[file.stream].append(file)
    return by_stream


def left_by_name(
    jobs: Sequence[Job], done: Container[tuple[str, int]], *, by_code: bool = True
) -> list[Job]:
    """Jobs that are not there by name, neither alone nor all of a stream together.

    What is done has keys and numbers of rows: earlier versions gave a file with some
    of a job's runs the key of all of them. Names with today's code count if `by_code`.
    """
    streams: dict[str, list[Group]] = defaultdict(list)
    for job in jobs:
        streams[stream_key(job.facts, job.shuffle)].append(job.group)
    together: dict[tuple[str, ...], tuple[list[str], int]] = {}  # keys and rows, found once
    whole = set()
    for stream, groups in streams.items():
        several = tuple(group.key for group in groups)
        if several not in together:
            runs = [run for group in groups for run in group.runs]
            keys = [key_of(map(str, runs))]
            keys += [key_of(marked(str(run), run.code) for run in runs)] if by_code else []
            together[several] = keys, len(runs)
        keys, n_rows = together[several]
        if any((f"{stream}-{key}", n_rows) in done for key in keys):
            whole.add(stream)
    return [
        job
        for job in jobs
        if (job.old_key, len(job.group.runs)) not in done
        and not (by_code and (job.key, len(job.group.runs)) in done)
        and stream_key(job.facts, job.shuffle) not in whole
    ]


def runs_by_stream(jobs: Iterable[Job], streams: Container[str]) -> dict[str, list[str]]:
    """The runs that jobs have on some streams."""
    by_stream: dict[str, list[str]] = defaultdict(list)
    for job in jobs:
        stream = stream_key(job.facts, job.shuffle)
        if stream in streams:
            by_stream[stream] += map(str, job.group.runs)
    return by_stream
