"""An experiment's rows are the same however it is carried out."""

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff import DataNotice, Run, simulate
from bakeoff.data.facts import Facts
from bakeoff.data.problem import Task
from bakeoff.experiment.engines import local
from bakeoff.experiment.engines.problems import Problems
from bakeoff.experiment.engines.workbench import Done, Workbench
from bakeoff.experiment.experiment import Experiment
from bakeoff.experiment.summary import Summary
from bakeoff.runs.grids import grid
from bakeoff.simulation.lanes import bytes_per_lane, sizes_of
from bakeoff.store import jobs
from bakeoff.store.jobs import Job, groups_of
from bakeoff.store.store import Store
from benchmarks.kills import comparable, unfinished
from tests.problems import sample

TASKS: tuple[Task, ...] = ("multiclass", "multilabel", "cost-sensitive", "ranking")
PROBLEMS = [sample(task, 40).problem for task in TASKS]
RUNS = grid(
    ["greedy", "epsilon-greedy", "epsilon-greedy reduction=dr", "supervised"],
    learning_rates=[0.1, 1.0, 3.0],
    encodings=["-1/0", "0/1"],
)
N_ROWS = len(PROBLEMS) * 2 * len(RUNS)
LARGEST_RUN = max(  # in bytes
    bytes_per_lane(run, sizes_of(problem)) for run in RUNS for problem in PROBLEMS
)
some = settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def carried_out(folder: Path, runs: Sequence[Run] = RUNS, **how: Any) -> Summary:
    """The experiment of this file, in two orders of the rows."""
    return Experiment(PROBLEMS, runs, shuffles=2).run(folder, **how)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """The rows of an experiment that nothing happened to."""
    folder = tmp_path_factory.mktemp("whole")
    summary = carried_out(folder, jobs=1)
    assert summary.is_complete
    assert summary.n_runs == summary.n_computed == N_ROWS
    return comparable(folder)


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[Path]:
    """Always another folder."""
    return (tmp_path / str(number) for number in range(1000))


# ---- what the rows are


def test_rows_are_what_simulate_gives(whole: pl.DataFrame) -> None:
    for problem in PROBLEMS:
        for shuffle in (1, 2):
            played = [run.for_job(problem.digest, shuffle) for run in RUNS]
            results = simulate(problem.shuffled(shuffle), played)
            here = whole.filter(digest=problem.digest, shuffle=shuffle)
            rows = {row["run"]: row for row in here.iter_rows(named=True)}

            assert len(rows) == len(RUNS)
            for run, result in zip(RUNS, results, strict=True):
                row = rows[str(run)]
                assert row["pv_loss"] == result.pv_loss
                assert row["ips_loss"] == result.ips_loss
                assert row["ips_reward"] == result.ips_reward
                assert row["curve_rounds"] == result.curve.rounds.tolist()
                assert row["curve_loss"] == result.curve.pv_loss.tolist()


def test_rows_tell_the_run_and_the_problem(whole: pl.DataFrame) -> None:
    problems = {problem.digest: problem for problem in PROBLEMS}

    for row in whole.iter_rows(named=True):
        run, problem = Run.from_text(row["run"]), problems[row["digest"]]
        for name in ("explorer", "reduction", "learning_rate", "encoding", "offset",
                     "baseline", "seed"):  # fmt: skip
            assert row[name] == getattr(run, name)
        for name in ("n", "n_features", "n_actions", "task", "constant_action_cost",
                     "uniform_cost"):  # fmt: skip
            assert row[name] == getattr(problem, name)
        assert (row["algorithm"], row["problem"]) == (run.label, problem.name)
        assert row["error"] is None


# ---- how it is carried out makes no difference


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_threads_makes_no_difference(
    tmp_path: Path, whole: pl.DataFrame, jobs: int
) -> None:
    carried_out(tmp_path, jobs=jobs)

    assert comparable(tmp_path).equals(whole)


@some
@given(memory=st.integers(LARGEST_RUN * 4 // 3 + 1, 20_000))  # a quarter is for data
def test_the_memory_budget_makes_no_difference(
    folders: Iterator[Path], whole: pl.DataFrame, memory: int
) -> None:
    folder = next(folders)

    carried_out(folder, memory=memory)

    assert comparable(folder).equals(whole)


@some
@given(half=st.sets(st.sampled_from(RUNS), min_size=1))
def test_a_grid_may_be_run_in_two_halves(
    folders: Iterator[Path], whole: pl.DataFrame, half: set[Run]
) -> None:
    folder = next(folders)
    early = [run for run in RUNS if run in half]

    before = carried_out(folder, early)
    after = carried_out(folder)

    assert before.n_computed + after.n_computed == N_ROWS
    assert after.n_runs == N_ROWS
    assert comparable(folder).equals(whole)


@some
@given(order=st.permutations(RUNS))
def test_the_order_of_runs_makes_no_difference(
    folders: Iterator[Path], whole: pl.DataFrame, order: list[Run]
) -> None:
    folder = next(folders)

    carried_out(folder, [*order, *order[:5]])
    again = carried_out(folder)

    assert again.n_computed == 0
    assert comparable(folder).equals(whole)


class StoppedError(Exception):
    """Somebody had enough."""


def stops_after(n_jobs: int, threads: int) -> Any:
    """An engine that is stopped in the middle of its work."""

    def engine(*given: Any, **others: Any) -> Iterator[Done]:
        for place, done in enumerate(local.run(*given, threads=threads, **others)):
            if place == n_jobs:
                raise StoppedError
            yield done

    return engine


@some
@given(n_jobs=st.integers(0, 7), threads=st.integers(1, 3))
def test_a_stopped_experiment_goes_on_where_it_was(
    folders: Iterator[Path], whole: pl.DataFrame, n_jobs: int, threads: int
) -> None:
    folder = next(folders)

    with pytest.raises(StoppedError):
        carried_out(folder, engine=stops_after(n_jobs, threads))
    n_files = len(list(Store(folder).files()))
    summary = carried_out(folder)

    assert n_files == n_jobs
    assert 0 < summary.n_computed < N_ROWS or n_jobs == 0
    assert comparable(folder).equals(whole)
    assert unfinished(folder) == []


def test_closing_the_engine_drops_the_jobs_in_flight() -> None:
    short, long = PROBLEMS[0], sample("multiclass", 20_000).problem
    problems = Problems(lambda facts: {short.digest: short}.get(facts.digest, long), 10**9)
    group = groups_of([Run("greedy", seed=seed) for seed in range(64)])[0]
    jobs = [Job(Facts.of(p), 0, group, group.runs) for p in (short, long)]
    worked: list[int] = []

    def notice(job: Job, examples: int) -> None:
        worked.append(examples)

    done = local.run(jobs, Workbench(problems, 10**9, notice), threads=1)
    assert isinstance(done, Generator)
    next(done)
    done.close()
    n_noticed = len(worked)

    assert sum(worked) < 64 * (short.n + long.n)
    assert list(done) == []
    assert len(worked) == n_noticed


def test_short_jobs_may_be_together_or_apart(
    tmp_path: Path, whole: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_groups, n_streams = len(groups_of(RUNS)), len(PROBLEMS) * 2
    with monkeypatch.context() as context:
        context.setattr(jobs, "SHORT", 0.0)
        with pytest.raises(StoppedError):
            carried_out(tmp_path / "some", engine=stops_after(7, threads=2))
        carried_out(tmp_path / "apart")

    n_done = Store(tmp_path / "some").read().height
    after = carried_out(tmp_path / "some")  # as an earlier version began it

    assert len(Store(tmp_path / "apart").files()) == n_groups * n_streams
    assert carried_out(tmp_path / "apart").n_computed == 0
    assert after.n_computed == N_ROWS - n_done
    assert comparable(tmp_path / "apart").equals(whole)
    assert comparable(tmp_path / "some").equals(whole)


def test_problems_may_come_one_after_the_other(tmp_path: Path, whole: pl.DataFrame) -> None:
    for problem in reversed(PROBLEMS):
        Experiment(problem, RUNS, shuffles=2).run(tmp_path)

    assert comparable(tmp_path).equals(whole)


def test_shuffles_may_be_added(tmp_path: Path, whole: pl.DataFrame) -> None:
    Experiment(PROBLEMS, RUNS).run(tmp_path)

    summary = carried_out(tmp_path)

    assert summary.n_computed == N_ROWS // 2
    assert comparable(tmp_path).equals(whole)


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    carried_out(tmp_path)
    before = {file.path: file.path.stat().st_mtime_ns for file in Store(tmp_path).files()}

    summary = carried_out(tmp_path)

    assert (summary.n_computed, summary.n_runs) == (0, N_ROWS)
    assert before == {file.path: file.path.stat().st_mtime_ns for file in Store(tmp_path).files()}


def test_a_job_without_memory_fails_and_is_tried_again(tmp_path: Path, whole: pl.DataFrame) -> None:
    with pytest.warns(DataNotice, match="not enough memory"):
        summary = carried_out(tmp_path, memory=100)
    failed = comparable(tmp_path)
    again = carried_out(tmp_path)

    assert summary.n_computed == 0
    assert len(summary.failures) == len(PROBLEMS) * 2
    assert all("but memory allows" in reason for _, reason in summary.failures)
    assert failed.height == failed["error"].count() == N_ROWS
    assert again.is_complete
    assert comparable(tmp_path).equals(whole)
