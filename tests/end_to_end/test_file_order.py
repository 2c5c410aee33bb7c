"""Rows in their own order: what the verdict advises does not undo it."""

from pathlib import Path

from bakeoff import Experiment, grid
from tests.problems import sample


def test_rows_in_their_own_order_are_not_to_be_shuffled(tmp_path: Path) -> None:
    problems = [sample(task, 40).problem for task in ("multiclass", "multilabel")]
    runs = grid(["greedy", "epsilon-greedy"], learning_rates=[1], seeds=2)

    own = list(Experiment(problems, runs, shuffles=0).run(tmp_path / "own").verdict())
    shuffled = list(Experiment(problems, runs).run(tmp_path / "shuffled").verdict())

    assert any("`--seeds 10` averages" in one for one in own)
    assert not any("--shuffles 10" in one for one in own)
    assert any("--shuffles 10" in one for one in shuffled)
