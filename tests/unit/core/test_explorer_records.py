"""Records of explorers: loops go by the pair of kernels, and none replaces another."""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from bakeoff.core.explorers import EXPLORERS, NAMES, by_name, names_of
from bakeoff.core.explorers.base import Explorer, Name, Range, ranges_of
from bakeoff.core.rounds import loops_of
from bakeoff.core.types import Costs, Revealed, Sizes

GREEDY, EPSILON, COVER = (EXPLORERS[name] for name in ("greedy", "epsilon-greedy", "cover"))


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
    paper = ["G", "R", "RO", "C-nu", "B", "B-g", "eG", "C-u", "A", "OAA"]

    assert list(NAMES)[: len(paper)] == paper


def test_no_two_algorithms_look_alike() -> None:
    looks = [(name.colour, name.dash, name.marker) for name in NAMES.values()]

    assert len(set(looks)) == len(looks)


def test_two_algorithms_of_one_label_are_refused() -> None:
    other = replace(COVER, names=(Name("G", "Not Greedy", 1, "#123456"),))

    with pytest.raises(TypeError, match="two algorithms have the label 'G'"):
        names_of([GREEDY, other])


# ---- settings and their ranges

every_explorer = pytest.mark.parametrize("explorer", EXPLORERS.values(), ids=EXPLORERS)


@every_explorer
def test_every_number_among_settings_has_a_range(explorer: Explorer) -> None:
    numbers = {f.name for f in fields(explorer.settings) if f.type in (int, float)}

    assert ranges_of(explorer.settings).keys() == numbers


@every_explorer
def test_settings_take_what_their_ranges_hold_and_nothing_else(explorer: Explorer) -> None:
    for name, allowed in ranges_of(explorer.settings).items():
        for value in (allowed.low, allowed.high, -1, 2, 1e9, np.nan, np.inf):
            if value in allowed:
                assert getattr(explorer.settings(**{name: value}), name) == value
            else:
                with pytest.raises(ValueError, match=f"{name} must .*, got"):
                    explorer.settings(**{name: value})


@pytest.mark.parametrize(
    ("allowed", "inside", "outside", "text"),
    [
        (Range(1, 1000), [1, 1000], [0, 1001, np.nan], "lie between 1 and 1000"),
        (Range(0, 1, above=True), [1e-9, 1], [0, 2], "be positive and at most 1"),
        (Range(0, above=True), [1e-9, 1e9], [0, np.inf], "be positive"),
        (Range(2, above=True), [3], [2], "be above 2"),
    ],
)
def test_a_range_holds_its_ends_unless_it_says_above(
    allowed: Range, inside: list[float], outside: list[float], text: str
) -> None:
    assert all(value in allowed for value in inside)
    assert not any(value in allowed for value in [*outside, "1"])
    assert str(allowed) == text


# ---- memory


def bytes_of(state: Any) -> int:
    """The memory of all arrays in a state, but for the costs of the skyline."""

    def arrays(part: Any) -> Iterator[Any]:
        if isinstance(part, tuple) and not isinstance(part, Costs):
            for inner in part:
                yield from arrays(inner)
        elif isinstance(part, np.ndarray):
            yield part

    return sum(array.nbytes for array in arrays(state))


@every_explorer
def test_the_record_says_how_much_memory_a_state_takes(explorer: Explorer) -> None:
    none = np.zeros(0, np.int64)
    revealed = Revealed(Costs(none, none.astype(np.int32), np.zeros(0)), True)
    settings = explorer.settings()

    few, many = (
        bytes_of(explorer.new_state([settings] * 5, sizes, revealed))
        - 5 * explorer.state_bytes(sizes)
        for sizes in (Sizes(9, 2, 2, 9), Sizes(9, 102, 102, 9))
    )

    taken = (many - few) / (5 * 100 * 8)
    assert explorer.state_numbers - 1 < taken <= explorer.state_numbers
