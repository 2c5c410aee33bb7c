"""The Dask engine: the rows of the local one, whatever happens to its workers."""

import importlib
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import polars as pl
import pytest
from dask import config

from bakeoff import DataNotice, Problem
from bakeoff.basics.errors import ResourceError, SpecError
from bakeoff.core.jit import compiled
from bakeoff.core.rounds import _known
from bakeoff.experiment import Experiment, ProgressListener
from bakeoff.experiment.engines.dask import clusters
from bakeoff.experiment.engines.dask import driver as dask
from bakeoff.experiment.engines.workbench import Done, Engine, Where, Workbench
from bakeoff.learners.spec import OwnRun
from bakeoff.runs import values_as_written
from bakeoff.runs.grids import grid
from bakeoff.runs.run import Run
from bakeoff.store.jobs import Job
from bakeoff.store.rows import ROW_KEY
from bakeoff.store.store import Store

RUNS = grid(["greedy", "supervised"], learning_rates=[0.03, 0.3, 3.0])

arrivals: Counter[str] = Counter()  # in this process, by name of the problem


class CountedProblem(Problem):
    """A problem that counts where it is unpacked."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (type(self), self.__dict__)


class BrokenProblem(CountedProblem):
    """A problem on which this program fails."""

    def shuffled(self, seed: int) -> Problem:
        raise ZeroDivisionError(f"shuffle {seed}")


def _arrived(kind: type[Problem], state: dict[str, Any]) -> Problem:
    problem = object.__new__(kind)
    problem.__dict__.update(state)
    arrivals[problem.name] += 1
    return problem


def arrivals_here() -> dict[str, int]:
    return dict(arrivals)


def signatures_here() -> list[int]:
    """How many types of arguments each kernel was compiled for."""
    loops: list[Any] = [loop for each in _known.values() for loop in each]
    return [len(loop.signatures) for loop in loops if loop.signatures]


class Killer:
    """A learner that is the end of the worker that has it played."""

    def choose(self, x: Any) -> tuple[int, float]:
        os.kill(os.getppid(), signal.SIGKILL)
        return 0, 1.0

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        """Never gets that far."""


class Listener(ProgressListener):
    """Calls `act` when so many jobs are in the store."""

    def __init__(self, after: int, act: Callable[[], object]) -> None:
        self.n_finished = 0
        self._after, self._act = after, act

    def finished(self, done: Done) -> None:
        self.n_finished += 1
        if self.n_finished == self._after:
            self._act()


def problem(name: str, n: int = 300, kind: type[Problem] = Problem) -> Problem:
    rng = np.random.default_rng([n, *name.encode()])
    return kind.from_classes(rng.normal(size=(n, 5)), rng.integers(0, 3, n), name=name)


def experiment(n: int = 300, runs: list[Run] = RUNS, shuffles: int = 3) -> Experiment:
    return Experiment([problem("a", n), problem("b", n)], runs, shuffles=shuffles)


def rows(folder: Path) -> pl.DataFrame:
    """What a store holds, in a settled order; every row must be there once."""
    store = Store(folder)
    files = [pl.read_parquet(file.path) for file in store.files()]
    table = pl.concat(files)
    assert table.select(ROW_KEY).is_unique().all()
    assert not list(folder.rglob("*.tmp"))
    return table.drop("run_seconds", "host", "worker").sort(ROW_KEY)


@pytest.fixture(scope="module", autouse=True)
def patience() -> Iterator[None]:
    """Workers may take long to start on a busy machine."""
    with config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}):
        yield


@pytest.fixture(scope="module")
def cluster() -> Iterator[distributed.LocalCluster]:
    """Three workers that belong to somebody else."""
    with local_cluster(n_workers=3) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def one_worker() -> Iterator[distributed.Client]:
    """A cluster of our own with one worker, which starts anew when it dies."""
    with clusters.started(1) as client:
        yield client


def in_place_of_a_new_one(monkeypatch: pytest.MonkeyPatch, client: distributed.Client) -> None:
    """Let the engine have this cluster where it would start one."""
    monkeypatch.setattr(dask, "started", lambda _: nullcontext(client))


def local_cluster(n_workers: int) -> Any:
    return distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    )


def on(cluster: Any, **options: Any) -> Engine:
    return dask.engine(Where(address=cluster.scheduler_address, **options))


def asked(cluster: Any, question: Callable[..., Any]) -> dict[str, Any]:
    """The answers of all workers."""
    with distributed.Client(cluster, set_as_default=False) as client:
        answers: dict[str, Any] = client.run(question)
        return answers


def kill_a_worker(cluster: Any) -> None:
    pids = list(asked(cluster, os.getpid).values())
    os.kill(pids[0], signal.SIGKILL)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


# ---- same rows


def test_three_processes_give_the_rows_of_threads(tmp_path: Path) -> None:
    experiment().run(tmp_path / "local", jobs=2)

    summary = experiment().run(tmp_path / "dask", engine=dask.engine(Where(3)))

    assert summary.is_complete
    assert rows(tmp_path / "dask").equals(rows(tmp_path / "local"))
    table = Store(tmp_path / "dask").read()
    assert set(table["worker"]) <= {"0", "1", "2"}
    assert set(table["host"]) == {socket.gethostname()}


def test_streams_give_the_rows_of_threads(cluster: Any, tmp_path: Path) -> None:
    streams = [problem("a").with_conditions(text) for text in ("delay(7) | noise(0.1)", "lives(1)")]
    trial = Experiment(streams, RUNS, shuffles=2)

    trial.run(tmp_path / "local", jobs=2)
    trial.run(tmp_path / "dask", engine=on(cluster))

    assert rows(tmp_path / "dask").equals(rows(tmp_path / "local"))


def test_memory_for_one_run_at_a_time_is_enough(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment().run(tmp_path / "local")
    with distributed.Client(cluster, set_as_default=False) as client:
        in_place_of_a_new_one(monkeypatch, client)

        summary = experiment().run(tmp_path / "dask", memory=2_000, engine=dask.engine(Where(3)))

    assert summary.is_complete
    assert rows(tmp_path / "dask").equals(rows(tmp_path / "local"))


def test_a_complete_store_starts_no_cluster(tmp_path: Path) -> None:
    experiment().run(tmp_path)

    summary = experiment().run(tmp_path, engine=dask.engine(Where(address="tcp://x:1")))

    assert summary.n_computed == 0


def test_examples_are_noticed_when_their_job_is_done(cluster: Any, tmp_path: Path) -> None:
    noticed = []

    class Counter(ProgressListener):
        def worked(self, job: Job, examples: int) -> None:
            noticed.append(examples)

    experiment().run(tmp_path, engine=on(cluster), watcher=Counter())

    assert sum(noticed) == 2 * 3 * 300 * len(RUNS)


# ---- data


def test_data_reach_a_worker_once_and_go_when_they_are_done_with(
    cluster: Any, tmp_path: Path
) -> None:
    problems = [problem(name, kind=CountedProblem) for name in ("once", "only")]

    Experiment(problems, RUNS, shuffles=20).run(tmp_path, engine=on(cluster))

    counts = asked(cluster, arrivals_here).values()
    assert sum(len(count) for count in counts) > 2  # they were on several workers
    assert all(n == 1 for count in counts for n in count.values())
    assert not arrivals  # the scheduler passes them on as they are
    held = asked(cluster, lambda dask_worker: len(dask_worker.data))
    assert set(held.values()) == {0}


@pytest.mark.skipif(not compiled, reason="kernels are plain Python")
def test_no_kernel_is_compiled_again_for_data_from_a_wire(cluster: Any, tmp_path: Path) -> None:
    trial = Experiment([problem(f"{n} rows", n) for n in range(20, 40)], RUNS[:1], shuffles=0)

    trial.run(tmp_path, engine=on(cluster))

    counts = asked(cluster, signatures_here).values()
    assert {n for count in counts for n in count} == {1}


def test_few_jobs_are_in_flight_at_a_time(cluster: Any, tmp_path: Path) -> None:
    scheduler, seen = cluster.scheduler, []

    class Onlooker(ProgressListener):
        def finished(self, done: Done) -> None:
            seen.append(len(scheduler.tasks))

    experiment(n=20, shuffles=40).run(tmp_path, engine=on(cluster), watcher=Onlooker())

    n_threads, n_problems = 3, 2
    assert len(seen) == 80
    assert max(seen) <= dask.JOBS_PER_THREAD * n_threads + n_problems


# ---- workers that die, come late, or differ


def test_jobs_of_a_killed_worker_are_done_by_others(cluster: Any, tmp_path: Path) -> None:
    experiment(20_000).run(tmp_path / "local")
    killer = Listener(2, lambda: kill_a_worker(cluster))

    summary = experiment(20_000).run(tmp_path / "dask", engine=on(cluster), watcher=killer)

    assert summary.is_complete
    assert rows(tmp_path / "dask").equals(rows(tmp_path / "local"))


def test_data_lost_with_the_only_worker_are_sent_again(
    one_worker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment(20_000).run(tmp_path / "local")
    in_place_of_a_new_one(monkeypatch, one_worker)
    killer = Listener(2, lambda: kill_a_worker(one_worker.cluster))

    summary = experiment(20_000).run(
        tmp_path / "dask", engine=dask.engine(Where(1)), watcher=killer
    )

    assert summary.is_complete
    assert rows(tmp_path / "dask").equals(rows(tmp_path / "local"))


def test_a_job_that_kills_its_workers_fails_alone(
    one_worker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_place_of_a_new_one(monkeypatch, one_worker)
    killer = OwnRun("python:tests.end_to_end.test_dask.Killer")
    trial = Experiment(problem("a"), [killer, *RUNS], shuffles=2)

    with pytest.warns(DataNotice, match="^failed: "):
        summary = trial.run(tmp_path, engine=dask.engine(Where(1)))

    reasons = [reason for _, reason in summary.failures]
    assert len(reasons) == 2
    assert all("worker died 3 times" in reason for reason in reasons)
    table = Store(tmp_path).read()
    assert table["error"].count() == 2
    assert table["pv_loss"].count() == 2 * len(RUNS)


def test_learners_that_misbehave_are_rows_with_an_error(cluster: Any, tmp_path: Path) -> None:
    ways = ["exit", "crash", "hang", "base", "print"]
    name = "python:tests.hostile.learners.Misbehaves"
    own = [OwnRun(f"{name},how={way},label={way}") for way in ways]

    trial = Experiment(problem("a"), [*own, *RUNS])

    with pytest.warns(DataNotice, match="^failed: "):
        summary = trial.run(tmp_path, engine=on(cluster), limit=2)

    reasons = {what.partition(" ")[0]: why for what, why in summary.failures}
    assert set(reasons) == set(ways)
    assert reasons["exit"] == "its process ended with exit code 3"
    assert reasons["crash"].startswith("its process was killed by SIGSEGV (at ")
    assert reasons["hang"].startswith("was stopped after 2 seconds, its --limit")
    assert "the last words" in (tmp_path / "learners.log").read_text()
    assert Store(tmp_path).read()["pv_loss"].count() == len(RUNS)


# ---- rules, explorers and learners of users

RULES = """
import numpy as np
from helper_of_rules import SHARES

def half(scores, rest=0.5):
    best = scores == scores.min()
    return np.where(best, (1 - rest) / best.sum(), 0.0) + rest / len(scores)

def slow(scores):
    rest = SHARES["rest"]
    best = scores == scores.min()
    return np.where(best, (1 - rest) / best.sum(), 0.0) + rest / len(scores)

class Half:
    def __init__(self, n_actions):
        self.rest = SHARES["rest"]
    def choose(self, x):
        return 0, 1.0
    def learn(self, x, action, loss, probability):
        pass
"""


def cell(text: str, name: str) -> Any:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, "<cell>", "exec"), names)
    return names[name]


@pytest.mark.filterwarnings("ignore:rule 'slow' runs as plain Python:bakeoff.DataNotice")
def test_what_users_define_gives_the_rows_of_threads(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From cells and files, with a helper that no worker can import."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    guide = Path(__file__).parents[2] / "docs" / "guide" / "explorers.md"
    [boltzmann] = re.findall(r"```python\n(.*?)```", guide.read_text(), flags=re.DOTALL)
    renamed = boltzmann.replace('"boltzmann"', '"other"').replace('"Bz"', '"Ot"')
    Path("helper_of_rules.py").write_text("SHARES = {'rest': 0.25}\n")
    Path("rules.py").write_text(RULES)
    Path("explorers.py").write_text(renamed)
    of_cells = [cell(RULES, "half"), cell(RULES, "Half"), cell(boltzmann, "BOLTZMANN")]
    of_files = ["rules.py:slow", "rules.py:Half,label=Filed", "explorers.py:other"]
    runs = grid(["greedy", *of_cells, *of_files], learning_rates=[0.3, 3.0])
    trial = Experiment([problem("a"), problem("b")], runs, shuffles=2)

    assert trial.run(tmp_path / "local").is_complete
    assert trial.run(tmp_path / "dask", engine=on(cluster)).is_complete

    here, there = rows(tmp_path / "local"), rows(tmp_path / "dask")
    assert there.equals(here)
    assert here.height == 2 * 2 * 12
    assert trial.run(tmp_path / "dask").n_computed == 0


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
def test_that_a_rule_is_not_compiled_on_workers_is_told_once(cluster: Any, tmp_path: Path) -> None:
    text = RULES.replace("from helper_of_rules import SHARES", "SHARES = {'rest': 0.125}")
    trial = Experiment(problem("a"), grid(cell(text, "slow"), learning_rates=[1]), shuffles=6)

    with pytest.warns(DataNotice) as notes:
        assert trial.run(tmp_path, engine=on(cluster)).is_complete

    assert [str(note.message).partition(",")[0] for note in notes] == [
        "rule 'slow' runs as plain Python"
    ]


def test_what_a_worker_cannot_import_is_said_with_its_address(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "helper_of_rules.py").write_text("SHARES = {'rest': 0.25}\n")
    (tmp_path / "packaged_rules.py").write_text(RULES)
    monkeypatch.setattr(values_as_written, "_LIBRARIES", (str(tmp_path),))  # as if installed
    rule = importlib.import_module("packaged_rules").half
    own = ["python:packaged_rules.Half", rule]
    trial = Experiment(problem("a"), grid(["greedy", *own], learning_rates=[1]))

    with pytest.warns(DataNotice, match="^failed: "):
        summary = trial.run(tmp_path / "store", engine=on(cluster))

    reasons = {what.partition(" on ")[0]: why for what, why in summary.failures}
    assert set(reasons) == {"G, half", "Half"}  # the first two share a pass
    assert re.match(
        r"worker tcp://\S+ cannot import what it needs \(ModuleNotFoundError: No module named "
        r"'packaged_rules'\); install it there",
        reasons["G, half"],
    )
    assert "cannot import packaged_rules: ModuleNotFoundError" in reasons["Half"]


@pytest.mark.filterwarnings("ignore:.*has no workers yet")  # on a machine that is slow
def test_an_adaptive_cluster_without_workers_starts_them(tmp_path: Path) -> None:
    with local_cluster(n_workers=0) as cluster:
        cluster.adapt(minimum=0, maximum=2, interval="200ms")
        summary = experiment().run(tmp_path, engine=on(cluster))

    assert summary.is_complete
    assert summary.n_computed == summary.n_runs


def test_a_scheduler_elsewhere_is_waited_for_and_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(dask, "NOTICE_AFTER", 0.1)
    for part in ("batched", "client"):
        logging.getLogger(f"distributed.{part}").addHandler(caplog.handler)
    experiment(20_000).run(tmp_path / "local")

    with scheduler(tmp_path / "scheduler.json") as (address, process):
        late = threading.Timer(2.5, late_worker, (address, tmp_path))

        class Starter(ProgressListener):
            def planned(self, plan: Any) -> None:
                late.start()

        with pytest.warns(DataNotice, match=f"{address} has no workers yet"):
            summary = experiment(20_000).run(
                tmp_path / "dask", engine=dask.engine(Where(address=address)), watcher=Starter()
            )
        with pytest.raises(ResourceError, match="scheduler is gone") as gone:
            experiment(20_000, grid(["greedy"]), shuffles=9).run(
                tmp_path / "more",
                engine=dask.engine(Where(address=address)),
                watcher=Listener(1, process.kill),
            )
    late.join(60)

    assert summary.is_complete
    assert rows(tmp_path / "dask").equals(rows(tmp_path / "local"))
    assert "\n" not in str(gone.value)
    assert not caplog.records


def test_a_worker_of_another_version_is_refused(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask, "VERSION", "0.0.1")

    with pytest.raises(SpecError, match=r"driver's version, which is 0\.0\.1"):
        experiment().run(tmp_path, engine=on(cluster))


# ---- ends


def test_a_stopped_run_leaves_no_work_behind_and_goes_on(cluster: Any, tmp_path: Path) -> None:
    experiment(100_000).run(tmp_path / "local")

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        experiment(100_000).run(
            tmp_path / "dask", engine=on(cluster), watcher=Listener(2, interrupt)
        )
    began = time.monotonic()
    wait_until(lambda: not any(executing(cluster)))
    seconds = time.monotonic() - began
    summary = experiment(100_000).run(tmp_path / "dask", engine=on(cluster))

    assert seconds < 5  # a job takes longer than that to be done, in all
    assert 0 < summary.n_computed < summary.n_runs
    assert rows(tmp_path / "dask").equals(rows(tmp_path / "local"))


def test_ctrl_c_on_the_command_line_is_said_in_one_line(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(10_000, 3))
    table = np.column_stack([X, X.argmax(axis=1)])
    np.savetxt(tmp_path / "c.csv", table, delimiter=",", header="a,b,c,y", comments="")
    words = ["run", "c.csv", "-a", "greedy", "--shuffles", "900", "--out", "store"]
    with subprocess.Popen(
        [sys.executable, "-m", "bakeoff", *words, "--engine", "dask", "--jobs", "2"],
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
        start_new_session=True,
    ) as process:
        wait_until(lambda: any((tmp_path / "store" / "jobs").glob("*.parquet")))

        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, said = process.communicate(timeout=60)  # until no worker holds the pipe

    assert process.returncode == 130
    assert "Traceback" not in said
    assert "the same command continues" in said.splitlines()[-1]


def executing(cluster: Any) -> list[int]:
    counts = asked(cluster, lambda dask_worker: dask_worker.state.executing_count)
    return list(counts.values())


def test_a_bug_in_a_worker_ends_the_run_with_its_traceback(cluster: Any, tmp_path: Path) -> None:
    broken = problem("broken", kind=BrokenProblem)

    with pytest.raises(ZeroDivisionError, match="shuffle 1") as bug:
        Experiment(broken, RUNS).run(tmp_path, engine=on(cluster))

    assert any(entry.name == "shuffled" for entry in bug.traceback)


def test_a_problem_that_cannot_be_read_again_fails_alone(cluster: Any, tmp_path: Path) -> None:
    table = tmp_path / "c.csv"
    table.write_text("x,y\n1,0\n2,1\n3,0\n")
    trial = Experiment([problem("a"), str(table)], RUNS)

    class Spoiler(ProgressListener):
        def planned(self, plan: Any) -> None:
            table.write_text("nothing to see")

    def forgetful(jobs: Sequence[Job], bench: Workbench) -> Iterator[Done]:
        bench.problems._kept.clear()
        return on(cluster)(jobs, bench)

    with pytest.warns(DataNotice, match="^failed: "):
        summary = trial.run(tmp_path / "store", engine=forgetful, watcher=Spoiler())

    assert [what for what, _ in summary.failures] == ["G, OAA on c"]
    assert summary.n_computed == len(RUNS)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "smoke://signal"])
def test_an_address_that_does_not_answer_is_said_so(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "PATIENCE", 1)

    with pytest.raises(ResourceError, match=f"no scheduler answers at {address}"):
        experiment().run(tmp_path, engine=dask.engine(Where(address=address)))


@contextmanager
def scheduler(file: Path) -> Iterator[tuple[str, Any]]:
    """A scheduler in a process of its own, and its address."""
    options = ["--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    with subprocess.Popen(
        [sys.executable, "-m", "dask", "scheduler", *options], stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_until(file.exists)
            with distributed.Client(scheduler_file=file, set_as_default=False) as client:
                address = client.scheduler.address
            yield address, process
        finally:
            process.kill()


def late_worker(address: str, folder: Path) -> None:
    """A worker that joins in a second or two, and ends with its scheduler."""
    options = ["--nthreads", "2", "--no-dashboard", "--death-timeout", "3"]
    subprocess.run(
        [sys.executable, "-m", "dask", "worker", address, *options, "--no-nanny"],
        stderr=subprocess.DEVNULL,
        cwd=folder,
        check=False,
    )


# ---- things that go wrong as a cluster starts


def test_a_worker_that_dies_as_it_starts_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = []

    def fail_once(**options: Any) -> Any:
        starts.append(options)
        if len(starts) == 1:
            raise RuntimeError("Nanny failed to start.")
        return "a cluster"

    monkeypatch.setattr(distributed, "LocalCluster", fail_once)

    assert clusters._local_cluster(2, None) == "a cluster"
    assert [options["n_workers"] for options in starts] == [2, 2]


def test_workers_that_always_die_as_they_start_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> Any:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", fail)

    with pytest.raises(ResourceError, match="did not start in 3 attempts"):
        experiment().run(tmp_path, engine=dask.engine(Where(1)))
