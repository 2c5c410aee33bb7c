"""evaluate: policies of every kind, the default interval, and whether a log answers."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from bakeoff import Learner, Log, Run, evaluate, load, simulate
from bakeoff.basics.errors import BakeoffError, DataError, DataNotice, SpecError
from bakeoff.core.types import Doubles
from bakeoff.data.problem import Problem
from tests.decision_logs import made_log


def test_the_contract() -> None:
    made = made_log(2000)

    found = evaluate(made.log, "uniform", estimators=["ips", "snips", "dr"])

    assert list(found) == ["ips", "snips", "dr"]
    w = 0.25 / made.log.probability
    assert found["ips"].value == pytest.approx(float((w * made.log.reward).mean()))
    assert found.effective_sample_size == pytest.approx(w.sum() ** 2 / (w**2).sum())
    assert found.largest_weight == w.max()
    assert found.can_answer is True
    assert isinstance(found.advice, str)
    for one in found.values():
        assert one.low <= one.value <= one.high


def test_a_policy_may_be_an_array_a_callable_of_all_or_of_one() -> None:
    made = made_log(300)
    theta = np.random.default_rng(0).normal(size=(3, 4))

    def of_one(x: Doubles) -> Doubles:
        scores = np.exp(x @ theta)
        return scores / scores.sum()

    def of_all(X: Doubles) -> Doubles:
        return np.stack([of_one(x) for x in X])

    answers = [
        [one.value for one in evaluate(made.log, policy).values()]
        for policy in (of_all(made.log.X), of_all, of_one)
    ]

    assert answers[0] == answers[1] == answers[2]


def test_a_policy_may_be_actions_a_constant_or_a_classifier() -> None:
    made = made_log(300)
    model = LogisticRegression().fit(made.log.X, np.arange(300) % 4)

    by_actions = evaluate(made.log, np.full(300, 2), ["ips"])
    by_name = evaluate(made.log, "constant:2", ["ips"])
    by_model = evaluate(made.log, model, ["ips"])
    by_choice = evaluate(made.log, model.predict(made.log.X), ["ips"])

    assert by_actions["ips"].value == by_name["ips"].value
    assert by_model["ips"].value == by_choice["ips"].value


def test_the_logger_itself_scores_the_mean_reward() -> None:
    made = made_log(300)

    found = evaluate(made.log, "logged", ["ips", "snips"])

    assert found["ips"].value == pytest.approx(made.log.reward.mean(), rel=1e-12)
    assert found.logged.value == pytest.approx(made.log.reward.mean(), rel=1e-12)
    assert found.effective_sample_size == pytest.approx(300)


def test_a_policy_may_be_a_learner() -> None:
    made = made_log(60)
    learner = Learner("epsilon-greedy:epsilon=0.2", n_actions=4, seed=1)
    for x in made.log.X[:20]:
        learner.learn(learner.choose(x), cost=0.5)

    found = evaluate(made.log, learner, ["ips"])
    table = np.stack([learner.probabilities(x) for x in made.log.X])

    assert found["ips"].value == evaluate(made.log, table, ["ips"])["ips"].value


def test_a_learner_and_a_log_agree_on_the_names_of_actions() -> None:
    made = made_log(40)
    log = Log.from_arrays(
        made.log.X, made.log.action, made.log.probability, made.log.reward,
        action_names=["a", "b", "c", "d"],
    )  # fmt: skip
    learner = Learner("greedy", actions=["d", "c", "b", "a"], seed=1)
    learner.learn(learner.choose(log.X[0]), cost=0.9)

    found = evaluate(log, learner, ["ips"])
    table = np.stack([learner.probabilities(x)[::-1] for x in log.X])

    assert found["ips"].value == evaluate(log, table, ["ips"])["ips"].value
    with pytest.raises(DataError, match="the learner has 3 actions"):
        evaluate(log, Learner("greedy", n_actions=3, seed=1, warm_up=False))


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("unifrom", "unknown policy 'unifrom'"),
        ("constant:9", "the log has no action '9'; it has 0, 1, 2, 3"),
        ("column:x", "the log has no column 'x'"),
        (np.ones((300, 4)), "add up to 4"),
        (np.full((300, 3), 1 / 3), r"array of shape \(300, 4\)"),
        (lambda X: X, r"must return probabilities of shape \(300, 4\)"),
        (np.full(300, 7), "integers from 0 to 3"),
        (None, "a policy must be"),
    ],
)
def test_a_wrong_policy_is_one_sentence(policy: object, said: str) -> None:
    made = made_log(300)

    with pytest.raises(BakeoffError, match=said):
        evaluate(made.log, policy)


def test_a_policy_may_not_play_what_is_not_available() -> None:
    available = np.ones((4, 3), bool)
    available[2, 1] = False
    log = Log.from_arrays(
        None, [0, 1, 2, 0], [0.5] * 4, [0, 1, 0, 1], n_actions=3, available=available
    )

    with pytest.raises(DataError, match=r"event 2: .* action 1, which is not"):
        evaluate(log, np.full((4, 3), 1 / 3))
    uniform = evaluate(log, "uniform", ["ips"])

    assert uniform.largest_weight == pytest.approx(1.0)  # half of two, not of three


def test_alpha_and_interval_are_checked() -> None:
    made = made_log(50)

    with pytest.raises(SpecError, match="alpha must lie between 0 and 1"):
        evaluate(made.log, "uniform", alpha=1.5)
    with pytest.raises(SpecError, match="unknown interval 'norml'; did you mean"):
        evaluate(made.log, "uniform", interval="norml")
    with pytest.raises(DataError, match="needs a Log"):
        evaluate(made.policy, "uniform")  # type: ignore[arg-type]


# ---- models


def test_dr_beats_ips_where_the_model_explains_the_rewards() -> None:
    errors = {"ips": 0.0, "dr": 0.0}

    for seed in range(20):
        made = made_log(1000, seed=seed)
        found = evaluate(made.log, made.policy, list(errors))
        for name in errors:
            errors[name] += (found[name].value - made.truth) ** 2

    assert errors["dr"] < errors["ips"]


def test_sparse_and_dense_contexts_give_the_same_answer() -> None:
    made = made_log(300)
    log = made.log
    other = Log.from_arrays(
        sparse.csr_array(log.X), log.action, log.probability, log.reward, n_actions=4,
        probabilities=log.probabilities,
    )  # fmt: skip

    ours, theirs = (evaluate(one, made.policy, ["dr", "mrdr"]) for one in (log, other))

    for name in ours:
        assert ours[name].value == pytest.approx(theirs[name].value, rel=1e-9)


def test_a_model_is_not_taught_by_the_events_it_judges() -> None:
    """With rewards of pure noise and a feature per event, memory would show."""
    rng = np.random.default_rng(0)
    n = 60
    log = Log.from_arrays(
        np.eye(n), rng.integers(0, 2, n), np.full(n, 0.5), rng.integers(0, 2, n), n_actions=2
    )

    found = evaluate(log, np.full((n, 2), 0.5), ["dm"])

    others = [np.delete(log.reward, np.arange(b, b + 12)) for b in range(0, n, 12)]
    spread = [part.mean() for part in others]
    assert min(spread) - 0.1 < found["dm"].value < max(spread) + 0.1


def test_on_an_adaptive_log_the_model_knows_only_the_past() -> None:
    made = made_log(400)
    rewards = made.log.reward.copy()
    rewards[-50:] = 1 - rewards[-50:]
    before, after = (
        Log.from_arrays(
            made.log.X, made.log.action, made.log.probability, r, n_actions=4, adaptive=True
        )
        for r in (made.log.reward, rewards)
    )

    terms = [evaluate(log, made.policy, ["dr"]).terms["dr"] for log in (before, after)]

    np.testing.assert_array_equal(terms[0][:200], terms[1][:200])
    assert (terms[0][-50:] != terms[1][-50:]).any()


# ---- which interval


def test_the_default_interval_suits_the_log() -> None:
    made = made_log(3000)
    log = made.log
    learned = Log.from_arrays(
        log.X, log.action, log.probability, log.reward, n_actions=4, adaptive=True
    )

    assert evaluate(log, made.policy)["ips"].interval == "student"
    assert evaluate(learned, made.policy)["ips"].interval == "robust"
    few = evaluate(log.part(slice(0, 40)), made.policy[:40])
    assert few["ips"].interval == "robust"


def test_rare_rewards_get_an_interval_that_knows() -> None:
    rng = np.random.default_rng(1)
    reward = (rng.random(2000) < 0.004).astype(float)
    log = Log.from_arrays(None, rng.integers(0, 2, 2000), np.full(2000, 0.5), reward, n_actions=2)

    assert evaluate(log, "uniform")["ips"].interval == "robust"


# ---- can the log answer?


def heavy_log(n: int = 10_000) -> Log:
    """Nearly always action 0; what else was tried hardly ever came up."""
    rng = np.random.default_rng(4)
    p = np.full((n, 5), 1e-4)
    p[:, 0] = 1 - 4e-4
    action = np.where(rng.random(n) < 4e-4, rng.integers(1, 5, n), 0)
    return Log.from_arrays(None, action, p[np.arange(n), action], rng.random(n) < 0.3, n_actions=5)


def test_a_log_without_exploration_is_refused_with_a_number() -> None:
    found = evaluate(heavy_log(), "uniform")

    assert not found.can_answer
    assert found.effective_sample_size < 10
    assert "cannot answer" in found.advice
    assert "What would help: about" in found.advice
    assert "on action" in found.advice


def test_an_action_that_was_never_tried_is_named() -> None:
    rng = np.random.default_rng(0)
    log = Log.from_arrays(
        None, rng.integers(0, 2, 500), np.full(500, 0.5), rng.random(500), n_actions=3,
        action_names=["a", "b", "c"],
    )  # fmt: skip

    found = evaluate(log, "uniform")

    assert not found.can_answer
    assert "33% of what the policy would do was never tried" in found.advice
    assert "on action c" in found.advice


def test_what_was_never_tried_may_have_any_reward() -> None:
    rng = np.random.default_rng(0)
    log = Log.from_arrays(
        None, rng.integers(0, 2, 5000), np.full(5000, 0.5), np.full(5000, 0.5), n_actions=3
    )
    policy = np.tile([0.49, 0.49, 0.02], (5000, 1))

    found = evaluate(log, policy, ["ips"])

    assert found.can_answer
    assert found["ips"].low <= 0.4901
    assert found["ips"].high >= 0.5099


def test_wrong_propensities_are_noticed() -> None:
    made = made_log(5000)
    log = made.log
    wrong = Log.from_arrays(log.X, log.action, np.sqrt(log.probability), log.reward, n_actions=4)

    found = evaluate(wrong, "uniform")

    assert not found.can_answer
    assert "probabilities are too large" in found.advice


def test_drawn_actions_are_compared_with_their_distribution() -> None:
    n = 4000
    rng = np.random.default_rng(0)
    p = np.full((n, 4), 0.25)
    action = rng.choice(4, n, p=[0.4, 0.2, 0.2, 0.2])
    log = Log.from_arrays(
        None, action, np.full(n, 0.25), np.ones(n) / 2, n_actions=4, probabilities=p
    )

    found = evaluate(log, "uniform")

    assert not found.can_answer
    assert "action 0 was drawn" in found.advice


def test_a_change_over_time_is_said() -> None:
    rng = np.random.default_rng(0)
    reward = (rng.random(4000) < np.where(np.arange(4000) < 2000, 0.2, 0.6)).astype(float)
    log = Log.from_arrays(None, rng.integers(0, 2, 4000), np.full(4000, 0.5), reward, n_actions=2)

    found = evaluate(log, "uniform")

    assert found.can_answer
    assert "change over time" in found.advice


def test_estimated_probabilities_are_said_aloud_with_their_sensitivity() -> None:
    made = made_log(2000, spread=0.5)
    log = made.log

    with pytest.warns(DataNotice, match="no probabilities were logged"):
        guessed = Log.from_arrays(log.X, log.action, None, log.reward, n_actions=4)
    found = evaluate(guessed, made.policy, ["snips"])

    assert found.sensitivity is not None
    assert found.sensitivity.low < found["snips"].value < found.sensitivity.high
    assert "estimated, not logged" in found.advice
    true = evaluate(log, made.policy, ["snips"])["snips"].value
    assert found["snips"].value == pytest.approx(true, abs=0.05)


# ---- logs of simulated runs


def test_a_log_of_a_run_knows_the_truth() -> None:
    problem = load("embedded:iris")
    assert isinstance(problem, Problem)
    log = Log.from_run(problem, Run("epsilon-greedy:epsilon=0.3"), shuffle=1)

    found = evaluate(log, "uniform", ["ips", "dr"])

    assert log.adaptive
    assert found.truth == pytest.approx(1 / 3)
    assert found["ips"].low <= 1 / 3 <= found["ips"].high


def test_the_paper_s_own_estimate_is_one_call() -> None:
    """Section 4: IPS of the uniform policy, from rewards and from losses."""
    problem = load("embedded:iris")
    assert isinstance(problem, Problem)
    run = Run("epsilon-greedy:epsilon=0.1")
    (result,) = simulate(problem.shuffled(3), [run.for_job(problem.digest, 3)])
    log = Log.from_run(problem, run, shuffle=3)
    losses = Log.from_arrays(log.X, log.action, log.probability, 1 - log.reward, n_actions=3)

    by_rewards = evaluate(log, "uniform", ["ips"], interval="normal")["ips"].value
    by_losses = evaluate(losses, "uniform", ["ips"], interval="normal")["ips"].value

    assert by_rewards == pytest.approx(1 - result.ips_reward, abs=1e-9)
    assert by_losses == pytest.approx(result.ips_loss, abs=1e-9)


def test_ranking_problems_make_logs_with_features_per_action() -> None:
    rng = np.random.default_rng(0)
    X, qid = rng.normal(size=(60, 3)), np.repeat(np.arange(20), 3)
    problem = Problem.from_ranking(X, rng.integers(0, 5, 60), qid)
    log = Log.from_run(problem, Run("epsilon-greedy:epsilon=0.5"))

    found = evaluate(log, "uniform", ["ips", "dr", "dm"])

    assert log.first_row is not None
    assert np.isfinite(found["dr"].value)
