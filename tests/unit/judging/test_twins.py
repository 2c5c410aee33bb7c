"""Views in which nothing is chosen by the losses that are then reported."""

import numpy as np
import pytest

from bakeoff.judging.competitors import elected, fixed, other_orders, tuned_on_other_orders, voted
from bakeoff.judging.contest import contest_of
from bakeoff.judging.losses import Losses, in_order, orders_of
from bakeoff.judging.views import KINDS, TWINS, TWINS_OF, Criteria, competitors_of
from tests.unit.report.made_up import EG, OAA, RO, G, row, store

EGS = ("epsilon-greedy:epsilon=0.02", "epsilon-greedy:epsilon=0.1")


def noisy(n_orders: int = 3, n_rates: int = 9, n_problems: int = 30) -> Losses:
    """Greedy has several rates that differ by noise only; RegCB-opt has one."""
    rng = np.random.default_rng(5)
    return store(*(
        row(explorer, float(rng.normal(0.5, 0.05)), f"p{i}", shuffle=s, learning_rate=rate)
        for i in range(n_problems)
        for s in range(1, n_orders + 1)
        for explorer, rates in ((G, range(1, n_rates + 1)), (RO, range(1, 2)))
        for rate in rates
    ))  # fmt: skip


def test_the_rate_of_an_order_is_that_of_the_other_orders() -> None:
    losses = {0.1: (0.1, 0.5, 0.5), 1.0: (0.6, 0.2, 0.3)}
    rows = [
        row(G, loss, "p", shuffle=s, learning_rate=rate)
        for rate, some in losses.items()
        for s, loss in enumerate(some, 1)
    ]

    contest = contest_of(store(*rows), other_orders(store(*rows), "-1/0"))

    # order 1: the others prefer rate 1; orders 2 and 3: 0.1 has 0.6, 1 has 0.9 and 0.8
    assert contest.by_shuffle[0, 0].tolist() == [0.6, 0.5, 0.5]
    assert contest.losses[0, 0] == pytest.approx(1.6 / 3)
    assert contest.chosen[0]["learning_rate"].to_list() == [0.1]


def test_choosing_among_equals_gains_nothing_without_peeking() -> None:
    losses = noisy()

    peeking, honest = (
        contest_of(losses, view(losses, "-1/0", ["G", "RO"])).losses.mean(axis=0)
        for view in (fixed, other_orders)
    )

    assert peeking[0] < peeking[1] - 0.02  # the best of nine looks better than one
    assert honest[0] == pytest.approx(0.5, abs=0.01)


def test_one_order_has_no_others() -> None:
    losses = noisy(n_orders=1, n_problems=3)

    assert np.isnan(contest_of(losses, other_orders(losses, "-1/0")).losses).all()


def test_hyperparameters_and_rate_come_from_the_other_orders() -> None:
    by_order = {EGS[0]: (0.1, 0.4), EGS[1]: (0.3, 0.2)}
    rows = [
        row(text, loss, "p", shuffle=s)
        for text, some in by_order.items()
        for s, loss in enumerate(some, 1)
    ]

    contest = contest_of(store(*rows), tuned_on_other_orders(store(*rows), "-1/0"))

    assert contest.by_shuffle[0, 0].tolist() == [0.3, 0.4]  # each was best elsewhere


def outliers() -> Losses:
    """One choice wins by a little on most datasets, and loses by much on a few."""
    rows = [
        row(text, loss, f"p{i}")
        for i in range(10)
        for text, loss in zip(EGS, (0.30, 0.40) if i < 7 else (0.9, 0.1), strict=True)
    ]
    return store(*rows, *(row(G, 0.35, f"p{i}") for i in range(10)))


def test_election_by_least_mean_loss_stands_beside_the_vote() -> None:
    losses = outliers()

    by_loss, by_vote = (
        contest_of(losses, view(losses, "-1/0", ["eG"])).losses.mean() for view in (elected, voted)
    )

    assert by_loss == pytest.approx(0.7 * 0.40 + 0.3 * 0.1)
    assert by_vote == pytest.approx(0.7 * 0.30 + 0.3 * 0.9)  # a poor selector


def test_a_dataset_has_no_say_in_what_it_gets() -> None:
    rows = [row(text, 0.5, name) for text in EGS for name in ("a", "b")]
    rows += [row(EGS[0], 0.1, "c"), row(EGS[1], 0.9, "c")]
    rows += [row(EGS[0], 0.9, "d"), row(EGS[1], 0.2, "d")]

    contest = contest_of(store(*rows), elected(store(*rows), "-1/0"))

    by_name = dict(zip(contest.problems["problem"], contest.losses[:, 0], strict=True))
    assert by_name["c"] == 0.9  # d alone decides
    assert by_name["d"] == 0.9  # c alone decides


@pytest.mark.parametrize("kind", [*KINDS, *TWINS])
def test_every_view_can_be_had(kind: str) -> None:
    assert isinstance(competitors_of(noisy(n_problems=3), kind, "-1/0", Criteria()), list)


def test_every_view_of_the_paper_has_twins() -> None:
    assert set(TWINS_OF) == {"fixed", "optimised"}
    assert {kind for some in TWINS_OF.values() for kind in some} == {*TWINS, "unpeeked"}


def test_one_order_by_itself() -> None:
    rows = [
        row(explorer, loss, "p", shuffle=s)
        for explorer, losses in ((G, (0.1, 0.3)), (EG, (0.4, 0.2)), (OAA, (0.05, 0.01)))
        for s, loss in enumerate(losses, 1)
    ]
    losses = store(*rows, row(G, 0.7, "q", shuffle=1))

    second = in_order(losses, 2)

    assert orders_of(losses) == [1, 2]
    assert second.problems["problem"].to_list() == ["p"]
    assert second.problems["skyline"].to_list() == [0.01]
    contest = contest_of(second, fixed(second, "-1/0"))
    assert dict(zip(contest.labels, contest.losses[0], strict=True)) == {"G": 0.3, "eG": 0.2}
    assert second.settings.schema == losses.settings.schema
