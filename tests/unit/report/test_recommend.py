"""Recommendations from results made up such that the answer is known."""

from typing import Any

import pytest

from bakeoff.report.recommend import Advice, recommend
from bakeoff.report.views import Asked
from tests.unit.report.made_up import EG, OAA, RO, G, duel, row, store


def texts(rows: list[dict[str, Any]], topic: str, **asked: Any) -> list[str]:
    advice = recommend(store(*rows), Asked(**asked))
    return [one.text for one in advice if one.topic == topic]


def test_the_winner_is_recommended_with_its_settings() -> None:
    rows = duel(*[(0.5, 0.1)] * 6)

    (algorithm,) = texts(rows, "algorithm")
    (settings,) = texts(rows, "settings")

    assert algorithm.startswith("RegCB-opt (RO): 6 significant wins, 0 losses")
    assert settings == 'the numbers above are for "regcb:c0=0.001,optimistic".'


def test_kinds_of_data_with_another_winner_are_named() -> None:
    few = duel(*[(0.5, 0.1)] * 9)
    many = [
        row(spec, loss, f"wide{i}", n_actions=12)
        for i in range(5)
        for spec, loss in ((G, 0.1), (RO, 0.4))
    ]

    (wide,) = texts(few + many, "if K >= 10")

    assert wide == (
        "Greedy (G) is first in 100% of resamples of these 5 datasets (5 significant "
        "wins, 0 losses)."
    )
    (stays,) = texts(few + many, "stays")
    assert "K >= 3 (14)" in stays


def test_encodings_are_compared_where_both_were_played() -> None:
    rows = duel(*[(0.3, 0.3)] * 5)
    worse = duel(*[(0.5, 0.5)] * 5, offset=0.0)

    assert texts(rows, "encoding") == []
    assert texts(rows + worse, "encoding") == [
        "-1/0 is better than 0/1: of 5 datasets 5 speak for it, 0 against (-1/0 has 10 "
        "significant wins, 0 losses over all algorithms)."
    ]


def test_the_best_reduction_is_named() -> None:
    rows = [
        row(f"{EG} reduction={reduction}", loss, f"p{i}")
        for i in range(5)
        for reduction, loss in (("ips", 0.5), ("dr", 0.4), ("iwr", 0.1))
    ]

    assert texts(rows + duel(*[(0.5, 0.1)] * 5), "reduction") == [
        "iwr for epsilon-greedy (eG): 10 significant wins, 0 losses against the others "
        "over 5 datasets."
    ]


def test_a_baseline_that_helps_and_one_that_does_not() -> None:
    rows = duel(*[(0.5, 0.1)] * 5) + duel(*[(0.1, 0.4)] * 5, baseline=True)

    assert texts(rows, "baseline") == [
        "a shared baseline helps G (5 significant wins, 0 losses).",
        "a shared baseline hurts RO (0 significant wins, 5 losses).",
    ]


def test_what_makes_no_clear_difference_is_not_advice() -> None:
    fewer = [(0.5, 0.1)] * 3 + [(0.1, 0.5)] * 2
    other = [(0.1, 0.5)] * 3 + [(0.5, 0.1)] * 2
    rows = duel(*fewer) + duel(*other, baseline=True) + duel(*fewer, offset=0.0)
    again = [
        row | {"pv_loss": 0.6 - row["pv_loss"]} for row in duel(*other, offset=0.0)
    ]

    assert texts(rows, "baseline") == [
        "a shared baseline has no clear effect on G (3 significant wins, 2 losses), RO "
        "(2 significant wins, 3 losses)."
    ]
    (encoding,) = texts(duel(*fewer) + again, "encoding")
    assert "is not clearly better" in encoding


def test_a_learning_rate_comes_with_what_it_costs() -> None:
    rows = [
        row(spec, loss, f"p{i}", learning_rate=rate)
        for i in range(5)
        for spec in (G, RO)
        for rate, loss in ((0.1, 0.4), (1.0, 0.2 if i else 0.3), (10.0, 0.1))
    ]

    (rate,) = texts(rows, "learning rate")

    assert rate.startswith("start with 10 (mean loss 0.1000 with this rate on 5 data")
    assert rate.endswith(
        "On 5 datasets the best rate is at an end of the grid: widen it."
    )


def test_uniform_exploration_is_judged_by_its_kin() -> None:
    rows = [row(spec, loss, f"p{i}") for i in range(5)
            for spec, loss in ((G, 0.1), (EG, 0.3))]  # fmt: skip

    assert texts(rows, "uniform exploration") == [
        "costs performance: epsilon-greedy (eG) has 0 significant wins, 5 losses "
        "against Greedy (G)."
    ]


def test_logs_for_offline_evaluation_are_compared() -> None:
    exact = {"ips_reward": 0.65, "uniform_cost": 0.66}
    rows = [row(EG, 0.3, "p", **exact),
            row(G, 0.1, "p", ips_reward=0.46, uniform_cost=0.66)]  # fmt: skip

    (offline,) = texts(rows, "offline evaluation")

    assert "epsilon-greedy (eG) has the best" in offline
    assert "0.010, from logs of Greedy (G) with 0.200" in offline


@pytest.mark.parametrize("rows", [[], [row(G, 0.5)], [row(OAA, 0.5, offset=0.0)]])
def test_a_store_that_cannot_tell_says_so(rows: list[dict[str, Any]]) -> None:
    (only,) = recommend(store(*rows), Asked())

    assert isinstance(only, Advice)
    assert only.text.startswith("There is nothing to compare yet")
