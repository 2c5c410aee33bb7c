"""Runs with centred inputs equal tests/reference on mapped events."""

import pytest

from bakeoff import Run
from bakeoff.data.problem import Task
from tests.comparisons import assert_equals_reference, play, play_reference
from tests.configurations import ONE_PER_EXPLORER
from tests.problems import TASKS, sample
from tests.reference.inputs import centred

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
