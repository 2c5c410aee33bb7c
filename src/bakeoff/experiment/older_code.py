"""Older code: results that other code of the algorithms computed than today's.

Rows have a hash of that code, and the manifest has all hashes of a store, so that rows
are read only where there is more than one. Results of versions that kept no hash are
taken as they are.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import polars as pl

from bakeoff.core.sources import code_hash
from bakeoff.experiment.jobs import Job
from bakeoff.store.manifest import Manifest
from bakeoff.store.store import Store
from bakeoff.text import counted


def older_results(store: Store, jobs: Sequence[Job]) -> dict[str, int]:
    """How many results of jobs other code computed, by label of the algorithm."""
    known = (store.manifest() or Manifest()).code
    if not {*known} - {code_hash()} or not store.files():
        return {}
    rows = store.read(["digest", "shuffle", "run", "algorithm", "code"])
    rows = rows.filter(pl.col("code").is_not_null() & (pl.col("code") != code_hash()))
    wanted = {
        (job.facts.digest, job.shuffle, str(run))
        for job in jobs
        for run in job.group.runs
    }
    found: Counter[str] = Counter()
    for digest, shuffle, run, label, _ in rows.iter_rows():
        found[label] += (digest, shuffle, run) in wanted
    return {label: n for label, n in found.items() if n}


def codes_of(known: Iterable[str]) -> tuple[str, ...]:
    """The hashes of all code that has computed results of a store, today's included."""
    return tuple(dict.fromkeys([*known, code_hash()]))


def older_code_notices(older: dict[str, int]) -> list[str]:
    """What the user should know of them."""
    if not older:
        return []
    results = counted(sum(older.values()), "result")
    option = " ".join(f"--again {label}" for label in older)
    return [
        f"the code of the algorithms has changed since {results} in this store were "
        f"computed; `{option}` (in Python, again={list(older)!r}) computes them anew"
    ]
