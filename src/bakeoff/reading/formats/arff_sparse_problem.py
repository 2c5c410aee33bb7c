"""Sparse rows of an ARFF file as a problem, encoded as `features` encodes columns.

Wide and sparse rows never become a table: 10,000 rows of 10,000 would take 800 MB.
"""

import numpy as np
import polars as pl
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles
from bakeoff.data import Problem
from bakeoff.reading.formats.arff_header import Attribute
from bakeoff.reading.formats.arff_sparse import SparseTable
from bakeoff.reading.formats.arff_sparse_features import sparse_features
from bakeoff.reading.options import Options
from bakeoff.reading.tables.table import chosen
from bakeoff.reading.tables.targets import target_columns, with_targets


def sparse_problem(rows: SparseTable, options: Options, name: str) -> Problem:
    """The problem of sparse rows."""
    table = chosen(rows.table, options)
    targets = target_columns(table, options)
    left_out = {*targets, "qid"} if options.task == "ranking" else set(targets)
    kept = [column for column in table.frame.columns if column not in left_out]
    if not kept:
        raise DataError(f"{table.file}: has no column besides its target")
    table = table._replace(frame=_full_columns(rows, left_out))
    X = sparse_features(rows, kept, options)
    return with_targets(X, table, targets, options, name)


def _full_columns(rows: SparseTable, names: set[str]) -> pl.DataFrame:
    """Those of the named columns that there are."""
    places = [place for place, attribute in enumerate(rows.attributes) if attribute.name in names]
    blocks = [matrix[:, places] for matrix in rows.matrices]
    columns = sparse.vstack(blocks, "csc")
    series = []
    for number, place in enumerate(places):
        part = slice(*columns.indptr[number : number + 2])
        full = np.zeros(columns.shape[0])
        full[columns.indices[part]] = columns.data[part]
        series.append(_series(full, rows.attributes[place]))
    return pl.DataFrame(series)


def _series(values: Doubles, attribute: Attribute) -> pl.Series:
    name, dtype = attribute
    numbers = pl.Series(name, values, nan_to_null=True)
    if not isinstance(dtype, pl.Enum):
        return numbers
    return dtype.categories.gather(numbers.cast(pl.UInt32)).cast(dtype).alias(name)
