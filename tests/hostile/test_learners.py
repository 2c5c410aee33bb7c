"""Own learners that misbehave: a row with an error, and everything else goes on."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bakeoff import DataNotice, Experiment, Problem, simulate
from bakeoff.basics.errors import LearnerError, SpecError
from bakeoff.learners.spec import OwnRun
from bakeoff.runs.grids import grid
from bakeoff.runs.run import Run
from bakeoff.store.store import Store
from tests.hostile.learners import ALLOWED, WAYS

HERE = "python:tests.hostile.learners.Misbehaves"
PROBLEM = Problem.from_classes([[1.0], [2.0], [3.0]] * 10, [0, 1, 1] * 10, name="small")
ROOT = Path(__file__).parents[2]


def run_of(how: str) -> OwnRun:
    return OwnRun(f"{HERE},how={how},label={how}")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """All of them beside a good one, with one limit."""
    folder = tmp_path_factory.mktemp("store")
    runs: list[Run] = [*map(run_of, WAYS), Run("greedy")]

    with pytest.warns(DataNotice, match="^failed: "):
        summary = Experiment(PROBLEM, runs).run(folder, jobs=2, limit=3)

    assert len(summary.failures) == len(WAYS) - len(ALLOWED)
    table = Store(folder).read()
    return {row["algorithm"]: row | {"folder": folder} for row in table.to_dicts()}


@pytest.mark.parametrize("how", sorted(set(WAYS) - ALLOWED))
def test_whatever_a_learner_does_is_an_error_of_its_run(
    rows: dict[str, dict[str, object]], how: str
) -> None:
    error = str(rows[how]["error"])

    assert rows[how]["pv_loss"] is None
    assert "\n" not in error
    assert error.isprintable()
    assert error.encode()


@pytest.mark.parametrize("how", [*sorted(ALLOWED), "G"])
def test_everything_else_goes_on(rows: dict[str, dict[str, object]], how: str) -> None:
    assert rows[how]["error"] is None
    assert rows[how]["pv_loss"] is not None


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("base", "round 3: choose raised BaseException: the base of all (at"),
        ("exit", "its process ended with exit code 3"),
        ("kill", "its process was killed by SIGKILL, perhaps"),
        ("crash", "its process was killed by SIGSEGV (at"),
        ("abort", "its process was killed by SIGABRT (at"),
        ("spin", "was stopped after 3 seconds, its --limit (at"),
        ("hang", "was stopped after 3 seconds, its --limit (at"),
        ("hostile", "round 3: choose must return an integer and its probability, got"),
    ],
)
def test_the_reason_is_told_with_file_and_line(
    rows: dict[str, dict[str, object]], how: str, said: str
) -> None:
    error = str(rows[how]["error"])

    assert error.startswith(said)
    if said.endswith("(at"):
        assert re.search(r"hostile/learners\.py:\d+\)$", error)


def test_what_a_learner_prints_goes_to_a_log(rows: dict[str, dict[str, object]]) -> None:
    folder = rows["print"]["folder"]
    assert isinstance(folder, Path)

    log = (folder / "learners.log").read_text()

    assert "the last words" in log
    assert len(log) < 500_000


def test_the_rows_are_those_that_one_process_gives(tmp_path: Path) -> None:
    runs = grid(["python:tests.learners.Uniform"], seeds=3)

    Experiment(PROBLEM, runs).run(tmp_path)
    found = {row["run"]: row for row in Store(tmp_path).read().to_dicts()}

    for run in runs:
        played = run.for_job(PROBLEM.digest, 1)
        [here] = simulate(PROBLEM.shuffled(1), [played])
        assert found[str(run)]["pv_loss"] == here.pv_loss
        assert found[str(run)]["ips_loss"] == here.ips_loss
        assert found[str(run)]["curve_loss"] == here.curve.pv_loss.tolist()


def test_a_name_that_cannot_be_printed_is_an_error_and_nothing_else(tmp_path: Path) -> None:
    run = OwnRun("python:tests.hostile.learners.OddLearner,how=base")

    with pytest.warns(DataNotice, match="^failed: "):
        Experiment(PROBLEM, [run]).run(tmp_path)

    [error] = Store(tmp_path).read()["error"]
    assert error.startswith("round 1: choose raised Nul? ??[31m: odd (at ")


@pytest.mark.parametrize("name", ["a.B\0", "a.B,label=\udcff", "a.B,label=\x1b[2J"])
def test_a_spec_is_text_that_can_be_printed(name: str) -> None:
    with pytest.raises(SpecError) as caught:
        OwnRun(f"python:{name}")

    assert str(caught.value).isprintable()


def test_an_import_that_ends_the_process_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bakeoff_test_ends.py").write_text("import os\nos._exit(9)\n")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(LearnerError, match="its process ended with exit code 9"):
        grid(["python:bakeoff_test_ends.Any"])


def test_a_process_ends_with_the_one_that_started_it() -> None:
    program = (
        "import os, time\n"
        "from bakeoff.learners.process import LearnerProcess\n"
        "print(LearnerProcess()._process.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    pid = int(done.stdout)

    deadline = time.monotonic() + 20
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.1)

    assert not is_running(pid)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("how", ["hang", "ignore"])
def test_ctrl_c_ends_a_run_of_a_learner_that_hangs(how: str, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "bakeoff", "run", "embedded:iris", "--out",
         str(tmp_path / "store"), "-a", f"{HERE},how={how}"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        while " to do on " not in process.stderr.readline():
            assert process.poll() is None
        time.sleep(2)

        os.killpg(process.pid, signal.SIGINT)
        began = time.perf_counter()
        _, said = process.communicate(timeout=30)
        seconds = time.perf_counter() - began

    assert process.returncode == 130
    assert "Traceback" not in said
    assert said.count("interrupted") == 1
    assert seconds < 6  # the bar is 2 s on an idle machine
