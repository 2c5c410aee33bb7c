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
from rich.text import Text

from bakeoff.basics.text import counted, printable
from bakeoff.experiment.engines.workbench import Done
from bakeoff.experiment.plan import Plan
from bakeoff.experiment.progress_listener import ProgressListener
from bakeoff.store import Job

SECONDS_BETWEEN_LINES = 10.0


class Tally(ProgressListener):
    """Counts what happens; what is shown of it is up to others."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.n_runs = self.n_done = self.n_failed = 0
        self.work = self.work_done = 0.0  # relative time: examples differ in size
        self.in_flight: Counter[str] = Counter()
        self._lock = threading.Lock()

    def planned(self, plan: Plan) -> None:
        """Know how much there is to do."""
        self.began = time.monotonic()
        self.n_runs, self.work = plan.n_left, plan.work_left

    def worked(self, job: Job, examples: int) -> None:
        """Count what run-examples take on this problem."""
        with self._lock:
            self.work_done += job.work * examples / (len(job.runs) * job.facts.n)
            self.in_flight[job.facts.name] += 1

    def finished(self, done: Done) -> None:
        """Count runs and errors."""
        with self._lock:
            self.n_runs -= len(done.job.runs) if done.declined is not None else 0
            self.n_done += done.rows.height
            self.n_failed += done.rows["error"].count()
            self.in_flight.pop(done.job.facts.name, None)

    @property
    def rate(self) -> float:
        """Runs per second so far."""
        return self.n_done / max(1e-9, time.monotonic() - self.began)

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at the speed so far."""
        if not self.work_done:
            return None
        passed = time.monotonic() - self.began
        return passed * max(0.0, self.work / self.work_done - 1)


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

    def finished(self, done: Done) -> None:
        """Say now and then how far it is."""
        super().finished(done)
        if time.monotonic() - self._last > SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            left = self.seconds_left
            when = "" if left is None else f", about {duration(left)} left"
            failures = f", {self.n_failed:,} failed" if self.n_failed else ""
            self._say(
                f"{self.n_done:,} of {self.n_runs:,} runs, "
                f"{self.rate:,.0f} per second{when}{failures}"
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
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            _Counts(self),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            _InFlight(self),
            console=console,
            transient=True,
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

    def worked(self, job: Job, examples: int) -> None:
        """Move the bar."""
        super().worked(job, examples)
        self._bar.update(self._task, completed=self.work_done)

    def compacting(self) -> None:
        """Say why it is not over yet."""
        self._bar.update(self._task, description="putting files together")


class _Counts(ProgressColumn):
    """Runs done, runs per second, failures."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self._tally = tally

    def render(self, task: Task) -> Text:
        if not self._tally.n_runs:
            return Text(counted(int(task.completed), "problem"))
        failed = f", {self._tally.n_failed} failed" if self._tally.n_failed else ""
        return Text(
            f"{self._tally.n_done:,}/{self._tally.n_runs:,} runs, {self._tally.rate:,.0f}/s{failed}"
        )


class _InFlight(ProgressColumn):
    """The problems at hand."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
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
