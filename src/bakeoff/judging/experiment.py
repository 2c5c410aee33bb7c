"""Experiment as Python's users have it: it shows how far it is, and returns results."""

import importlib.util
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console

from bakeoff.basics.notices import notify
from bakeoff.basics.text import counted
from bakeoff.experiment import Bars, Engine, EngineName, Lines, ProgressListener, Reason, Summary
from bakeoff.experiment import Experiment as PlainExperiment
from bakeoff.judging.results import Results


class Finished(Results):
    """The results of an experiment that has just been run, and how that went."""

    def __init__(self, summary: Summary) -> None:
        super().__init__(summary.folder)
        self.summary = summary

    @property
    def n_runs(self) -> int:
        """How many runs the experiment has."""
        return self.summary.n_runs

    @property
    def n_computed(self) -> int:
        """How many of them were computed this time."""
        return self.summary.n_computed

    @property
    def n_errors(self) -> int:
        """How many runs ended in an error."""
        return self.summary.n_errors

    @property
    def reasons(self) -> list[Reason]:
        """Why runs ended in an error."""
        return self.summary.reasons

    @property
    def failures(self) -> list[tuple[str, str]]:
        """What failed as a whole, and why."""
        return self.summary.failures

    @property
    def is_complete(self) -> bool:
        """Whether every run has a result that is not an error."""
        return self.summary.is_complete


class Experiment(PlainExperiment):
    """Problems, in one or several orders of their rows, and the runs to play on them.

    `problems` are sources (see `bakeoff.load`), problems, or a mixture. `shuffles` is
    how many orders of the rows are used: N stands for the seeds 1 to N, 0 for the order
    of the file. Unless given, it is 1, and 0 for the paper's multilabel datasets.
    """

    def run(  # type: ignore[override]
        self,
        folder: str | os.PathLike[str] = "results",
        *,
        jobs: int | None = None,
        memory: int | None = None,
        engine: Engine | EngineName | None = None,
        address: str | None = None,
        limit: float | None = None,
        watcher: ProgressListener | None = None,
        asked: dict[str, Any] | None = None,
        again: Sequence[str] = (),
    ) -> Finished:
        """Compute what is missing in the store at `folder`, and open it.

        `jobs` threads (all cores, if not given) work within `memory` bytes (half of
        what is available). With `engine="dask"` it is `jobs` processes, or the cluster
        whose scheduler is at `address`. A run of your own learner is stopped after
        `limit` seconds. Terminals and notebooks show how far it is, unless there is a
        `watcher`, who is told. `asked` goes into the manifest.
        Results of the algorithms named by `again` (labels or specs) are computed anew.
        A notice says what failed.
        """
        with _watching(watcher, Console(stderr=True)) as watching:
            summary = super().run(
                folder, jobs=jobs, memory=memory, engine=engine, address=address,
                limit=limit, watcher=watching, asked=asked, again=again,
            )  # fmt: skip
        for line in summary.in_words():
            notify(line)
        return Finished(summary)

    def __repr__(self) -> str:
        sources = counted(len(self.sources), "source")
        orders = "" if self.shuffles is None else f", shuffles={self.shuffles}"
        return f"Experiment({sources}, {counted(len(self.runs), 'run')}{orders})"


@contextmanager
def _watching(given: ProgressListener | None, console: Console) -> Iterator[ProgressListener]:
    """Who watches: somebody, a bar where it can be redrawn, or nobody in a script."""
    has_widgets = importlib.util.find_spec("ipywidgets") is not None
    if given is not None:
        yield given
    elif console.is_jupyter and not has_widgets:
        yield Lines(console)
    elif console.is_jupyter or console.is_terminal:
        with Bars(console) as bars:
            yield bars
    else:
        yield ProgressListener()
