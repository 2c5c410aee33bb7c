"""Memory: how much of it a job gets."""

from typing import NamedTuple

from bakeoff.store import Job


class Memory(NamedTuple):
    """Bytes for the learners of one process."""

    most: int  # of all jobs together
    share: int  # of one job, if that is enough for one of its runs

    def of_job(self, job: Job) -> int:
        """Memory for a full pass if the fair share allows it, at least for one run."""
        each = job.left.bytes_per_lane(job.facts)
        wanted = job.left.bytes_per_pass(job.facts)
        return min(max(each, min(wanted, self.share)), self.most)
