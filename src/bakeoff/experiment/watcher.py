"""Watcher: the interface through which an experiment reports its progress."""

from bakeoff.experiment.engines.base import Done
from bakeoff.experiment.plan import Plan
from bakeoff.store import Job


class Watcher:
    """Receives the progress of an experiment; this one ignores it."""

    def reading(self, name: str, done: int, total: int) -> None:
        """A problem is read to see what it is."""

    def planned(self, plan: Plan) -> None:
        """All problems are known, and so is what is left to do."""

    def worked(self, job: Job, examples: int) -> None:
        """So many run-examples more have been computed; called from any thread."""

    def finished(self, done: Done) -> None:
        """A job is in the store."""

    def compacting(self) -> None:
        """All is done; very many files are made fewer."""
