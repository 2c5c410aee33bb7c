"""Files of Vowpal Wabbit text."""

from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_array_equal

from bakeoff.data.problem import Problem
from bakeoff.reading.formats import vw_text
from bakeoff.reading.formats.vw_lines import natural
from bakeoff.reading.options import Options


def read(folder: Path, text: str, file: str = "rows.vw", **options: Any) -> Problem:
    path = folder / file
    path.write_bytes(text.encode())
    return vw_text.read(path, Options(**options))


# ---- features


def test_a_feature_without_value_is_1_and_one_of_value_0_is_absent(tmp_path: Path) -> None:
    problem = read(tmp_path, "1 | a:0.5 b\n2 | b:-2 a:0 c:0.0\n")

    assert problem.digest == Problem.from_classes([[0.5, 1], [0, -2]], [1, 2]).digest


def test_a_name_in_another_namespace_is_another_feature(tmp_path: Path) -> None:
    problem = read(tmp_path, "1 |n a:1 |m a:2 | a:3\n2 |n a:4\n")

    expected = Problem.from_classes([[3, 2, 1], [0, 0, 4]], [1, 2])
    assert problem.digest == expected.digest


def test_a_namespace_multiplies_its_values(tmp_path: Path) -> None:
    problem = read(tmp_path, "1 |n:0.5 a:4 b |m a\n2 |n:-2 b|n a:7\n")

    expected = Problem.from_classes([[1, 2, 0.5], [0, 7, -2]], [1, 2])
    assert problem.digest == expected.digest


def test_values_of_a_repeated_feature_add_up(tmp_path: Path) -> None:
    problem = read(tmp_path, "1 |n a:2 a b |n a:0.5\n2 | c:1 c:-1 |n b\n")

    expected = Problem.from_classes([[0, 3.5, 1], [0, 0, 1]], [1, 2])
    assert problem.digest == expected.digest


def test_columns_do_not_depend_on_the_order_of_rows(tmp_path: Path) -> None:
    lines = ["1 | f10:1 f9:2", "2 | x:3", "3 | f1:4 z10a:5", "4 | z9a:6"]
    X = [[0, 2, 1, 0, 0, 0], [0, 0, 0, 3, 0, 0], [4, 0, 0, 0, 0, 5], [0, 0, 0, 0, 6, 0]]

    forward = read(tmp_path, "\n".join(lines))
    backward = read(tmp_path, "\n".join(lines[::-1]))

    assert forward.digest == Problem.from_classes(X, [1, 2, 3, 4]).digest
    assert backward.digest == Problem.from_classes(X[::-1], [4, 3, 2, 1]).digest


def test_numbers_in_names_are_sorted_by_size() -> None:
    names = [b"", b"7", b"0010", b"10", b"f", b"f2", b"f02b", b"f10", b"f10b2", b"fa"]

    assert sorted(names[4:] + names[:4], key=natural) == names
    assert natural(b"f" + b"9" * 5000) > natural(b"f" + b"1" * 5000)


def test_names_may_be_numbers_or_words_of_any_language(tmp_path: Path) -> None:
    problem = read(tmp_path, "1 |größe 12:2 höhe^3\n2 |größe 7\n")

    assert problem.digest == Problem.from_classes([[0, 2, 1], [1, 0, 0]], [1, 2]).digest


# ---- classes


def test_tags_blanks_and_an_importance_of_1_do_not_matter(tmp_path: Path) -> None:
    plain = read(tmp_path, "1 | a\n2 | b\n1 | b\n")

    adorned = read(tmp_path, "\ufeff1 1.0 'tag |\ta \r\n\r\n2 touching| b\r\n  1 1 tag2|  b")

    assert adorned.digest == plain.digest


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["10", "9", "-1"], ("-1", "9", "10")),
        (["1.0", "2.0", "1"], ("1", "2")),
        (["dog", "Cat", "é"], ("Cat", "dog", "é")),
    ],
)
def test_classes_are_integers_or_words(
    labels: list[str], names: tuple[str, ...], tmp_path: Path
) -> None:
    problem = read(tmp_path, "".join(f"{label} | x\n" for label in labels))

    assert problem.class_names == names
    right = [problem.class_names[k] for k in problem.true_costs.right]
    assert right == [label.removesuffix(".0") for label in labels]


# ---- costs


def test_costs_may_be_in_any_order(tmp_path: Path) -> None:
    problem = read(tmp_path, "10:0.25 2:1 'tag | a\n\n2:0 10:0.5 | b\n")

    expected = Problem.from_costs([[1, 0], [0, 1]], [[1, 0.25], [0, 0.5]])
    assert problem.digest == expected.digest
    assert problem.class_names == ("2", "10")


def test_costs_of_named_actions(tmp_path: Path) -> None:
    problem = read(tmp_path, "stay:0.25 go:1 | a\ngo:0 stay:0.5 | b\n")

    assert problem.task == "cost-sensitive"
    assert problem.class_names == ("go", "stay")
    assert_array_equal(problem.true_costs.value, [1, 0.25, 0, 0.5])


# ---- actions with features of their own

EVENTS = """shared |s u:2 |a x
1:0.5 |a x:0.5
2:1 'tag |a y

1:0 |a x
7:0.25 |a y |s u

shared |s v
3:1 |a z
"""


def test_an_action_has_its_own_features_and_those_of_its_event(tmp_path: Path) -> None:
    problem = read(tmp_path, EVENTS)

    X = [  # a^x, a^y, a^z, s^u, s^v
        [1.5, 0, 0, 2, 0],
        [1, 1, 0, 2, 0],
        [1, 0, 0, 0, 0],
        [0, 1, 0, 1, 0],
        [0, 0, 1, 0, 1],
    ]
    costs = [0.5, 1, 0, 0.25, 1]
    expected = Problem.from_action_costs(X, costs, [1, 1, 2, 2, 3])
    assert problem.digest == expected.digest
    assert problem.task == "ranking"


def test_all_actions_are_kept_unless_a_number_is_given(tmp_path: Path) -> None:
    text = "".join(f"{k}:{k / 20} | x{k}\n" for k in range(1, 15)) + "\n"

    assert read(tmp_path, text).n_actions == 14
    few = read(tmp_path, text, max_documents=3)
    assert few.n_actions == 3
    assert_array_equal(few.true_costs.value, [0.05, 0.1, 0.15])


def test_several_blank_lines_end_an_event_as_one_does(tmp_path: Path) -> None:
    airy = "\n \n" + EVENTS.replace("\n\n", "\n\n\t\n\n") + "\n\n"

    assert read(tmp_path, airy).digest == read(tmp_path, EVENTS).digest
