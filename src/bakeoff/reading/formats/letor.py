"""LETOR files: graded documents of queries, `grade qid:12 1:0.3 2:5 # document`.

The format of LETOR, MSLR, Yahoo's learning to rank and of svmlight's rankings. Query
ids are integers in any order, but the documents of a query stand together.
"""

import re
from numbers import Real
from pathlib import Path

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Problem
from bakeoff.reading.files import plain_stem, shown
from bakeoff.reading.formats.svmlight import Rows, number_of, parsed
from bakeoff.reading.options import Options
from bakeoff.reading.tables.columnless import blaming, check_options, check_task
from bakeoff.reading.tables.ranking import documents_kept, ranking_problem

_QUERY = re.compile(rb"qid:([+-]?\d{1,20})")


def read(path: Path, options: Options) -> Problem:
    """The problem in a LETOR file."""
    check_options(path, options, "the grade comes first in a line")
    return ranking(parsed(path, documents_kept(options)), options)


def ranking(rows: Rows, options: Options) -> Problem:
    """The problem of rows with query ids; the labels are grades."""
    path = rows.lines.path
    check_task(path, options, "ranking", "its lines hold grades of documents")
    grades = _grades(rows, options.max_relevance)
    queries = _query_numbers(rows)
    name = options.name or plain_stem(path)
    with blaming(path):
        return ranking_problem(rows.X, grades, queries, str(path), options, name)


def _query_numbers(rows: Rows) -> Ints:
    """A number per query, from 0 in file order; no query begins again."""
    numbers: dict[int, int] = {}
    ids = rows.lines.each(rows.queries, _query_id)
    order = np.array([numbers.setdefault(query, len(numbers)) for query in ids])
    queries = order[rows.queries.codes]
    again = np.flatnonzero(np.diff(queries) < 0) + 1
    if again.size:
        row = int(again[0])
        raise DataError(
            f"{rows.lines.place(row)}: the documents of a query must stand together, "
            f"but query {list(numbers)[queries[row]]} begins again"
        )
    return queries


def _query_id(text: bytes) -> int:
    query = _QUERY.fullmatch(text)
    if query is None:
        found = f"got {shown(text)}" if text else "found none after the grade"
        raise DataError(f"expected a query id such as qid:12, {found}")
    return int(query[1])


def _grades(rows: Rows, best: float | None) -> Doubles:
    def grade_of(text: bytes) -> float:
        grade = number_of(text)
        if grade is None or grade < 0:
            found = f"got {shown(text)}" if text else "found none"
            raise DataError(f"a grade, a number from 0, must come first; {found}")
        if isinstance(best, Real) and grade > best:
            raise DataError(f"the grade {grade:g} exceeds max_relevance={best:g}")
        return grade

    return np.array(rows.lines.each(rows.lines.labels, grade_of))[rows.lines.labels.codes]
