"""Runs whose feedback comes late, or is wrong, equal tests/reference to the last bit.

Loops of streams are played uncompiled here, but for those of a few explorers: to compile
them all takes minutes, and what is compiled computes the same.
"""

from functools import cache

import numpy as np
import pytest

from bakeoff import Problem, Run, simulate
from bakeoff.data.problem import Task
from bakeoff.data.streams.schedule import arrivals
from tests.comparisons import assert_equals_reference, assert_same, play_reference
from tests.configurations import CONFIGURATIONS, ONE_PER_EXPLORER, SKYLINES, Configuration
from tests.problems import TASKS, Sample, sample
from tests.reference.inputs import centred
from tests.uncompiled import uncompiled as uncompiled  # a fixture

ROUNDS = 60
STREAM = "delay(exponential, mean=6) | lost(0.1) | noise(0.2)"
COMPILED = [
    c for c in CONFIGURATIONS if c.spec.startswith(("epsilon-greedy:", "regcb:")) and not c.baseline
]


@cache
def under(task: Task, stream: str) -> Sample:
    """A sample problem under conditions that change feedback alone."""
    played = sample(task, ROUNDS)
    return played._replace(problem=played.problem.with_conditions(stream))


def run_of(configuration: Configuration, number: int) -> Run:
    """Offsets, rates and seeds go by number."""
    rate, offset = (0.1, 0.5, 2.0)[number % 3], (0, -1, 9)[number % 3]
    return configuration.run(learning_rate=rate, offset=offset, seed=number)


def told_in(played: Sample) -> list[list[float]]:
    """The costs that are learned; of a class, those of another class."""
    told, true = played.problem.told_costs, played.problem.true_costs
    assert told is not None
    rows = []
    for e, costs in enumerate(played.costs):
        if true.value.size:
            rows.append(told.value[true.start[e] : true.start[e + 1]].tolist())
        else:
            rows.append([float(k != told.right[e]) for k in range(len(costs))])
        assert sorted(rows[-1]) == sorted(costs.tolist())
    return rows


def assert_stream_equals_reference(task: Task, run: Run) -> None:
    played = under(task, STREAM)

    [ours] = simulate(played.problem, [run], record=True)

    late = arrivals(played.problem.conditions, ROUNDS).tolist()
    assert_equals_reference(ours, play_reference(played, run, late, told_in(played)))


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("number", range(len(CONFIGURATIONS)))
def test_a_run_under_delay_and_noise_equals_the_reference(number: int) -> None:
    run = run_of(CONFIGURATIONS[number], number)

    assert_stream_equals_reference(TASKS[number % 3], run)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("configuration", COMPILED, ids=str)
def test_a_compiled_run_under_delay_and_noise_equals_the_reference(
    configuration: Configuration, task: Task
) -> None:
    assert_stream_equals_reference(task, run_of(configuration, TASKS.index(task)))


@pytest.mark.parametrize("configuration", COMPILED, ids=str)
def test_side_by_side_as_alone(configuration: Configuration) -> None:
    problem = under("multiclass", STREAM).problem
    runs = [run_of(configuration, number) for number in range(12)]

    together = simulate(problem, runs, record=True)

    for run, one in zip(runs, together, strict=True):
        [alone] = simulate(problem, [run], record=True)
        assert_same(one, alone)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("stream", ["delay(batch, every=7)", "delay(3)"])
@pytest.mark.parametrize("configuration", ONE_PER_EXPLORER, ids=str)
def test_other_delays_equal_the_reference(configuration: Configuration, stream: str) -> None:
    played = under("multiclass", stream)
    run = configuration.run(offset=-1, seed=3)
    late = {
        "delay(3)": [e + 3 for e in range(ROUNDS)],
        "delay(batch, every=7)": [e - e % 7 + 6 for e in range(ROUNDS)],
    }[stream]

    [ours] = simulate(played.problem, [run], record=True)

    assert_equals_reference(ours, play_reference(played, run, late))


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("spec", ["", ",forget=20,restart=2"])
@pytest.mark.parametrize("configuration", ONE_PER_EXPLORER, ids=str)
def test_feedback_lost_for_an_action_equals_the_reference(
    configuration: Configuration, spec: str
) -> None:
    if configuration in SKYLINES and spec:
        return
    played = under("multiclass", "lost(0.7, action=1) | delay(2)")
    problem, several = played.problem, []
    if ":" not in configuration.spec:
        spec = spec.replace(",", ":", 1)
    for seed in range(2):  # runs that cannot share a pass
        safe = configuration.spec.replace("tau=40", "tau=9") + spec
        several.append(configuration._replace(spec=safe).run(seed=seed))
    told = problem.told_costs if configuration not in SKYLINES else problem.revealed_costs
    assert told is not None

    results = simulate(problem, several, record=True)

    late = [e + 2 for e in range(ROUNDS)]
    for run, ours in zip(several, results, strict=True):
        rows = told.value.reshape(ROUNDS, -1).tolist()
        assert_equals_reference(ours, play_reference(played, run, late, rows))


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("configuration", ONE_PER_EXPLORER, ids=str)
def test_centred_inputs_are_learned_as_they_were_seen(configuration: Configuration) -> None:
    played = under("multiclass", "delay(3)")
    run = Run.from_text(f"{configuration.run(offset=-1, seed=4)},inputs=centred")

    [ours] = simulate(played.problem, [run], record=True)

    mapped = played._replace(events=centred(played.events))
    late = [e + 3 for e in range(ROUNDS)]
    assert_equals_reference(ours, play_reference(mapped, run, late))


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("number", range(len(CONFIGURATIONS)))
def test_a_delay_of_nothing_changes_nothing(number: int) -> None:
    task, run = TASKS[number % 3], run_of(CONFIGURATIONS[number], number)

    [plain] = simulate(sample(task, ROUNDS).problem, [run], record=True)
    [late] = simulate(under(task, "delay(0)").problem, [run], record=True)

    assert_same(plain, late)


def test_a_compiled_delay_of_nothing_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    problem = Problem.from_classes(rng.normal(size=(500, 6)), rng.integers(0, 4, 500))
    runs = [run_of(configuration, n) for configuration in COMPILED for n in range(9)]

    plain = simulate(problem, runs, record=True)
    late = simulate(problem.with_delay(0), runs, record=True)

    for one, other in zip(plain, late, strict=True):
        assert_same(one, other)
