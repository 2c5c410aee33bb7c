"""Learning rates that are elected on other datasets, worked by hand."""

from typing import Any

import polars as pl
import pytest

from bakeoff.judging.losses import Losses
from bakeoff.judging.rates import at_rates, full_grid, rate_for_all, rates_elsewhere
from tests.results import losses, result

GREEDY = pl.col("algorithm") == "G"
RATES = (0.1, 1.0, 10.0)


def grid(problem: str, *values: float | None, **others: Any) -> list[dict[str, Any]]:
    """Losses of Greedy at the rates from the lowest up."""
    return [
        result(value, problem=problem, learning_rate=rate, **others)
        for rate, value in zip(RATES, values, strict=False)
    ]


def elected(found: Losses) -> dict[str, float]:
    """By the name of the problem."""
    rates = rates_elsewhere(found, GREEDY)
    return {digest.removeprefix("d-"): rate for digest, rate in rates.items()}


def test_a_dataset_takes_the_rate_of_the_others() -> None:
    found = losses(
        *grid("a", 0.0, 0.5, 0.5),  # with its vote all would take 0.1
        *grid("b", 0.25, 0.5, 0.25),
        *grid("c", 0.5, 0.25, 0.25),
    )

    assert elected(found) == {"a": 10.0, "b": 0.1, "c": 0.1}


@pytest.mark.parametrize("own", [(0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)])
def test_a_datasets_own_losses_do_not_change_its_rate(own: tuple[float, ...]) -> None:
    found = losses(*grid("a", *own), *grid("b", 0.5, 0.25, 0.75), *grid("c", 0.5, 0.5, 0.75))

    assert elected(found)["a"] == 1.0


def test_of_rates_as_good_as_each_other_the_lowest_is_taken() -> None:
    found = losses(
        *grid("a", 0.5, 0.5, 0.0), *grid("b", 0.5, 0.25, 0.5), *grid("c", 0.5, 0.5, 0.25)
    )

    assert elected(found)["a"] == 1.0


def test_rounding_does_not_decide_between_rates() -> None:
    """Of b, c and d both sums are 0.6; with a's losses added and taken away again the
    first is 0.6000000000000001, the second 0.5999999999999999.
    """
    found = losses(
        *grid("a", 0.7, 0.2), *grid("b", 0.1, 0.3), *grid("c", 0.2, 0.2), *grid("d", 0.3, 0.1)
    )

    assert elected(found)["a"] == 0.1


def test_a_dataset_without_all_rates_has_no_say_but_gets_one() -> None:
    found = losses(*grid("a", 0.5, 0.25, 0.5), *grid("b", 0.5, 0.25, 0.5), *grid("c", 0.0, 1.0))

    assert elected(found) == {"a": 1.0, "b": 1.0, "c": 1.0}


def test_a_dataset_on_which_a_rate_failed_has_no_say() -> None:
    found = losses(*grid("a", 0.5, 0.25), *grid("b", 0.5, 0.25), *grid("c", 0.0, None))

    assert elected(found) == {"a": 1.0, "b": 1.0, "c": 1.0}


def test_a_dataset_that_is_alone_gets_no_rate() -> None:
    assert elected(losses(*grid("a", 0.5, 0.25))) == {}


def test_the_only_one_with_a_say_gets_no_rate_but_the_others_do() -> None:
    found = losses(*grid("a", 0.5, 0.25), *grid("b", 0.5)[:1])

    assert elected(found) == {"b": 1.0}


def test_without_results_there_are_no_rates() -> None:
    assert elected(losses()) == {}


def test_a_rate_played_on_few_datasets_does_not_stand() -> None:
    rows = [row for name in "abc" for row in grid(name, 0.5, 0.25)]
    stray = result(0.0, problem="a", learning_rate=30.0)

    found = losses(*rows, stray)

    assert elected(found) == {"a": 1.0, "b": 1.0, "c": 1.0}
    kept = full_grid(found.settings)
    assert kept["learning_rate"].unique().sort().to_list() == [0.1, 1.0]


def test_one_rate_for_all_is_elected_everywhere() -> None:
    assert elected(losses(*grid("a", 0.5), *grid("b", 0.25))) == {"a": 0.1, "b": 0.1}


def test_settings_are_those_at_each_datasets_own_rate() -> None:
    found = losses(*grid("a", 0.1, 0.2, 0.3), *grid("b", 0.1, 0.2, 0.3), *grid("c", 0.1, 0.2, 0.3))

    kept = found.settings.filter(at_rates({"d-a": 10.0, "d-b": 0.1}))

    assert kept.select("digest", "loss").rows() == [("d-a", 0.3), ("d-b", 0.1)]


def test_without_rates_no_setting_is_left() -> None:
    found = losses(*grid("a", 0.1, 0.2, 0.3))

    assert found.settings.filter(at_rates({})).is_empty()


# ---- one rate for all


def test_one_rate_for_all_has_the_least_mean_loss() -> None:
    found = losses(*grid("a", 0.5, 0.25, 1.0), *grid("b", 0.25, 0.375, 0.0))

    assert rate_for_all(found, GREEDY) == 1.0  # 0.3125, before 0.375 and 0.5


def test_of_equal_rates_the_lowest_is_taken_for_all() -> None:
    found = losses(*grid("a", 0.5, 0.25, 0.25), *grid("b", 0.5, 0.25, 0.25))

    assert rate_for_all(found, GREEDY) == 1.0


def test_a_dataset_without_all_rates_has_no_say_in_the_one_for_all() -> None:
    found = losses(*grid("a", 0.5, 0.25, 0.5), *grid("b", 0.5, 0.25, 0.5), *grid("c", 0.0))

    assert rate_for_all(found, GREEDY) == 1.0


def test_there_is_no_rate_for_what_was_not_played() -> None:
    found = losses(*grid("a", 0.5, 0.25, 0.5))

    assert rate_for_all(found, pl.col("algorithm") == "RO") is None
