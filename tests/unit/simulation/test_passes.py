"""Passes: how many runs share one."""

import sys

import pytest

from bakeoff import Run
from bakeoff.core.types import Sizes
from bakeoff.simulation.passes import MOST_LANES, Passes

RUNS = [Run("greedy"), Run("regcb"), Run("bag"), Run("cover:nu")]


def sizes(n_features: int, n_actions: int, nonzeros: float) -> Sizes:
    return Sizes(n_features, n_actions, n_actions, int(nonzeros), nonzeros)


def width(run: Run, given: Sizes, memory: int = sys.maxsize) -> int:
    return Passes().width(run, given, memory)


@pytest.mark.parametrize("run", RUNS)
def test_passes_are_as_wide_as_they_get_on_small_and_on_sparse_problems(run: Run) -> None:
    small, sparse = sizes(65, 10, 65), sizes(100_001, 10, 30)

    assert width(run, small) == width(run, sparse) == MOST_LANES


def test_passes_that_touch_most_weights_in_every_event_stay_in_the_cache() -> None:
    dense = sizes(1_000, 25, 1_000)

    assert width(Run("bag"), dense) == 10  # 1.6 MB each, as all of it is touched
    assert width(Run("cover:nu"), dense) == 8  # one more regressor, for DR
    assert width(Run("bag:n_policies=16"), dense) == 2


@pytest.mark.parametrize("run", RUNS)
def test_passes_keep_some_columns_where_no_cache_is_large_enough(run: Run) -> None:
    huge = sizes(10**6, 100, 10**6)
    policies = {"greedy": 1, "regcb": 1, "bag": 4, "cover": 5}
    name = run.explorer.partition(":")[0]

    assert width(run, huge) == -(-16 // policies[name])


@pytest.mark.parametrize("run", RUNS)
def test_passes_keep_to_the_memory(run: Run) -> None:
    dense = sizes(1_000, 25, 1_000)
    each = Passes().bytes_per_run(run, dense)

    assert width(run, dense, 3 * each) == 3
    assert width(run, dense, each - 1) == 0


@pytest.mark.parametrize("run", RUNS)
def test_a_live_learner_need_not_know_how_many_nonzeros_come(run: Run) -> None:
    assert width(run, Sizes(1_000, 25, 25, 1_000)) == MOST_LANES
