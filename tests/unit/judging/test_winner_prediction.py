"""Whether facts of a dataset predict its winner."""

import numpy as np
import polars as pl

from bakeoff.judging.contest import Contest
from bakeoff.judging.winner_prediction import predicted_winners


def contest_on(actions: list[int], losses: list[tuple[float, float]]) -> Contest:
    n = len(actions)
    problems = pl.DataFrame(
        {"n": [1000] * n, "n_features": [10] * n, "n_actions": actions, "skyline": [0.1] * n}
    )
    return Contest(("G", "RO"), problems, np.array(losses)[:, :, None], [])


def test_a_fact_that_decides_is_found() -> None:
    actions = [2, 10] * 20
    losses = [(0.1, 0.2) if K == 2 else (0.2, 0.1) for K in actions]

    found = predicted_winners(contest_on(actions, losses))

    assert found is not None
    assert found.accuracy == 1.0
    assert found.guessing == 0.5
    assert found.says.endswith("The tree: K <= 6: Greedy; K > 6: RegCB-opt.")


def test_facts_that_say_nothing_are_said_to_say_nothing() -> None:
    losses = [(0.1, 0.2), (0.1, 0.2), (0.2, 0.1)] * 12

    found = predicted_winners(contest_on([2] * 36, losses))

    assert found is not None
    assert found.accuracy == found.guessing == 2 / 3
    assert found.says.endswith("So these facts do not predict the winner.")


def test_few_datasets_and_lone_winners_teach_nothing() -> None:
    assert predicted_winners(contest_on([2] * 19, [(0.1, 0.2)] * 19)) is None
    assert predicted_winners(contest_on([2] * 40, [(0.1, 0.2)] * 40)) is None
    assert predicted_winners(contest_on([2] * 40, [(0.1, 0.1)] * 40)) is None
