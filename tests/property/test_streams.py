"""Streams: what must hold of any conditions."""

import pickle
from dataclasses import fields
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from bakeoff import Learner, Problem, Run, grid, simulate
from bakeoff.data.streams.conditions import (
    CONDITIONS,
    Condition,
    Timed,
    parse,
    split_source,
    split_stream,
    text_of,
)
from bakeoff.data.streams.schedule import scheduled
from tests.configurations import BANDITS, Configuration
from tests.problems import sample
from tests.uncompiled import uncompiled as uncompiled  # a fixture

ROUNDS = 120
EXAMPLES = [
    "available(0.6)", "delay(7)", "delay(batch, every=10)",
    "delay(batch, hours=0.5, time=1)", "delay(exponential, mean=5)", "delay(hours=0.5, time=1)",
    "drift(after=0.5)", "drift(after=0.3, over=0.2)", "drift(every=0.25)", "lives(0.5)",
    "lost(0.3)", "lost(0.5, action=1)", "noise(0.2)", "noise(1, after=0.4, until=0.5)",
    "price(action=1, by=0.3)",
    "shift(2, mix=0.2)",
]  # fmt: skip
FEEDBACK = [text for text in EXAMPLES if text.startswith(("delay", "lost", "noise"))]
FEEDBACK = [text for text in FEEDBACK if "time" not in text]  # which sorts rows, too
every_example = pytest.mark.parametrize("text", EXAMPLES)


def problem() -> Problem:
    """A problem of four actions."""
    return sample("multiclass", ROUNDS, 4).problem


def assert_equal_problems(one: Problem, other: Problem) -> None:
    """All that is played is equal."""
    assert (one.name, one.digest, one.task) == (other.name, other.digest, other.task)
    for ours, theirs in zip(
        (*one.contexts, *one.true_costs), (*other.contexts, *other.true_costs), strict=True
    ):
        assert_array_equal(ours, theirs)
    assert (one.told_costs is None) == (other.told_costs is None)
    for ours, theirs in zip(one.told_costs or (), other.told_costs or (), strict=True):
        assert_array_equal(ours, theirs)


# ---- values and text


moments = st.one_of(st.floats(0, 0.99), st.integers(1, 10_000))
dates = st.one_of(st.dates(min_value=date(1, 1, 1)).map(str), st.just("2026-06-01 12:30"))
stretches = st.one_of(st.floats(0.01, 0.99), st.integers(1, 10_000))
shares = st.floats(0, 1)
seeds = st.integers(0, 2**31)
BY_NAME: dict[str, Any] = {
    "rounds": st.integers(0, 10_000), "mean": st.floats(0, 1e4), "every": st.integers(1, 10_000),
    "share": shares, "after": moments, "until": stretches, "over": stretches,
    "turn": st.integers(1, 9),
    "action": st.one_of(st.integers(0, 9), st.text(min_size=1, max_size=8)),
    "by": st.floats(-10, 10),
    "mix": shares, "seed": seeds,
    "feature": st.one_of(st.integers(0, 99), st.text(min_size=1, max_size=8)),
    "hours": st.floats(0.01, 1e4),
    "time": st.one_of(st.integers(0, 99), st.text(min_size=1, max_size=8)),
}  # fmt: skip


@st.composite
def conditions(draw: Any) -> Condition:
    """Any condition with any settings."""
    made = draw(st.sampled_from(CONDITIONS))
    names = [one.name for one in fields(made)]
    if made.word == "delay" and not made.kind:
        names = draw(st.sampled_from([["rounds"], ["hours", "time"]]))
    if made.kind == "batch":
        names = draw(st.sampled_from([["every"], ["hours", "time"]]))
    if made.word == "drift":
        names = draw(st.sampled_from([["after"], ["after", "over", "seed"], ["every", "turn"]]))
    by_name = dict(BY_NAME)
    if issubclass(made, Timed) and "after" in names:
        if draw(st.booleans()):
            by_name["after"] = dates
            names = sorted({*names, "time"})
        else:
            names = [name for name in names if name != "time"]
    elif issubclass(made, Timed):
        names = [name for name in names if name != "time"]
    result: Condition = made(**{name: draw(by_name[name]) for name in names})
    return result


@settings(deadline=None, max_examples=50)
@given(st.lists(conditions(), max_size=4))
def test_text_tells_all(several: list[Condition]) -> None:
    text = text_of(several)

    assert set(parse(text)) == set(several)
    assert text_of(parse(text)) == text


@settings(deadline=None, max_examples=50)
@given(st.lists(conditions(), min_size=1, max_size=3))
@example(list(parse(r'shift("\\", seed=1)')))  # a name that ends with a backslash
def test_a_source_and_a_name_are_told_from_their_conditions(several: list[Condition]) -> None:
    text = text_of(several)

    assert split_stream(f"a b | {text}") == ("a b", text)
    source, rest = split_source(f"data/a.csv | {text}")
    assert (source, text_of(parse(rest))) == ("data/a.csv", text)


# ---- problems


def test_a_stream_without_conditions_is_the_problem() -> None:
    plain = problem()

    assert plain.with_conditions() is plain
    assert plain.with_conditions("") is plain


@every_example
def test_a_condition_is_in_name_and_digest(text: str) -> None:
    plain = problem()
    stream = plain.with_conditions(text)

    assert stream.name == f"multiclass | {text}"
    assert stream.plain is plain
    assert stream.draws == plain.digest
    digests = {plain.with_conditions(other).digest for other in EXAMPLES} | {plain.digest}
    assert len(digests) == len(EXAMPLES) + 1


@every_example
def test_conditions_commute(text: str) -> None:
    plain = problem()
    for other in EXAMPLES:
        there = plain.with_conditions(text).with_conditions(other)

        assert_equal_problems(there, plain.with_conditions(other).with_conditions(text))
        assert_equal_problems(there, plain.with_conditions(f"{other} | {text}"))


@every_example
def test_conditions_apply_to_the_order_played(text: str) -> None:
    plain = problem()

    assert_equal_problems(
        plain.with_conditions(text).shuffled(3), plain.shuffled(3).with_conditions(text)
    )


@every_example
def test_a_stream_survives_a_pickle(text: str) -> None:
    stream = problem().with_conditions(text)

    again = pickle.loads(pickle.dumps(stream))

    assert_equal_problems(again, stream)
    assert again.conditions == stream.conditions


# ---- schedules


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60))
def test_a_schedule_has_every_feedback_once_in_time_and_in_a_slot_of_its_own(
    delays: list[int],
) -> None:
    n = len(delays)
    arrival = np.arange(n) + delays

    schedule = scheduled(arrival)

    waiting: dict[int, int] = {}
    seen = []
    for e in range(n):
        if schedule.slot[e] >= 0:
            assert schedule.slot[e] not in waiting
            waiting[int(schedule.slot[e])] = e
        assert len(waiting) <= schedule.n_slots
        for past in schedule.order[schedule.begin[e] : schedule.begin[e + 1]]:
            assert arrival[past] == e
            assert waiting.pop(int(schedule.slot[past])) == past
            seen.append(int(past))
    assert sorted(seen) == [e for e in range(n) if arrival[e] < n]
    at_a_time = [sum(i <= e <= arrival[i] < n for i in range(n)) for e in range(n)]
    assert schedule.n_slots == max(at_a_time)


# ---- runs


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("text", [t for t in EXAMPLES if not t.startswith("shift")])
def test_nothing_looks_ahead(text: str) -> None:
    played = sample("multiclass", ROUNDS, 4)
    X, y = np.array(played.contexts), np.array([int(c.argmin()) for c in played.costs])
    X[:, 1] = np.arange(ROUNDS) / 10  # the time, where a condition goes by that
    half = ROUNDS // 2
    other_X, other_y = X.copy(), y.copy()
    other_X[half:], other_y[half:] = -X[half:], (y[half:] + 1) % 4
    other_X[:, 1] = X[:, 1]
    run = Run("epsilon-greedy:epsilon=0.2", seed=3)

    problems = [Problem.from_classes(a, b, 4) for a, b in ((X, y), (other_X, other_y))]
    one, other = (simulate(p.with_conditions(text), [run], record=True)[0] for p in problems)

    assert one.actions is not None
    assert other.actions is not None
    assert_array_equal(one.actions[:half], other.actions[:half])
    assert not np.array_equal(one.actions, other.actions)


def follow_late(learner: Learner, played: Problem, contexts: Any) -> list[Any]:
    """What a live learner decides whose feedback comes by the schedule of a stream."""
    schedule, told = played.schedule, played.told_costs or played.true_costs
    assert schedule is not None
    decisions = []
    for e, x in enumerate(contexts):
        decisions.append(learner.choose(x))
        for past in schedule.order[schedule.begin[e] : schedule.begin[e + 1]]:
            cost = float(told.right[past] != decisions[past].action)
            learner.learn(decisions[past], cost=cost)
    return decisions


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("inputs", ["raw", "centred"])
@pytest.mark.parametrize("configuration", BANDITS, ids=str)
def test_a_live_learner_with_the_same_schedule_takes_the_same_actions(
    configuration: Configuration, inputs: str
) -> None:
    played = sample("multiclass", 60, 4)
    stream = played.problem.with_conditions("delay(exponential, mean=8) | lost(0.1) | noise(0.1)")
    run = Run.from_text(f"{configuration.run(offset=-1, seed=1)},inputs={inputs}")

    [result] = simulate(stream, [run], record=True)
    decisions = follow_late(Learner(run, n_actions=4), stream, played.contexts)

    assert_array_equal([d.action for d in decisions], result.actions)
    assert_array_equal([d.probability for d in decisions], result.probabilities)


class Own:
    """A live learner in the shape of a user's learner."""

    def __init__(self, n_actions: int, seed: int) -> None:
        self.learner = Learner("epsilon-greedy:epsilon=0.2", n_actions, seed=seed, offset=-1)
        self.decisions: dict[int, Any] = {}

    def choose(self, x: Any) -> tuple[int, float]:
        decision = self.decisions[id(x)] = self.learner.choose(x)
        return decision.action, decision.probability

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        self.learner.learn(self.decisions.pop(id(x)), loss=loss)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("text", FEEDBACK)
def test_a_learner_of_a_user_gets_the_same_feedback(text: str) -> None:
    stream = problem().with_conditions(text)

    [theirs] = simulate(stream, grid([Own], learning_rates=0.5), record=True)
    run = Run("epsilon-greedy:epsilon=0.2", seed=theirs.run.seed)
    [ours] = simulate(stream, [run], record=True)

    assert_array_equal(ours.actions, theirs.actions)
