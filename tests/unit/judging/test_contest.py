"""Contests of settings that were made up, with losses that are exact."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from bakeoff.judging.contest import Competitor, Condition, Contest, contest_of
from bakeoff.judging.losses import Losses
from bakeoff.reading.catalog.paper import tuning_ids, uci_ids
from tests.results import algorithms, bag, losses, result, skyline

NAN = np.nan


def met(*rows: dict[str, Any], labels: str = "G B") -> Contest:
    return contest_of(losses(*rows), algorithms(*labels.split()))


def rate_of(contest: Contest, competitor: int = 0) -> list[float | None]:
    return contest.chosen[competitor]["learning_rate"].to_list()


# ---- which setting counts


def test_the_best_setting_of_each_competitor_counts() -> None:
    contest = met(
        result(0.5, learning_rate=0.1),
        result(0.25, learning_rate=1.0),
        result(0.375, learning_rate=10.0, baseline=True),
        bag(0.75),
    )

    assert contest.labels == ("G", "B")
    assert_array_equal(contest.losses, [[0.25, 0.75]])
    assert rate_of(contest) == [1.0]


def test_the_best_setting_is_chosen_for_each_problem() -> None:
    contest = met(
        result(0.25, learning_rate=0.1),
        result(0.5, learning_rate=1.0),
        result(0.5, learning_rate=0.1, problem="wine"),
        result(0.125, learning_rate=1.0, problem="wine"),
        labels="G",
    )

    assert contest.problems["problem"].to_list() == ["iris", "wine"]
    assert_array_equal(contest.losses, [[0.25], [0.125]])
    assert rate_of(contest) == [0.1, 1.0]


@pytest.mark.parametrize("luck", [(0.0, 1.0), (1.0, 0.0)])
def test_the_mean_over_shuffles_decides_not_one_of_them(luck: tuple[float, float]) -> None:
    lucky = [result(loss, shuffle=k) for k, loss in enumerate(luck, start=1)]
    steady = [result(0.375, shuffle=k, learning_rate=3.0) for k in (1, 2)]

    contest = met(*lucky, *steady, labels="G")

    assert_array_equal(contest.by_shuffle, [[[0.375, 0.375]]])
    assert rate_of(contest) == [3.0]


def test_of_equal_settings_the_first_counts() -> None:
    rows = [result(0.5, learning_rate=rate) for rate in (3.0, 0.1, 1.0)]
    rows += [result(0.5, learning_rate=0.01, baseline=True)]

    assert rate_of(met(*rows, labels="G")) == [0.1]


def test_a_setting_with_an_error_is_not_chosen() -> None:
    fine = result(0.5, learning_rate=0.1)

    assert rate_of(met(fine, result(None, learning_rate=1.0), labels="G")) == [0.1]


def test_competitors_may_be_any_conditions_on_settings() -> None:
    rows = [bag(0.5, reduction="ips"), bag(0.25, reduction="dr"), skyline(0.125)]
    pairs = [Competitor(name, pl.col("reduction") == name) for name in ("ips", "dr")]

    assert_array_equal(contest_of(losses(*rows), pairs).losses, [[0.5, 0.25]])


# ---- who is there


def test_problems_count_that_any_competitor_has_a_loss_on() -> None:
    contest = met(result(0.25), bag(0.5, problem="wine"), skyline(0.1, problem="zoo"))

    assert contest.problems["problem"].to_list() == ["iris", "wine"]
    assert_array_equal(contest.losses, [[0.25, NAN], [NAN, 0.5]])
    assert rate_of(contest, 0) == [0.5, None]


def test_a_competitor_that_nobody_is_has_no_losses() -> None:
    contest = met(result(0.25), labels="G X")

    assert_array_equal(contest.losses, [[0.25, NAN]])


def test_nobody_and_nothing_make_contests_without_problems() -> None:
    for found in (losses(), losses(skyline(0.5)), losses(result(None))):
        contest = contest_of(found, algorithms("G", "B"))
        assert contest.n == 0
        assert contest.losses.shape == contest.normalised.shape == (0, 2)
        assert contest.only(Condition(held_out=True)).n == 0


# ---- orders of rows


def test_orders_stand_side_by_side_in_the_order_of_the_shuffles() -> None:
    rows = [result(k / 16, shuffle=k) for k in (10, 2, 1)]
    rows += [bag(k / 8, shuffle=k) for k in (2, 1, 10)]

    expected = np.array([[[1, 2, 10], [2, 4, 20]]]) / 16
    assert_array_equal(met(*rows).by_shuffle, expected)


def test_problems_with_fewer_orders_end_in_nan() -> None:
    rows = [result(0.25, shuffle=k) for k in (1, 2, 3)] + [result(0.5, problem="wine")]

    contest = met(*rows, labels="G")

    assert_array_equal(contest.by_shuffle, [[[0.25] * 3], [[0.5, NAN, NAN]]])
    assert_array_equal(contest.losses, [[0.25], [0.5]])


def test_a_grid_in_one_order_meets_ten_orders_in_the_one_they_share() -> None:
    ten = [result(k / 16, shuffle=k) for k in range(1, 11)]
    one = [bag(0.5, explorer=f"bag:n_policies={N}", shuffle=1) for N in (4, 8, 16)]  # a wider grid

    both = met(*ten, *one)
    alone = met(*ten, *one, labels="G")

    assert_array_equal(both.losses, [[1 / 16, 0.5]])
    assert both.chosen[0]["shuffles"].to_list() == [[1]]
    assert both.chosen[0]["loss"].to_list() == [1 / 16]
    assert_array_equal(alone.losses, [[5.5 / 16]])


def test_an_order_that_was_interrupted_is_left_out() -> None:
    rows = [bag(k / 8, shuffle=k) for k in (1, 2)]
    rows += [result(k / 16, shuffle=k) for k in (1, 2, 3)]

    assert_array_equal(met(*rows).by_shuffle, [[[1 / 16, 2 / 16], [1 / 8, 2 / 8]]])


def test_a_setting_without_an_order_that_others_have_is_left_out() -> None:
    rows = [result(0.5, shuffle=k, learning_rate=r) for k in (1, 2) for r in (1.0, 3.0)]
    rows += [bag(0.25, shuffle=k) for k in (1, 2)]
    lucky = result(0.0, shuffle=3)

    contest = met(*rows, lucky)

    assert_array_equal(contest.losses, [[0.5, 0.25]])
    assert rate_of(contest) == [1.0]


def test_competitors_that_share_no_order_cannot_be_compared() -> None:
    assert met(result(0.25, shuffle=1), bag(0.5, shuffle=2)).n == 0


def test_orders_of_one_problem_do_not_touch_another() -> None:
    mixed = [result(0.25), result(0.5, shuffle=2), bag(0.5)]
    mixed += [
        result(0.75, learning_rate=rate, shuffle=k, problem="zoo")
        for k, rates in ((3, (0.1, 1.0, 3.0)), (4, (1.0,)))
        for rate in rates
    ]
    whole = [result(k / 8, shuffle=k, problem="wine") for k in (1, 2)]
    whole += [bag(k / 4, shuffle=k, problem="wine") for k in (1, 2)]

    contest = met(*mixed, *whole)

    assert_array_equal(contest.losses, [[0.25, 0.5], [1.5 / 8, 1.5 / 4], [0.75, NAN]])


def mixed(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    """Greedy in orders 1 to 3 and Bag in 1 and 2, with other rows."""
    ours = [result(0.5, shuffle=k, ips_reward=k / 8, uniform_cost=0.0) for k in (1, 2, 3)]
    theirs = [bag(0.5, shuffle=k, ips_reward=k / 4, uniform_cost=0.0) for k in (1, 2)]
    return [*ours, *theirs, *rows]


def test_errors_of_estimates_are_means_over_the_orders_of_the_contest() -> None:
    both = met(*mixed())
    alone = met(*mixed(), labels="G")

    found = [chosen["ips_reward_error"].to_list() for chosen in both.chosen]
    assert found == [[(1 + 4) / 2 / 64], [(1 + 4) / 2 / 16]]
    assert alone.chosen[0]["ips_reward_error"].to_list() == [(1 + 4 + 9) / 3 / 64]


def test_errors_are_null_where_there_is_no_loss_or_no_estimate() -> None:
    contest = met(result(0.5), bag(0.5, problem="wine", uniform_cost=0.5, ips_loss=0.25))

    found = [chosen["ips_loss_error"].to_list() for chosen in contest.chosen]
    assert found == [[None, None], [None, 0.0625]]


def test_the_skyline_is_that_of_the_orders_of_the_contest() -> None:
    sky = [skyline(loss, shuffle=k) for k, loss in ((1, 0.125), (2, 0.25), (3, 0.75))]

    both = met(*mixed(*sky))
    alone = met(*mixed(*sky), labels="G")

    assert both.problems["skyline"].to_list() == [0.1875]
    assert alone.problems["skyline"].to_list() == [0.375]
    assert_array_equal(both.normalised, [[(0.5 - 0.1875) / 0.1875] * 2])


def test_the_rate_of_the_skyline_is_chosen_in_the_orders_of_the_contest() -> None:
    late = [skyline(loss, shuffle=k) for k, loss in ((1, 0.0), (2, 0.25), (3, 1.0))]
    steady = [skyline(0.25, shuffle=k, learning_rate=3.0) for k in (1, 2, 3)]
    found = losses(*mixed(*late, *steady))

    contest = contest_of(found, algorithms("G", "B"))

    assert found.problems["skyline"].to_list() == [0.25]
    assert contest.problems["skyline"].to_list() == [0.125]


def test_a_skyline_without_the_orders_of_the_contest_is_none() -> None:
    contest = met(*mixed(skyline(0.25, shuffle=3)))

    assert contest.problems["skyline"].to_list() == [None]
    assert_array_equal(contest.normalised, [[NAN, NAN]])


def test_a_supervised_learner_without_all_orders_of_the_contest_is_no_skyline() -> None:
    whole = [skyline(0.25, shuffle=k) for k in (1, 2, 3)]
    lucky = skyline(0.0625, shuffle=1, learning_rate=3.0)
    played = [result(0.5, shuffle=k) for k in (1, 2, 3)]

    contest = met(*played, *whole, lucky)

    assert contest.problems["skyline"].to_list() == [0.25]


def test_skylines_of_problems_with_other_orders_stay() -> None:
    sky = [skyline(k / 4, shuffle=k) for k in (1, 2, 3)]
    whole = [result(0.5, problem="wine"), skyline(0.0625, problem="wine")]
    bare = [result(0.5, problem="zoo")]

    contest = met(*mixed(*sky), *whole, *bare)

    assert contest.problems["skyline"].to_list() == [0.375, 0.0625, None]


def test_conditions_ask_for_the_skyline_of_the_contest() -> None:
    sky = [skyline(loss, shuffle=k) for k, loss in ((1, 0.0), (2, 0.0), (3, 0.75))]
    found = losses(*mixed(*sky))

    contest = contest_of(found, algorithms("G", "B"), Condition(greatest_skyline=0.1))

    assert found.problems["skyline"].to_list() == [0.25]
    assert contest.n == 1


# ---- normalised losses


def test_a_normalised_loss_is_in_units_of_the_skyline() -> None:
    rows = [result(0.75), bag(0.25), skyline(0.5, learning_rate=3.0), skyline(1.0)]

    assert_array_equal(met(*rows).normalised, [[0.5, -0.5]])


@pytest.mark.parametrize("rows", [[skyline(0.0)], [skyline(None)], []])
def test_there_is_no_normalised_loss_without_a_skyline_that_errs(
    rows: list[dict[str, Any]],
) -> None:
    contest = met(result(0.75), bag(0.0), *rows)

    assert_array_equal(contest.normalised, [[NAN, NAN]])


def test_the_skyline_may_be_missing_on_some_problems() -> None:
    contest = met(result(0.75), skyline(0.25), result(0.5, problem="wine"), labels="G B")

    assert_array_equal(contest.normalised, [[2.0, NAN], [NAN, NAN]])


# ---- conditions


def five() -> Losses:
    """Problems a to e; e has neither an OpenML id nor a skyline."""
    tuning = next(one for one in tuning_ids() if one not in uci_ids())
    uci = next(one for one in uci_ids() if one not in tuning_ids())
    facts: dict[str, dict[str, Any]] = {
        "a": {"n": 999, "n_features": 99, "n_actions": 2, "openml_id": tuning},
        "b": {"n": 1000, "n_features": 100, "n_actions": 3, "openml_id": uci},
        "c": {"n": 9999, "n_features": 9999, "n_actions": 9, "task": "multilabel"},
        "d": {"n": 10000, "n_features": 10000, "n_actions": 10, "task": "ranking"},
        "e": {"n": 10**9, "n_features": 10**9, "n_actions": 2, "task": "multiclass"},
    }
    best = {"a": 0.0, "b": 0.05, "c": 0.0625, "d": 0.2}
    rows = [result(0.5, problem=name, **more) for name, more in facts.items()]
    rows += [skyline(best[name], problem=name, **facts[name]) for name in best]
    return losses(*rows)


@pytest.mark.parametrize(
    ("condition", "expected", "text"),
    [
        (Condition(), "abcde", "all"),
        (Condition(held_out=True), "bcde", "held-out"),
        (Condition(tuning=True), "a", "tuning"),
        (Condition(uci=True), "b", "UCI"),
        (Condition(tasks=("multiclass",)), "abe", "multiclass"),
        (Condition(tasks=("multilabel", "ranking")), "cd", "multilabel and ranking"),
        (Condition(least_k=3), "bcd", "K >= 3"),
        (Condition(least_k=10), "d", "K >= 10"),
        (Condition(least_d=100), "bcde", "d >= 100"),
        (Condition(least_d=10_000), "de", "d >= 10,000"),
        (Condition(least_n=1000), "bcde", "n >= 1,000"),
        (Condition(least_n=10_000), "de", "n >= 10,000"),
        (Condition(greatest_skyline=0.2), "abcd", "skyline loss <= 0.2"),
        (Condition(greatest_skyline=0.05), "ab", "skyline loss <= 0.05"),
        (Condition(greatest_skyline=0.0), "a", "skyline loss <= 0"),
        (
            Condition(held_out=True, least_n=10_000, greatest_skyline=0.2),
            "d",
            "held-out, n >= 10,000, skyline loss <= 0.2",
        ),
        (Condition(held_out=True, tuning=True), "", "held-out, tuning"),
    ],
    ids=str,
)
def test_a_condition_tells_which_problems_are_looked_at(
    condition: Condition, expected: str, text: str
) -> None:
    everything = contest_of(five(), algorithms("G"))

    asked = contest_of(five(), algorithms("G"), condition)
    filtered = everything.only(condition)

    for contest in (asked, filtered):
        assert "".join(contest.problems["problem"]) == expected
        assert contest.losses.shape == (len(expected), 1)
        assert contest.chosen[0]["digest"].to_list() == [f"d-{name}" for name in expected]
    assert str(condition) == text


def test_held_out_and_tuning_together_are_all_problems() -> None:
    found = five().problems

    assert_array_equal(
        Condition(held_out=True).holds(found).to_numpy(),
        ~Condition(tuning=True).holds(found).to_numpy(),
    )


# ---- what is computed from the losses


def test_differences_are_of_problems_that_both_have_played() -> None:
    contest = met(
        result(0.5), bag(0.125), result(0.25, problem="wine"),
        result(0.75, problem="zoo"), bag(1.0, problem="zoo"),
    )  # fmt: skip

    assert_array_equal(contest.differences("G", "B"), [0.375, -0.25])
    assert_array_equal(contest.differences("B", "G"), [-0.375, 0.25])


def test_standard_errors_are_over_several_orders_of_rows() -> None:
    contest = met(
        result(0.25, shuffle=1), result(0.75, shuffle=2), bag(0.5, shuffle=1), bag(0.5, shuffle=2),
        result(0.5, problem="wine"),
    )  # fmt: skip

    assert_array_equal(contest.standard_errors, [[0.25, 0.0], [NAN, NAN]])


def test_squared_errors_are_of_competitors_that_have_estimates() -> None:
    contest = met(
        result(0.5, uniform_cost=0.5, ips_reward=0.75, ips_loss=1.0),
        bag(0.5, ips_reward=None, ips_loss=None),
    )

    found = contest.squared_errors("ips_reward") | {"loss": contest.squared_errors("ips_loss")["G"]}

    assert {name: errors.tolist() for name, errors in found.items()} == {
        "G": [0.0625],
        "loss": [0.25],
    }
