"""Edits of a store."""

import json
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl

from bakeoff.store.store import Store
from benchmarks.hostile.commands import WORDS, BadError, inside
from benchmarks.hostile.files import mutated

JSON = ("--json", "--figures", "none", "--tables", "none")


def try_store(rng: random.Random, folder: Path) -> str:
    """An edit of a store: it is found, or changes no verdict; a run mends it."""
    store = folder / "s"
    shutil.copytree(made_store(), store)
    edit = rng.choice(EDITS)
    edit(rng, store)
    inside("status", str(store))
    report = inside("report", str(store), *JSON)
    is_told = "cannot be used" in _page(store) or "the last experiment" in _page(store)
    if not report.code and verdict_of(report.out) != _clean["verdict"] and not is_told:
        raise BadError("silent", f"{edit.__name__}: {report.out}")
    again = inside(*WORDS, "--out", str(store))
    if again.code == 0 and rows_in(store) != _clean["rows"]:
        raise BadError("silent", f"{edit.__name__}: other rows after a run")
    return "mended" if again.code == 0 else f"refused ({again.code})"


_clean: dict[str, Any] = {}


def made_store() -> Path:
    """A store that nobody has touched, made once."""
    if not _clean:
        store = Path(tempfile.mkdtemp(prefix="bakeoff-hostile-")) / "s"
        inside(*WORDS, "--out", str(store))
        _clean["store"], _clean["rows"] = store, rows_in(store)
        _clean["verdict"] = verdict_of(inside("report", str(store), *JSON).out)
    made: Path = _clean["store"]
    return made


def verdict_of(text: str) -> Any:
    """What a report says in words and in numbers."""
    found = json.loads(text)
    places = [(one["label"], one["mean_loss"]) for one in found["standings"]]
    return found["verdict"], places


def rows_in(store: Path) -> list[Any]:
    """What matters of the rows of a store."""
    rows = Store(store).read(["digest", "shuffle", "run", "pv_loss", "error"])
    return sorted(rows.rows())


def _page(store: Path) -> str:
    path = store / "report.html"
    return path.read_text() if path.exists() else ""


VALUES: tuple[Any, ...] = (
    None, True, 0, 1, -1, 10**12, 2**63 - 1, 10**30, 0.0, 0.5, -3.5, 1e308, "", "x",
    "\0", "\x1b[2J", "=1+1", "x" * 100_000, [], [1, "2"], {}, {"a": None}, "nan",
)  # fmt: skip


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a JSON value."""
    yield path
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from places_in(inner, (*path, key))


def edit_manifest(rng: random.Random, store: Path) -> None:
    """Another value somewhere, or none."""
    path = store / "manifest.json"
    manifest = json.loads(path.read_text())
    *above, last = rng.choice(list(places_in(manifest))[1:])
    place = manifest
    for key in above:
        place = place[key]
    if rng.random() < 0.3:
        del place[last]
    else:
        place[last] = rng.choice(VALUES)
    path.write_text(json.dumps(manifest))


def edit_text(rng: random.Random, store: Path) -> None:
    """Text in place of the manifest."""
    texts = ["", "null", "[]", "{", "[" * 100_000, '{"format": 2}', '{"format": "2"}',
             '{"format": 3}', "\0" * 99, '{"format": 2, "problems": {}}']  # fmt: skip
    (store / "manifest.json").write_text(rng.choice(texts))


def edit_row(rng: random.Random, store: Path) -> None:
    """Another value in a row."""
    path = rng.choice(sorted((store / "jobs").iterdir()))
    rows = pl.read_parquet(path)
    name = rng.choice(rows.columns)
    values = rows[name].to_list()
    values[rng.randrange(len(values))] = rng.choice(
        [None, 0, 1, -1, 0.25, float("nan"), float("inf"), "x", "bag:n_policies=4", [1],
         [0.1, None], "é" * 30_000, True]
    )  # fmt: skip
    with suppress(Exception):  # a value that polars does not take there is no edit
        edited = pl.Series(name, values, dtype=rows.schema[name], strict=False)
        rows.with_columns(edited).write_parquet(path)


def edit_columns(rng: random.Random, store: Path) -> None:
    """A column gone, or of another type, or one more."""
    path = rng.choice(sorted((store / "jobs").iterdir()))
    rows = pl.read_parquet(path)
    name = rng.choice(rows.columns)
    way = rng.randrange(4)
    if way == 0:
        rows = rows.drop(name)
    elif way == 1:
        rows = rows.with_columns(pl.lit("text").alias(name))
    elif way == 2:
        rows = rows.with_columns(pl.lit(1).alias("more"))
    else:
        rows = pl.concat([rows, rows[:1]])
    rows.write_parquet(path)


def edit_bytes(rng: random.Random, store: Path) -> None:
    """Other bytes in a file of rows, or fewer."""
    path = rng.choice(sorted((store / "jobs").iterdir()))
    path.write_bytes(mutated(path.read_bytes(), rng))


def edit_files(rng: random.Random, store: Path) -> None:
    """Something else in place of a file."""
    path = rng.choice([*(store / "jobs").iterdir(), store / "manifest.json", store / "checked"])
    path.unlink()
    way = rng.randrange(4)
    if way == 0:
        path.mkdir()
    elif way == 1:
        os.mkfifo(path)
    elif way == 2:
        path.symlink_to("nowhere")


EDITS = [edit_manifest, edit_manifest, edit_manifest, edit_text, edit_row, edit_row,
         edit_row, edit_columns, edit_bytes, edit_files]  # fmt: skip
