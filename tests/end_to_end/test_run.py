"""`bakeoff run` and `bakeoff status` as a user types them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bakeoff import ResultsError
from bakeoff.experiment.display import size
from bakeoff.experiment.summary import MOST_REASONS
from bakeoff.store.store import Store
from benchmarks.kills import comparable, unfinished
from tests.terminal import Terminal

SMALL = ["-a", "greedy", "-a", "supervised", "--learning-rate", "0.1", "--learning-rate", "1"]
LARGE = ["embedded:digits", "embedded:breast_cancer", "--shuffles", "12", "-a",
         "greedy", "-a", "epsilon-greedy reduction=dr", "-a", "supervised"]  # fmt: skip
CSV = "u,v,class\n" + "1,0,a\n0,1,b\n1,1,a\n0,0.5,b\n" * 6
HUGE = "u,v,class\n" + "1e15,0,a\n-2e15,1,b\n3e15,1,c\n" * 20


# ---- a run and its status


def test_a_run_ends_with_the_verdict(bakeoff: Terminal) -> None:
    said = bakeoff("run", "embedded:iris", "embedded:wine", *SMALL, "--out", "here")

    lines = said.out.splitlines()
    assert said.code == 0
    assert lines[0] == "8 runs, 8 of them computed now, in here"
    assert lines[1].startswith("Greedy has a mean loss of")
    (iris,) = [line.split() for line in lines if line.startswith("iris ")]
    assert all(0 < float(number) < 1 for number in iris[1:5])  # beside skyline, constant, uniform
    assert said.err.startswith("8 of 8 runs to do on 2 problems\n")
    assert Store(Path("here")).read().height == 8


def test_running_again_computes_nothing(bakeoff: Terminal) -> None:
    words = ["run", "embedded:iris", *SMALL]
    first = bakeoff(*words)

    again = bakeoff(*words)

    assert again.code == 0
    assert again.err == "0 of 4 runs to do on 1 problem\n"
    assert "4 runs, 0 of them computed now, in results" in again.out
    assert again.out.splitlines()[1:] == first.out.splitlines()[1:]


def test_more_sources_algorithms_and_encodings_are_added(bakeoff: Terminal) -> None:
    bakeoff("run", "embedded:iris", "-a", "greedy", "--learning-rate", "1")

    said = bakeoff(
        "run", "embedded:iris", "embedded:wine", *SMALL, "--encoding=-1/0", "--encoding=0/1"
    )

    assert "12 runs, 11 of them computed now" in said.out
    assert set(comparable(Path("results"))["encoding"]) == {"-1/0", "0/1"}


def test_status_tells_how_far_an_experiment_is(bakeoff: Terminal) -> None:
    bakeoff("run", "embedded:iris", *SMALL, "--shuffles", "3")
    next(Path("results/jobs").iterdir()).unlink()

    text, data = bakeoff("status", "results"), bakeoff("status", "--json", "--no-list")

    assert text.code == data.code == 0
    first = text.out.splitlines()[0]
    assert first == "results: 8 of 12 runs, 2 of 3 jobs, 0 of 1 problem done"
    told = json.loads(data.out)
    assert len(told.pop("history")) == 1
    assert told == {
        "problems": 1, "problems_done": 0, "jobs": 3, "jobs_done": 2, "runs": 12,
        "runs_done": 8, "errors": 0, "failed": 0, "faults": [],
    }  # fmt: skip


def test_programs_get_json_and_nothing_else(bakeoff: Terminal) -> None:
    said = bakeoff("run", "embedded:iris", *SMALL, "--json")

    found = json.loads(said.out)
    assert found.pop("verdict")["grade"] == "open"
    assert found == {
        "folder": "results", "runs": 4, "computed": 4, "errors": 0, "reasons": [],
        "failures": [],
    }  # fmt: skip
    assert (said.code, said.err) == (0, "")


def test_a_quiet_run_says_nothing(bakeoff: Terminal) -> None:
    Path("data").mkdir()
    for name in "ab":
        Path(f"data/{name}.csv").write_text(CSV)

    quiet = bakeoff("run", "data", *SMALL, "--quiet")
    loud = bakeoff("run", "data", *SMALL)

    assert quiet == (0, "", "")
    assert "note: b holds the same data as a" in loud.err


def test_options_may_come_from_a_file(bakeoff: Terminal) -> None:
    Path("all.toml").write_text(
        'sources = ["embedded:iris"]\nalgorithms = ["greedy"]\nout = "there"\n'
        'learning_rate = [0.1, 1, 3]\nencoding = ["0/1"]\ntask = "multiclass"\n'
    )

    said = bakeoff("run", "--config", "all.toml", "--learning-rate", "0.5")

    assert "1 run, 1 of them computed now, in there" in said.out
    row = Store(Path("there")).read().row(0, named=True)
    assert (row["learning_rate"], row["encoding"]) == (0.5, "0/1")
    manifest = json.loads(Path("there/manifest.json").read_text())
    assert manifest["asked"]["sources"] == ["embedded:iris"]


def test_options_reach_the_readers(bakeoff: Terminal) -> None:
    Path("a.csv").write_text("class,p,q\n" + "a,x,1\nb,y,2\na,z,3\n" * 5)

    said = bakeoff(
        "run", "a.csv", "--target", "class", "--features", "one-hot", "--ignore", "q", *SMALL
    )

    row = Store(Path("results")).read().row(0, named=True)
    assert said.code == 0
    assert (row["problem"], row["n_features"]) == ("a (one-hot)", 3)


def test_shuffle_0_is_the_order_of_the_file(bakeoff: Terminal) -> None:
    bakeoff("run", "embedded:iris", *SMALL, "--shuffles", "0")
    bakeoff("run", "embedded:iris", *SMALL, "--shuffles", "2")

    assert sorted(set(comparable(Path("results"))["shuffle"])) == [0, 1, 2]


# ---- a dry run


def test_a_dry_run_tells_what_would_run_and_writes_nothing(bakeoff: Terminal) -> None:
    words = ["run", "embedded:digits", *SMALL, "--shuffles", "5", "--dry-run"]
    words += ["--jobs", "1"]

    text, data = bakeoff(*words), bakeoff(*words, "--json")

    found = json.loads(data.out)
    assert text.code == data.code == 0
    assert "1 problem, 20 runs; to do: 5 jobs, 20 runs, 35,940 run-ex" in text.out
    assert f" with 1 thread, {size(found['memory'])} of memory" in text.out
    assert [found[key] for key in ("jobs", "runs", "run_examples")] == [5, 20, 35940]
    assert list(Path().iterdir()) == []


def test_a_dry_run_of_what_is_done_speaks_of_no_time(bakeoff: Terminal) -> None:
    bakeoff("run", "embedded:iris", *SMALL)

    said = bakeoff("run", "embedded:iris", *SMALL, "--dry-run")

    assert said.out == "1 problem, 4 runs; to do: 0 jobs, 0 runs, 0 run-examples\n"


def test_the_estimate_is_of_the_right_size(bakeoff: Terminal) -> None:
    Path("long.csv").write_text(CSV + "1,0,a\n0,1,b\n0.5,1,a\n" * 20_000)
    words = ["run", "long.csv", "-a", "greedy", "--shuffles", "3", "--jobs", "1"]

    found = json.loads(bakeoff(*words, "--dry-run", "--json").out)
    bakeoff(*words, "--json")

    rows = Store(Path("results")).read()
    ratio = found["seconds"] / rows["run_seconds"].sum()
    assert 0.1 < ratio < 10  # other processes may run at the same time
    assert 10_000 < found["memory"] < 100_000_000


def test_a_dry_run_counts_only_what_is_left(bakeoff: Terminal) -> None:
    words = ["run", "embedded:iris", *SMALL]
    bakeoff(*words)

    said = bakeoff(*words, "--dry-run", "--json", "--shuffles", "2")

    assert json.loads(said.out)["runs"] == 4


def test_a_dry_run_keeps_to_the_memory_that_is_given(bakeoff: Terminal) -> None:
    words = ["run", "embedded:digits", "-a", "fixed", "--dry-run", "--json", "--jobs", "2"]

    free = bakeoff(*words)
    tight = bakeoff(*words, "--memory", "600K")
    none = bakeoff(*words, "--memory", "10K")

    memory = [json.loads(said.out)["memory"] for said in (free, tight, none)]
    too_large = [json.loads(said.out)["too_large"] for said in (free, tight, none)]
    assert memory[0] > 2_000_000
    assert memory[0] - memory[1] > 1_000_000  # both keep the data of two threads
    assert memory[1] - memory[2] == 590_000
    assert too_large == [0, 0, 2]
    assert (free.code, tight.code, none.code) == (0, 0, 1)
    assert none.err == (
        "2 jobs will fail: one of their runs takes more than the 0.0075 MB for learners\n"
    )


# ---- things that fail


def test_a_dataset_that_cannot_be_read_does_not_stop_the_others(bakeoff: Terminal) -> None:
    Path("data").mkdir()
    Path("data/good.csv").write_text(CSV)
    Path("data/bad.csv").write_text("u,class\n1\n")
    words = ["run", "data", *SMALL]
    reason = "data/bad.csv:2: expected 2 values, found 1"

    said, status = bakeoff(*words), bakeoff("status", "results")
    rows = Store(Path("results")).read()
    Path("data/bad.csv").write_text(CSV.replace("0.5", "0.7"))
    mended, status_after = bakeoff(*words), bakeoff("status", "results")

    assert said.code == 1
    assert f"failed: bad: {reason}\n" in said.err
    assert "4 runs, 4 of them computed now" in said.out
    assert rows.filter(problem="bad")["error"].to_list() == [reason]
    assert "1 jobs or datasets failed" in status.err
    assert mended.code == 0
    assert "8 runs, 4 of them computed now" in mended.out
    assert status_after.err == ""
    assert Store(Path("results")).read()["error"].count() == 0


def test_failures_are_part_of_the_json(bakeoff: Terminal) -> None:
    Path("bad.csv").write_text("u,class\n1\n")

    said = bakeoff("run", "bad.csv", "embedded:iris", *SMALL, "--json")

    assert said.code == 1
    assert json.loads(said.out)["failures"] == [
        {"what": "bad", "why": "bad.csv:2: expected 2 values, found 1"}
    ]


def test_a_dry_run_names_what_cannot_be_read(bakeoff: Terminal) -> None:
    Path("bad.csv").write_text("u,class\n1\n")

    said = bakeoff("run", "bad.csv", "embedded:iris", *SMALL, "--dry-run")

    assert said.code == 1
    assert "cannot be read: bad: bad.csv:2: expected 2 values" in said.err


def test_a_run_that_ends_in_an_error_is_named_each_time(bakeoff: Terminal) -> None:
    Path("huge.csv").write_text(HUGE)
    words = ["run", "huge.csv", "-a", "greedy", "--learning-rate", "0.5",
             "--encoding=0/1", "--encoding=100000/100001"]  # fmt: skip

    first, again, status = (bakeoff(*words), bakeoff(*words), bakeoff("status", "results"))

    rows = Store(Path("results")).read().sort("offset")
    assert (first.code, again.code) == (1, 1)
    for said in (first, again):
        assert "failed: 1 run of G on huge: scores stopped being finite" in said.err
    assert "1 run ended in an error" in status.err
    assert rows["pv_loss"].is_null().to_list() == [False, True]
    assert rows["error"][1].startswith("scores stopped being finite in round ")


def test_many_errors_are_a_few_lines_and_a_list_for_programs(bakeoff: Terminal) -> None:
    Path("data").mkdir()
    for n in range(12):
        Path(f"data/huge{n}.csv").write_text(HUGE + f"{n},0,a\n")
    words = ["run", "data", "-a", "greedy", "--learning-rate", "0.5",
             "--encoding=100000/100001", "--shuffles", "2"]  # fmt: skip

    text, data = bakeoff(*words), bakeoff(*words, "--json")

    named = [line for line in text.err.splitlines() if line.startswith("failed: ")]
    found = json.loads(data.out)
    assert text.code == data.code == 1
    assert len(named) == MOST_REASONS == 10
    assert all(line.startswith("failed: 2 runs of G on huge") for line in named)
    assert text.err.splitlines()[-1] == "and 4 more; see the column `error` of the results"
    assert found["errors"] == 24
    assert {one["what"] for one in found["reasons"]} == {f"G on huge{n}" for n in range(12)}
    assert all(one["runs"] == 2 for one in found["reasons"])
    assert all("scores stopped being" in one["why"] for one in found["reasons"])


def test_a_file_that_is_gone_or_not_asked_for_is_no_failure(bakeoff: Terminal) -> None:
    Path("data").mkdir()
    Path("data/good.csv").write_text(CSV)
    for name in ("gone", "other"):
        Path(f"data/{name}.csv").write_text("u,class\n1\n")
    words = [*SMALL, "--out", "store"]

    both = bakeoff("run", "data", *words)
    before = Store(Path("store")).read()
    Path("data/gone.csv").unlink()
    gone = bakeoff("run", "data", *words)
    between = Store(Path("store")).read()
    bakeoff("run", "data/good.csv", *words)
    after = Store(Path("store")).read()

    assert (both.code, gone.code) == (1, 1)
    assert set(before["problem"]) == {"good", "gone", "other"}
    assert set(between["problem"]) == {"good", "other"}
    assert set(after["problem"]) == {"good"}


def test_names_and_reasons_cannot_paint_the_terminal(bakeoff: Terminal) -> None:
    Path("data").mkdir()
    Path("data/rows.csv").write_text("u,class\n1\n")
    Path("data/manifest.csv").write_text("file,task,name\nrows.csv,multiclass,[red]\x1b[2Jname\n")

    said = bakeoff("run", "data", *SMALL)

    assert "failed: [red]?[2Jname: " in said.err


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (["greedy"], 2, "'greedy' is an algorithm, not a source; write -a greedy"),
        (["0/1"], 2, "'0/1' is an encoding, not a source; write --encoding=0/1"),
        (["-a", "gredy"], 2, "unknown algorithm 'gredy'; did you mean 'gr"),
        (["--encoding", "1/0"], 2, "an encoding gives the losses of a right and"),
        (["--baseline", "x"], 2, "baseline must be off, on or both, got 'x'"),
        (["--engine", "x"], 2, "engine must be local or dask, got 'x'"),
        (["--memory", "x"], 2, "memory must be a number of bytes such as 8G"),
        (["--config", "none.toml"], 2, "none.toml: cannot be read: No such file"),
        (["none.csv"], 3, "none.csv: no such file or folder"),
        (["embedded:iris", *SMALL, "--out", "file"], 4, "file: the store cannot be"),
        (["embedded:iris", *SMALL, "--out", "file/a"], 4, "file/a: the store cannot"),
    ],
)
def test_a_mistake_is_one_sentence_and_an_exit_code(
    bakeoff: Terminal, words: list[str], code: int, reason: str
) -> None:
    Path("file").write_text("not a folder")

    said = bakeoff("run", *words)

    assert said.code == code
    assert said.err.startswith(f"error: {reason}")
    assert said.err.count("\n") == 1
    assert not Path("results").exists()


def test_the_status_of_nothing_is_an_error(bakeoff: Terminal) -> None:
    said = bakeoff("status", "none")

    assert said.code == 4
    assert said.err.startswith("error: none: there is no such folder")


def test_a_disk_that_fills_up_keeps_what_is_done(
    bakeoff: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["run", "embedded:iris", *SMALL, "--shuffles", "5"]
    write = Store.write
    written: list[Any] = []

    def write_two(store: Store, *given: Any, **others: Any) -> None:
        if len(written) == 2:
            raise ResultsError("results: the store cannot be used: No space left")
        written.append(given)
        write(store, *given, **others)

    monkeypatch.setattr(Store, "write", write_two)
    full = bakeoff(*words)
    monkeypatch.setattr(Store, "write", write)
    after = bakeoff(*words)

    assert full.code == 4
    assert "error: results: the store cannot be used: No space left\n" in full.err
    assert "12 of 20 runs to do" in after.err
    assert after.code == 0


# ---- processes


def start(*words: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "bakeoff", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "120"},
    )


def wait_for_jobs(process: "subprocess.Popen[str]", folder: Path, n: int) -> None:
    """Until so many jobs are in the store, and more are to come."""
    while len(list((folder / "jobs").glob("[!.]*.parquet"))) < n:
        assert process.poll() is None
        time.sleep(0.005)


def test_ctrl_c_says_how_to_go_on_and_loses_nothing(tmp_path: Path, bakeoff: Terminal) -> None:
    words = ["run", *LARGE, "--out", tmp_path / "cut"]
    process = start(*words)
    wait_for_jobs(process, tmp_path / "cut", 3)

    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    n_jobs = len(list(Store(tmp_path / "cut").files()))
    left = unfinished(tmp_path)
    resumed = bakeoff(*words)
    bakeoff("run", *LARGE, "--out", tmp_path / "whole")

    assert process.returncode == 130
    assert said.endswith(
        f"interrupted; finished jobs are in {tmp_path / 'cut'}, and the same command "
        f"continues from there\n"
    )
    assert "Traceback" not in said
    assert 3 <= n_jobs < 72
    assert left == []
    assert resumed.code == 0
    assert comparable(tmp_path / "cut").equals(comparable(tmp_path / "whole"))


def test_two_processes_cannot_write_to_one_store(tmp_path: Path, bakeoff: Terminal) -> None:
    words = ["run", *LARGE, "--out", tmp_path]
    process = start(*words)
    wait_for_jobs(process, tmp_path, 1)

    second = bakeoff(*words)
    process.communicate(timeout=120)

    assert second.code == 4
    assert second.err.startswith(
        f"error: {tmp_path}: is being written by process {process.pid} on "
    )
    assert second.err.count("\n") == 1
    assert process.returncode == 0
    rows = pl.read_parquet(tmp_path / "jobs" / "*.parquet")
    assert rows.height == Store(tmp_path).read().height == 2 * 12 * 3 * 9


def test_the_help_of_every_command_fits_in_a_line(
    bakeoff: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    said = bakeoff("--help").out

    commands = said.partition("Commands:\n")[2].splitlines()
    assert len(commands) >= 10
    assert all(line.endswith(".") and "..." not in line for line in commands)
