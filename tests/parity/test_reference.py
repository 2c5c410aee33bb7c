"""The kernels equal tests/reference action by action, to the last bit.

All our runs on a problem share one call of `simulate`, and so their passes; the
reference plays them one by one.
"""

import pytest

from bakeoff import Run, simulate
from bakeoff.data.problem import Task
from tests.comparisons import assert_equals_reference, play, play_reference
from tests.configurations import CONFIGURATIONS, ONE_PER_EXPLORER, Configuration
from tests.problems import TASKS, sample

ROUNDS = 2_000
RATES = (0.03, 0.5, 4.0)
OFFSETS = (0, -1, 9)


def runs_of(task: Task) -> list[Run]:
    """Every configuration with every offset; rates and seeds spread over them."""
    runs: dict[tuple[Configuration, float], Run] = {}
    for number, configuration in enumerate(CONFIGURATIONS):
        for shift, offset in enumerate(OFFSETS):
            rate = RATES[(number + shift + len(task)) % len(RATES)]
            run = configuration.run(learning_rate=rate, offset=offset, seed=number)
            runs.setdefault((configuration, run.offset), run)
    return list(runs.values())


@pytest.mark.parametrize(
    ("task", "run"), [(task, run) for task in TASKS for run in runs_of(task)], ids=str
)
def test_a_run_equals_the_reference(task: Task, run: Run) -> None:
    played = sample(task, ROUNDS)

    ours = play(played.problem, tuple(runs_of(task)))[run]

    assert_equals_reference(ours, play_reference(played, run))


@pytest.mark.parametrize("configuration", ONE_PER_EXPLORER, ids=str)
def test_a_multilabel_run_equals_the_reference(configuration: Configuration) -> None:
    played = sample("multilabel", ROUNDS)
    run = configuration.run(offset=-1, seed=5)

    [ours] = simulate(played.problem, [run], record=True)

    assert_equals_reference(ours, play_reference(played, run))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_a_run_with_two_actions_equals_the_reference(
    configuration: Configuration, task: Task
) -> None:
    played = sample(task, 200, n_actions=2)
    run = configuration.run(offset=-1, seed=7)

    [ours] = simulate(played.problem, [run], record=True)

    assert_equals_reference(ours, play_reference(played, run))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_a_run_with_a_thousand_actions_equals_the_reference(
    configuration: Configuration, task: Task
) -> None:
    played = sample(task, 4, n_actions=1_000)
    run = configuration.run(offset=-1, seed=8)

    [ours] = simulate(played.problem, [run], record=True)

    assert_equals_reference(ours, play_reference(played, run))
