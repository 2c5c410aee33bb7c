"""Older code: results that other code of the algorithms computed than today's.

The code of an explorer is part of the key of its results, so what other code computed is
computed anew; the old results are kept, and no longer shown. Earlier versions kept one hash
of all algorithms, or none. Their results are taken as they are, those with a hash with a
notice. Own learners have notices of their own (own_learners.py).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from bakeoff.basics.errors import ResultsError
from bakeoff.basics.text import counted
from bakeoff.store import Job, Store, by_explorer, codes_of


class Codes(NamedTuple):
    """The code behind the results of a store."""

    hashes: tuple[str, ...]  # of what is shown: today's of what is planned, and earlier ones
    changed: dict[str, int]  # how many results of a plan have other code, by label
    unknown: dict[str, int]  # how many have a hash of all algorithms together

    @property
    def notices(self) -> list[str]:
        """What the user should know of results that other code computed."""
        notices = []
        if self.changed:
            results = counted(sum(self.changed.values()), "result")
            notices.append(
                f"the code of {', '.join(self.changed)} has changed since {results} in this "
                f"store were computed, which are computed anew; what the old code computed is "
                f"kept, and shown no more"
            )
        if self.unknown:
            results = counted(sum(self.unknown.values()), "result")
            option = " ".join(f"--again {label}" for label in self.unknown)
            notices.append(
                f"the code of the algorithms has changed since {results} in this store "
                f"were computed; `{option}` (in Python, again={list(self.unknown)!r}) "
                f"recomputes them"
            )
        return notices


def code_behind(
    store: Store, jobs: Sequence[Job], left: Iterable[Job], known: Collection[str]
) -> Codes:
    """The code behind the results of a store, as far as `known` does not say it."""
    today, before = by_explorer(codes_of(jobs)), by_explorer(known)
    hashes = (before | today).values()
    is_same = all(before.get(name) == code for name, code in today.items())
    if not store.files() or (is_same and len(before) == len(known)):
        return Codes(tuple(sorted(hashes)), {}, {})
    try:
        rows = store.read(["digest", "shuffle", "run", "algorithm", "error", "code"])
    except ResultsError:  # the next writer sets aside what cannot be read
        return Codes(tuple(sorted({*hashes, *known} - {*before.values()})), {}, {})
    wanted, missing = _keys(jobs), _keys(left)
    changed: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for digest, shuffle, run, label, error, code in rows.iter_rows():
        if code is not None and error is None:
            is_known = code.partition(":")[0] in today
            changed[label] += is_known and (digest, shuffle, run) in missing
            unknown[label] += ":" not in code and (digest, shuffle, run) in wanted
    whole = {code for code in rows["code"].drop_nulls() if ":" not in code}
    return Codes(tuple(sorted({*hashes, *whole})), _counted(changed), _counted(unknown))


def _keys(jobs: Iterable[Job]) -> set[tuple[str, int, str]]:
    return {(job.facts.digest, job.shuffle, str(run)) for job in jobs for run in job.runs}


def _counted(counts: Counter[str]) -> dict[str, int]:
    return {label: n for label, n in counts.items() if n}
