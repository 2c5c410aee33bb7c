"""Display: how far an experiment is, on a terminal or as plain lines."""

import importlib.util
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from bakeoff.basics.text import counted, printable
from bakeoff.experiment.engines.workbench import Done
from bakeoff.experiment.plan import Plan
from bakeoff.experiment.progress_listener import ProgressListener
from bakeoff.store import Job

SECONDS_BETWEEN_LINES = 10.0
WITH_TIME, WITH_NAMES = 100, 130  # columns of a terminal from which on these are shown
EARLY = 0.01  # of the work; before, loading and the first pass tell too little
NAMES = 40  # columns for the names of problems


class Tally(ProgressListener):
    """Counts what happens; what is shown of it is up to others."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.n_runs = self.n_done = self.n_failed = 0
        self.work = self.work_done = 0.0  # relative time: examples differ in size
        self.is_compiling = False
        self.in_flight: Counter[str] = Counter()
        self._reported: dict[str, float] = {}  # work of each job in flight
        self._lock = threading.Lock()

    def planned(self, plan: Plan) -> None:
        """Know how much there is to do."""
        self.began = time.monotonic()
        self.n_runs, self.work = plan.n_left, plan.work_left

    def worked(self, job: Job, examples: int) -> None:
        """Count what run-examples take on this problem."""
        work = job.work * examples / (len(job.runs) * job.facts.n)
        with self._lock:
            self.work_done += work
            self._reported[job.key] = self._reported.get(job.key, 0.0) + work
            self.in_flight[job.facts.name] += 1

    def finished(self, done: Done) -> None:
        """Count runs and errors."""
        with self._lock:
            self.work_done += done.job.work - self._reported.pop(done.job.key, 0.0)
            self.n_runs -= len(done.job.runs) if done.declined is not None else 0
            self.n_done += done.rows.height
            self.n_failed += done.rows["error"].count()
            self.in_flight.pop(done.job.facts.name, None)

    def compiling(self, done: int, total: int) -> None:
        """Begin to count time when all is compiled."""
        self.is_compiling = done < total
        if not self.is_compiling:
            self.began = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long the phase at hand has taken."""
        return time.monotonic() - self.began

    @property
    def rate(self) -> str:
        """Runs per second so far."""
        rate = self.n_done / max(1e-9, self.seconds)
        return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at the speed so far; None until that is known."""
        if self.work_done < EARLY * self.work or not self.work_done:
            return None
        return self.seconds * max(0.0, self.work / self.work_done - 1)


class Lines(Tally):
    """Plain lines, one every few seconds, for logs and pipes."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console
        self._last = time.monotonic()

    def planned(self, plan: Plan) -> None:
        """Say how much there is to do."""
        super().planned(plan)
        self._say(
            f"{plan.n_left:,} of {counted(plan.n_runs, 'run')} to do on "
            f"{counted(len(plan.problems), 'problem')}"
        )

    def compiling(self, done: int, total: int) -> None:
        """Say how many loops are compiled."""
        super().compiling(done, total)
        self._say(f"compiled {done} of {counted(total, 'loop')}, which is done once")

    def finished(self, done: Done) -> None:
        """Say now and then how far it is."""
        super().finished(done)
        if time.monotonic() - self._last > SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            left = self.seconds_left
            when = "" if left is None else f", about {duration(left)} left"
            failures = f", {self.n_failed:,} failed" if self.n_failed else ""
            self._say(
                f"{self.n_done:,} of {self.n_runs:,} runs, {self.rate} per second{when}{failures}"
            )

    def compacting(self) -> None:
        """Say why it is not over yet."""
        self._say("putting the files of results together")

    def _say(self, text: str) -> None:
        self._console.print(text, highlight=False, soft_wrap=True)


class Bars(Tally):
    """A bar that is redrawn in place."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        one_line = Column(no_wrap=True)
        wide = [TimeElapsedColumn()] if console.width >= WITH_TIME else []
        widest = [_InFlight(self)] if console.width >= WITH_NAMES else []
        self._bar = Progress(
            TextColumn("{task.description}", markup=False, table_column=one_line),
            BarColumn(bar_width=None, table_column=Column(ratio=1)),
            TaskProgressColumn(table_column=Column(no_wrap=True)),
            _Counts(self),
            *wide,
            TimeRemainingColumn(),
            *widest,
            console=console,
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task("reading", total=None)

    def __enter__(self) -> "Bars":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def reading(self, name: str, done: int, total: int) -> None:
        """Show how many problems have been read."""
        self._bar.update(self._task, total=total, completed=done)

    def planned(self, plan: Plan) -> None:
        """Begin to count work."""
        super().planned(plan)
        self._bar.reset(self._task, total=self.work, description="running")

    def compiling(self, done: int, total: int) -> None:
        """Show how many loops are compiled; then begin to count work."""
        super().compiling(done, total)
        if done < total:
            text = f"compiling {done + 1} of {total}"
            self._bar.update(self._task, description=text, total=total, completed=done)
        else:
            self._bar.reset(self._task, total=self.work, description="running")

    def worked(self, job: Job, examples: int) -> None:
        """Move the bar."""
        super().worked(job, examples)
        self._bar.update(self._task, completed=self.work_done)

    def finished(self, done: Done) -> None:
        """Move the bar to the end of a job, even if it failed on the way."""
        super().finished(done)
        self._bar.update(self._task, completed=self.work_done)

    def compacting(self) -> None:
        """Say why it is not over yet."""
        self._bar.update(self._task, description="putting files together")


class _Counts(ProgressColumn):
    """Runs done, runs per second, failures; before them, how long it has compiled."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(Column(no_wrap=True))
        self._tally = tally

    def render(self, task: Task) -> Text:
        if not self._tally.n_runs:
            return Text(counted(int(task.completed), "problem"))
        if self._tally.is_compiling:  # the first of many may take half a minute
            return Text(f"{self._tally.seconds:.0f} s, then {counted(self._tally.n_runs, 'run')}")
        rate = f", {self._tally.rate}/s" if self._tally.n_done else ""
        failed = f", {self._tally.n_failed} failed" if self._tally.n_failed else ""
        return Text(f"{self._tally.n_done:,}/{self._tally.n_runs:,} runs{rate}{failed}")


class _InFlight(ProgressColumn):
    """The problems at hand."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(Column(no_wrap=True, overflow="ellipsis", max_width=NAMES))
        self._tally = tally

    def render(self, task: Task) -> Text:
        names = sorted(self._tally.in_flight.copy())[:3]
        return Text(" ".join(printable(name) for name in names), style="dim")


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 90:
        return f"{max(1.0, seconds):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def size(n_bytes: float) -> str:
    """So many bytes in the unit that suits them."""
    if n_bytes < 1e9:
        return f"{max(1.0, n_bytes / 1e6):.0f} MB"
    return f"{n_bytes / 1e9:.1f} GB"


@contextmanager
def progress_shown(watcher: ProgressListener | None) -> Iterator[ProgressListener]:
    """The watcher, or by default a display: none unless at a terminal or in a notebook."""
    console = Console(stderr=True)
    has_widgets = importlib.util.find_spec("ipywidgets") is not None
    if watcher is not None:
        yield watcher
    elif console.is_jupyter and not has_widgets:
        yield Lines(console)
    elif console.is_jupyter or console.is_terminal:
        with Bars(console) as bars:
            yield bars
    else:
        yield ProgressListener()
