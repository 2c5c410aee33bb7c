"""Ranking data from files: queries and their graded documents as a problem."""

from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.basics.text import counted
from bakeoff.data import Problem
from bakeoff.reading.options import Options

MAX_DOCUMENTS = 10  # per query, as in the paper's MSLR


def ranking_problem(
    X: Any, grades: Any, qid: Any, file: str, options: Options, name: str
) -> Problem:
    """Documents with grades as a problem; the best grade is the largest if not given.

    Documents beyond the first `max_documents` of a query, in file order, are left out.
    """
    best = options.max_relevance
    if best is None:
        best = float(np.max(grades, initial=0.0))
        if best <= 0:
            raise DataError(
                f"{file}: no document has a grade above 0, so that all cost the same; "
                f"give max_relevance if that is meant"
            )
        notify(f"{file}: max_relevance is {best:g}, the largest grade in the file")
    documents = documents_kept(options)
    problem = Problem.from_ranking(X, grades, qid, documents, best, name=name)
    left_out = len(grades) - len(problem.true_costs.value)
    if left_out and options.max_documents is None:
        notify(
            f"{file}: {counted(left_out, 'document')} beyond the first {documents} of "
            f"a query left out; `max_documents` keeps more"
        )
    return problem


def documents_kept(options: Options) -> int:
    """How many documents of a query are used."""
    return options.max_documents or MAX_DOCUMENTS
