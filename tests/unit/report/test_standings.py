"""Who is first and how sure that is, on contests small enough to check by hand."""

import math
from typing import Any

import pytest

from bakeoff.report.standings import Standing, standings
from bakeoff.report.verdict import main_contest, name_of, verdict
from bakeoff.report.views import Asked
from bakeoff.statistics.contest import contest
from bakeoff.statistics.losses import Losses
from bakeoff.statistics.significance import wins
from tests.results import algorithms
from tests.unit.report.made_up import EG, OAA, RO, TUNING_ID, G, duel, row, store


def places(losses: Losses) -> list[Standing]:
    held = contest(losses, algorithms("G", "RO"))
    return standings(held, wins(held))


def said(losses: Losses, **asked: Any) -> list[str]:
    what = Asked(**asked)
    return verdict(main_contest(losses, what), what)


# ---- standings


def test_the_first_has_most_wins_minus_losses() -> None:
    first, second = places(store(*duel((0.5, 0.1), (0.5, 0.2), (0.1, 0.4))))

    assert (first.label, first.wins, first.losses, first.score) == ("RO", 2, 1, 1)
    assert (second.label, second.wins, second.losses) == ("G", 1, 2)
    assert first.ahead_of == ("G",)
    assert second.behind == ("RO",)


def test_of_equal_scores_the_lower_mean_loss_is_first() -> None:
    first, second = places(store(*duel((0.30, 0.31), (0.5, 0.48))))

    assert (first.score, second.score) == (0, 0)
    assert first.label == "RO"  # 0.395 against 0.4


def test_who_wins_everywhere_is_first_in_every_resample() -> None:
    first, second = places(store(*duel(*[(0.5, 0.1)] * 6)))

    assert (first.first, second.first) == (1.0, 0.0)
    assert first.interval == (6, 6)


def test_equals_share_first_places() -> None:
    first, second = places(store(*duel(*[(0.5, 0.5)] * 4)))

    assert first.first == second.first == 0.5


def test_a_narrow_lead_is_often_lost_in_resamples() -> None:
    first, second = places(store(*duel(*[(0.5, 0.1)] * 5, *[(0.1, 0.5)] * 4)))

    assert first.label == "RO"
    assert 0.5 < first.first < 0.8
    assert first.first + second.first == pytest.approx(1.0)
    low, high = first.interval
    assert low < 0 < 1 < high


def test_means_are_over_problems_that_all_have_a_loss_on() -> None:
    losses = store(*duel((0.5, 0.1)), row(G, 0.9, "alone"))
    first, second = places(losses)

    assert (first.mean_loss, second.mean_loss) == (0.1, 0.5)
    assert math.isnan(first.median_normalised)  # there is no skyline


def test_a_skyline_of_zero_does_not_count_in_normalised_medians() -> None:
    rows = duel((0.5, 0.1), (0.3, 0.3))
    sky = [row(OAA, 0.0, "p0", offset=0.0), row(OAA, 0.2, "p1", offset=0.0)]
    first, _ = places(store(*rows, *sky))

    assert first.median_normalised == pytest.approx(0.5)


# ---- the verdict in words


def test_a_clear_winner_is_called_one() -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * 12)))

    assert words[0] == (
        "RegCB-opt (RO): 12 significant wins, 0 losses against all others over 12 "
        "datasets."
    )
    assert words[1].startswith("It is a clear winner: first in 100%")
    assert words[2] == "It wins more often than it loses against every other one."
    assert words[3] == "Greedy (G) follows with 0 significant wins, 12 losses."
    assert words[4] == "Significant by the paper's rule."


def test_without_a_clear_winner_the_rival_is_named() -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * 6, *[(0.1, 0.5)] * 5)))

    assert words[1].startswith("There is no clear winner: it is first in")
    assert "Greedy (G) in" in words[1]


def test_few_datasets_and_real_costs_are_pointed_out() -> None:
    rows = duel((0.5, 0.1), task="ranking")
    words = said(store(*rows, *duel((0.5, 0.1), (0.5, 0.1))[2:]), test="z",
                 correction="holm")  # fmt: skip

    assert words[0].endswith("over 2 datasets.")
    assert words[1] == "That is too few to call it a winner (fewer than 10)."
    assert words[-1] == (
        "Significant by Hoeffding's bound for real-valued costs on 1 dataset and a "
        "z-test at 5 % on 1 dataset, corrected after Holm."
    )


def test_level_ones_are_called_level() -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * 5, *[(0.1, 0.5)] * 5)))

    assert words[1].startswith("There is no clear winner: it is level with")


def test_without_significant_differences_nobody_leads() -> None:
    words = said(store(*duel(*[(0.5, 0.5)] * 12)))

    assert words[0] == (
        "No difference between the 2 algorithms is significant on 12 datasets."
    )


def test_a_paired_test_is_named_only_where_it_was_done() -> None:
    rows = [one for k in (1, 2, 3) for one in duel((0.5, 0.1), shuffle=k)]
    words = said(store(*rows, *duel((0.5, 0.1), (0.5, 0.1))[2:]), test="paired")

    assert words[-1] == (
        "Significant by a paired test over shuffles at 5 % on 1 dataset and a z-test "
        "at 5 % on 1 dataset."
    )


def test_tuning_datasets_are_counted() -> None:
    rows = duel(*[(0.5, 0.1)] * 12, openml_id=TUNING_ID)

    assert said(store(*rows))[-1].startswith("12 of the datasets are of the paper's")


def test_several_orders_and_missing_losses_are_pointed_out() -> None:
    again = duel(*[(0.5, 0.1)] * 12, shuffle=2)
    gap = [row(G, 0.2, "gap"), row(RO, 0.2, "gap")]
    third = [row(EG, 0.3, f"p{i}", shuffle=k) for i in range(12) for k in (1, 2)]
    words = said(store(*duel(*[(0.5, 0.1)] * 12), *again, *gap, *third))

    assert "means over up to 2 orders" in words[-2]
    assert words[-1].startswith("On 1 of the datasets some algorithm has no loss")


def test_who_was_not_played_on_these_datasets_takes_no_part() -> None:
    tuned = row(EG, 0.1, "tuned", openml_id=TUNING_ID)
    what = Asked(held_out=True)

    held = main_contest(store(*duel((0.5, 0.1)), tuned), what)

    assert held.labels == ("G", "RO")
    assert standings(held, wins(held))[0].mean_loss == 0.1


def test_who_is_first_but_behind_somebody_hears_so() -> None:
    rows = [
        row(spec, loss, f"p{i}")
        for i in range(4)
        for spec, loss in ((G, 0.1), (RO, 0.3), (EG, 0.3))
    ]
    more = [
        row(spec, loss, f"q{i}")
        for i in range(5)
        for spec, loss in ((G, 0.295), (RO, 0.25), (EG, 0.27))
    ]
    words = said(store(*rows, *more))

    assert words[0].startswith("Greedy (G)")
    assert words[2] == ("But it loses more often than it wins against RegCB-opt (RO).")


@pytest.mark.parametrize("rows", [[], [row(G, 0.5)], [row(OAA, 0.5, offset=0.0)]])
def test_nothing_to_compare_is_said(rows: list[dict[str, object]]) -> None:
    (only,) = said(store(*rows))

    assert only.startswith("There is nothing to compare yet")


def test_own_learners_go_by_their_own_name() -> None:
    assert name_of("mine") == "mine"
    assert name_of("C-u") == "Cover (C-u)"
