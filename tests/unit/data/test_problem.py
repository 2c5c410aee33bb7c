from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from bakeoff import DataError, DataNotice, Problem

X = np.array([[0.5, 0.0, -2.0], [0.0, 0.0, 0.0], [1.0, 3.0, 0.25], [0.0, 7.0, 1.0]])
Y = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1]])
C = np.array([[0.0, 1.0], [0.25, 0.75], [1.0, 0.5], [0.125, 0.0]])
RELEVANCE = [0, 4, 2, 1]
QID = [7, 7, 3, 3]

Row = list[tuple[int, float]]


def rows_of(problem: Problem, event: int) -> list[Row]:
    """The rows of an event as (index, value) pairs."""
    x = problem.contexts
    rows = []
    for row in range(x.first_row[event], x.first_row[event + 1]):
        entries = slice(x.start[row], x.start[row + 1])
        rows.append(list(zip(x.feature[entries], x.value[entries], strict=True)))
    return rows


def costs_of(problem: Problem, event: int) -> list[float]:
    """The cost of each action of an event."""
    start, right, value = problem.true_costs
    entries = slice(start[event], start[event + 1])
    if value.size:
        return list(value[entries])
    return [float(k not in right[entries]) for k in range(problem.n_actions)]


def all_costs(problem: Problem) -> list[list[float]]:
    return [costs_of(problem, event) for event in range(problem.n)]


# ---- what a problem holds


@pytest.mark.parametrize(
    ("problem", "task", "n", "n_actions"),
    [
        (Problem.from_classes(X, [0, 1, 2, 1]), "multiclass", 4, 3),
        (Problem.from_labels(X, Y), "multilabel", 4, 3),
        (Problem.from_costs(X, C), "cost-sensitive", 4, 2),
        (Problem.from_ranking(X, RELEVANCE, QID), "ranking", 2, 2),
    ],
    ids=["classes", "labels", "costs", "ranking"],
)
def test_a_problem_knows_its_task_and_sizes(
    problem: Problem, task: str, n: int, n_actions: int
) -> None:
    assert problem.task == task
    assert (problem.n, problem.n_actions, problem.n_features) == (n, n_actions, 3)
    assert problem.shares_weights == (task == "ranking")


def test_a_problem_is_named_as_it_is_told() -> None:
    problem = Problem.from_costs(X, C, name="toy")

    assert problem.name == "toy"
    assert repr(problem) == ("Problem('toy', cost-sensitive, n=4, n_features=3, n_actions=2)")


def test_the_bias_comes_last_in_each_row_and_zeros_are_dropped() -> None:
    problem = Problem.from_costs(X, C)

    assert rows_of(problem, 0) == [[(1, 0.5), (3, -2.0), (0, 1.0)]]
    assert rows_of(problem, 1) == [[(0, 1.0)]]
    assert rows_of(problem, 2) == [[(1, 1.0), (2, 3.0), (3, 0.25), (0, 1.0)]]


def test_numbers_that_round_to_zero_in_single_precision_are_dropped() -> None:
    with pytest.warns(DataNotice, match="scale those features up"):
        problem = Problem.from_classes([[1e-60, 2.0], [-0.0, 1e-30]], [0, 1])

    assert rows_of(problem, 0) == [[(2, 2.0), (0, 1.0)]]
    assert rows_of(problem, 1) == [[(2, np.float32(1e-30)), (0, 1.0)]]


def test_without_columns_a_row_is_the_bias_alone() -> None:
    problem = Problem.from_classes(np.zeros((2, 0)), [0, 1])

    assert problem.n_features == 0
    assert rows_of(problem, 1) == [[(0, 1.0)]]


def test_many_rows_are_the_same_rows_as_a_few() -> None:
    times = 50_001  # more rows than are handled in one piece
    many = Problem.from_costs(np.tile(X, (times, 1)), np.tile(C, (times, 1)))

    few = Problem.from_costs(X, C)
    x, size = many.contexts, len(few.contexts.value)
    assert_array_equal(x.feature.reshape(times, size), [few.contexts.feature] * times)
    assert_array_equal(x.value.reshape(times, size), [few.contexts.value] * times)
    assert_array_equal(np.diff(x.start), np.tile(np.diff(few.contexts.start), times))


def test_features_are_kept_in_single_precision() -> None:
    problem = Problem.from_classes([[0.1], [1 / 3]], [0, 1])

    assert problem.contexts.value.dtype == np.float32
    assert rows_of(problem, 1) == [[(1, np.float32(1 / 3)), (0, 1.0)]]


# ---- classes


def test_the_right_class_costs_nothing_and_the_others_one() -> None:
    problem = Problem.from_classes(X, [2, 0, 1, 0])

    assert all_costs(problem) == [[1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 1, 1]]


@pytest.mark.parametrize(
    ("y", "names"),
    [
        (["dog", "cat", "emu", "cat"], ("cat", "dog", "emu")),
        (np.array(["dog", "cat", "emu", "cat"], object), ("cat", "dog", "emu")),
        ([30, -5, 40, -5], ("-5", "30", "40")),
        ([0.5, 0.25, 2.0, 0.25], ("0.25", "0.5", "2.0")),
        (np.array([30, -5, 40, -5], object), ("-5", "30", "40")),
    ],
    ids=["strings", "objects", "not contiguous", "floats", "integer objects"],
)
def test_actions_are_the_classes_that_occur_in_sorted_order(y: Any, names: tuple[str, ...]) -> None:
    problem = Problem.from_classes(X, y)

    assert problem.n_actions == 3
    assert problem.class_names == names
    assert_array_equal(problem.true_costs.right, [1, 0, 2, 0])


def test_booleans_are_two_classes() -> None:
    problem = Problem.from_classes(X, [True, False, True, True])

    assert problem.class_names == ("False", "True")
    assert_array_equal(problem.true_costs.right, [1, 0, 1, 1])


def test_there_may_be_more_actions_than_classes_that_occur() -> None:
    problem = Problem.from_classes(X, [3, 0, 0, 3], n_actions=5)

    assert problem.n_actions == 5
    assert costs_of(problem, 0) == [1, 1, 1, 0, 1]
    assert problem.class_names is None


def test_with_n_actions_whole_floats_are_classes() -> None:
    problem = Problem.from_classes(X, [1.0, 0.0, 0.0, 1.0], n_actions=2)

    assert_array_equal(problem.true_costs.right, [1, 0, 0, 1])


def test_class_names_replace_those_that_occur() -> None:
    problem = Problem.from_classes(X, [9, 7, 9, 7], class_names=["low", "high"])

    assert problem.class_names == ("low", "high")
    assert_array_equal(problem.true_costs.right, [1, 0, 1, 0])


# ---- labels


def test_every_label_of_a_row_costs_nothing() -> None:
    problem = Problem.from_labels(X, Y)

    assert all_costs(problem) == [[0, 1, 0], [1, 1, 1], [1, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    "labels",
    [
        Y.astype(bool),
        Y.astype(np.float16),
        Y.astype(object),
        sparse.csr_array(Y),
        sparse.csc_matrix(Y),
        sparse.coo_array(Y),
        [[2, 0], [], [1], (0, 2, 1)],
        [{0, 2}, set(), np.array([1]), range(3)],
    ],
    ids=["bool", "half", "object", "csr", "csc", "coo", "lists", "sets and arrays"],
)
def test_labels_may_come_in_many_forms(labels: Any) -> None:
    problem = Problem.from_labels(X, labels)

    assert problem.digest == Problem.from_labels(X, Y).digest


def test_labels_stand_in_ascending_order() -> None:
    unsorted = sparse.csr_array(([1, 1, 1], [2, 0, 1], [0, 3, 3]), shape=(2, 3))

    problem = Problem.from_labels(X[:2], unsorted)

    assert_array_equal(problem.true_costs.right, [0, 1, 2])


def test_a_problem_may_have_no_label_at_all() -> None:
    problem = Problem.from_labels(X, np.zeros((4, 3)))

    assert problem.uniform_cost == 1.0
    assert problem.constant_action_cost == 1.0
    assert all_costs(problem.shuffled(1)) == [[1, 1, 1]] * 4


# ---- costs


def test_costs_are_kept_in_double_precision() -> None:
    costs = np.array([[1 / 3, 1.0], [0.1, 0.0]])

    problem = Problem.from_costs(X[:2], costs)

    assert all_costs(problem) == costs.tolist()


def test_costs_in_columns_are_read_row_by_row() -> None:
    problem = Problem.from_costs(X, np.asfortranarray(C))

    assert all_costs(problem) == C.tolist()


# ---- ranking


def test_a_document_costs_one_minus_its_relevance_over_the_largest() -> None:
    problem = Problem.from_ranking(X, [0, 4, 2, 1], QID)
    coarse = Problem.from_ranking(X, [0, 4, 2, 1], QID, max_relevance=8)

    assert all_costs(problem) == [[1.0, 0.0], [0.5, 0.75]]
    assert all_costs(coarse) == [[1.0, 0.5], [0.75, 0.875]]


def test_the_first_documents_of_a_query_are_kept_in_file_order() -> None:
    documents = np.arange(1.0, 8.0)[:, None]
    relevance = [4, 3, 2, 1, 0, 4, 3]

    problem = Problem.from_ranking(
        documents, relevance, ["b", "b", "b", "b", "a", "a", "a"], max_documents=2
    )

    assert [[row[0][1] for row in rows_of(problem, e)] for e in range(2)] == [
        [1.0, 2.0],
        [5.0, 6.0],
    ]
    assert all_costs(problem) == [[0.0, 0.25], [1.0, 0.0]]
    assert problem.n_actions == 2


def test_ten_documents_are_kept_unless_told_otherwise() -> None:
    problem = Problem.from_ranking(np.ones((12, 1)), [0] * 12, [0] * 12)

    assert problem.n_actions == 10


def test_a_query_may_have_one_document() -> None:
    problem = Problem.from_ranking(X, RELEVANCE, [5, 2, 2, 9])

    assert (problem.n, problem.n_actions) == (3, 2)
    assert all_costs(problem) == [[1.0], [0.0, 0.5], [0.75]]
    assert [len(rows_of(problem, e)) for e in range(3)] == [1, 2, 1]


# ---- constant and uniform policies


def test_the_cost_of_uniform_choice_is_the_mean_over_actions() -> None:
    classes = Problem.from_classes(X, [0, 1, 1, 1], n_actions=4)
    labels = Problem.from_labels(X, Y)
    costs = Problem.from_costs(X, C)
    ranking = Problem.from_ranking(X, RELEVANCE, [5, 2, 2, 9])

    assert classes.uniform_cost == 3 / 4
    assert labels.uniform_cost == (1 / 3 + 1 + 2 / 3 + 0) / 4
    assert costs.uniform_cost == (0.5 + 0.5 + 0.75 + 0.0625) / 4
    assert ranking.uniform_cost == (1.0 + 0.25 + 0.75) / 3


def test_the_cost_of_the_best_constant_action_is_a_mean_over_events() -> None:
    classes = Problem.from_classes(X, [0, 1, 1, 1], n_actions=4)
    labels = Problem.from_labels(X, Y[:, [0, 1, 1]])
    costs = Problem.from_costs(X, C)
    ranking = Problem.from_ranking(X, RELEVANCE, QID)
    lone = Problem.from_ranking(X, RELEVANCE, [5, 2, 2, 9])

    assert classes.constant_action_cost == 1 / 4
    assert labels.constant_action_cost == 2 / 4
    assert costs.constant_action_cost == (0.0 + 0.25 + 1.0 + 0.125) / 4
    assert ranking.constant_action_cost == (0.0 + 0.75) / 2
    assert lone.constant_action_cost == (1.0 + 0.0 + 0.75) / 3  # all have a first


# ---- digests


def duplicated(dense: Any) -> Any:
    """The matrix as unsorted CSR, each entry split in two halves."""
    rows, columns = dense.shape
    indices = np.tile(np.arange(columns)[::-1], 2 * rows)
    halves = np.repeat(dense[:, ::-1] / 2, 2, axis=0).ravel()
    starts = np.arange(rows + 1) * 2 * columns
    return sparse.csr_array((halves, indices, starts), shape=dense.shape)


@pytest.mark.parametrize(
    "features",
    [
        X.tolist(),
        X.astype(np.float32),
        X.astype(np.float16),
        X.astype(np.longdouble),
        X.astype(object),
        np.asfortranarray(X),
        np.repeat(X, 2, axis=0)[::2],
        sparse.csr_array(X),
        sparse.csr_matrix(X.astype(np.float32)),
        sparse.csc_array(X),
        sparse.coo_array(X),
        duplicated(X),
        duplicated(X.astype(np.float32)),
        sparse.csr_array((X.ravel(), [0, 1, 2] * 4, range(0, 13, 3)), shape=(4, 3)),
    ],
    ids=[
        "lists", "single", "half", "long double", "object", "by columns", "strided",
        "csr", "csr single", "csc", "coo", "duplicates", "duplicates single",
        "explicit zeros",
    ],
)  # fmt: skip
def test_the_digest_depends_on_numbers_not_on_how_they_are_stored(features: Any) -> None:
    problem = Problem.from_costs(features, C)

    assert problem.digest == Problem.from_costs(X, C).digest


def test_integer_features_have_the_digest_of_the_same_floats() -> None:
    whole = np.array([[1, 0], [0, -3]], np.int8)

    digests = {
        Problem.from_classes(form, [0, 1]).digest
        for form in (whole, whole.astype(float), sparse.csr_array(whole))
    }

    assert len(digests) == 1


def test_duplicates_of_small_integers_add_up_without_overflow() -> None:
    twice = sparse.csr_array((np.array([100, 100, 1], np.int8), [0, 0, 0], [0, 2, 3]), shape=(2, 1))

    problem = Problem.from_classes(twice, [0, 1])

    assert rows_of(problem, 0) == [[(1, 200.0), (0, 1.0)]]


@pytest.mark.parametrize(
    "other",
    [
        Problem.from_costs(X[::-1], C[::-1]),
        Problem.from_costs(X[::-1], C),
        Problem.from_costs(X * np.float32(1 + 2**-23), C),
        Problem.from_costs(X, C * (1 - 2**-53)),
        Problem.from_costs(np.hstack((X, np.zeros((4, 1)))), C),
        Problem.from_costs(X, np.hstack((C, np.zeros((4, 1))))),
        Problem.from_costs(X[:3], C[:3]),
        Problem.from_costs(X, C).shuffled(3),
    ],
    ids=[
        "order", "order of features", "values", "costs", "a column more",
        "an action more", "a row less", "shuffled",
    ],
)  # fmt: skip
def test_the_digest_changes_with_the_content(other: Problem) -> None:
    assert other.digest != Problem.from_costs(X, C).digest


def test_the_digest_tells_tasks_apart() -> None:
    by_class = Problem.from_classes(X, [0, 1, 1, 0])
    by_label = Problem.from_labels(X, [[0], [1], [1], [0]])

    assert by_class.digest != by_label.digest


def test_the_digest_does_not_depend_on_names() -> None:
    problem = Problem.from_classes(X, [0, 1, 1, 0])
    renamed = Problem.from_classes(X, list("abba"), class_names=["no", "yes"])
    relabelled = Problem.from_classes(X, [0, 1, 1, 0], name="other")

    assert problem.digest == renamed.digest == relabelled.digest


def test_the_digest_does_not_tell_negative_zeros_from_zeros() -> None:
    negative = Problem.from_costs(-X * [0.0, 1.0, 1.0], np.where(C == 0, -0.0, C))
    positive = Problem.from_costs(-X * [-0.0, 1.0, 1.0], C)

    assert negative.digest == positive.digest


# ---- shuffling

BIG = np.random.default_rng(4).normal(size=(60, 3)) * [1, 1, 0]
SHUFFLED = {
    "classes": Problem.from_classes(BIG, np.arange(60) % 7, class_names=list("abcdefg")),
    "labels": Problem.from_labels(BIG, [list(range(i % 4)) for i in range(60)]),
    "costs": Problem.from_costs(BIG, np.arange(180).reshape(60, 3) / 180),
    "ranking": Problem.from_ranking(
        BIG, np.arange(60) / 15, np.sqrt(np.arange(60)).astype(int), max_documents=5
    ),
}


@pytest.mark.parametrize("kind", SHUFFLED)
@pytest.mark.parametrize("seed", [0, 20181])
def test_shuffling_puts_events_in_the_order_of_a_permutation(kind: str, seed: int) -> None:
    problem = SHUFFLED[kind]
    order = np.random.default_rng(seed).permutation(problem.n)

    shuffled = problem.shuffled(seed)

    assert [rows_of(shuffled, e) for e in range(problem.n)] == [rows_of(problem, e) for e in order]
    assert all_costs(shuffled) == [costs_of(problem, e) for e in order]


@pytest.mark.parametrize("kind", SHUFFLED)
def test_shuffling_keeps_sizes_and_names(kind: str) -> None:
    problem = SHUFFLED[kind]

    shuffled = problem.shuffled(7)

    assert repr(shuffled) == repr(problem)
    assert shuffled.class_names == problem.class_names
    assert shuffled.uniform_cost == pytest.approx(
        problem.uniform_cost,
        rel=1e-15 * problem.n,  # a sum in another order
    )


def test_shuffling_equals_a_problem_made_from_shuffled_rows() -> None:
    order = np.random.default_rng(2).permutation(60)
    y = np.arange(60) % 7

    shuffled = Problem.from_classes(BIG, y).shuffled(2)

    assert shuffled.digest == Problem.from_classes(BIG[order], y[order]).digest


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None, True])
def test_shuffling_takes_a_natural_number(seed: Any) -> None:
    with pytest.raises(DataError, match="seed must be an integer from 0"):
        SHUFFLED["classes"].shuffled(seed)


# ---- the caller's arrays


def parts_of(array: Any) -> list[Any]:
    """The arrays that an array, dense or sparse, is stored in."""
    if not sparse.issparse(array):
        return [array]
    return [getattr(array, name) for name in ("data", "indices", "indptr")]


def untidy(dense: Any) -> Any:
    """A CSR matrix that is unsorted, has duplicates (of zeros) and explicit zeros."""
    rows, columns = dense.shape
    indices = np.tile(np.r_[np.arange(columns)[::-1], 0], rows)
    values = np.hstack((dense[:, ::-1], np.zeros((rows, 1), dense.dtype))).ravel()
    starts = np.arange(rows + 1) * (columns + 1)
    return sparse.csr_array((values, indices, starts), shape=dense.shape)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array, untidy])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_callers_arrays_are_never_modified(form: Any, dtype: Any) -> None:
    features, labels = form(X.astype(dtype)), form(Y.astype(dtype))
    costs = form(C.astype(dtype))
    y, relevance = np.array([1, 0, 1, 0]), np.array(RELEVANCE, dtype)
    given = [features, labels, costs, y, relevance]
    before = [[part.copy() for part in parts_of(array)] for array in given]

    Problem.from_classes(features, y, n_actions=3).shuffled(1)
    Problem.from_labels(features, labels).shuffled(1)
    Problem.from_costs(features, costs).shuffled(1)
    Problem.from_ranking(features, relevance, np.array(QID)).shuffled(1)

    for array, copies in zip(given, before, strict=True):
        for part, copy in zip(parts_of(array), copies, strict=True):
            assert_array_equal(part, copy)


def test_a_problem_does_not_change_when_the_callers_arrays_do() -> None:
    features, costs = X.astype(np.float32), C.copy()
    problem = Problem.from_costs(features, costs)

    features[:], costs[:] = 9, 0.5

    assert all_costs(problem) == C.tolist()
    assert rows_of(problem, 0) == [[(1, 0.5), (3, -2.0), (0, 1.0)]]


# ---- data frames


def test_a_polars_frame_is_read_like_an_array() -> None:
    polars = pytest.importorskip("polars")

    problem = Problem.from_classes(
        polars.DataFrame(X.tolist(), orient="row"), polars.Series(list("abba"))
    )

    assert problem.digest == Problem.from_classes(X, [0, 1, 1, 0]).digest


def test_missing_values_in_a_polars_frame_are_left_out_but_not_classes() -> None:
    polars = pytest.importorskip("polars")
    holes = polars.DataFrame({"a": [1.0, None], "b": [1.0, 2.0]})
    whole = holes.fill_null(0.0)

    from_holes = Problem.from_classes(holes, [0, 1])
    assert from_holes.digest == Problem.from_classes(whole, [0, 1]).digest
    with pytest.raises(DataError, match="row 1 holds None"):
        Problem.from_classes(whole, polars.Series(["a", None]))
    with pytest.raises(DataError, match="row 1 holds nan"):
        Problem.from_classes(whole, polars.Series([3, None]))


@pytest.mark.parametrize("tiny", [9e-20, -1e-30, 1e-50])
@pytest.mark.parametrize("make", [np.array, sparse.csr_array])
def test_features_whose_squares_vanish_get_a_notice(tiny: float, make: Callable[..., Any]) -> None:
    X = make([[1.0, tiny], [2.0, 1.0]])

    with pytest.warns(DataNotice, match="below 1e-19 in magnitude; their squares"):
        Problem.from_classes(X, [0, 1])


def test_small_features_whose_squares_are_numbers_get_none() -> None:
    Problem.from_classes([[1.1e-19, 0.0], [-1.1e-19, 1.0]], [0, 1])
