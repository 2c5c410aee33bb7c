"""A Learner is a simulated run, one event at a time."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from bakeoff import BakeoffError, DataError, Decision, Learner, SpecError, simulate
from tests.comparisons import follow
from tests.configurations import BANDITS, EXPLOSIVE, SKYLINES, Configuration
from tests.explosions import explosion_of
from tests.problems import N_FEATURES, sample
from tests.reference.draws import key_of
from tests.reference.explorers import Explorer
from tests.reference.reductions import DR, Reduction
from tests.reference.regression import Regressor
from tests.reference.simulation import build

ROUNDS = 300

every_bandit = pytest.mark.parametrize("configuration", BANDITS, ids=str)


def assert_same_decisions(ours: list[Decision], theirs: list[Decision]) -> None:
    """Two learners took the same actions with the same probabilities, bit for bit."""
    for one, other in zip(ours, theirs, strict=True):
        assert (one.t, one.action) == (other.t, other.action)
        assert_array_equal(one.probabilities, other.probabilities)


# The same as a simulated run


@every_bandit
@pytest.mark.parametrize("task", ["multiclass", "cost-sensitive"])
def test_a_learner_takes_the_actions_of_a_simulated_run(
    configuration: Configuration, task: Any
) -> None:
    played = sample(task, ROUNDS)
    run = configuration.run(learning_rate=2.0, offset=-1, seed=1)
    learner = configuration.learner(3, learning_rate=2.0, offset=-1, seed=1)

    [result] = simulate(played.problem, [run], record=True)
    decisions = follow(learner, played)

    assert_array_equal([d.action for d in decisions], result.actions)
    assert_array_equal([d.probability for d in decisions], result.probabilities)


@every_bandit
def test_a_learner_takes_the_actions_of_a_simulated_run_on_rows_per_action(
    configuration: Configuration,
) -> None:
    played = sample("ranking", ROUNDS, 5)
    run = configuration.run(offset=9, seed=2)
    learner = configuration.learner(None, offset=9, seed=2)

    [result] = simulate(played.problem, [run], record=True)
    decisions = follow(learner, played)

    assert_array_equal([d.action for d in decisions], result.actions)
    assert_array_equal([d.probability for d in decisions], result.probabilities)


@every_bandit
def test_a_loss_says_the_same_as_its_cost(configuration: Configuration) -> None:
    played = sample("cost-sensitive", ROUNDS)
    by_cost = configuration.learner(3, offset=-1)
    by_loss = configuration.learner(3, offset=-1)

    theirs = follow(by_cost, played)
    ours = []
    for x, costs in zip(played.contexts, played.costs, strict=True):
        decision = by_loss.choose(x)
        by_loss.learn(decision, loss=-1 + costs[decision.action])
        ours.append(decision)

    assert_same_decisions(ours, theirs)


# Contexts


def named(x: Any) -> dict[str, float]:
    """A row with a name for each feature that is not zero."""
    return {f"f{j}": v for j, v in enumerate(x.tolist()) if v}


@every_bandit
@pytest.mark.parametrize("bits", [10, None])
def test_named_features_are_those_of_an_array(
    configuration: Configuration, bits: int | None
) -> None:
    if bits and configuration.explorer.own_oracle:
        bits = 9  # with more than 512 features it keeps less
    played = sample("multiclass", ROUNDS)
    contexts: list[Any] = [named(x) for x in played.contexts]
    by_name = played._replace(contexts=contexts)

    arrays = follow(configuration.learner(3), played)
    names = follow(configuration.learner(3, bits=bits), by_name)

    if configuration.explorer.own_oracle:  # named features have an order of their own
        assert [one.action for one in names] == [other.action for other in arrays]
        for one, other in zip(names, arrays, strict=True):
            assert_allclose(one.probabilities, other.probabilities, rtol=1e-9)
    else:
        assert_same_decisions(names, arrays)


@every_bandit
def test_a_learner_whose_actions_come_and_go_takes_the_same_actions(
    configuration: Configuration,
) -> None:
    played = sample("cost-sensitive", ROUNDS)
    fixed, apart = configuration.learner(3), configuration.learner(3)

    theirs = follow(fixed, played)
    ours = []
    for t, (x, costs) in enumerate(zip(played.contexts, played.costs, strict=True)):
        decision = apart.choose(x, available=[2, 0, 1] if t >= 50 else None)
        apart.learn(decision, cost=costs[decision.action])
        ours.append(decision)

    assert_same_decisions(ours, theirs)


def test_a_context_may_be_a_sparse_row() -> None:
    played = sample("multiclass", ROUNDS)
    thin = played._replace(contexts=[sparse.csr_array(x[None]) for x in played.contexts])

    dense = follow(Learner("epsilon-greedy", 3, seed=0), played)

    assert_same_decisions(follow(Learner("epsilon-greedy", 3, seed=0), thin), dense)


# Feedback


@every_bandit
@pytest.mark.parametrize("task", ["cost-sensitive", "ranking"])
def test_late_feedback_in_any_order_equals_the_reference(
    configuration: Configuration, task: Any
) -> None:
    n_actions = None if task == "ranking" else 3
    learner = configuration.learner(n_actions, offset=-1, seed=3)

    ours, expected = with_late_feedback(learner, task)

    for p, q in zip(ours, expected, strict=True):
        assert_array_equal(p, q)


@pytest.mark.parametrize("reduction", ["ips", *DR])
def test_late_feedback_knows_which_actions_were_left_out(reduction: str) -> None:
    spec = "active:epsilon=0.2,c0=1e-6"
    learner = Learner(spec, 3, reduction=reduction, offset=-1, seed=3)

    ours, expected = with_late_feedback(learner, "cost-sensitive")

    assert sum(np.count_nonzero(p == 0) for p in ours) > 50
    for p, q in zip(ours, expected, strict=True):
        assert_array_equal(p, q)


def with_late_feedback(learner: Learner, task: Any) -> tuple[list[Any], list[Any]]:
    """Probabilities of a learner, and of the reference with the same feedback."""
    played = sample(task, 100)
    theirs = reference_of(learner, n_blocks=learner.n_actions or 1)
    rng = np.random.default_rng(3)
    pending: list[Decision] = []
    ours, expected = [], []
    for t, event in enumerate(played.events, start=1):
        decision = learner.choose(played.contexts[t - 1])
        ours.append(decision.probabilities)
        expected.append(theirs.explore(event.rows, t))
        pending.append(decision)
        while pending and rng.random() < 0.6:
            late = pending.pop(rng.integers(len(pending)))
            then = played.events[late.t - 1]
            loss, p = then.costs[late.action] - 1, late.probabilities.tolist()
            learner.learn(late, loss=loss)
            theirs.learn(then.rows, late.action, np.float32(loss), p, late.t)
    return ours, expected


def reference_of(learner: Learner, n_blocks: int) -> Explorer:
    """The reference's explorer with the settings of a learner."""
    run = learner.run
    name = run.reduction or "none"
    new = partial(Regressor, N_FEATURES + 1, n_blocks, run.learning_rate)
    estimator = new(baseline=run.baseline) if name in DR else None
    return build(
        run.explorer.partition(":")[0],
        asdict(run.settings),
        Reduction(name, estimator),
        partial(new, baseline=run.baseline and name not in DR),
        run.offset,
        key_of(run.seed),
    )


# Errors


def one_sentence(error: BaseException) -> bool:
    """Whether a message is one line without a full stop at its end."""
    text = str(error)
    return bool(text) and "\n" not in text and not text.endswith(".")


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ("text", "x must hold numbers, got <U4"),
        (["1", "2"], "x must hold numbers, got <U1"),
        (np.array(["2026-01-01"], "datetime64[D]"), "x must hold numbers, got datetime"),
        ([1.0, None], "x must hold numbers"),
        ([1.0, None, [2.0]], "x must hold rows of the same length"),
        ([], "x must have at least one feature, got none"),
        (1.0, r"x must be one row of features, got shape \(\)"),
        (np.ones((2, 3)), r"x must be one row of features, got shape \(2, 3\)"),
        (np.ones((1, 2, 3)), r"x must be one row of features, got shape \(1, 2, 3\)"),
        ([1.0, np.nan], r"x must hold finite numbers of at most 1e\+18"),
        ([1.0, -np.inf], r"x must hold finite numbers of at most 1e\+18"),
        ([1.0, 1e19], r"x must hold finite numbers of at most 1e\+18"),
    ],
)
def test_a_bad_shared_context_is_refused(x: object, message: str) -> None:
    learner = Learner("greedy", 3)

    with pytest.raises(DataError, match=message):
        learner.choose(x)

    assert learner.t == 0


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([1.0, 2.0], r"x must be one row per action, got shape \(2,\)"),
        (np.ones((1, 2, 3)), r"x must be one row per action, got shape \(1, 2, 3\)"),
        (np.ones((0, 2)), "x must have at least one action, got none"),
        ([[1.0], [np.nan]], r"x must hold finite numbers of at most 1e\+18"),
    ],
)
def test_bad_rows_per_action_are_refused(x: object, message: str) -> None:
    learner = Learner("greedy")

    with pytest.raises(DataError, match=message):
        learner.choose(x)

    assert learner.t == 0


@pytest.mark.parametrize(
    ("feedback", "message"),
    [
        ({}, "loss, cost and reward"),
        ({"loss": 0.0, "cost": 1.0}, "loss, cost and reward"),
        ({"loss": 0.1}, r"loss must lie between -1 and 0 .*, got 0.1"),
        ({"loss": -1.1}, r"loss must lie between -1 and 0 .*, got -1.1"),
        ({"loss": np.nan}, r"loss must lie between -1 and 0 .*, got nan"),
        ({"cost": 1.5}, r"cost must lie between 0 and 1, got 1.5"),
        ({"cost": -0.5}, r"cost must lie between 0 and 1, got -0.5"),
        ({"cost": np.inf}, r"cost must lie between 0 and 1, got inf"),
        ({"reward": 1.1}, r"reward must lie between 0 and 1, got 1.1"),
        ({"loss": 0.5, "reward": 0.5}, "loss, cost and reward"),
    ],
)
def test_bad_feedback_is_refused(feedback: dict[str, float], message: str) -> None:
    learner = Learner("greedy", 3, offset=-1)
    decision = learner.choose([1.0, 2.0])

    with pytest.raises(DataError, match=message) as caught:
        learner.learn(decision, **feedback)

    assert one_sentence(caught.value)


def test_refused_feedback_teaches_nothing() -> None:
    played = sample("multiclass", ROUNDS)
    strict, plain = Learner("regcb", 3, seed=0), Learner("regcb", 3, seed=0)
    ours = []

    for x, costs in zip(played.contexts, played.costs, strict=True):
        decision = strict.choose(x)
        with pytest.raises(DataError):
            strict.learn(decision, loss=2.0)
        strict.learn(decision, cost=costs[decision.action])
        ours.append(decision)

    assert_same_decisions(ours, follow(plain, played))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Learner("greedy", 1), "n_actions must be an integer from 2, got 1"),
        (lambda: Learner("greedy", 0), "n_actions must be an integer from 2, got 0"),
        (lambda: Learner("gredy", 3), "unknown explorer 'gredy' .*'greedy'"),
        (lambda: Learner("cover", 3, reduction="iwr"), "'cover' does not take .*'iwr'"),
        (lambda: Learner("greedy", 3, learning_rate=0), "learning_rate must be pos"),
    ],
)
def test_a_learner_that_makes_no_sense_is_refused(
    make: Callable[[], Learner], message: str
) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        make()

    assert one_sentence(caught.value)


@pytest.mark.parametrize("configuration", SKYLINES, ids=str)
def test_what_sees_all_costs_has_no_learner(configuration: Configuration) -> None:
    with pytest.raises(SpecError, match="costs of all actions"):
        Learner(configuration.spec, 3)


@pytest.mark.parametrize(
    "configuration", [c for c in BANDITS if c in EXPLOSIVE and not c.has_log_loss], ids=str
)
def test_scores_that_are_not_finite_are_an_error(configuration: Configuration) -> None:
    problem, _, broken = explosion_of(configuration)
    X = problem.contexts.value.reshape(problem.n, -1)[:, :-1]  # the bias comes last
    learner = configuration.learner(3, offset=broken.offset)
    learner.learn(learner.choose(X[0]), cost=0.5)

    with pytest.raises(BakeoffError, match="finite in round 2"):
        learner.choose(X[1])


@pytest.mark.parametrize("feedback", [{"loss": "a"}, {"cost": "a"}, {"loss": [1.0]}])
def test_feedback_that_is_no_number_is_refused(feedback: dict[str, Any]) -> None:
    learner = Learner("greedy", 3)
    decision = learner.choose([1.0])

    with pytest.raises(DataError):
        learner.learn(decision, **feedback)


@pytest.mark.parametrize("n_actions", ["3", 2.5])
def test_a_number_of_actions_that_is_no_integer_is_refused(n_actions: Any) -> None:
    with pytest.raises(SpecError):
        Learner("greedy", n_actions)


def test_a_sparse_context_without_actions_is_refused() -> None:
    learner = Learner("greedy")

    with pytest.raises(DataError, match="one row per action"):
        learner.choose(sparse.csr_array((0, 4)))
