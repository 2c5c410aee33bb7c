"""Older code: results that other code of the algorithms computed than today's.

Rows have a hash of that code, and the manifest has all hashes of a store, so that rows
are read only where there are others than today's. Results of versions that kept no hash
are taken as they are, and own learners have notices of their own (own_learners.py).
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

import polars as pl

from bakeoff.basics.errors import ResultsError
from bakeoff.basics.text import counted
from bakeoff.core.sources import code_hash
from bakeoff.store import Job, Store


class Codes(NamedTuple):
    """The code behind the results of a store."""

    hashes: tuple[str, ...]  # of all code that computed them, today's included
    older: dict[str, int]  # how many results of a plan others computed, by label

    @property
    def notices(self) -> list[str]:
        """What the user should know of results that other code computed."""
        if not self.older:
            return []
        results = counted(sum(self.older.values()), "result")
        option = " ".join(f"--again {label}" for label in self.older)
        return [
            f"the code of the algorithms has changed since {results} in this store "
            f"were computed; `{option}` (in Python, again={list(self.older)!r}) "
            f"recomputes them"
        ]


def codes_of(store: Store, jobs: Sequence[Job], known: Collection[str]) -> Codes:
    """The code behind the results of a store, as far as `known` does not say it."""
    today = code_hash()
    if {*known} == {today} or not store.files():
        return Codes((today,), {})
    try:
        rows = store.read(["digest", "shuffle", "run", "algorithm", "error", "code"])
    except ResultsError:  # the next writer sets aside what cannot be read
        return Codes(tuple(sorted({today, *known})), {})
    is_older = pl.col("error").is_null() & (pl.col("code") != today)
    wanted = {(job.facts.digest, job.shuffle, str(run)) for job in jobs for run in job.group.runs}
    older: Counter[str] = Counter()
    for digest, shuffle, run, label, *_ in rows.filter(is_older).iter_rows():
        older[label] += (digest, shuffle, run) in wanted
    hashes = sorted({today, *rows["code"].drop_nulls()})
    return Codes(tuple(hashes), {label: n for label, n in older.items() if n})
