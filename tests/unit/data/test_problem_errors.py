"""Bad data: each is refused by a sentence that says what, where and what is right."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from bakeoff import DataError, Problem

X = np.array([[0.5, 0.0, -2.0], [0.0, 0.0, 0.0], [1.0, 3.0, 0.25], [0.0, 7.0, 1.0]])
Y = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1]])
C = np.array([[0.0, 1.0], [0.25, 0.75], [1.0, 0.5], [0.125, 0.0]])
RELEVANCE = [0, 4, 2, 1]
QID = [7, 7, 3, 3]


def with_entry(array: Any, place: tuple[int, ...], value: Any) -> Any:
    changed = np.array(array)
    changed[place] = value
    return changed


def with_csr_entry(array: Any, place: tuple[int, ...], value: Any) -> Any:
    return sparse.csr_array(with_entry(array, place, value))


def twice(value: float) -> Any:
    """A matrix whose second row holds `value` two times in one place."""
    return sparse.csr_array(([value, value], [0, 0], [0, 0, 2]), shape=(2, 1))


y = [0, 1, 2, 1]
nan, inf = np.nan, np.inf
from_classes, from_labels = Problem.from_classes, Problem.from_labels
from_costs, from_ranking = Problem.from_costs, Problem.from_ranking

Case = tuple[str, Callable[[], Problem], Sequence[str]]

FEATURES: list[Case] = [
    ("NaN", lambda: from_classes(with_entry(X, (2, 1), nan), y),
     ["X must hold finite numbers", "row 2, column 1 holds nan"]),
    ("infinity", lambda: from_classes(with_entry(X, (3, 0), -inf), y),
     ["X must hold finite numbers", "row 3, column 0 holds -inf"]),
    ("too large", lambda: from_classes(with_entry(X, (0, 1), 1e19), y),
     ["X", "at most 1e+18", "row 0, column 1 holds 1e+19"]),
    ("NaN in single", lambda: from_labels(with_entry(X, (2, 1), nan).astype("f4"), Y),
     ["X must hold finite numbers", "row 2, column 1 holds nan"]),
    ("NaN in CSR", lambda: from_costs(with_csr_entry(X, (2, 1), nan), C),
     ["X must hold finite numbers", "row 2, column 1 holds nan"]),
    ("too large in CSR", lambda: from_costs(with_csr_entry(X, (2, 1), 1e300), C),
     ["X", "at most 1e+18", "row 2, column 1 holds 1e+300"]),
    ("a large sum of duplicates", lambda: from_classes(twice(1e18), [0, 1]),
     ["X", "at most 1e+18", "row 1, column 0 holds 2e+18"]),
    ("NaN in a document left out",
     lambda: from_ranking(with_entry(X, (3, 0), nan), RELEVANCE, [1] * 4, 2),
     ["X must hold finite numbers", "row 3, column 0 holds nan"]),
    ("one dimension", lambda: from_classes(X[:, 0], y),
     ["X must have two dimensions", "shape (4,)"]),
    ("three dimensions", lambda: from_classes(X[None], y),
     ["X must have two dimensions", "shape (1, 4, 3)"]),
    ("sparse, one dimension", lambda: from_classes(sparse.coo_array(X[:, 0]), y),
     ["X must have two dimensions", "shape (4,)"]),
    ("a number", lambda: from_classes(3.0, y),
     ["X must have two dimensions", "shape ()"]),
    ("an empty list", lambda: from_classes([], []),
     ["X must have two dimensions", "shape (0,)"]),
    ("strings", lambda: from_classes([["a"], ["b"]], [0, 1]),
     ["X must hold real numbers", "<U1"]),
    ("strings that look like numbers", lambda: from_classes([["1"], ["2"]], [0, 1]),
     ["X must hold real numbers", "<U1"]),
    ("complex", lambda: from_classes(X.astype(complex), y),
     ["X must hold real numbers", "complex128"]),
    ("complex CSR", lambda: from_classes(sparse.csr_array(X + 1j), y),
     ["X must hold real numbers", "complex128"]),
    ("dates", lambda: from_classes(np.zeros((4, 1), "M8[D]"), y),
     ["X must hold real numbers", "datetime64[D]"]),
    ("objects", lambda: from_classes(np.array([[{}], [1]], object), [0, 1]),
     ["X must hold real numbers", "dict"]),
    ("None", lambda: from_classes(np.array([[None], [1]], object), [0, 1]),
     ["X must hold finite numbers", "row 0, column 0 holds nan"]),
    ("rows that differ", lambda: from_classes([[1, 2], [3]], [0, 1]),
     ["X must be an array", "rows differ in length"]),
    ("masked", lambda: from_classes(np.ma.masked_equal(X, 7.0), y),
     ["X must not miss any value", "masked"]),
    ("huge integers", lambda: from_classes([[10**400], [1]], [0, 1]),
     ["X must hold real numbers", "too large"]),
    ("zero rows", lambda: from_classes(np.zeros((0, 3)), []),
     ["at least one row", "got none"]),
]  # fmt: skip

CLASSES: list[Case] = [
    ("too short", lambda: from_classes(X, y[:3]), ["X has 4 rows but y has 3"]),
    ("two dimensions", lambda: from_classes(X, [[0], [1], [2], [1]]),
     ["y must have one dimension", "shape (4, 1)"]),
    ("a string", lambda: from_classes(X, "abab"),
     ["y must have one dimension", "shape ()"]),
    ("NaN", lambda: from_classes(X, [0, nan, 1, 1]),
     ["y must be finite", "row 1 holds nan"]),
    ("None", lambda: from_classes(X, ["a", "b", None, "b"]),
     ["y must hold numbers or strings", "row 2 holds None"]),
    ("None among integers", lambda: from_classes(X, [0, 1, None, 1]),
     ["y must hold numbers or strings", "row 2 holds None"]),
    ("NaN among strings", lambda: from_classes(X, ["a", nan, "b", "b"]),
     ["y must hold either numbers or strings", "row 1 holds nan"]),
    ("NaN among objects", lambda: from_classes(X, np.array(["a", "b", "b", nan], "O")),
     ["y must hold either numbers or strings", "row 3 holds nan"]),
    ("numbers among strings", lambda: from_classes(X, ["a", "b", 1, "b"]),
     ["y must hold either numbers or strings", "row 2 holds 1"]),
    ("lists", lambda: from_classes(X, [[0], [1, 2], [1], [0]]),
     ["y must be an array", "rows differ in length"]),
    ("objects", lambda: from_classes(X, np.array([{}, {}, {}, {}], object)),
     ["y must hold numbers or strings", "row 0 holds {}"]),
    ("complex", lambda: from_classes(X, [1j, 2, 3, 4]),
     ["y must hold numbers or strings", "complex128"]),
    ("dates", lambda: from_classes(X, np.array(["2020-01-01", "NaT"] * 2, "M8[D]")),
     ["y must hold numbers or strings", "datetime64[D]"]),
    ("masked", lambda: from_classes(X, np.ma.masked_equal(y, 2)),
     ["y must not miss any value", "masked"]),
    ("one class", lambda: from_classes(X, [3, 3, 3, 3]),
     ["at least two actions", "got 1"]),
    ("beyond n_actions", lambda: from_classes(X, y, n_actions=2),
     ["integers from 0 to 1", "row 2 holds 2"]),
    ("negative", lambda: from_classes(X, [0, 1, 1, -1], n_actions=2),
     ["integers from 0 to 1", "row 3 holds -1"]),
    ("large unsigned",
     lambda: from_classes(X, np.array([0, 1, 2**64 - 1, 1], np.uint64), n_actions=2),
     ["integers from 0 to 1", "row 2 holds 18446744073709551615"]),
    ("large floats", lambda: from_classes(X, [0, 1, 1e300, 1], n_actions=2),
     ["integers from 0 to 1", "row 2 holds 1e+300"]),
    ("not whole", lambda: from_classes(X, [0, 0.5, 1, 1], n_actions=2),
     ["integers from 0 to 1", "row 1 holds 0.5"]),
    ("strings for integers", lambda: from_classes(X, list("abab"), n_actions=2),
     ["integers from 0 to 1", "strings"]),
    ("n_actions=1", lambda: from_classes(X, [0] * 4, n_actions=1),
     ["n_actions must be an integer from 2", "got 1"]),
    ("n_actions=2.5", lambda: from_classes(X, [0] * 4, n_actions=2.5),  # type: ignore[arg-type]
     ["n_actions must be an integer from 2", "got 2.5"]),
    ("n_actions='2'", lambda: from_classes(X, [0] * 4, n_actions="2"),  # type: ignore[arg-type]
     ["n_actions must be an integer from 2", "got '2'"]),
    ("n_actions=2^31", lambda: from_classes(X, [0] * 4, n_actions=2**31),
     ["n_actions must be an integer", "to 2147483647", "got 2147483648"]),
    ("class_names too short", lambda: from_classes(X, y, class_names=["a", "b"]),
     ["class_names has 2 names for 3 actions"]),
    ("class_names a string", lambda: from_classes(X, y, class_names="abc"),
     ["class_names must be a list of strings", "got 'abc'"]),
    ("class_names a number", lambda: from_classes(X, y, class_names=3),  # type: ignore[arg-type]
     ["class_names must be a list of strings", "got 3"]),
]  # fmt: skip

LABELS: list[Case] = [
    ("a two", lambda: from_labels(X, Y * [1, 1, 2]),
     ["Y must hold only 0 and 1", "row 0, column 2 holds 2"]),
    ("a two in CSR", lambda: from_labels(X, sparse.csr_array(Y * [1, 1, 2])),
     ["Y must hold only 0 and 1", "row 0, column 2 holds 2"]),
    ("a half", lambda: from_labels(X, Y / [1, 2, 1]),
     ["Y must hold only 0 and 1", "row 2, column 1 holds 0.5"]),
    ("minus one", lambda: from_labels(X, 2 * Y - 1),
     ["Y must hold only 0 and 1", "row 0, column 1 holds -1"]),
    ("NaN", lambda: from_labels(X, with_entry(Y * 1.0, (3, 1), nan)),
     ["Y must hold only 0 and 1", "row 3, column 1 holds nan"]),
    ("one dimension", lambda: from_labels(X, np.array(y)),
     ["Y must have two dimensions", "shape (4,)"]),
    ("three dimensions", lambda: from_labels(X, Y[None]),
     ["Y must have two dimensions", "shape (1, 4, 3)"]),
    ("sparse, one dimension", lambda: from_labels(X, sparse.coo_array(np.array(y))),
     ["Y must have two dimensions", "shape (4,)"]),
    ("strings", lambda: from_labels(X, Y.astype(str)),
     ["Y must hold real numbers", "<U21"]),
    ("None in objects", lambda: from_labels(X, with_entry(Y.astype("O"), (1, 0), None)),
     ["Y must hold only 0 and 1", "row 1, column 0 holds nan"]),
    ("too short", lambda: from_labels(X, Y[:3]), ["X has 4 rows but Y has 3"]),
    ("one label", lambda: from_labels(X, Y[:, :1]), ["at least two actions", "got 1"]),
    ("no row", lambda: from_labels(X[:0], Y[:0]), ["at least one row", "got none"]),
    ("no label in lists", lambda: from_labels(X, [[], [], [], []]),
     ["at least two actions", "got 0"]),
    ("lists too short", lambda: from_labels(X, [[0], [1], [2]]),
     ["X has 4 rows but Y has 3"]),
    ("negative in lists", lambda: from_labels(X, [[0], [1], [1, -1], []]),
     ["integers from 0", "row 2 holds [1, -1]"]),
    ("not integer in lists", lambda: from_labels(X, [[0], [1.5], [1], []]),
     ["integers from 0", "row 1 holds [1.5]"]),
    ("strings in lists", lambda: from_labels(X, [["a"], ["b"], ["b", 1], []]),
     ["integers from 0", "row 0 holds ['a']"]),
    ("large in lists", lambda: from_labels(X, [[2**31], [1], [1], []]),
     ["integers from 0", "row 0 holds [2147483648]"]),
    ("booleans in lists", lambda: from_labels(X, [[True], [False], [1], []]),
     ["integers from 0", "row 0 holds [True]"]),
    ("numbers for lists", lambda: from_labels(X, y),
     ["a list of labels per row", "row 0 holds 0"]),
    ("None for a list", lambda: from_labels(X, [[0], [1], None, [1]]),
     ["a list of labels per row", "row 2 holds None"]),
    ("repeated in lists", lambda: from_labels(X, [[0], [1], [1, 2, 1], []]),
     ["Y must not repeat a label", "row 2 holds [1, 2, 1]"]),
    ("a matrix in lists", lambda: from_labels(X, Y.tolist()),
     ["row 0 holds [1, 0, 1]", "0/1 matrix is given as an array"]),
    ("a matrix of two in lists", lambda: from_labels(X, [[0, 1], [1, 0]] * 2),
     ["every label in every row", "0/1 matrix is given as an array"]),
]  # fmt: skip

COSTS: list[Case] = [
    ("above one", lambda: from_costs(X, with_entry(C, (2, 1), 1.5)),
     ["C must lie between 0 and 1", "row 2, column 1 holds 1.5"]),
    ("negative", lambda: from_costs(X, with_entry(C, (3, 0), -0.25)),
     ["C must lie between 0 and 1", "row 3, column 0 holds -0.25"]),
    ("NaN", lambda: from_costs(X, with_entry(C, (1, 1), nan)),
     ["C must lie between 0 and 1", "row 1, column 1 holds nan"]),
    ("infinity", lambda: from_costs(X, with_entry(C, (1, 1), inf)),
     ["C must lie between 0 and 1", "row 1, column 1 holds inf"]),
    ("None", lambda: from_costs(X, with_entry(C.astype("O"), (1, 1), None)),
     ["C must lie between 0 and 1", "row 1, column 1 holds nan"]),
    ("one dimension", lambda: from_costs(X, C[:, 0]),
     ["C must have two dimensions", "shape (4,)"]),
    ("three dimensions", lambda: from_costs(X, C[None]),
     ["C must have two dimensions", "shape (1, 4, 2)"]),
    ("strings", lambda: from_costs(X, C.astype(str)), ["C must hold real numbers"]),
    ("complex", lambda: from_costs(X, C + 0j),
     ["C must hold real numbers", "complex128"]),
    ("complex CSR", lambda: from_costs(X, sparse.csr_array(C + 0j)),
     ["C must hold real numbers", "complex128"]),
    ("masked", lambda: from_costs(X, np.ma.masked_equal(C, 0.5)),
     ["C must not miss any value", "masked"]),
    ("rows that differ", lambda: from_costs(X, [[0], [1], [0, 1], [1]]),
     ["C must be an array", "rows differ in length"]),
    ("too short", lambda: from_costs(X, C[:3]), ["X has 4 rows but C has 3"]),
    ("one action", lambda: from_costs(X, C[:, :1]), ["at least two actions", "got 1"]),
    ("no row", lambda: from_costs(X[:0], C[:0]), ["at least one row", "got none"]),
]  # fmt: skip

RANKING: list[Case] = [
    ("above the largest", lambda: from_ranking(X, [0, 4, 5, 1], QID),
     ["relevance", "between 0 and 4", "row 2 holds 5.0"]),
    ("above a given largest", lambda: from_ranking(X, RELEVANCE, QID, max_relevance=3),
     ["max_relevance=3", "between 0 and 3", "row 1 holds 4.0"]),
    ("negative", lambda: from_ranking(X, [0, 4, 2, -1], QID),
     ["relevance", "between 0 and 4", "row 3 holds -1.0"]),
    ("NaN", lambda: from_ranking(X, [0, nan, 2, 1], QID),
     ["relevance", "between 0 and 4", "row 1 holds nan"]),
    ("strings", lambda: from_ranking(X, list("abcd"), QID),
     ["relevance must hold real numbers", "<U1"]),
    ("complex", lambda: from_ranking(X, np.array(RELEVANCE) + 1j, QID),
     ["relevance must hold real numbers", "complex128"]),
    ("relevance of two dimensions", lambda: from_ranking(X, [RELEVANCE], QID),
     ["relevance must have one dimension", "shape (1, 4)"]),
    ("relevance too short", lambda: from_ranking(X, RELEVANCE[:3], QID),
     ["X has 4 rows but relevance has 3"]),
    ("qid too short", lambda: from_ranking(X, RELEVANCE, QID[:3]),
     ["X has 4 rows but qid has 3"]),
    ("X too short", lambda: from_ranking(X[:3], RELEVANCE, QID),
     ["X has 3 rows but relevance has 4"]),
    ("qid of two dimensions", lambda: from_ranking(X, RELEVANCE, [QID]),
     ["qid must have one dimension", "shape (1, 4)"]),
    ("qid NaN", lambda: from_ranking(X, RELEVANCE, [1, 1, nan, nan]),
     ["qid must be finite", "row 2 holds nan"]),
    ("qid None", lambda: from_ranking(X, RELEVANCE, [1, 1, None, None]),
     ["qid must hold numbers or strings", "row 2 holds None"]),
    ("qid mixed", lambda: from_ranking(X, RELEVANCE, [1, 1, "a", "a"]),
     ["qid must hold either numbers or strings", "row 2 holds 'a'"]),
    ("qid again", lambda: from_ranking(X, RELEVANCE, [5, 7, 7, 5]),
     ["must stand together", "qid 5 begins again in row 3"]),
    ("qid string again", lambda: from_ranking(X, RELEVANCE, list("abba")),
     ["must stand together", "qid a begins again in row 3"]),
    ("max_documents=1", lambda: from_ranking(X, RELEVANCE, QID, max_documents=1),
     ["max_documents must be an integer from 2", "got 1"]),
    ("max_documents=2.5",
     lambda: from_ranking(X, RELEVANCE, QID, max_documents=2.5),  # type: ignore[arg-type]
     ["max_documents must be an integer from 2", "got 2.5"]),
    ("max_relevance=0", lambda: from_ranking(X, RELEVANCE, QID, max_relevance=0),
     ["max_relevance must be a positive number", "got 0"]),
    ("max_relevance=inf", lambda: from_ranking(X, RELEVANCE, QID, max_relevance=inf),
     ["max_relevance must be a positive number", "got inf"]),
    ("max_relevance='4'",
     lambda: from_ranking(X, RELEVANCE, QID, max_relevance="4"),  # type: ignore[arg-type]
     ["max_relevance must be a positive number", "got '4'"]),
    ("single documents", lambda: from_ranking(X, RELEVANCE, [1, 2, 3, 4]),
     ["at least two actions", "got 1"]),
    ("no document", lambda: from_ranking(X[:0], [], []),
     ["at least one row", "got none"]),
]  # fmt: skip

BAD_INPUTS = [
    pytest.param(make, parts, id=f"{kind}: {what}")
    for kind, cases in (
        ("X", FEATURES),
        ("classes", CLASSES),
        ("labels", LABELS),
        ("costs", COSTS),
        ("ranking", RANKING),
    )
    for what, make, parts in cases
]


@pytest.mark.parametrize(("make", "parts"), BAD_INPUTS)
def test_bad_input_is_refused_in_a_sentence_that_says_what_is_wrong(
    make: Callable[[], Problem], parts: Sequence[str]
) -> None:
    with pytest.raises(DataError) as caught:
        make()

    message = str(caught.value)
    assert [part for part in parts if part not in message] == []
    assert re.fullmatch(r"[^\n]{15,160}[^\n.]", message)
