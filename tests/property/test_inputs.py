"""Centred inputs: what they see, and that live and simulated learners see the same."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from scipy import sparse

from bakeoff import (
    DataError,
    Decision,
    Learner,
    Log,
    LogWriter,
    Problem,
    ResultsError,
    Run,
    Shadow,
    SpecError,
    catch_up,
    load,
    simulate,
    verify,
)
from bakeoff.core.live import Given
from bakeoff.simulation.inputs import Centred, contexts_of
from tests.comparisons import assert_same, follow
from tests.configurations import BANDITS, ONE_PER_EXPLORER, Configuration
from tests.problems import Sample, sample

Matrix = NDArray[np.float64]
ROUNDS = 200

every_bandit = pytest.mark.parametrize("configuration", BANDITS, ids=str)
every_explorer = pytest.mark.parametrize("configuration", ONE_PER_EXPLORER, ids=str)


def mapped(X: Any) -> Matrix:
    """Rows as a run with centred inputs sees them."""
    return seen(Problem.from_classes(X, np.arange(np.shape(X)[0]) % 2, 2))


def seen(problem: Problem) -> Matrix:
    """The rows of a problem as a run with centred inputs sees them."""
    blocks, first = Centred(problem), 0
    rows = []
    while first < problem.n:
        x, last = blocks.block(first, problem.n)
        copy = x._replace(start=x.start.copy(), feature=x.feature.copy(), value=x.value.copy())
        for row in range(first, last):
            full = np.zeros(problem.n_features + 1)
            entries = slice(copy.start[row], copy.start[row + 1])
            full[copy.feature[entries]] = copy.value[entries]
            rows.append(full[1:])
        first = last
    return np.array(rows)


def played(configuration: Configuration, task: Any, n: int = ROUNDS) -> tuple[Sample, Any, Learner]:
    """A problem, the result of a simulated run with centred inputs, and the live learner."""
    some = sample(task, n, 3)
    run = replace(configuration.run(learning_rate=2.0, offset=-1, seed=1), inputs="centred")
    learner = configuration.learner(
        None if task == "ranking" else 3, learning_rate=2.0, offset=-1, seed=1, inputs="centred"
    )
    [result] = simulate(some.problem, [run], record=True)
    return some, result, learner


def assert_same_decisions(ours: list[Decision], theirs: list[Decision]) -> None:
    """The same actions with the same probabilities, bit for bit."""
    for one, other in zip(ours, theirs, strict=True):
        assert (one.t, one.action) == (other.t, other.action)
        assert_array_equal(one.probabilities, other.probabilities)


# What rows become


def test_a_row_loses_the_means_of_the_rows_before_it() -> None:
    rows = mapped([[1.0, 5.0], [2.0, 5.0], [6.0, 5.0], [3.0, 4.0]])

    assert_allclose(rows, np.array([[0, 0], [1, 0], [4.5, 0], [0, -1]]))


def test_what_is_mostly_zero_is_left_alone() -> None:
    X = np.ones((40, 2))
    X[:, 1] = np.arange(40) % 5 == 3

    rows = mapped(X)

    assert_array_equal(rows[:, 1], X[:, 1])


def test_a_column_that_starts_late_is_centred_by_its_own_rows() -> None:
    X = np.ones((100, 2))
    X[:20, 1] = 0.0
    X[20:, 1] = 7.0

    rows = mapped(X)

    assert_array_equal(rows[20:40, 1], 7.0)  # it might be rare
    assert_array_equal(rows[40:, 1], 0.0)


def test_half_of_all_rows_is_enough_until_it_is_less_than_a_quarter() -> None:
    X = np.ones((8, 2))
    X[:, 1] = [0, 8, 0, 0, 0, 0, 0, 0]

    rows = mapped(X)

    assert_allclose(rows[:, 1], [0, 8, -8, -4, -8 / 3, 0, 0, 0], rtol=1e-6)


def test_a_missing_value_is_a_zero() -> None:
    ages = [20.0, 40.0, None, 30.0, 50.0, None, 10.0, 20.0]
    frame = pl.DataFrame({"age": ages, "y": ["a", "b"] * 4})
    filled = [0.0 if age is None else age for age in ages]

    rows = seen(load(frame, target="y", features="one-hot"))

    is_missing = [float(age is None) for age in ages]
    assert_array_equal(rows, mapped(np.array([filled, is_missing]).T))
    assert_array_equal(rows[:, 1], is_missing)  # rare: left alone


def test_sparse_rows_stay_sparse() -> None:
    X = sparse.random_array((500, 2_000), density=0.01, rng=np.random.default_rng(1))

    rows = mapped(X)

    assert (rows != 0).sum() < 1.1 * X.nnz
    assert_array_equal(
        rows[50:][rows[50:] != 0], X.toarray().astype(np.float32)[50:][rows[50:] != 0]
    )


def test_a_constant_more_changes_nothing_but_rounding() -> None:
    X = np.random.default_rng(0).normal(size=(300, 4))

    assert_allclose(mapped(X + np.array([0, 3, -100, 1e3])), mapped(X), atol=2e-4)


def test_columns_may_be_permuted() -> None:
    X = sample("multiclass", ROUNDS).contexts
    order = np.random.default_rng(2).permutation(len(X[0]))

    assert_array_equal(mapped(np.array(X)[:, order]), mapped(np.array(X))[:, order])


def test_long_problems_are_mapped_in_blocks() -> None:
    X = np.random.default_rng(0).normal(size=(3_000, 200)) + 5  # two blocks and more
    mean = np.cumsum(X.astype(np.float32).astype(np.float64), axis=0)[:-1]
    mean /= np.arange(1, len(X))[:, None]

    assert_array_equal(mapped(X)[1:], (X[1:].astype(np.float32) - mean).astype(np.float32))


@every_explorer
def test_no_run_looks_ahead(configuration: Configuration) -> None:
    X, half = np.array(sample("multiclass", ROUNDS).contexts), ROUNDS // 2
    y = np.arange(ROUNDS) % 3
    poisoned = X.copy()
    poisoned[half:] = 1e3 * (1 + X[half:])
    run = replace(configuration.run(seed=1), inputs="centred")

    [one], [other] = (
        simulate(Problem.from_classes(some, y, 3), [run], record=True) for some in (X, poisoned)
    )

    assert one.actions is not None is not other.actions
    assert one.probabilities is not None is not other.probabilities
    assert_array_equal(one.actions[:half], other.actions[:half])
    assert_array_equal(one.probabilities[:half], other.probabilities[:half])


@pytest.mark.parametrize("explorer", ["greedy", "regcb:optimistic", "supervised"])
def test_a_large_offset_does_not_hide_a_column(explorer: str) -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(size=2_000)
    problem = Problem.from_classes((1e6 + noise)[:, None], (noise > 0).astype(int))

    raw, centred = simulate(
        problem,
        [Run(explorer, learning_rate=1.0), Run(explorer, learning_rate=1.0, inputs="centred")],
    )

    assert raw.pv_loss > 0.35
    assert centred.pv_loss < 0.1


def test_lanes_of_both_inputs_keep_their_results() -> None:
    problem = sample("multiclass", ROUNDS).problem
    runs = [
        Run(explorer, learning_rate=rate, inputs=inputs)
        for explorer in ("greedy", "cover", "supervised")
        for rate in (0.1, 1.0)
        for inputs in ("raw", "centred")
    ]

    together = simulate(problem, runs, record=True)

    for run, result in zip(runs, together, strict=True):
        [alone] = simulate(problem, [run], record=True)
        assert_same(result, alone)


# Live


@every_bandit
@pytest.mark.parametrize("task", ["multiclass", "cost-sensitive", "ranking"])
def test_a_learner_takes_the_actions_of_a_simulated_run(
    configuration: Configuration, task: Any
) -> None:
    some, result, learner = played(configuration, task)

    decisions = follow(learner, some)

    assert_array_equal([d.action for d in decisions], result.actions)
    assert_array_equal([d.probability for d in decisions], result.probabilities)


@every_explorer
def test_sparse_contexts_are_seen_as_dense_ones(configuration: Configuration) -> None:
    if configuration not in BANDITS:
        pytest.skip("a skyline is no learner")
    some, result, learner = played(configuration, "multiclass")
    rows: list[Any] = [sparse.csr_array(x[None]) for x in some.contexts]

    decisions = follow(learner, some._replace(contexts=rows))

    assert_array_equal([d.action for d in decisions], result.actions)
    assert_array_equal([d.probability for d in decisions], result.probabilities)


@pytest.mark.parametrize("bits", [10, None])
def test_named_features_are_those_of_an_array(bits: int | None) -> None:
    some, _, learner = played(Configuration("regcb:optimistic", None, False), "multiclass")
    named: list[Any] = [{f"f{j}": v for j, v in enumerate(x.tolist())} for x in some.contexts]
    by_name = Learner(
        "regcb:optimistic", 3, learning_rate=2.0, offset=-1, seed=1, inputs="centred", bits=bits
    )

    assert_same_decisions(follow(by_name, some._replace(contexts=named)), follow(learner, some))


def test_names_that_come_and_go_are_zero_when_they_are_not_there() -> None:
    some = sample("multiclass", ROUNDS)
    learner = Learner(
        "regcb:optimistic", 3, learning_rate=2.0, offset=-1, seed=1, inputs="centred", bits=None
    )
    learner.choose({f"f{j}": 0.0 for j in range(6)})  # settles their order
    named: list[Any] = [{f"f{j}": v for j, v in enumerate(x.tolist()) if v} for x in some.contexts]

    decisions = follow(learner, some._replace(contexts=named))

    filled: list[Any] = [{f"f{j}": v for j, v in enumerate(x.tolist())} for x in some.contexts]
    other = Learner(
        "regcb:optimistic", 3, learning_rate=2.0, offset=-1, seed=1, inputs="centred", bits=None
    )
    other.choose({f"f{j}": 0.0 for j in range(6)})
    assert_same_decisions(decisions, follow(other, some._replace(contexts=filled)))


def test_the_order_of_names_does_not_matter_to_their_means() -> None:
    X = np.random.default_rng(0).normal(size=(20, 4))
    learner = Learner("greedy", 2, seed=1, inputs="centred", bits=None)
    for i, x in enumerate(X.tolist()):
        names = [f"f{j}" for j in range(4)]
        pairs = list(zip(names, x, strict=True))
        learner.choose(dict(pairs[::-1] if i % 2 else pairs))
    learner.model.settle_inputs(learner.t)

    assert learner.model.engine.inputs is not None
    means = learner.model.engine.inputs.means
    total = np.cumsum(X.astype(np.float32).astype(np.float64), axis=0)[-1]
    assert_array_equal(means.total[:4], total)
    assert_array_equal(means.nonzero[:4], 20)


def test_names_in_the_same_place_have_one_mean() -> None:
    learner = Learner("greedy", 2, seed=1, inputs="centred", bits=1)
    for _ in range(9):
        decision = learner.choose({"a": 1.0, "b": 2.0, "c": 4.0, "d": 8.0})
        event = learner.ledger.pending.waiting[decision.id].event
        assert isinstance(event, Given)
        assert_array_equal(np.bincount(event.place, event.value), 0.0)
    learner.model.settle_inputs(learner.t)

    assert learner.model.engine.inputs is not None
    counts = learner.model.engine.inputs.means.nonzero
    assert set(counts[counts > 0].tolist()) == {9}


LEARNERS: dict[str, Any] = {
    "arrays": lambda x: x,
    "names": lambda x: {f"f{j}": v for j, v in enumerate(x.tolist()) if v},
    "sparse": lambda x: sparse.csr_array(x[None]),
}
BATCHES: dict[str, Any] = {
    "arrays": np.array,
    "names": lambda X: [LEARNERS["names"](x) for x in X],
    "sparse": lambda X: sparse.csr_array(np.array(X)),
}
every_kind = pytest.mark.parametrize("kind", LEARNERS)


def new_learner(**settings: Any) -> Learner:
    """A learner with centred inputs."""
    return Learner("regcb:optimistic", 3, seed=4, inputs="centred", **settings)


def steps_of(learner: Learner, kind: str, first: int, last: int) -> list[Decision]:
    """Decide and learn, with one outcome in three left waiting."""
    some = sample("multiclass", ROUNDS)
    decisions = []
    for i in range(first, last):
        decision = learner.choose(LEARNERS[kind](some.contexts[i]), id=str(i))
        if i % 3:
            learner.learn(decision, cost=float(some.costs[i][decision.action]))
        decisions.append(decision)
    return decisions


@every_kind
def test_a_learner_continues_where_it_was_saved(kind: str, tmp_path: Path) -> None:
    whole, learner = new_learner(), new_learner()
    decisions = steps_of(learner, kind, 0, 70)
    learner.save(tmp_path / "model")
    loaded = Learner.load(tmp_path / "model")

    decisions += steps_of(loaded, kind, 70, ROUNDS)
    loaded.learn("3", cost=0.0)  # a decision from before

    assert_same_decisions(decisions, steps_of(whole, kind, 0, ROUNDS))


@every_kind
def test_a_log_can_be_verified_and_caught_up_with(kind: str, tmp_path: Path) -> None:
    learner = new_learner(log=tmp_path / "log.jsonl")
    steps_of(learner, kind, 0, 70)
    learner.save(tmp_path / "model")
    steps_of(learner, kind, 70, 150)
    learner.close()

    loaded = Learner.load(tmp_path / "model")
    catch_up(loaded, tmp_path / "log.jsonl")

    assert verify(tmp_path / "log.jsonl").replay.different == 0  # type: ignore[union-attr]
    assert_same_decisions(
        steps_of(loaded, kind, 150, ROUNDS), steps_of(new_learner(), kind, 0, ROUNDS)[150:]
    )


@every_kind
def test_looking_at_probabilities_changes_nothing(kind: str) -> None:
    learner, other = new_learner(), new_learner()
    some = sample("multiclass", ROUNDS)
    decisions = []
    for i in range(60):
        learner.probabilities(LEARNERS[kind](some.contexts[-i]))
        decisions += steps_of(learner, kind, i, i + 1)

    assert_same_decisions(decisions, steps_of(other, kind, 0, 60))


@every_kind
def test_a_decision_that_cannot_be_logged_did_not_happen(kind: str, tmp_path: Path) -> None:
    class Full(LogWriter):
        is_full = False

        def put(self, lines: Any) -> None:
            if self.is_full:
                raise ResultsError("the disk is full")
            super().put(lines)

    writer = Full(tmp_path / "log.jsonl")
    learner, other = new_learner(log=writer), new_learner()
    some = sample("multiclass", ROUNDS)
    decisions = steps_of(learner, kind, 0, 50)
    writer.is_full = True
    with pytest.raises(ResultsError):
        learner.choose(LEARNERS[kind](some.contexts[-1]))
    with pytest.raises(ResultsError):
        learner.choose_batch(BATCHES[kind](some.contexts[-9:]))
    writer.is_full = False
    decisions += steps_of(learner, kind, 50, 99)

    assert_same_decisions(decisions, steps_of(other, kind, 0, 99))


@every_kind
def test_a_batch_is_seen_event_by_event(kind: str, tmp_path: Path) -> None:
    some = sample("multiclass", ROUNDS)
    learner, other = new_learner(log=tmp_path / "log.jsonl"), new_learner()
    steps_of(learner, kind, 0, 30)
    steps_of(other, kind, 0, 30)
    contexts = [LEARNERS[kind](x) for x in some.contexts[30:80]]

    batch = learner.choose_batch(BATCHES[kind](some.contexts[30:80]))
    decisions = [other.choose(x) for x in contexts]

    assert_array_equal(batch.probabilities, [d.probabilities for d in decisions])
    costs = [float(some.costs[30 + i][a]) for i, a in enumerate(batch.actions)]
    learner.learn_batch(batch, cost=costs)
    for decision, cost in zip(decisions, costs, strict=True):
        other.learn(decision, cost=cost)
    assert_same_decisions(steps_of(learner, kind, 80, 120), steps_of(other, kind, 80, 120))
    learner.close()
    assert verify(tmp_path / "log.jsonl").replay.different == 0  # type: ignore[union-attr]


@every_kind
def test_decisions_of_other_processes_are_seen_once(kind: str, tmp_path: Path) -> None:
    learner = new_learner(log=tmp_path / "log.jsonl")
    learner.save(tmp_path / "model")
    reader = Learner.load(tmp_path / "model", seed=9, learns=False)
    some = sample("multiclass", ROUNDS)
    for i in range(60):
        decision = reader.choose(LEARNERS[kind](some.contexts[i]))
        learner.admit(decision)
        learner.learn(decision, cost=float(some.costs[i][decision.action]))
        if i % 10 == 9:
            learner.save(tmp_path / "model")
            reader.reload(tmp_path / "model")
        if i % 7 == 0:
            steps_of(learner, kind, i + 100, i + 101)
    learner.close()

    assert learner.model.engine.inputs is not None
    learner.model.settle_inputs(learner.t)
    assert learner.model.engine.inputs.means.rows[0] == 60 + learner.t
    assert verify(tmp_path / "log.jsonl").is_fine


def test_zeros_of_other_processes_are_no_values(tmp_path: Path) -> None:
    learner = new_learner()
    learner.save(tmp_path / "model")
    reader = Learner.load(tmp_path / "model", seed=9, learns=False)

    for _ in range(4):
        learner.admit(reader.choose([0.0, 1.0, 2.0]))

    assert learner.model.engine.inputs is not None
    assert_array_equal(learner.model.engine.inputs.means.nonzero, [0, 4, 4])


def test_a_context_of_another_process_counts_once(tmp_path: Path) -> None:
    learner = new_learner()
    learner.save(tmp_path / "model")
    reader = Learner.load(tmp_path / "model", seed=9, learns=False)

    _, count = learner.model.admitted(reader.choose([1.0, 2.0]), learner.t, 0.0)

    assert count is not None
    count()
    count()  # a step that was cut short is done again
    assert learner.model.engine.inputs is not None
    assert learner.model.engine.inputs.means.rows[0] == 1


def test_a_shadow_sees_what_a_learner_sees() -> None:
    some = sample("multiclass", ROUNDS)
    learner, other = new_learner(), new_learner()
    shadow = Shadow(other)
    for x, costs in zip(some.contexts, some.costs, strict=True):
        p = shadow.watch(x, 0, 0.5, cost=float(costs[0]))
        assert_array_equal(p, learner.probabilities(x))
        learner.watch(x, 0, 0.5, cost=float(costs[0]))


def test_the_log_and_the_decision_have_the_context_as_it_came(tmp_path: Path) -> None:
    learner = new_learner()
    for x in ([3.0, 4.0], np.array([5.0, 6.0]), np.array([[7.0, 8.0]])):
        assert_array_equal(np.ravel(learner.choose(x).context), np.ravel(x))


def test_actions_may_come_and_go(tmp_path: Path) -> None:
    some = sample("multiclass", ROUNDS)
    learner = Learner("greedy", actions=["a", "b", "c"], seed=1, inputs="centred")
    other = Learner("greedy", actions=["a", "b", "c"], seed=1, inputs="centred")
    learner.add_action("d")
    learner.retire_action("d")  # only the layout differs now

    assert_same_decisions(follow(other, some), [replaced(d) for d in follow(learner, some)])


def replaced(decision: Decision) -> Decision:
    """A decision among four actions, without the last one, which was retired."""
    decision.probabilities = decision.probabilities[:3]
    return decision


def test_actions_with_features_have_no_centred_products(tmp_path: Path) -> None:
    actions = {"a": {"kind": "x", "size": 5.0}, "b": {"kind": "y", "size": 7.0}}
    with pytest.raises(SpecError, match="interactions"):
        Learner("greedy", actions=actions, inputs="centred")
    with pytest.raises(DataError, match="context"):
        Learner("greedy", inputs="centred").choose({"age": 1.0}, actions=[*actions.values()])
    learner = Learner(
        "greedy", actions=actions, seed=1, interactions=False, inputs="centred", log=tmp_path / "l"
    )
    for _ in range(100):
        decision = learner.choose({"age": 3.0})
        learner.learn(decision, cost=float(decision.action))
    learner.close()

    assert learner.probabilities({"age": 3.0})[0] > 0.5
    assert verify(tmp_path / "l").is_fine


def test_the_seen_is_part_of_the_problem_and_of_the_label() -> None:
    run = Run("regcb:optimistic", inputs="centred")

    assert run == Run.from_text(str(run))
    assert "inputs=centred" in str(run)
    assert run.label == "RO centred"
    assert Run("supervised", inputs="centred").label == "OAA"
    assert "inputs" not in str(Run("greedy"))
    with pytest.raises(SpecError, match="inputs"):
        Run("greedy", inputs="scaled")


def test_contexts_of_logs_are_raw() -> None:
    problem = sample("multiclass", 50).problem
    log = Log.from_run(problem, Run("greedy", inputs="centred"))

    assert_array_equal(np.asarray(log.X), contexts_of(problem))
