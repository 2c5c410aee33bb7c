"""Players: a new kind of run takes part in everything by one entry of a table."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from bakeoff import Experiment, Problem, ResourceError, Run, simulate
from bakeoff.core.types import Sizes
from bakeoff.data.facts import Facts
from bakeoff.learners.spec import OwnRun
from bakeoff.simulation.lanes import sizes_of
from bakeoff.simulation.player import Player, Report
from bakeoff.simulation.result import Result, new_sums, result_of
from bakeoff.simulation.simulate import PLAYERS, group_by_structure, player_of
from bakeoff.store.jobs import groups_of
from bakeoff.store.store import Store
from tests.problems import sample


@dataclass(frozen=True, init=False)
class ToyRun(Run):
    """A run of a kind of its own."""

    player: ClassVar[str] = "toy"


class ToyPlayer:
    """Takes action 0 in every round, in passes of two runs of 100 bytes each."""

    apart = False

    def __init__(self) -> None:
        self.passes: list[int] = []

    def group(self, run: ToyRun) -> Hashable:
        return run.offset

    def cost(self, run: ToyRun, facts: Facts) -> float:
        return 3.0 * facts.n

    def bytes_per_run(self, run: ToyRun, sizes: Sizes) -> int:
        return 100

    def width(self, run: ToyRun, sizes: Sizes, memory: int) -> int:
        return min(2, memory // 100)

    def kernels(self, run: ToyRun, stream: bool = False) -> None:
        return

    def play(
        self, problem: Problem, runs: Sequence[ToyRun], record: bool, report: Report
    ) -> list[Result]:
        self.passes.append(len(runs))
        sums = new_sums(problem.n, len(runs), record)
        costs = np.array([row.min() for row in problem.true_costs.value.reshape(-1, 3)])
        sums.cost[:] = costs.sum()
        report(problem.n)
        return [result_of(problem, run, sums, i, 0.0) for i, run in enumerate(runs)]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> ToyPlayer:
    player = ToyPlayer()
    monkeypatch.setitem(PLAYERS, "toy", player)
    return player


TOYS = [ToyRun("greedy", learning_rate=rate) for rate in (0.1, 1, 3)]


@pytest.mark.parametrize("run", [Run("greedy"), OwnRun("python:tests.learners.Turns")])
def test_each_kind_of_run_has_a_player(run: Run) -> None:
    player: Player = player_of(run)
    problem = sample("multiclass", 10).problem
    sizes = sizes_of(problem)

    assert player.group(run) == player.group(run)
    assert player.cost(run, Facts.of(problem)) > 0
    assert player.width(run, sizes, 10**9) >= 1
    assert player.bytes_per_run(run, sizes) > 0


def test_a_new_kind_of_run_is_simulated_beside_others(toy: ToyPlayer) -> None:
    problem = sample("cost-sensitive", 40).problem
    told: list[tuple[int, int]] = []

    results = simulate(problem, [*TOYS, Run("greedy")], progress=lambda *done: told.append(done))

    assert toy.passes == [2, 1]
    assert [result.run for result in results] == [*TOYS, Run("greedy")]
    assert results[0].pv_loss < results[3].pv_loss
    assert told[-1] == (160, 160)


def test_memory_splits_the_passes_of_a_new_kind_of_run(toy: ToyPlayer) -> None:
    problem = sample("cost-sensitive", 40).problem

    simulate(problem, TOYS, memory=199)

    assert toy.passes == [1, 1, 1]
    with pytest.raises(ResourceError, match="one run of 'greedy' on"):
        simulate(problem, TOYS, memory=99)


def test_a_new_kind_of_run_is_a_group_of_an_experiment(toy: ToyPlayer, tmp_path: Path) -> None:
    problem = sample("cost-sensitive", 40).problem

    summary = Experiment(problem, [*TOYS, Run("greedy")]).run(tmp_path)

    toys, greedy = groups_of([*TOYS, Run("greedy")])
    assert (toys.runs, greedy.runs) == (tuple(TOYS), (Run("greedy"),))
    assert toys.cost(Facts.of(problem)) == 3 * 3.0 * 40
    assert summary.is_complete
    assert Store(tmp_path).read().height == 4


def test_runs_are_grouped_by_player_and_structure_at_their_positions(toy: ToyPlayer) -> None:
    bag, greedy = Run("bag"), Run("greedy")
    runs = [greedy, bag, TOYS[0], replace(greedy, seed=2), greedy]

    assert group_by_structure(runs) == [[0, 3, 4], [1], [2]]
