"""Given: all that an experiment takes for problems, as sources."""

import os
from collections.abc import Sequence
from dataclasses import replace

from bakeoff.problems.catalog.source import Source
from bakeoff.problems.catalog.sources import each_once, find_all
from bakeoff.problems.problem import Problem
from bakeoff.problems.readers.options import Options

Problemlike = str | os.PathLike[str] | Source | Problem


def sources_of(
    given: Problemlike | Sequence[Problemlike], data: str | os.PathLike[str] | None
) -> list[Source]:
    """Sources of all that is given, each once, under unique names."""
    found: list[Source] = []
    for one in _as_list(given):
        if isinstance(one, Source):
            found.append(one)
        elif isinstance(one, Problem):
            found.append(_of_problem(one))
        else:
            found += find_all([os.fspath(one)], data)
    return each_once(found)


def _as_list(given: Problemlike | Sequence[Problemlike]) -> list[Problemlike]:
    if isinstance(given, Sequence) and not isinstance(given, str):
        return list(given)
    return [given]


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
