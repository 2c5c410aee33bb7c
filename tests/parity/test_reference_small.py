"""The kernels equal tests/reference on small problems: quick enough uncompiled.

This is what `scripts/mutations` runs on each mutant.
"""

import pytest

from bakeoff import Run
from bakeoff.data.problem import Task
from tests.comparisons import assert_equals_reference, play, play_reference
from tests.configurations import CONFIGURATIONS
from tests.problems import TASKS, sample

ROUNDS = 120


def runs_of(task: Task) -> list[Run]:
    """Every configuration once; offsets, rates and seeds go by number and task."""
    turn = TASKS.index(task)
    return [
        configuration.run(
            learning_rate=(0.1, 0.5, 2.0)[(number + turn) % 3],
            offset=(0, -1, 9, -0.5)[(number + turn) % 4],
            seed=number,
        )
        for number, configuration in enumerate(CONFIGURATIONS)
    ]


@pytest.mark.parametrize(
    ("task", "run"), [(task, run) for task in TASKS for run in runs_of(task)], ids=str
)
def test_a_short_run_equals_the_reference(task: Task, run: Run) -> None:
    played = sample(task, ROUNDS)

    ours = play(played.problem, tuple(runs_of(task)))[run]

    assert_equals_reference(ours, play_reference(played, run))
