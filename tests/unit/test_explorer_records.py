"""Records of explorers: loops go by the pair of kernels, and none replaces another."""

from dataclasses import replace
from typing import Any

import pytest

from bakeoff.core.explorers import EXPLORERS, NAMES, by_name, names_of
from bakeoff.core.explorers.base import Name
from bakeoff.core.rounds import loops_of

GREEDY, EPSILON, COVER = (
    EXPLORERS[name] for name in ("greedy", "epsilon-greedy", "cover")
)


def learn(*_: Any) -> None:
    """Another way to learn, of the usual name."""


def test_explorers_with_the_same_kernels_share_their_loops() -> None:
    assert GREEDY.kernels == EPSILON.kernels == "epsilon_greedy"
    assert loops_of(GREEDY) is loops_of(EPSILON)


def test_a_borrowed_kernel_does_not_replace_the_loops_of_its_owner() -> None:
    borrower = replace(EPSILON, name="borrower", learn=learn)

    found = by_name([EPSILON, borrower, COVER])

    assert list(found) == ["epsilon-greedy", "borrower", "cover"]
    assert borrower.kernels == "epsilon_greedy_explore_and_test_explorer_records_learn"
    assert loops_of(borrower) is not loops_of(EPSILON)


def test_two_pairs_of_kernels_in_one_file_have_loops_of_their_own() -> None:
    def other(*_: Any) -> None:
        """Explores in another way."""

    other.__module__ = COVER.explore.__module__
    second = replace(COVER, name="second", explore=other)

    assert COVER.kernels == "cover"
    assert second.kernels == "cover_other_and_cover_learn"


def test_different_kernels_of_one_name_are_refused() -> None:
    def explore(*_: Any) -> None:
        """Explores in another way, under the same name."""

    explore.__module__ = COVER.explore.__module__
    twin = replace(COVER, name="twin", explore=explore)

    with pytest.raises(TypeError) as caught:
        by_name([COVER, twin])

    assert str(caught.value) == (
        "'twin' and 'cover' have different kernels of one name, 'cover': rename their "
        "functions or files"
    )


def test_two_explorers_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match="two explorers are called 'cover'"):
        by_name([COVER, replace(COVER)])


# ---- names and looks


def test_tables_have_the_papers_order() -> None:
    assert list(NAMES) == ["G", "R", "RO", "C-nu", "B", "B-g", "eG", "C-u", "A", "OAA"]


def test_no_two_algorithms_look_alike() -> None:
    looks = [(name.colour, name.dash, name.marker) for name in NAMES.values()]

    assert len(set(looks)) == len(looks)


def test_two_algorithms_of_one_label_are_refused() -> None:
    other = replace(COVER, names=(Name("G", "Not Greedy", 1, "#123456"),))

    with pytest.raises(TypeError, match="two algorithms have the label 'G'"):
        names_of([GREEDY, other])
