"""Experiments: their files, names and failures, and the facts that jobs go by."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from bakeoff import DataNotice, Problem, SpecError, load, simulate
from bakeoff.data.facts import Facts
from bakeoff.data.problem import Task
from bakeoff.experiment import experiment
from bakeoff.experiment.engines import workbench
from bakeoff.experiment.estimate import first
from bakeoff.experiment.experiment import Experiment
from bakeoff.experiment.problem_sources import mark_of
from bakeoff.experiment.progress import progress_of
from bakeoff.judging.reading import read_losses
from bakeoff.reading.catalog.paper import tuning_ids
from bakeoff.reading.catalog.source import Published, Source
from bakeoff.reading.catalog.sources import find_all
from bakeoff.reading.options import Options
from bakeoff.reading.read_file import read_file
from bakeoff.runs.grids import grid
from bakeoff.simulation.lanes import sizes_of
from bakeoff.store import jobs
from bakeoff.store.store import MANIFEST, Store
from benchmarks.kills import comparable
from tests.configurations import ONE_PER_EXPLORER
from tests.explosions import explosion_of
from tests.problems import sample

TASKS: tuple[Task, ...] = ("multiclass", "multilabel", "cost-sensitive", "ranking")
PROBLEMS = [sample(task, 40).problem for task in TASKS]
RUNS = grid(["greedy", "supervised"], learning_rates=[0.1, 1.0, 3.0])


def write_csv(file: Path, n: int = 30, seed: int = 0) -> Path:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 3)), rng.choice(list("abc"), n)
    rows = [f"{','.join(map(repr, x.tolist()))},{name}" for x, name in zip(X, y, strict=True)]
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(["u,v,w,class", *rows]) + "\n")
    return file


# ---- files


def test_files_and_problems_in_memory_give_the_same_rows(tmp_path: Path) -> None:
    write_csv(tmp_path / "data" / "a.csv", 30, seed=1)
    write_csv(tmp_path / "data" / "b.csv", 40, seed=2)
    problems = load(tmp_path / "data")
    assert isinstance(problems, list)

    Experiment(tmp_path / "data", RUNS).run(tmp_path / "files")
    Experiment(problems, RUNS).run(tmp_path / "memory")

    assert comparable(tmp_path / "files").equals(comparable(tmp_path / "memory"))


def test_a_file_that_has_not_changed_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_csv(tmp_path / "a.csv")
    Experiment(file, RUNS).run(tmp_path / "out")
    monkeypatch.setattr(experiment, "read", lambda *_: pytest.fail("was read"))

    summary = Experiment(file, RUNS).run(tmp_path / "out")

    assert (summary.n_computed, summary.n_runs) == (0, len(RUNS))


def test_a_file_that_has_changed_is_another_problem(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "a.csv", seed=1)
    Experiment(file, RUNS).run(tmp_path / "out")
    write_csv(file, seed=2)

    summary = Experiment(file, RUNS).run(tmp_path / "out")

    assert summary.n_computed == len(RUNS)
    assert comparable(tmp_path / "out")["digest"].n_unique() == 2


def test_files_that_hold_the_same_data_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        write_csv(tmp_path / "data" / f"{name}.csv")
    trial = Experiment(tmp_path / "data", RUNS)
    with pytest.warns(DataNotice, match="same data"):
        trial.run(tmp_path / "out")
    monkeypatch.setattr(experiment, "read", lambda *_: pytest.fail("was read"))

    with pytest.warns(DataNotice, match="same data"):
        summary = trial.run(tmp_path / "out")

    assert summary.is_complete


def test_what_was_fetched_is_read_again_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached, times = tmp_path / "cache" / "a.csv", []

    def fetched(options: Options) -> Problem:
        times.append(options)
        if not cached.exists():
            write_csv(cached, seed=1)
        return read_file(cached, options)

    for place in (cached, cached.parent):
        times.clear()
        cached.unlink(missing_ok=True)
        source = Source("a", fetched, "web:a", is_here=cached.exists, cached=partial(Path, place))
        trial, out = Experiment(source, RUNS), tmp_path / f"out-{place.name}"
        first, again = trial.run(out), trial.run(out)
        assert (first.n_computed, again.n_computed, len(times)) == (len(RUNS), 0, 1)

        write_csv(cached, seed=2)
        assert trial.run(out).n_computed == len(RUNS)
        assert len(times) == 2


def test_sources_that_read_one_file_differently_have_marks_of_their_own(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "a.csv")
    (source,) = find_all([str(file)])
    others = [replace(source, task="multilabel"), replace(source, published=Published(30, 3))]

    marks = {mark_of(one, Options()) for one in (source, *others)}

    assert len(marks) == 3
    assert None not in marks


def test_a_manifest_that_has_changed_is_noticed(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    (data / "a.csv").write_text("p,q\n" + "x,r\ny,s\nx,s\ny,t\n" * 5)
    heading, row = "file,task,name,target", "a.csv,multiclass,a"
    (data / "manifest.csv").write_text(f"{heading}\n{row},p\n")
    Experiment(data, RUNS[:3]).run(out)
    (data / "manifest.csv").write_text(f"{heading}\n{row},q\n")

    summary = Experiment(data, RUNS).run(out)

    assert summary.is_complete
    assert summary.n_computed == len(RUNS)
    assert set(comparable(out)["n_actions"]) == {2, 3}


def test_options_are_part_of_a_problem_and_of_its_name(tmp_path: Path) -> None:
    file, out = tmp_path / "a.csv", tmp_path / "out"
    file.write_text("p,class\n" + "u,r\nv,s\nw,s\n" * 5)
    one_hot = Options(features="one-hot")
    said = Experiment("embedded:iris", RUNS[:1], features="one-hot")
    assert said.options == one_hot
    with pytest.raises(SpecError, match=r"an experiment takes no `name`"):
        Experiment("embedded:iris", RUNS[:1], name="mine")

    Experiment(file, RUNS[:3]).run(out)
    Experiment(file, RUNS[:3], options=one_hot).run(out)
    Experiment(file, RUNS, options=one_hot).run(out)  # of what the store remembers

    counts = comparable(out)["problem"].value_counts().sort("problem")
    assert counts.rows() == [("a", 3), ("a (one-hot)", len(RUNS))]


# ---- names and twins


def test_the_numbers_of_twins_are_kept_whenever_they_come(tmp_path: Path) -> None:
    held_out, tuning = 3, tuning_ids()[0]
    one = replace(PROBLEMS[0], name="one", openml_id=held_out)
    other = replace(PROBLEMS[0], name="other", openml_id=tuning)

    Experiment([one], RUNS).run(tmp_path)
    before = read_losses(Store(tmp_path)).problems["tuning"].to_list()
    Experiment([other], RUNS).run(tmp_path)

    assert before == [False]
    assert read_losses(Store(tmp_path)).problems["tuning"].to_list() == [True]


def test_problems_of_one_name_are_told_apart(tmp_path: Path) -> None:
    problems = [sample("multiclass", 30, seed=seed).problem for seed in (1, 2)]

    Experiment(problems, RUNS).run(tmp_path)

    assert set(comparable(tmp_path)["problem"]) == {
        f"multiclass@{problem.digest[:8]}" for problem in problems
    }


def test_the_same_data_under_two_names_is_played_once_and_said(tmp_path: Path) -> None:
    for name in "ab":
        write_csv(tmp_path / "data" / f"{name}.csv")

    with pytest.warns(DataNotice, match=r"^b holds the same data as a, and is not run again$"):
        summary = Experiment(tmp_path / "data", RUNS).run(tmp_path / "out")

    assert summary.n_runs == len(RUNS)
    assert set(comparable(tmp_path / "out")["problem"]) == {"a"}


# ---- failures


def test_a_run_that_explodes_is_an_error_each_time_it_is_asked_for(tmp_path: Path) -> None:
    problem, fine, broken = explosion_of(ONE_PER_EXPLORER[0])
    experiment = Experiment(problem, [fine, broken])

    with pytest.warns(DataNotice, match="^failed: "):
        now, later = experiment.run(tmp_path), experiment.run(tmp_path)
    without = Experiment(problem, [fine]).run(tmp_path)

    rows = comparable(tmp_path)
    assert (now.n_computed, now.n_errors, now.is_complete) == (2, 1, False)
    assert (later.n_computed, later.n_errors, later.is_complete) == (0, 1, False)
    assert without.is_complete
    assert rows.filter(pl.col("error").is_not_null())["run"].to_list() == [str(broken)]
    assert rows.filter(run=str(broken))["pv_loss"].to_list() == [None]


def test_a_problem_that_cannot_be_read_is_a_failure_until_it_can(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    write_csv(data / "good.csv")
    for name in ("bad", "worse"):
        (data / f"{name}.csv").write_text("u,class\n1\n")

    with pytest.warns(DataNotice, match="^failed: "):
        before = Experiment(data, RUNS).run(out)
    failed = Store(out).read().filter(pl.col("error").is_not_null())
    write_csv(data / "bad.csv", seed=3)
    write_csv(data / "worse.csv", seed=4)
    after = Experiment(data, RUNS).run(out)

    assert [name for name, _ in before.failures] == ["bad", "worse"]
    assert before.n_computed == len(RUNS)
    assert dict(before.failures) == dict(failed.select("problem", "error").rows())
    assert after.is_complete
    assert after.n_computed == 2 * len(RUNS)
    assert Store(out).read()["error"].count() == 0


class Insatiable(Problem):
    """A problem for which no machine has the memory."""

    def shuffled(self, seed: int) -> Problem:
        if seed == 2:
            np.empty(1 << 58)
        return super().shuffled(seed)


@pytest.mark.parametrize("where", ["data", "learners"])
def test_a_job_without_memory_fails_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    kind = Insatiable if where == "data" else Problem
    problem = kind.from_classes(np.eye(30, 5), np.arange(30) % 3, name="a")

    def simulate_some(*given: Any, **options: Any) -> list[Any]:
        calls.append(given)
        if len(calls) == 2:
            np.empty(1 << 58)
        return simulate(*given, **options)

    calls: list[Any] = []
    if where == "learners":
        monkeypatch.setattr(workbench, "play_in_order", simulate_some)

    trial = Experiment(problem, RUNS[:1], shuffles=3)
    with pytest.warns(DataNotice, match="^failed: "):
        summary = trial.run(tmp_path, jobs=1)
    failed = Store(tmp_path).read().drop_nulls("error")
    progress = progress_of(Store(tmp_path))

    assert [what for what, _ in summary.failures] == ["G on a"]
    reason = "there is not enough memory (Unable to allocate 2.00 EiB for an array"
    assert summary.failures[0][1].startswith(reason)
    assert failed["error"].to_list() == [summary.failures[0][1]]
    assert not summary.is_complete
    assert (summary.n_computed, progress.runs_done, progress.failed) == (2, 2, 1)


def test_a_problem_too_large_for_memory_does_not_stop_the_others(tmp_path: Path) -> None:
    def too_large(options: Options) -> Problem:
        raise MemoryError

    trial = Experiment([Source("huge", too_large, "huge"), PROBLEMS[0]], RUNS)
    with pytest.warns(DataNotice, match="^failed: "):
        summary = trial.run(tmp_path)

    assert summary.failures == [("huge", "there is not enough memory")]
    assert summary.n_computed == len(RUNS)


def test_very_many_files_are_put_together_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SHORT", 0.0)
    asked = Experiment(PROBLEMS[0], RUNS, shuffles=2)
    asked.run(tmp_path / "scattered")
    monkeypatch.setattr(experiment, "is_scattered", lambda store: True)

    asked.run(tmp_path / "compact")
    again = asked.run(tmp_path / "compact")

    scattered, compact = Store(tmp_path / "scattered"), Store(tmp_path / "compact")
    assert (len(scattered.files()), len(compact.files())) == (4, 2)
    assert comparable(compact.folder).equals(comparable(scattered.folder))
    assert again.n_computed == 0
    assert progress_of(compact).jobs_done == 4


def test_what_was_computed_counts_even_if_files_cannot_be_put_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SHORT", 0.0)
    asked = Experiment(PROBLEMS[0], RUNS)

    def damaged(store: Store) -> bool:
        """By now, a file is."""
        store.files()[0].path.write_text("no Parquet")
        return True

    monkeypatch.setattr(experiment, "is_scattered", damaged)

    with pytest.warns(DataNotice, match=r"left as they are.*\.parquet: is damaged"):
        summary = asked.run(tmp_path)

    assert summary.is_complete
    assert len(Store(tmp_path).files()) == 2


@pytest.mark.parametrize(
    ("loss", "said"),
    [(1.5, "pv_loss must be from 0 to 1"), (0.5, "was changed after it had been wri")],
)
def test_a_result_that_was_edited_is_computed_anew(tmp_path: Path, loss: float, said: str) -> None:
    asked = Experiment(PROBLEMS[0], RUNS)
    asked.run(tmp_path)
    before = comparable(tmp_path)
    path = Store(tmp_path).files()[0].path
    time.sleep(0.01)  # the clock of a file system is coarse
    pl.read_parquet(path).with_columns(pv_loss=pl.lit(loss)).write_parquet(path)

    faults = progress_of(Store(tmp_path)).faults
    with pytest.warns(DataNotice, match=f"{said}.*; it is now"):
        asked.run(tmp_path)

    assert [fault.path for fault in faults] == [path]
    assert comparable(tmp_path).equals(before)
    assert progress_of(Store(tmp_path)).faults == []


def test_a_manifest_that_was_edited_is_written_anew(tmp_path: Path) -> None:
    asked = Experiment(PROBLEMS[0], RUNS)
    asked.run(tmp_path)
    manifest = tmp_path / MANIFEST
    manifest.write_text(manifest.read_text().replace('"n": ', '"n": -'))

    assert read_losses(Store(tmp_path)).problems.height == 1
    with pytest.warns(DataNotice, match=r"manifest.json: is not as it was written .*n"):
        again = asked.run(tmp_path)

    assert again.n_computed == 0
    assert progress_of(Store(tmp_path)).runs_done == len(RUNS)


def test_one_algorithm_after_the_other_can_be_computed_again(tmp_path: Path) -> None:
    asked = Experiment(PROBLEMS[0], RUNS)
    asked.run(tmp_path)
    before = comparable(tmp_path)

    for label in ("G", "OAA", "G"):
        assert asked.run(tmp_path, again=[label]).n_computed == len(RUNS) // 2

    assert asked.run(tmp_path).n_computed == 0
    assert comparable(tmp_path).equals(before)


def test_jobs_that_failed_count_as_such_until_all_their_runs_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Experiment(PROBLEMS[0], RUNS)
    with pytest.warns(DataNotice, match="^failed: "):
        asked.run(tmp_path, memory=100)
    monkeypatch.setattr(jobs, "SHORT", 0.0)  # from now on, each structure is a job

    failed = progress_of(Store(tmp_path)).failed
    asked.run(tmp_path)
    asked.run(tmp_path)  # sweeps up

    assert failed == 1
    assert progress_of(Store(tmp_path)).failed == 0
    assert [file.failed for file in Store(tmp_path).files()] == [False, False]


def test_progress_is_that_of_the_last_experiment(tmp_path: Path) -> None:
    good, bad = write_csv(tmp_path / "good.csv"), tmp_path / "bad.csv"
    bad.write_text("u,class\n1\n")
    with pytest.warns(DataNotice, match="^failed: "):
        Experiment([good, bad], RUNS[:2], shuffles=3).run(tmp_path / "out")
    before = progress_of(Store(tmp_path / "out"))

    Experiment(good, RUNS).run(tmp_path / "out")
    after = progress_of(Store(tmp_path / "out"))

    assert (before.problems, before.problems_done, before.failed) == (1, 1, 1)
    assert (before.jobs, before.jobs_done, before.runs, before.runs_done) == (3, 3, 6, 6)
    assert (after.problems, after.problems_done, after.failed) == (1, 1, 0)
    assert (after.jobs, after.jobs_done, after.runs, after.runs_done) == (1, 1, 6, 6)


def test_an_experiment_needs_runs_problems_and_threads(tmp_path: Path) -> None:
    numbers: Any = [3]

    with pytest.raises(SpecError, match="needs at least one run"):
        Experiment(PROBLEMS, [])
    with pytest.raises(SpecError, match="needs at least one problem"):
        Experiment([], RUNS)
    with pytest.raises(SpecError, match="got 3"):
        Experiment(PROBLEMS, numbers)
    with pytest.raises(SpecError, match="shuffles must be 0 or more"):
        Experiment(PROBLEMS, RUNS, shuffles=-1)
    with pytest.raises(SpecError, match="jobs must be at least 1"):
        Experiment(PROBLEMS, RUNS).run(tmp_path, jobs=0)


# ---- facts and samples


@pytest.mark.parametrize("problem", PROBLEMS, ids=TASKS)
def test_facts_are_those_of_the_problem(problem: Problem) -> None:
    facts = Facts.of(problem)

    arrays = (*problem.contexts, *problem.true_costs)
    assert sizes_of(facts) == sizes_of(problem)
    assert (facts.n, facts.nonzeros) == (problem.n, problem.nonzeros)
    assert 0.9 <= facts.bytes / sum(array.nbytes for array in arrays) <= 2


@pytest.mark.parametrize("problem", PROBLEMS, ids=TASKS)
def test_the_first_events_are_those_of_the_whole(problem: Problem) -> None:
    part = first(problem, 7)

    few = simulate(part, RUNS, record=True)
    many = simulate(problem, RUNS, record=True)

    assert part.n == 7
    assert len(part.contexts.feature) == part.contexts.start[-1]
    assert len(part.contexts.start) == part.contexts.first_row[-1] + 1
    assert first(problem, 10**6).n == problem.n
    for short, long in zip(few, many, strict=True):
        assert short.actions is not None
        assert long.actions is not None
        assert_array_equal(short.actions, long.actions[:7])
