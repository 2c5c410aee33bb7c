"""Progress listener: its methods are called as an experiment proceeds."""

from bakeoff.experiment.engines.workbench import Done
from bakeoff.experiment.plan import Plan
from bakeoff.store import Job


class ProgressListener:
    """Base class for listeners; its methods do nothing."""

    def reading(self, name: str, done: int, total: int) -> None:
        """A problem is about to be read; `done` of `total` were read before it."""

    def planned(self, plan: Plan) -> None:
        """All problems are known, and what is left to do."""

    def compiling(self, done: int, total: int) -> None:
        """`done` of `total` loops are compiled, before anything runs; called from any thread."""

    def worked(self, job: Job, examples: int) -> None:
        """`examples` more run-examples were computed; called from any thread."""

    def finished(self, done: Done) -> None:
        """A job is in the store."""

    def compacting(self) -> None:
        """All jobs are finished; the store's many files are about to be merged."""


Watcher = ProgressListener  # its name in 0.2
