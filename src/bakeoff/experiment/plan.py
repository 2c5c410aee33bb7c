"""Plan: what an experiment is to do, what of it is left, and what cannot be done."""

from dataclasses import dataclass

from bakeoff.data import Facts
from bakeoff.experiment.older_code import Codes
from bakeoff.experiment.own_learners import notices_of
from bakeoff.runs import CENTRED
from bakeoff.simulation import is_mostly_zero
from bakeoff.store import Group, Job, OwnRecord, Unreadable


@dataclass(frozen=True)
class Plan:
    """What is to be done, what of it is left, and what cannot be."""

    problems: list[tuple[Facts, tuple[int, ...]]]  # with their shuffles
    groups: list[Group]
    jobs: list[Job]
    left: list[Job]
    unreadable: list[Unreadable]
    twins: dict[str, str]  # problems that hold the same data as another
    openml_ids: dict[str, list[int]]  # of all names of a content, by digest
    marked: dict[str, Facts]  # what need not be read again, by mark
    own: dict[str, OwnRecord]  # by explorer
    codes: Codes

    @property
    def notices(self) -> list[str]:
        """What was decided for the user."""
        twins = [f"{name} holds the same data as {twin}, and is not run again"
                 for name, twin in self.twins.items()]  # fmt: skip
        own = notices_of(self.own, [facts for facts, _ in self.problems])
        return [
            *twins, *own, *self._left_alone(), *self._in_other_orders(), *self.codes.notices,
        ]  # fmt: skip

    def _in_other_orders(self) -> list[str]:
        """A notice about data that some conditions play in the order of time, and others do not."""
        timed = {facts.draws: facts for facts, _ in self.problems if facts.is_timed}
        for facts, shuffles in self.problems:
            if facts.draws in timed and not facts.is_timed and shuffles != (0,):
                return [
                    f"rows of {facts.name} are shuffled, but those under "
                    f"{timed[facts.draws].stream} come in the order of time; with `shuffles` 0 "
                    f"the others come in the order of the file"
                ]
        return []

    def _left_alone(self) -> list[str]:
        """A notice about problems that centring leaves mostly as they are."""
        if not any(run.inputs == CENTRED for group in self.groups for run in group.runs):
            return []
        names = [facts.name for facts, _ in self.problems if is_mostly_zero(facts)]
        if not names:
            return []
        return [f"centred inputs leave rare features as they are, which are most of the "
                f"features of {', '.join(names)}"]  # fmt: skip

    @property
    def n_runs(self) -> int:
        """How many results there will be."""
        return sum(len(job.group.runs) for job in self.jobs)

    @property
    def n_left(self) -> int:
        """How many of them are still to be computed."""
        return sum(len(job.runs) for job in self.left)

    @property
    def examples_left(self) -> int:
        """Run-examples still to be computed."""
        return sum(len(job.runs) * job.facts.n for job in self.left)

    @property
    def work_left(self) -> float:
        """Relative time that they will take."""
        return sum(job.work for job in self.left)
