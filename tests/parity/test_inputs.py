"""Runs with centred inputs equal tests/reference on mapped events."""

import numpy as np
import pytest

from bakeoff import Problem, Run
from bakeoff.data.problem import Task
from bakeoff.simulation.inputs import all_inputs
from tests.comparisons import assert_equals_reference, play, play_reference
from tests.configurations import ONE_PER_EXPLORER
from tests.problems import TASKS, sample
from tests.reference.inputs import centred
from tests.reference.simulation import events_from_arrays

ROUNDS = 120


def runs_of(task: Task) -> list[Run]:
    """Every explorer once; offsets, rates and seeds go by number and task."""
    turn = TASKS.index(task)
    runs = [
        configuration.run(
            learning_rate=(0.1, 0.5, 2.0)[(number + turn) % 3],
            offset=(0, -1, 9, -0.5)[(number + turn) % 4],
            seed=number,
        )
        for number, configuration in enumerate(ONE_PER_EXPLORER)
    ]
    return [Run.from_text(f"{run},inputs=centred") for run in runs]


@pytest.mark.parametrize(
    ("task", "run"), [(task, run) for task in TASKS for run in runs_of(task)], ids=str
)
def test_a_run_with_centred_inputs_equals_the_reference(task: Task, run: Run) -> None:
    played = sample(task, ROUNDS)

    ours = play(played.problem, tuple(runs_of(task)))[run]

    mapped = played._replace(events=centred(played.events))
    assert_equals_reference(ours, play_reference(mapped, run))


@pytest.mark.parametrize("density", [0.1, 0.24, 0.26, 0.49, 0.51, 0.9, 1.0])
@pytest.mark.parametrize("places", [1, 5, 40])
def test_rows_of_any_density_equal_the_reference(places: int, density: float) -> None:
    """Rows are mapped in three ways: those without zeros, dense ones, and others.

    Some columns become rare in the middle, and some begin there.
    """
    rng = np.random.default_rng([places, int(100 * density)])
    X = rng.normal(3.0, 1.0, (200, places)) * (rng.random((200, places)) < density)
    X[100:, ::3] *= rng.random((100, 1)) < 0.1
    X[:60, 1::3] = 0.0
    problem = Problem.from_classes(X, rng.integers(0, 2, 200), 2)

    found = all_inputs(problem, Run("greedy", inputs="centred"))

    wanted = centred(events_from_arrays(X, np.ones((200, 2))))
    for e, event in enumerate(wanted):
        low, high = found.start[e], found.start[e + 1]
        row = zip(found.feature[low:high].tolist(), found.value[low:high], strict=True)
        assert list(row) == [((j + 1) % (places + 1), x) for j, x in event.rows[0]]
