"""Experiments with streams: resumed, repeated, estimated, and sent over a wire."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from bakeoff import Experiment, Problem, Run, grid, load, open, simulate
from bakeoff.data.facts import Facts
from bakeoff.experiment.engines.dask.remote import aligned
from bakeoff.experiment.estimate import first
from bakeoff.judging.families import family_names
from bakeoff.simulation import compile_ahead, player_of, sizes_of
from tests.comparisons import assert_same
from tests.uncompiled import uncompiled as uncompiled  # a fixture

STREAM = "delay(exponential, mean=9) | drift(after=0.5) | noise(0.1)"
RUNS = [Run("epsilon-greedy:epsilon=0.1", learning_rate=rate, seed=1) for rate in (0.1, 1.0)]
SOURCES = ["embedded:iris", "embedded:iris | delay(0)", f"embedded:iris | {STREAM}"]

pytestmark = pytest.mark.usefixtures("uncompiled")


@pytest.fixture(autouse=True)
def nothing_is_compiled_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops are uncompiled here."""
    monkeypatch.setattr(
        "bakeoff.experiment.engines.local.compile_ahead", lambda *_, **__: compile_ahead([], 1)
    )


def rows_in(folder: Path) -> dict[tuple[str, int, str], float]:
    """Losses by problem, shuffle and run."""
    columns = open(folder).rows().select("problem", "shuffle", "run", "pv_loss")
    return {row[:3]: row[3] for row in columns.iter_rows()}


def test_a_stopped_experiment_goes_on_where_it_was(tmp_path: Path) -> None:
    Experiment(SOURCES[1:2], RUNS, shuffles=2).run(tmp_path / "a")
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "a" / "jobs").iterdir()}
    Experiment(SOURCES, RUNS, shuffles=2).run(tmp_path / "a")
    Experiment(SOURCES, RUNS, shuffles=2).run(tmp_path / "b")

    assert len(rows_in(tmp_path / "a")) == 3 * 2 * 2
    assert rows_in(tmp_path / "a") == rows_in(tmp_path / "b")
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_a_row_is_played_again_by_simulate_and_draws_are_those_without_conditions(
    tmp_path: Path,
) -> None:
    Experiment(SOURCES, RUNS, shuffles=2).run(tmp_path)

    found = rows_in(tmp_path)
    for source in SOURCES:
        problem = load(source)
        for shuffle in (1, 2):
            for result in simulate(problem, RUNS, shuffle=shuffle):
                assert found[problem.name, shuffle, str(result.run)] == result.pv_loss
    for (name, shuffle, run), loss in found.items():
        if name == "iris | delay(0)":
            assert found["iris", shuffle, run] == loss


def test_an_algorithm_stands_beside_itself_with_safeguards(tmp_path: Path) -> None:
    runs = grid(["greedy", "greedy:restart=[5,20]"], learning_rates=[0.5])
    Experiment(SOURCES[:1], runs).run(tmp_path)

    store = open(tmp_path)

    assert store.algorithms == ["G", "G restart"]
    assert len(store.rows()) == len(runs) == 3
    assert len({str(code).partition(":")[0] for code in (run.code for run in runs)}) == 2


def test_results_are_looked_at_by_stream(tmp_path: Path) -> None:
    Experiment(SOURCES, RUNS).run(tmp_path)
    store = open(tmp_path)

    assert store.streams == ["", "delay(0)", STREAM]
    assert store.losses(stream=STREAM)["dataset"].to_list() == [f"iris | {STREAM}"]
    assert store.rows(stream="")["problem"].unique().to_list() == ["iris"]
    with pytest.raises(Exception, match="there is no stream 'delay\\(1\\)' here"):
        store.verdict(stream="delay(1)")


def test_streams_of_one_dataset_are_one_family(tmp_path: Path) -> None:
    problem = Problem.from_classes(np.eye(3), [0, 1, 2], name="mine")
    other = Problem.from_classes(2 * np.eye(3), [0, 1, 2], name="other")
    Experiment([problem, problem.with_delay(1), other], RUNS).run(tmp_path)

    families = dict(zip(*_names_and_families(tmp_path), strict=True))

    assert families["mine"] == families["mine | delay(1)"]
    assert families["mine"] != families["other"]


def _names_and_families(folder: Path) -> tuple[list[str], list[str]]:
    rows = open(folder).rows().unique("digest").sort("problem")
    return rows["problem"].to_list(), family_names(rows)


def test_a_stream_that_came_over_a_wire_is_played_alike() -> None:
    stream = load(f"embedded:iris | {STREAM}")

    arrived = aligned(pickle.loads(pickle.dumps(stream)))

    assert arrived.digest == stream.digest
    for one, other in zip(
        simulate(arrived, RUNS, record=True), simulate(stream, RUNS, record=True), strict=True
    ):
        assert_same(one, other)


def test_arrays_of_a_stream_at_odd_addresses_become_those_of_the_kernels() -> None:
    plain = load("embedded:iris")
    start = plain.contexts.start
    odd = np.frombuffer(bytearray(1) + bytearray(start.tobytes()), start.dtype, offset=1)
    object.__setattr__(plain, "contexts", plain.contexts._replace(start=odd))

    found = aligned(plain.with_conditions(STREAM))

    assert found.told_costs is not None
    arrays = (*found.contexts, *found.true_costs, *found.told_costs)
    assert all(array.flags.behaved for array in arrays)
    assert found.digest == load(f"embedded:iris | {STREAM}").digest


def test_the_first_events_of_a_stream_are_a_stream() -> None:
    some = first(load(f"embedded:iris | {STREAM}"), 40)

    costs = simulate(some, RUNS, record=True)[0].costs
    assert costs is not None
    assert len(costs) == some.n == 40


def test_memory_of_waiting_rounds_is_planned() -> None:
    plain, late = load("embedded:iris"), load("embedded:iris | delay(50)")
    for run, each in ((RUNS[0], 16), (Run("epsilon-greedy", reduction="dr"), 16 + 8 * 3)):
        sizes = [sizes_of(Facts.of(one)) for one in (plain, late)]
        without, with_delay = (player_of(run).bytes_per_run(run, size) for size in sizes)

        assert with_delay - without == 51 * each


def test_a_notice_says_that_other_rows_are_shuffled(tmp_path: Path) -> None:
    plain = Problem.from_classes(np.arange(6.0)[:, None], [0, 1, 0, 1, 1, 0], name="mine")
    timed = plain.with_delay(hours=2, time=0)

    def notices(*problems: Problem, shuffles: int) -> str:
        plan, *_ = Experiment([*problems], RUNS, shuffles=shuffles).dry_run(tmp_path)
        return " ".join(plan.notices)

    assert "rows of mine are shuffled, but those under delay(hours=2, time=0)" in notices(
        plain, timed, shuffles=1
    )
    assert notices(plain, timed, shuffles=0) == ""
    assert notices(timed, shuffles=1) == ""
    assert notices(plain, plain.with_delay(2), shuffles=1) == ""


def test_a_store_has_the_verdict_under_each_condition(tmp_path: Path) -> None:
    store = Experiment(SOURCES, [*RUNS, Run("greedy", learning_rate=0.1)]).run(tmp_path)

    found = store.by_stream()

    assert found["stream"].to_list() == ["", "delay(0)", STREAM]
    assert found["rise"].to_list()[:2] == [0, 0]
    assert found["leader"][0] == found["leader"][1] == found["plain_leader"][2]
    assert "| no condition |" in store.table("streams").markdown
