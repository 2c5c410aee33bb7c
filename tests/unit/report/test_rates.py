"""One learning rate for all datasets beside the best for each."""

import pytest

from bakeoff.judging.competitors import fixed
from bakeoff.judging.rates import rates_of
from bakeoff.judging.views import ALL
from tests.unit.report.made_up import G, row, store


def grid(problem: str, *losses: float) -> list[dict[str, object]]:
    rates = (0.1, 1.0, 10.0)
    return [
        row(G, loss, problem, learning_rate=rate) for rate, loss in zip(rates, losses, strict=False)
    ]


def test_the_best_rate_of_each_dataset_and_one_for_all() -> None:
    losses = store(*grid("a", 0.1, 0.2, 0.9), *grid("b", 0.5, 0.3, 0.4))

    (rates,) = rates_of(losses, fixed(losses, "-1/0"), ALL)

    assert rates.loss == pytest.approx(0.2)  # (0.1 + 0.3) / 2
    assert rates.rate == 1.0
    assert rates.loss_at_rate == pytest.approx(0.25)
    assert (rates.n, rates.n_rates) == (2, 3)


def test_ends_of_the_grid_count_only_if_they_are_better() -> None:
    losses = store(
        *grid("lowest", 0.1, 0.2, 0.3),
        *grid("highest", 0.3, 0.2, 0.1),
        *grid("tied", 0.1, 0.1, 0.1),
    )

    (rates,) = rates_of(losses, fixed(losses, "-1/0"), ALL)

    assert (rates.n_lowest, rates.n_highest) == (1, 1)


def test_datasets_without_a_loss_for_every_rate_are_left_out() -> None:
    losses = store(*grid("a", 0.1, 0.2, 0.3), *grid("b", 0.9, 0.8))

    (rates,) = rates_of(losses, fixed(losses, "-1/0"), ALL)

    assert rates.n == 1
    assert rates.loss_at_rate == 0.1


def test_a_rate_played_on_few_datasets_does_not_count() -> None:
    rows = [row for name in "abc" for row in grid(name, 0.3, 0.2, 0.1)]
    stray = row(G, 0.0, "a", learning_rate=30.0)

    losses = store(*rows, stray)
    (rates,) = rates_of(losses, fixed(losses, "-1/0"), ALL)

    assert (rates.n, rates.n_rates, rates.rate) == (3, 3, 10.0)


def test_without_results_there_are_no_rates() -> None:
    assert rates_of(store(), fixed(store(), "-1/0"), ALL) == []
