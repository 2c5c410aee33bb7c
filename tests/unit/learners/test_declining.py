"""Learners that decline a problem: a note, and neither a failure nor something missing."""

from pathlib import Path
from typing import Any

import pytest

from bakeoff import DataNotice, DeclinedError, Experiment, Problem, check_learner, grid, simulate
from bakeoff.experiment.progress import progress_of
from bakeoff.store.store import Store
from tests.learners import First, Turns

WIDEST = 3


class Selects(Turns):
    """Tells by `accepts` that it takes few features only."""

    asked: list[str] = []  # noqa: RUF012

    def __init__(self, n_actions: int, n_features: int) -> None:
        assert n_features <= WIDEST
        super().__init__(n_actions)

    @staticmethod
    def accepts(facts: Any) -> Any:
        return facts.n_features <= WIDEST or f"{facts.n_features} features are too many"


class Refuses(First):
    """Tells so when it is made."""

    def __init__(self, n_actions: int, n_features: int) -> None:
        super().__init__(n_actions)
        if n_features > WIDEST:
            raise DeclinedError(f"{n_features} features are too many")


def problems() -> list[Problem]:
    def named(n_features: int) -> Problem:
        X = [[float((i + j) % 3) for j in range(n_features)] for i in range(30)]
        return Problem.from_classes(X, [i % 3 for i in range(30)], name=f"d{n_features}")

    return [named(n) for n in (2, 5, 7)]


@pytest.mark.parametrize("learner", [Selects, Refuses])
def test_a_decline_is_a_note(learner: Any, tmp_path: Path) -> None:
    experiment = Experiment(problems(), ["greedy", learner])

    with pytest.warns(DataNotice, match="declines d5, d7: . features are too many") as notices:
        done = experiment.run(tmp_path)

    assert not [one for one in notices if "failed" in str(one.message)]
    assert done.is_complete
    assert done.n_runs == done.n_computed == 3 * 9 + 1
    progress = progress_of(Store(tmp_path))
    assert (progress.runs, progress.runs_done, progress.failed) == (28, 28, 0)


@pytest.mark.parametrize("learner", [Selects, Refuses])
def test_a_second_run_has_nothing_to_do(learner: Any, tmp_path: Path) -> None:
    experiment = Experiment(problems(), [learner])
    with pytest.warns(DataNotice, match="declines"):
        experiment.run(tmp_path)

    with pytest.warns(DataNotice, match="declines"):
        done = experiment.run(tmp_path)

    assert (done.n_runs, done.n_computed, done.is_complete) == (1, 0, True)


@pytest.mark.parametrize("learner", [Selects, Refuses])
def test_a_dry_run_goes_on_where_a_learner_declines(learner: Any, tmp_path: Path) -> None:
    runs = grid(["greedy", learner], learning_rates=[1])

    with pytest.warns(DataNotice) if learner is Refuses else _nothing():
        plan, estimate, _ = Experiment(problems(), runs).dry_run(tmp_path)

    assert estimate.seconds > 0
    assert estimate.runs == (4 if learner is Selects else 6)
    assert any("declines" in notice for notice in plan.notices) == (learner is Selects)


class _nothing:  # noqa: N801
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize("learner", [Selects, Refuses])
def test_simulate_refuses_to_play_it(learner: Any) -> None:
    with pytest.raises(DeclinedError, match="5 features"):
        simulate(problems()[1], [learner])


def test_checks_skip_what_a_learner_declines() -> None:
    for learner in (Selects, Refuses):
        checkup = check_learner(learner, raises=False)

        skipped = {one.check: one.reason for one in checkup.outcomes if one.status == "skipped"}
        assert "5 features" in skipped["decisions"]


def test_no_learner_of_dense_contexts_is_made_for_wide_ones() -> None:
    made = []

    class Wide(Turns):
        def __init__(self, n_actions: int, n_features: int) -> None:
            made.append(n_features)
            super().__init__(n_actions)

    check_learner(Wide, raises=False)

    assert max(made) < 100


def test_one_that_takes_sparse_contexts_is_checked_with_wide_ones() -> None:
    made = []

    class Wide(First):
        def __init__(self, n_actions: int, n_features: int) -> None:
            made.append(n_features)
            super().__init__(n_actions)
            self.takes_sparse = True

    check_learner(Wide, raises=False)

    assert max(made) == 20_000


def test_a_change_of_the_learner_asks_again(tmp_path: Path) -> None:
    def made(widest: int) -> Any:
        class Changing(First):
            def __init__(self, n_actions: int, n_features: int) -> None:
                super().__init__(n_actions)
                if n_features > widest:
                    raise DeclinedError(f"{n_features} features are too many")

        return Changing

    with pytest.warns(DataNotice, match="declines d5, d7"):
        Experiment(problems(), made(3)).run(tmp_path)
    with pytest.warns(DataNotice) as notices:
        done = Experiment(problems(), made(5)).run(tmp_path)

    assert done.n_runs == 2
    assert any("declines d7:" in str(notice.message) for notice in notices)
