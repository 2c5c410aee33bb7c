"""What a store says, on tables small enough to check by hand."""

import math
from typing import Any

import polars as pl
import pytest

from bakeoff.reading.catalog.paper import tuning_ids, uci_ids
from tests.results import bag, losses, result, skyline


def settings(*rows: dict[str, Any], columns: str = "algorithm loss") -> list[Any]:
    return losses(*rows).settings.select(columns.split()).rows()


def problem(*rows: dict[str, Any]) -> dict[str, Any]:
    return losses(*rows).problems.row(0, named=True)


# ---- settings


def test_a_loss_is_the_mean_over_shuffles_of_the_means_over_seeds() -> None:
    rows = [
        result(0.5, shuffle=2, seed=1),
        result(0.0, shuffle=1, seed=2),
        result(0.25, shuffle=1, seed=1),
        result(0.25, shuffle=1, seed=3),
        result(0.5, shuffle=1, seed=4),
    ]

    found = settings(*rows, columns="shuffles by_shuffle loss")

    assert found == [([1, 2], [0.25, 0.5], 0.375)]


@pytest.mark.parametrize(
    "other",
    [
        {"algorithm": "RO"},
        {"encoding": "0/1"},
        {"baseline": True},
        {"explorer": "epsilon-greedy:epsilon=0.1"},
        {"reduction": "dr"},
        {"learning_rate": 3.0},
        {"problem": "wine"},
    ],
    ids=str,
)
def test_everything_but_shuffle_and_seed_makes_another_setting(other: dict[str, Any]) -> None:
    found = settings(result(0.25), result(0.5, **other))

    assert sorted(loss for _, loss in found) == [0.25, 0.5]


def test_a_choice_is_hyperparameters_and_reduction() -> None:
    found = settings(bag(0.5), skyline(0.25), columns="choice")

    assert found == [("bag:n_policies=4 reduction=iwr",), ("supervised",)]


def test_errors_of_estimates_are_squared_before_they_are_averaged() -> None:
    estimates = [{"ips_reward": 0.25, "ips_loss": 0.5}, {"ips_reward": 0.75, "ips_loss": 1.0}]
    rows = [result(0.5, seed=seed, uniform_cost=0.5, **one) for seed, one in enumerate(estimates)]

    found = settings(*rows, columns="ips_reward_error ips_loss_error")

    assert found == [([0.0625], [0.125])]


def test_errors_of_estimates_stand_beside_the_losses_in_the_same_order() -> None:
    rows = [
        result(shuffle / 8, shuffle=shuffle, uniform_cost=0.0, ips_loss=shuffle / 4)
        for shuffle in (3, 1, 2)
    ]

    found = settings(*rows, columns="shuffles by_shuffle ips_loss_error")

    assert found == [([1, 2, 3], [0.125, 0.25, 0.375], [0.0625, 0.25, 0.5625])]


def test_a_mean_over_seeds_does_not_depend_on_which_came_first() -> None:
    rows = [result(0.1 * seed, seed=seed) for seed in (1, 2, 3)]
    assert 0.1 + 0.2 + 0.1 * 3 != 0.1 * 3 + 0.2 + 0.1

    assert settings(*rows) == settings(*rows[::-1])


# ---- errors


@pytest.mark.parametrize("where", [{"seed": 2}, {"shuffle": 2}], ids=str)
@pytest.mark.parametrize("loss", [None, math.nan], ids=str)
def test_a_setting_that_failed_once_has_no_loss(where: dict[str, int], loss: float | None) -> None:
    fine = bag(0.75)

    assert settings(fine, result(0.25), result(loss, **where)) == [("B", 0.75)]


def test_a_setting_that_failed_on_one_problem_has_losses_on_others() -> None:
    assert settings(result(None), result(0.5, problem="wine")) == [("G", 0.5)]


def test_errors_name_the_problem_also_if_it_could_not_be_read() -> None:
    unread = {"problem": "torn", "digest": None, "error": "no such file"}

    found = losses(result(None, run="greedy"), unread)

    assert found.errors.select("problem", "run", "error").rows() == [
        ("iris", "greedy", "exploded"),
        ("torn", None, "no such file"),
    ]
    assert found.problems["problem"].to_list() == ["iris"]


# ---- problems


def test_problems_are_sorted_by_name_with_their_facts() -> None:
    found = losses(
        result(0.5, problem="wine", digest="1", n=178, n_features=13, uniform_cost=0.625),
        result(0.5),
        result(0.5, shuffle=2),
    ).problems

    facts = found.select("problem", "n", "n_features", "uniform_cost", "shuffles")
    assert facts.rows() == [("iris", 150, 4, None, 2), ("wine", 178, 13, 0.625, 1)]


def test_the_skyline_is_the_least_loss_of_the_supervised_learner() -> None:
    rates = [skyline(0.5, learning_rate=0.1), skyline(0.25, learning_rate=1.0)]

    assert problem(result(0.125), *rates)["skyline"] == 0.25
    assert problem(result(0.125))["skyline"] is None
    assert problem(result(0.125), skyline(None))["skyline"] is None


def test_the_skyline_is_averaged_over_shuffles_before_it_is_the_least() -> None:
    lucky = [skyline(0.0, shuffle=1), skyline(1.0, shuffle=2)]
    steady = [skyline(0.375, shuffle=k, learning_rate=3.0) for k in (1, 2)]

    assert problem(*lucky, *steady)["skyline"] == 0.375


def test_tuning_and_uci_problems_are_known_by_their_openml_ids() -> None:
    tuning, uci = tuning_ids()[0], uci_ids()[0]
    other = max(*tuning_ids(), *uci_ids()) + 1

    found = losses(
        result(0.5, problem="a", openml_id=tuning),
        result(0.5, problem="b", openml_id=uci),
        result(0.5, problem="c", openml_id=other),
        result(0.5, problem="d", openml_id=None),
    ).problems

    assert found["tuning"].to_list() == [True, uci in tuning_ids(), False, False]
    assert found["uci"].to_list() == [tuning in uci_ids(), True, False, False]


def test_a_problem_that_changed_its_name_is_still_one() -> None:
    found = losses(result(0.5, problem="wine", digest="d"), bag(0.5, problem="flowers", digest="d"))

    assert found.problems["problem"].to_list() == ["flowers"]
    assert found.settings.height == 2


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a"), ("a", "a")])
def test_what_was_tuned_on_is_not_held_out_under_another_name(names: tuple[str, str]) -> None:
    tuning = result(0.5, problem=names[0], digest="d", openml_id=tuning_ids()[0])
    local = bag(0.5, problem=names[1], digest="d", openml_id=None)

    assert problem(tuning, local)["tuning"] is True
    assert problem(local, tuning)["tuning"] is True


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([tuning_ids()[0]], (True, False)),
        ([uci_ids()[0]], (uci_ids()[0] in tuning_ids(), True)),
        ([0, tuning_ids()[1], 1], (True, False)),
        ([max(*tuning_ids(), *uci_ids()) + 1], (False, False)),
        ([], (False, False)),
    ],
    ids=["tuning", "UCI", "several", "neither", "none"],
)
def test_a_problem_counts_as_what_its_twin_is(ids: list[int], expected: tuple[bool, bool]) -> None:
    rows = [result(0.5, problem="a", openml_id=None), result(0.5, problem="b")]

    found = losses(*rows, openml_ids={"d-a": ids}).problems

    assert found.select("tuning", "uci").rows() == [expected, (False, False)]


def test_a_problem_stays_what_it_is_whatever_its_twin() -> None:
    row = result(0.5, openml_id=tuning_ids()[0])

    found = losses(row, openml_ids={"d-iris": [0]}).problems

    assert found["tuning"].to_list() == [True]


def test_twins_of_problems_that_were_not_played_are_ignored() -> None:
    found = losses(result(0.5), openml_ids={"elsewhere": [tuning_ids()[0]]}).problems

    assert found["problem"].to_list() == ["iris"]
    assert found["tuning"].to_list() == [False]


# ---- names


def test_algorithms_come_in_the_papers_order_then_others_by_name() -> None:
    labels = ["Zoe", "eG", "A", "OAA", "Ada", "G", "C-nu"]
    found = losses(*(result(0.5, algorithm=label) for label in labels))

    assert found.algorithms == ["G", "C-nu", "eG", "A", "Ada", "Zoe"]


def test_encodings_come_in_the_papers_order_and_the_skyline_has_none() -> None:
    names = ["9/10", "-0.5/0.5", "-1/0"]
    found = losses(skyline(0.5), *(result(0.5, encoding=name) for name in names))

    assert found.encodings == ["-1/0", "9/10", "-0.5/0.5"]


@pytest.mark.parametrize("label", ["G", "OAA"])
def test_an_own_learner_is_not_taken_for_one_of_the_papers(label: str) -> None:
    explorer = f"python:mine.Learner,label={label}"
    own = result(0.25, algorithm=label, explorer=explorer, reduction=None)

    found = losses(result(0.5), skyline(0.5), own)

    assert found.algorithms == ["G", f"{label} (own)"]
    assert found.problems["skyline"].to_list() == [0.5]


def test_an_own_learner_keeps_a_label_of_its_own() -> None:
    label = "<b>{} reduction=</b>"
    explorer = f"python:mine.Learner,label={label}"
    own = result(0.25, algorithm=label, explorer=explorer, reduction=None)

    assert losses(own).algorithms == [label]
    assert settings(own, columns="choice") == [(explorer,)]


# ---- stores with little in them


def test_an_empty_store_has_no_losses() -> None:
    found = losses()

    assert found.problems.is_empty()
    assert found.settings.is_empty()
    assert found.errors.is_empty()
    assert found.algorithms == found.encodings == []


def test_a_store_of_errors_has_problems_but_no_losses() -> None:
    found = losses(result(None), skyline(None))

    assert found.problems["problem"].to_list() == ["iris"]
    assert found.settings.is_empty()
    assert found.errors.height == 2


def test_a_store_of_the_skyline_has_no_competitors() -> None:
    found = losses(skyline(0.25))

    assert found.algorithms == found.encodings == []
    assert found.problems["skyline"].to_list() == [0.25]


def test_kinds_of_columns_do_not_depend_on_what_is_there() -> None:
    nothing, something = losses(), losses(result(0.5), skyline(0.5))

    assert nothing.problems.schema == something.problems.schema
    assert nothing.settings.schema == something.settings.schema
    assert nothing.settings.schema["by_shuffle"] == pl.List(pl.Float64)


def test_a_learner_that_takes_neither_rate_nor_seed_adds_none() -> None:
    own = {"algorithm": "Own", "explorer": "python:my.Own", "reduction": None}
    both = losses(
        result(0.1, learning_rate=0.1), result(0.2, learning_rate=1.0), result(0.2, seed=0, **own)
    )
    several = losses(*(result(0.1, learning_rate=rate, **own) for rate in (0.5, 1.0)))

    assert both.seeds == [1]
    assert both.rateless == {"Own"}
    assert losses(result(0.2, seed=0, **own)).seeds == [0]
    assert several.rateless == set()
