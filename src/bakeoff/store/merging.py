"""Merging: the results of several stores in one, as if one machine had computed them.

Files of results are named after what they hold, so they are copied as they are. Rows that two
stores have count once. The manifests become one that asks for all that each has asked for.
"""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from bakeoff.basics.errors import ResultsError
from bakeoff.basics.files import whole
from bakeoff.basics.notices import notify
from bakeoff.basics.text import counted
from bakeoff.store.job_files import explained
from bakeoff.store.manifest import Manifest, OwnRecord, Planned
from bakeoff.store.provenance import SOURCES, continued
from bakeoff.store.rows import by_explorer, is_coded
from bakeoff.store.store import Store

Value = TypeVar("Value")


def merge(into: Store, others: Sequence[Store]) -> int:
    """Copy the results of other stores into one, and return how many files came."""
    manifests = [_manifest_of(store) for store in others]
    n_copied = 0
    with into.writing():
        manifest = into.manifest()
        for store, other in zip(others, manifests, strict=True):
            n_copied += _copy(store, into)
            manifest = other if manifest is None else merged(manifest, other)
        if manifest is not None:
            into.write_manifest(manifest)
    return n_copied


def _manifest_of(store: Store) -> Manifest:
    manifest = store.manifest()
    if manifest is None:
        raise ResultsError(f"{store.folder}: is not a store of results")
    return manifest


def _copy(store: Store, into: Store) -> int:
    """Copy files of results, and sources of learners, that are not there yet."""
    faults = store.check()
    if faults:
        raise ResultsError(f"{faults[0]}; run its experiment again first, which mends it")
    n_copied, n_other = 0, 0
    with explained(into.folder):
        for file in store.files():
            path = into.jobs / file.path.name
            if path.exists():
                n_other += _differ(file.path, path)
                continue
            with whole(path) as copy:
                copy.write(file.path.read_bytes())
            n_copied += 1
        if (store.folder / SOURCES).is_dir():
            shutil.copytree(store.folder / SOURCES, into.folder / SOURCES, dirs_exist_ok=True)
    if n_other:
        notify(
            f"{counted(n_other, 'file')} of {store.folder} {'has' if n_other == 1 else 'have'} "
            f"other losses than those of {into.folder} for the same runs; the latter are kept"
        )
    return n_copied


def _differ(one: Path, other: Path) -> bool:
    """Whether two files have different losses for the same runs."""
    try:
        first, second = (
            pl.read_parquet(path, columns=["run", "pv_loss"]).sort("run") for path in (one, other)
        )
    except (pl.exceptions.PolarsError, OSError):  # the next run mends what cannot be read
        return False
    return not first.equals(second)


def merged(first: Manifest, second: Manifest) -> Manifest:
    """A manifest that asks for all that two have asked for."""
    history = first.history
    for session in second.history:
        history = continued(history, session)
    return replace(
        first,
        asked=_asked(first.asked, second.asked),
        runs=first.runs | second.runs,
        problems=_problems([*first.problems, *second.problems]),
        unreadable=_each_once([*first.unreadable, *second.unreadable]),
        twins=second.twins | first.twins,
        openml_ids=second.openml_ids | first.openml_ids,
        files=second.files | first.files,
        own=_own(first.own, second.own),
        code=_code(first.code, second.code),
        hashed=first.hashed and second.hashed,
        history=history,
    )


def _asked(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Options of both commands; lists are put together, for the rest the first counts."""
    both = {**second, **first}
    for name, value in first.items():
        other = second.get(name)
        if isinstance(value, list) and isinstance(other, list):
            both[name] = _each_once([*value, *other])
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in both.items()
    }


def _problems(problems: Iterable[Planned]) -> tuple[Planned, ...]:
    """Problems of the same content once, with the shuffles of all."""
    by_digest: dict[str, Planned] = {}
    for problem in problems:
        known = by_digest.setdefault(problem.digest, problem)
        shuffles = tuple(sorted({*known.shuffles, *problem.shuffles}))
        by_digest[problem.digest] = replace(known, shuffles=shuffles)
    return tuple(by_digest.values())


def _own(first: Mapping[str, OwnRecord], second: Mapping[str, OwnRecord]) -> dict[str, OwnRecord]:
    records = {**second, **first}
    for explorer in first.keys() & second.keys():
        one, other = first[explorer], second[explorer]
        digests = tuple(dict.fromkeys([*other.digests, *one.digests]))
        declined = other.declined | one.declined
        records[explorer] = replace(one, digests=digests, declined=declined)
    return records


def _code(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    """Codes of both; where they differ in an explorer, the first counts."""
    one, other = by_explorer([*first]), by_explorer([*second])
    for name in one.keys() & other.keys():
        if one[name] != other[name]:
            notify(
                f"the stores have results of {name!r} by different code; those of the "
                f"first are shown, the others kept"
            )
    bare = {code for code in (*first, *second) if not is_coded(code)}
    return tuple(sorted({*bare, *(other | one).values()}))


def _each_once(values: Iterable[Value]) -> tuple[Value, ...]:
    unique: list[Value] = []
    for value in values:
        if value not in unique:
            unique.append(value)
    return tuple(unique)
