"""Statistics of results, on tables small enough to check by hand."""

from typing import Any

import polars as pl

from bakeoff.results import rows_of
from bakeoff.statistics import best_losses, loss_table


def row(loss: float | None, **others: Any) -> dict[str, Any]:
    """A result of Greedy on iris, but for what is said."""
    usual: dict[str, Any] = {
        "problem": "iris",
        "digest": "d-" + others.get("problem", "iris"),
        "shuffle": 1,
        "encoding": "-1/0",
        "algorithm": "G",
        "explorer": "greedy",
        "reduction": "iwr",
        "learning_rate": 0.5,
        "baseline": False,
        "seed": 1,
        "pv_loss": loss,
        "error": "exploded" if loss is None else None,
    }
    return usual | others


def table(*rows: dict[str, Any]) -> pl.DataFrame:
    return rows_of(rows)


def losses(*rows: dict[str, Any]) -> list[float]:
    return best_losses(table(*rows))["pv_loss"].to_list()


# ---- the best of an algorithm's settings


def test_the_best_setting_counts() -> None:
    assert losses(
        row(0.5, learning_rate=0.1),
        row(0.25, learning_rate=1.0),
        row(0.75, learning_rate=10.0, baseline=True),
    ) == [0.25]


def test_runs_without_a_loss_do_not_count() -> None:
    assert losses(row(None, learning_rate=0.1), row(0.5, learning_rate=1.0)) == [0.5]
    assert losses(row(None)) == []


def test_seeds_are_averaged_before_the_best_setting_is_chosen() -> None:
    lucky = [row(0.0, seed=1), row(1.0, seed=2)]
    steady = [row(0.4, seed=seed, learning_rate=3.0) for seed in (1, 2)]

    assert losses(*lucky, *steady) == [0.4]


def test_problems_shuffles_encodings_and_algorithms_are_kept_apart() -> None:
    found = losses(
        row(0.1),
        row(0.2, problem="wine"),
        row(0.3, shuffle=2),
        row(0.4, encoding="0/1"),
        row(0.5, algorithm="B", explorer="bag:n_policies=4"),
    )

    assert found == [0.1, 0.2, 0.3, 0.4, 0.5]


def test_a_problem_that_changed_its_name_is_still_one() -> None:
    found = best_losses(
        table(
            row(0.5, learning_rate=0.1),
            row(0.25, learning_rate=1.0, problem="flowers", digest="d-iris"),
        )
    )

    assert found.select("problem", "pv_loss").rows() == [("iris", 0.25)]


def test_the_skyline_has_no_encoding() -> None:
    found = best_losses(
        table(row(0.1, algorithm="OAA", explorer="supervised", encoding="0/1"))
    )

    assert found["encoding"].to_list() == ["-"]


# ---- the table


def test_the_table_has_mean_losses_and_where_each_is_best() -> None:
    found = loss_table(
        table(
            row(0.2),
            row(0.6, problem="wine"),
            row(0.3, algorithm="B", explorer="bag:n_policies=4"),
            row(0.3, algorithm="B", explorer="bag:n_policies=4", problem="wine"),
        )
    )

    assert found.rows() == [("-1/0", "B", 0.3, 1, 2), ("-1/0", "G", 0.4, 1, 2)]


def test_a_tie_counts_for_everybody() -> None:
    found = loss_table(
        table(row(0.5), row(0.5, algorithm="B", explorer="bag:n_policies=4"))
    )

    assert sorted(found["best_on"]) == [1, 1]


def test_shuffles_are_averaged_before_problems_are() -> None:
    found = loss_table(
        table(
            row(0.0, shuffle=1),
            row(0.5, shuffle=2),
            row(0.75, problem="wine"),
        )
    )

    assert found.rows() == [("-1/0", "G", 0.5, 2, 2)]


def test_algorithms_are_compared_within_an_encoding() -> None:
    found = loss_table(
        table(
            row(0.5),
            row(0.1, encoding="0/1", algorithm="B", explorer="bag:n_policies=4"),
            row(0.0, encoding="0/1", algorithm="OAA", explorer="supervised"),
        )
    )

    assert found.rows() == [
        ("-", "OAA", 0.0, 1, 1),
        ("-1/0", "G", 0.5, 1, 1),
        ("0/1", "B", 0.1, 1, 1),
    ]


def test_results_that_are_all_errors_make_an_empty_table() -> None:
    assert loss_table(table(row(None), row(None, problem="wine"))).height == 0
