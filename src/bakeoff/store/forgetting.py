"""Forgetting: rows leave a store, and its manifest no longer asks for them.

New files are written before old ones are removed, so a kill leaves rows twice, which
`Store.read` counts once, or rows that were to go, which the same command drops.
"""

from collections.abc import Collection
from dataclasses import replace

import polars as pl

from bakeoff.basics.errors import ResultsError
from bakeoff.store.job_files import File, explained, name_of
from bakeoff.store.jobs import key_of
from bakeoff.store.manifest import Manifest
from bakeoff.store.read_job_files import read_files
from bakeoff.store.rows import ROW_KEY, marks_of
from bakeoff.store.store import Store


def forget(store: Store, rows: pl.DataFrame) -> None:
    """Drop rows, which are known by their columns `ROW_KEY`."""
    dropped = rows.select(ROW_KEY).unique()
    with store.writing():
        for file in store.files():
            _drop(store, file, dropped)
        manifest = store.manifest()
        if manifest is not None:
            left = store.read(ROW_KEY) if store.files() else dropped.clear()
            store.write_manifest(_without(manifest, dropped, left))


def _drop(store: Store, file: File, dropped: pl.DataFrame) -> None:
    content = read_files([file])
    if content.faults:
        raise ResultsError(str(content.faults[0]))
    remaining = content.rows.join(dropped, on=ROW_KEY, how="anti", maintain_order="left")
    if remaining.height == content.rows.height:
        return
    if remaining.height:
        n_errors = None if file.failed else remaining["error"].count()
        key = f"{file.stream}-{key_of(marks_of(remaining))}"
        store.write_rows(store.jobs / name_of(key, remaining.height, n_errors), remaining)
    with explained(store.folder):
        file.path.unlink()


def _without(manifest: Manifest, dropped: pl.DataFrame, left: pl.DataFrame) -> Manifest:
    """A manifest that asks for no problem, order or run of which nothing is left."""
    runs = set(dropped["run"]) - set(left["run"])
    gone = set(_streams(dropped)) - set(_streams(left))
    problems = [
        replace(one, shuffles=_without_gone(one.digest, one.shuffles, gone))
        for one in manifest.problems
    ]
    texts = [tuple(text for text in some if text not in runs) for some in manifest.runs.values()]
    return replace(
        manifest,
        problems=tuple(one for one in problems if one.shuffles),
        runs={key_of(some): some for some in texts if some},
    )


def _streams(rows: pl.DataFrame) -> list[tuple[str, int]]:
    return rows.select("digest", "shuffle").unique().rows()


def _without_gone(
    digest: str, shuffles: tuple[int, ...], gone: Collection[tuple[str, int]]
) -> tuple[int, ...]:
    return tuple(shuffle for shuffle in shuffles if (digest, shuffle) not in gone)
