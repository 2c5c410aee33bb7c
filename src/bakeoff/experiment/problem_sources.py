"""The sources of an experiment, and how to tell whether one has changed."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import encodable
from bakeoff.data import Problem, is_frame
from bakeoff.reading.catalog import NAME as MANIFEST
from bakeoff.reading.catalog import Source, each_once, find_all
from bakeoff.reading.options import Options
from bakeoff.store import VERSION

Problemlike = str | os.PathLike[str] | Source | Problem


def sources_of(
    problems: Problemlike | Sequence[Problemlike], data: str | os.PathLike[str] | None
) -> list[Source]:
    """A source for everything that is given, each once, under unique names."""
    sources: list[Source] = []
    for problem in _as_list(problems):
        if isinstance(problem, Source):
            sources.append(problem)
        elif isinstance(problem, Problem):
            sources.append(_of_problem(problem))
        elif is_frame(problem):
            raise DataError(
                "an experiment takes sources and problems; make a problem of a frame: "
                "load(frame, target=...)"
            )
        else:
            sources += find_all([os.fspath(problem)], data)
    return each_once(_in_unicode(source) for source in sources)


def _in_unicode(source: Source) -> Source:
    """A source whose name and origin can be kept in a store."""
    name, origin = encodable(source.name), encodable(source.origin)
    return replace(source, name=name, origin=origin)


def _as_list(problems: Problemlike | Sequence[Problemlike]) -> list[Problemlike]:
    if isinstance(problems, Sequence) and not isinstance(problems, str):
        return list(problems)
    return [problems]


def _of_problem(problem: Problem) -> Source:
    """A problem in memory as a source."""

    def named(options: Options) -> Problem:
        if options.name in (None, problem.name):
            return problem
        return replace(problem, name=options.name)

    return Source(
        problem.name,
        named,
        origin=f"{problem.name}@{problem.digest[:8]}",
        task=problem.task,
        openml_id=problem.openml_id,
    )


def mark_of(source: Source, options: Options) -> str | None:
    """What changes when a source's files do, or how they are read.

    None if there are no files here: it must be read to know what it holds.
    """
    try:
        stats = [file.stat() for file in _files(source)]
    except OSError:
        return None
    if not stats:
        return None
    sizes = [(stat.st_size, stat.st_mtime_ns) for stat in stats]
    read_as = f"{source.task} {source.published} {source.options} {options} {VERSION}"
    return f"{source.name} {source.origin} {sizes} {read_as}"


def _files(source: Source) -> list[Path]:
    """The files that a source is read from, and those that say how.

    How a file is read may depend on a manifest in a folder above it.
    """
    if source.path is not None:
        above = (folder / MANIFEST for folder in source.path.absolute().parents)
        return [source.path, *filter(Path.exists, above)]
    if source.cached is None or not source.is_here():
        return []
    cached = source.cached()
    inside = [file for file in cached.rglob("[!.]*") if file.is_file()]
    return sorted(inside) or [cached]
