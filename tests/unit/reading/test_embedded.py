"""The embedded suite: what its problems are made of, and that they stay the same."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from bakeoff import Problem, Run, simulate
from bakeoff.core.types import Doubles, Floats
from bakeoff.reading.catalog.embedded import sources
from bakeoff.reading.catalog.source import Source
from bakeoff.reading.options import Options

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)

DIGESTS = {  # those of real data change only if scikit-learn changes its data
    "digits": "9c8b52ac88ba3bea1c795a66b6afb8a10edbaae2a2df6ebf6272857ba43b3781",
    "iris": "8eb1bbdde63f50a311a9192b7f0082db4f82b5f847977b8cdc392190ce3b07cd",
    "wine": "2462563d7c22bff278ad680297bc42cd0920ffac89852013b9a8efb8b200226e",
    "breast_cancer": "fe48038b2295ce434dd5afce9c86ac7ee8b82106da8e4de92908a82434de04aa",
    "digits-majority": ("1acd8a96c639e0412acc777e7c55f063703e98cb98a143e2913fcee99d721087"),
    "iris-majority": "0cb382645029b380d852366e96504941bf5580b5d726a4adc06162e35dc977cd",
    "wine-majority": "e9b54f75aac34d2cf5a3a4e88222342cf56cce6f1f5ce19af17bcbe48239c556",
    "digits-properties": ("800ca80da8a8c7a564b0eee234eb6633a7fe735fe4ed5ab43942a4bcaa7e7b9e"),
    "wine-traits": "528a4e511c937816ae7e0869c5a477b0eefb108c8ab86097a2415738f32ab9e7",
    "digits-distance": ("121bc00617cb8040bc0aa0a26c9a939ae3e1428e80f1113b59464f93f28d8fb4"),
    "iris-tree": "bfef755b78bd8ace41ec9e30aa4550bd819ace764c95f53a938d89e7a96dd522",
    "breast_cancer-triage": ("638b3108b0d248a23112c4046ac0a3d151cedf80b15933042b1c2022f6e5afd0"),
    "digits-largest": ("3b21a38588abb7cba699f69d15d204e1cacca3d17aade9df591020a2b2b14857"),
    "digits-nearest": ("7c2fc6fea64e9262301ba228e5d647b8cae588591088949087989171e3256505"),
    "greedy-trap": "430cc7538822355159cc86ee245b924d5176d6ca1b013fcb9a1f4937456458ef",
    "shared-baseline": ("d32a9a6aac6c973db4ed65b891060a8775eecf3c04a354e5aad85cd35e2e4000"),
    "rich-contexts": "4b581a47b64306e8e509b90e8587edec76650e40a54bf47e807de55a3771bd45",
}

each_source = pytest.mark.parametrize("source", sources(), ids=lambda s: s.name)


def read(name: str) -> Problem:
    """The problem of that name."""
    (source,) = (source for source in sources() if source.name == name)
    return source.read(Options())


def features_of(problem: Problem) -> Floats:
    """The rows of features without the bias, zeros and all."""
    x = problem.contexts
    shape = (len(x.start) - 1, problem.n_features + 1)
    dense: Floats = sparse.csr_array((x.value, x.feature, x.start), shape).toarray()
    return dense[:, 1:]


def costs_of(problem: Problem) -> Doubles:
    """The cost of each action (n, K), where the actions have no rows of their own."""
    costs = problem.true_costs
    if costs.value.size:
        return costs.value.reshape(problem.n, problem.n_actions)
    dense = np.ones((problem.n, problem.n_actions))
    dense[np.repeat(np.arange(problem.n), np.diff(costs.start)), costs.right] = 0
    return dense


# ---- the suite


def test_the_suite_holds_one_problem_of_each_name() -> None:
    names = [source.name for source in sources()]

    assert sorted(names) == sorted(DIGESTS)


@each_source
def test_a_source_knows_the_task_and_the_name_before_it_is_read(source: Source) -> None:
    problem = source.read(Options())

    assert problem.name == source.name
    assert problem.task == source.task
    assert source.origin == f"embedded:{source.name}"
    assert source.is_here()
    assert source.fetch is None


@each_source
def test_a_problem_can_be_given_another_name(source: Source) -> None:
    problem = source.read(Options(name="mine"))

    assert problem.name == "mine"
    assert problem.digest == DIGESTS[source.name]


@each_source
def test_the_skyline_is_better_than_the_best_constant_action(source: Source) -> None:
    problem = source.read(Options()).shuffled(1)

    results = simulate(problem, [Run("supervised", learning_rate=r) for r in RATES])

    assert min(result.pv_loss for result in results) < problem.constant_action_cost


# ---- classes


def test_features_of_real_data_are_left_as_they_come() -> None:
    problem = read("breast_cancer")

    X, y = load_breast_cancer(return_X_y=True)
    assert_array_equal(features_of(problem), X.astype(np.float32))
    assert_array_equal(problem.true_costs.right, y)
    assert problem.class_names == ("malignant", "benign")


@pytest.mark.parametrize(
    ("name", "majority", "count"),
    [("digits", "3", 183), ("iris", "setosa", 50), ("wine", "class_1", 71)],
)
def test_the_most_frequent_class_stands_against_the_rest(
    name: str, majority: str, count: int
) -> None:
    whole, problem = read(name), read(f"{name}-majority")

    assert problem.class_names == ("rest", majority)
    assert whole.class_names is not None
    is_majority = whole.true_costs.right == whole.class_names.index(majority)
    assert is_majority.sum() == count
    assert_array_equal(problem.true_costs.right, is_majority)
    assert_array_equal(features_of(problem), features_of(whole))


# ---- sets of labels


def test_the_labels_of_a_digit_are_its_properties() -> None:
    problem = read("digits-properties")

    _, y = load_digits(return_X_y=True)
    is_prime = [k > 1 and all(k % j for j in range(2, k)) for k in range(10)]
    is_square = [k in {j * j for j in range(4)} for k in range(10)]
    has_loop = [k in {0, 6, 8, 9} for k in range(10)]
    expected = [y % 2 == 0, *np.array([is_prime, is_square, has_loop])[:, y], y >= 5]
    assert problem.class_names == ("even", "prime", "square", "loop", "large")
    assert_array_equal(costs_of(problem), 1.0 - np.transpose(expected))


def test_what_makes_a_label_of_a_wine_is_not_among_its_features() -> None:
    problem = read("wine-traits")

    X = load_wine().data
    labels, kept = [0, 1, 5, 9], [2, 3, 4, 6, 7, 8, 10, 11, 12]
    above = X[:, labels] > np.median(X[:, labels], axis=0)
    assert_array_equal(features_of(problem), X[:, kept].astype(np.float32))
    assert_array_equal(costs_of(problem), 1.0 - above)


# ---- costs


def test_taking_a_digit_for_another_costs_the_gap_between_them() -> None:
    problem = read("digits-distance")

    _, y = load_digits(return_X_y=True)
    expected = [[abs(k - int(digit)) / 9 for k in range(10)] for digit in y]
    assert_array_equal(costs_of(problem), expected)


def test_sister_species_cost_half() -> None:
    costs = costs_of(read("iris-tree"))

    y = load_iris().target
    assert (costs[y == 0] == [0, 1, 1]).all()
    assert (costs[y == 1] == [1, 0, 0.5]).all()
    assert (costs[y == 2] == [1, 0.5, 0]).all()


def test_a_biopsy_is_never_right_and_discharging_a_cancer_is_worst() -> None:
    problem = read("breast_cancer-triage")

    y = load_breast_cancer().target  # 0 is malignant
    assert problem.class_names == ("discharge", "treat", "biopsy")
    assert (costs_of(problem)[y == 0] == [1, 0, 0.2]).all()
    assert (costs_of(problem)[y == 1] == [0, 0.5, 0.2]).all()


# ---- ranking


@pytest.mark.parametrize("name", ["digits-largest", "digits-nearest"])
def test_queries_have_five_to_ten_documents(name: str) -> None:
    problem = read(name)

    sizes = np.diff(problem.contexts.first_row)
    assert problem.n == 1000
    assert set(sizes.tolist()) == {5, 6, 7, 8, 9, 10}


def test_documents_are_different_images_graded_by_their_digit() -> None:
    problem = read("digits-largest")

    X, y = load_digits(return_X_y=True)
    digit_of = {x.tobytes(): int(k) for x, k in zip(X.astype("f4"), y, strict=True)}
    documents = [x.tobytes() for x in features_of(problem)]
    grades = np.array([digit_of[document] // 2 for document in documents])
    assert_array_equal(problem.true_costs.value, 1 - grades / 4)
    for first, last in pairwise(problem.contexts.first_row):
        assert len(set(documents[first:last])) == last - first


def test_each_query_for_an_image_has_a_document_of_its_digit() -> None:
    problem = read("digits-nearest")

    costs = problem.true_costs
    assert (np.minimum.reduceat(costs.value, costs.start[:-1]) == 0).all()


def test_the_document_most_like_the_given_image_is_a_good_choice() -> None:
    problem = read("digits-nearest")

    difference = features_of(problem).sum(axis=1)
    chosen = [
        first + difference[first:last].argmin()
        for first, last in pairwise(problem.contexts.first_row)
    ]
    assert problem.true_costs.value[chosen].mean() < problem.uniform_cost / 2
