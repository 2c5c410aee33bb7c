"""Who is first and how sure that is, on contests small enough to check by hand."""

import math

import pytest

from bakeoff.judging.contest import contest_of
from bakeoff.judging.losses import Losses
from bakeoff.judging.standings import Standing, standings
from bakeoff.judging.statistics.significance import wins
from tests.results import algorithms
from tests.unit.report.made_up import EG, OAA, RO, G, duel, row, store


def places(losses: Losses) -> list[Standing]:
    contest = contest_of(losses, algorithms("G", "RO"))
    return standings(contest, wins(contest))


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


# ---- chances


@pytest.mark.parametrize(
    ("won", "lost", "expected"),
    [(1, 0, 1.0), (3, 0, 2 / 8), (9, 1, 22 / 1024), (10, 0, 2 / 1024), (5, 5, 1.0)],
)
def test_of_two_the_chance_is_that_of_fair_coins(won: int, lost: int, expected: float) -> None:
    found = places(store(*duel(*[(0.5, 0.1)] * won, *[(0.1, 0.5)] * lost)))

    assert [one.chance for one in found] == [expected, expected]


def test_datasets_without_a_significant_difference_change_no_chance() -> None:
    rows = duel(*[(0.5, 0.1)] * 3, *[(0.5, 0.5)] * 20)

    assert places(store(*rows))[0].chance == 2 / 8


def test_the_leaders_chance_is_that_of_its_closest_rival() -> None:
    """By score: RegCB-opt 6, Greedy 2 and epsilon-greedy -8."""
    rows = [
        row(spec, loss, f"p{i}")
        for i, losses in enumerate([(0.1, 0.3, 0.5)] * 3 + [(0.3, 0.1, 0.5)])
        for spec, loss in zip((RO, G, EG), losses, strict=True)
    ]
    contest = contest_of(store(*rows), algorithms("G", "RO", "eG"))

    first, second, third = standings(contest, wins(contest))

    assert [one.label for one in (first, second, third)] == ["RO", "G", "eG"]
    assert second.chance == 10 / 16  # 2, 2, 2 and -2: two or more of a kind
    assert third.chance == 2 / 16  # 4, 4, 4 and 2
    assert first.chance == second.chance


def test_who_is_alone_leads_nobody() -> None:
    contest = contest_of(store(row(G, 0.5)), algorithms("G"))

    (only,) = standings(contest, wins(contest))

    assert math.isnan(only.chance)
