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
from tests.unit.report.made_up import EG, OAA, RO, G, duel, row, store


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
    assert words[3] == "Greedy (G) follows with 0 wins and 12 losses."
    assert words[4] == "Significant by the paper's rule."


def test_without_a_clear_winner_the_rival_is_named() -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * 5, *[(0.1, 0.5)] * 4)))

    assert words[1].startswith("There is no clear winner: it is first in")
    assert "Greedy (G) in" in words[1]


def test_few_datasets_and_real_costs_are_pointed_out() -> None:
    rows = duel((0.5, 0.1), task="ranking")
    (*_, note) = said(store(*rows), test="z", correction="holm")

    assert "a z-test at 5 %, corrected after Holm" in note
    assert "Hoeffding's bound on the 1 datasets with real-valued costs" in note
    assert "So few datasets say little" in note


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
