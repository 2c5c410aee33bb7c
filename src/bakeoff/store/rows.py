"""Rows: one per run on a problem in one order of its rows; their columns, and writing.

A new column goes to the end of `SCHEMA`, and into `row_of` if runs fill it. Files that
were written without it are read with nulls in its place.

A file of rows has a hash of the columns that every file has had (`FIRST`), and another
of the columns that came later, which names them. So files stay valid when columns come,
here or in the version that wrote them.
"""

import hashlib
import socket
import threading
from collections.abc import Collection, Mapping, Sequence
from importlib import metadata
from typing import Any

import polars as pl

from bakeoff.data import Facts
from bakeoff.runs import ARITHMETIC, Run
from bakeoff.simulation import Result

FORMAT = 3  # of stores; those of format 2 are of the first arithmetic
VERSION = metadata.version("bakeoff")
HOST = socket.gethostname()
SCHEMA: dict[str, pl.DataType] = {
    "problem": pl.String(),
    "digest": pl.String(),
    "task": pl.String(),
    "n": pl.Int64(),
    "n_features": pl.Int64(),
    "n_actions": pl.Int64(),
    "openml_id": pl.Int64(),
    "constant_action_cost": pl.Float64(),
    "uniform_cost": pl.Float64(),
    "shuffle": pl.Int64(),  # the seed of the order of rows; 0 is the file's
    "algorithm": pl.String(),  # the paper's short name
    "explorer": pl.String(),
    "reduction": pl.String(),
    "learning_rate": pl.Float64(),
    "encoding": pl.String(),
    "offset": pl.Float64(),
    "baseline": pl.Boolean(),
    "seed": pl.Int64(),  # as it was asked for
    "job_seed": pl.Int64(),  # of the draws on this problem in this order (Run.for_job)
    "run": pl.String(),  # all settings in one text
    "pv_loss": pl.Float64(),
    "ips_reward": pl.Float64(),
    "ips_loss": pl.Float64(),
    "curve_rounds": pl.List(pl.Int64()),
    "curve_loss": pl.List(pl.Float64()),
    "error": pl.String(),
    "version": pl.String(),
    "run_seconds": pl.Float64(),
    "host": pl.String(),
    "worker": pl.String(),
}
FIRST = tuple(SCHEMA)
SCHEMA["code"] = pl.String()  # what computed it: see `is_coded`
SCHEMA["inputs"] = pl.String()  # what the run saw; null is raw
SCHEMA["arithmetic"] = pl.Int64()  # that it was computed with; null is the first
HASH = "bakeoff"  # where a Parquet file has the hash of the columns `FIRST`
LATER = "bakeoff-later"  # where it has the hash of its other columns, and their names
ROW_KEY = ["digest", "shuffle", "run"]  # what no two rows share
FACTS = list(SCHEMA)[: list(SCHEMA).index("shuffle")]  # columns that are a problem's
FILLED = ["problem", "digest", "task", "n", "n_features", "n_actions", "shuffle",
          "algorithm", "explorer", "learning_rate", "encoding", "baseline", "run",
          ]  # fmt: skip
MARK = "job_seed"  # tells rows from those of format 1, which had other random draws
REQUIRED = {*FILLED, MARK, "reduction", "pv_loss", "error"}


def rows_of(records: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """Records as a table of rows; lists may be arrays."""
    columns = {name: [record.get(name) for record in records] for name in SCHEMA}
    return pl.DataFrame([_column(name, values) for name, values in columns.items()])


def _column(name: str, values: list[Any]) -> pl.Series:
    kind = SCHEMA[name]
    if isinstance(kind, pl.List) and any(value is None for value in values):
        # polars takes arrays, which is quick, but no nulls beside them
        values = [None if value is None else list(value) for value in values]
    return pl.Series(name, values, kind).cast(kind)  # of arrays it makes arrays


def row_of(facts: Facts, shuffle: int, run: Run, result: Result) -> dict[str, Any]:
    """The row of a result; a run that ended in an error has no numbers."""
    row = settings_of(facts, shuffle, run) | {"error": result.error, "run_seconds": result.seconds}
    if result.error is not None:
        return row
    return row | {
        "pv_loss": result.pv_loss,
        "ips_reward": result.ips_reward,
        "ips_loss": result.ips_loss,
        "curve_rounds": result.curve.rounds,
        "curve_loss": result.curve.pv_loss,
    }


def error_row(facts: Facts, shuffle: int, run: Run, error: str) -> dict[str, Any]:
    """The row of a run that was not played."""
    return settings_of(facts, shuffle, run) | {"error": error}


def settings_of(facts: Facts, shuffle: int, run: Run) -> dict[str, Any]:
    """What a row says of its problem, its run, and where it was computed."""
    job_seed = run.for_job(facts.draws, shuffle).seed if run.takes_seed else None
    return facts_of(facts) | {
        "shuffle": shuffle,
        "algorithm": run.label,
        "explorer": run.explorer,
        "reduction": run.reduction,
        "learning_rate": run.learning_rate,
        "encoding": run.encoding,
        "offset": run.offset,
        "baseline": run.baseline,
        "seed": run.seed,
        "job_seed": job_seed,
        "run": str(run),
        "version": VERSION,
        "host": HOST,
        "worker": threading.current_thread().name,
        "code": run.code,
        "inputs": run.inputs,
        "arithmetic": ARITHMETIC,
    }


def facts_of(facts: Facts) -> dict[str, Any]:
    """The columns of a problem."""
    return {column: getattr(facts, "name" if column == "problem" else column) for column in FACTS}


def stamps_of(rows: pl.DataFrame) -> dict[str, str]:
    """What a file says of its rows, by which they are checked."""
    later = [name for name in rows.columns if name not in FIRST]
    stamps = {HASH: hash_of(rows)}
    if later:
        stamps[LATER] = " ".join([hash_of(rows, later), *later])
    return stamps


def later_in(stamps: Mapping[str, str]) -> tuple[str | None, list[str]]:
    """The hash of the columns that are not `FIRST`, and their names."""
    if LATER not in stamps:
        return None, []
    digest, *names = stamps[LATER].split(" ")
    return digest, names


def hash_of(rows: pl.DataFrame, names: Sequence[str] = FIRST) -> str:
    """A hash of columns that every version of this package and of polars gives.

    Of each column: which values are null, and the values as bytes; of lists, their
    lengths first. Most columns are known to have no nulls or nothing else, and then
    polars, which takes long to be asked, is not asked.
    """
    content = hashlib.sha256()
    for name in names:
        column = rows[name]
        content.update(_nulls(column))
        if column.dtype == pl.String:
            content.update("\0".join(text or "" for text in column.to_list()).encode())
            continue
        if isinstance(column.dtype, pl.List):
            content.update(_bytes(column.list.len().cast(pl.Int64)))
            column = column.explode().cast(pl.Float64)
        content.update(_bytes(column))
    return content.hexdigest()


def _nulls(column: pl.Series) -> bytes:
    """Of each value, a byte that tells whether it is null."""
    if column.null_count() in (0, len(column)):
        return bytes([column.null_count() > 0]) * len(column)
    return column.is_null().to_numpy().tobytes()


def _bytes(column: pl.Series) -> bytes:
    """The numbers of a column, with zeros for nulls."""
    if column.null_count():
        column = column.fill_null(False if column.dtype == pl.Boolean else 0)
    return column.to_numpy().tobytes()


# ---- code
#
# The code of an explorer is part of the key of its results: "squarecb:f096ce8790ed2922".
# Version 0.2 kept no code, and later ones a hash of all algorithms together; such rows
# are results of whatever code there is.


def is_coded(code: str | None) -> bool:
    """Whether a row tells which code of its explorer computed it."""
    return code is not None and ":" in code


def marked(run: str, code: str | None) -> str:
    """What tells the results of a run from those of other runs and of other code."""
    return f"{run} code={code}" if is_coded(code) else run


def marks_of(rows: pl.DataFrame) -> list[str]:
    """The marks of the runs of rows."""
    return [marked(run, code) for run, code in rows.select("run", "code").iter_rows()]


def by_explorer(codes: Collection[str]) -> dict[str, str]:
    """Codes by the names of explorers; hashes of all algorithms together have none."""
    return {code.partition(":")[0]: code for code in codes if is_coded(code)}


def of_codes(codes: Collection[str]) -> pl.Expr:
    """Whether a row is a result of one of these codes, or of one that is not known."""
    code = pl.col("code").fill_null("")
    explorer = code.str.split(":").list.first()
    is_other = code.str.contains(":", literal=True) & explorer.is_in([*by_explorer(codes)])
    return ~is_other | code.is_in([*codes])


def once(rows: pl.DataFrame) -> pl.DataFrame:
    """Each run on each problem and shuffle once; the first that is found counts."""
    return rows.unique(ROW_KEY, keep="first", maintain_order=True)
