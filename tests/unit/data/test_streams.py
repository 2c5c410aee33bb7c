"""Conditions by hand: what they make of rows, costs and feedback, and what they refuse."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bakeoff import Problem, SpecError, load, simulate
from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.data import Facts
from bakeoff.data.streams.schedule import schedule_of
from bakeoff.data.streams.stream import matrix_of
from bakeoff.simulation import Curve, new_sums, sizes_of

N = 10


def classes() -> Problem:
    """Ten rounds of three classes in turn; the feature counts down."""
    return Problem.from_classes(np.arange(N, 0, -1.0)[:, None], np.arange(N) % 3, name="p")


def costs_of(problem: Problem) -> Any:
    return matrix_of(problem.true_costs, problem.n_actions)


def test_drift_moves_costs_on_to_the_next_action_after_a_moment() -> None:
    drifting = classes().with_drift(after=0.6)

    assert_array_equal(drifting.true_costs.right, [0, 1, 2, 0, 1, 2, 1, 2, 0, 1])
    assert drifting.phases == [(0, 6), (6, 10)]
    assert_array_equal(classes().with_drift(after=6).true_costs.right, drifting.true_costs.right)


def test_seasons_come_and_go() -> None:
    seasonal = classes().with_drift(every=3)

    assert_array_equal(seasonal.true_costs.right, [0, 1, 2, 1, 2, 0, 0, 1, 2, 1])
    assert seasonal.phases == [(0, 3), (3, 6), (6, 9), (9, 10)]


def test_gradual_drift_is_rare_at_first_and_complete_at_last() -> None:
    plain = Problem.from_classes(np.zeros((4000, 1)), np.arange(4000) % 2)
    turned = plain.with_drift(after=0.25, over=0.5).true_costs.right != plain.true_costs.right

    assert not turned[:1000].any()
    assert turned[3000:].all()
    shares = turned[1000:3000].reshape(4, -1).mean(axis=1)
    assert_array_equal(np.round(shares * 8), [1, 3, 5, 7])


def test_drift_of_a_cost_matrix_and_of_label_sets_rotates_them() -> None:
    C = np.array([[0.1, 0.5, 0.9], [0.2, 0.3, 0.4]])
    drifting = Problem.from_costs(np.eye(2), C).with_drift(after=1)
    assert_array_equal(costs_of(drifting), [[0.1, 0.5, 0.9], [0.4, 0.2, 0.3]])

    labels = Problem.from_labels(np.eye(2), np.array([[1, 1, 0], [0, 1, 1]])).with_drift(after=1)
    assert_array_equal(costs_of(labels), [[0, 0, 1], [0, 1, 0]])


def test_a_price_is_added_and_all_costs_stay_in_their_range() -> None:
    costs = costs_of(classes().with_price(1, 0.25, after=3))

    assert_array_equal(costs[1], np.array([1, 0, 1]) / 1.25)
    assert_array_equal(costs[3], np.array([0, 1.25, 1]) / 1.25)
    assert_array_equal(costs[4], np.array([1, 0.25, 1]) / 1.25)


def test_a_shift_sorts_rows_by_a_feature() -> None:
    shifted = classes().with_shift(0)

    assert_array_equal(shifted.true_costs.right, (np.arange(N) % 3)[::-1])
    strays = classes().with_shift(0, mix=1.0)
    assert sorted(strays.true_costs.right) == sorted(shifted.true_costs.right)
    assert not np.array_equal(strays.true_costs.right, shifted.true_costs.right)


def test_noise_is_in_what_is_learned_alone() -> None:
    plain = Problem.from_classes(np.zeros((5000, 1)), np.arange(5000) % 4)
    noisy = plain.with_noise(0.1, after=0.2)

    assert noisy.true_costs is plain.true_costs
    assert noisy.told_costs is not None
    wrong = (noisy.told_costs.right - plain.true_costs.right) % 4
    assert not wrong[:1000].any()
    assert abs((wrong[1000:] > 0).mean() - 0.1) < 0.02
    counts = np.bincount(wrong[wrong > 0])[1:]
    assert len(counts) == 3
    assert counts.min() > 0.7 * counts.mean()  # all other classes alike


def test_actions_that_are_there_have_rows_of_their_own() -> None:
    some = classes().with_available(0.5)

    x, d = some.contexts, 1
    sizes = np.diff(x.first_row)
    assert some.shares_weights
    assert sizes.min() >= 2
    assert some.n_features == 3 * (d + 1)
    for e in range(N):
        for row in range(x.first_row[e], x.first_row[e + 1]):
            feature = x.feature[x.start[row] : x.start[row + 1]]
            action = (feature[0] - 1) // (d + 1)
            assert_array_equal(feature, [2 * action + 1, 2 * action + 2, 0])
            assert_array_equal(x.value[x.start[row] : x.start[row + 1]], [N - e, 1, 1])
            assert some.true_costs.value[row] == (action != e % 3)


def test_actions_are_born_and_die() -> None:
    plain = Problem.from_classes(np.zeros((500, 1)), np.arange(500) % 10)
    x = plain.with_lives(0.6).contexts
    actions = (x.feature[x.start[1:] - 2] - 1) // 2  # by their constants
    there = np.zeros((500, 10), bool)
    there[np.repeat(np.arange(500), np.diff(x.first_row)), actions] = True

    changes = np.abs(np.diff(there.astype(int), axis=0)).sum(axis=0)
    assert sorted(changes) == [0] * 4 + [1] * 6  # of six, each once: three come, three go
    assert there[0].sum() == 7


def test_a_schedule_by_hand() -> None:
    schedule = schedule_of(classes().with_delay(2).conditions, 5)

    assert schedule is not None
    assert_array_equal(schedule.order, [0, 1, 2])
    assert_array_equal(schedule.begin, [0, 0, 0, 1, 2, 3])
    assert_array_equal(schedule.slot, [0, 1, 2, -1, -1])
    assert schedule.n_slots == 3


def test_batches_by_hours_end_with_the_last_event_of_each_period() -> None:
    hours = [30.0, 1.0, 2.0, 23.9, 24.0, 75.0]
    problem = Problem.from_classes(np.array(hours)[:, None], [0, 1, 2, 0, 1, 2])

    daily = problem.with_delay("batch", hours=24, time=0)

    assert_array_equal(daily.hours, [1.0, 2.0, np.float32(23.9), 24.0, 30.0, 75.0])
    assert_array_equal(daily.true_costs.right, [1, 2, 0, 1, 0, 2])  # rows come in their time
    assert daily.schedule is not None
    assert_array_equal(daily.schedule.begin, [0, 0, 0, 3, 3, 5, 6])
    assert daily.schedule.n_slots == 3
    assert_array_equal(daily.shuffled(1).hours, daily.hours)
    assert daily.name == "problem | delay(batch, hours=24, time=0)"


def test_feedback_comes_so_many_hours_later() -> None:
    hours = [30.0, 1.0, 2.0, 23.9, 24.0, 75.0]
    problem = Problem.from_classes(np.array(hours)[:, None], [0, 1, 2, 0, 1, 2])

    late = problem.with_delay(hours=24, time=0)

    assert_array_equal(late.true_costs.right, [1, 2, 0, 1, 0, 2])  # rows come in their time
    assert late.schedule is not None
    assert_array_equal(late.schedule.begin, [0, 0, 0, 0, 2, 5, 6])  # 1 h and 2 h: before 30 h
    assert_array_equal(late.schedule.order, np.arange(6))
    assert late.name == "problem | delay(hours=24, time=0)"
    assert sizes_of(Facts.of(late)).waiting == 6 >= sizes_of(late).waiting


def shop(folder: Path) -> Path:
    """A table with a row a day in May, June and July 2026, and three actions with names."""
    days = [date(2026, 5, 1) + timedelta(days=i) for i in range(92)]
    rows = [f"{day},{i % 7},{('buy', 'look', 'free gift')[i % 3]}" for i, day in enumerate(days)]
    path = folder / "shop.csv"
    path.write_text("\n".join(["date,age,offer", *reversed(rows)]) + "\n")
    return path


def test_a_moment_may_be_a_date_and_an_action_a_name(tmp_path: Path) -> None:
    plain = load(shop(tmp_path), numeric="date")

    june = plain.with_price("free gift", 0.5, after="2026-06-01", time="date")
    same = plain.with_price(1, 0.5, after=date(2026, 6, 1), time="date")
    text = load(
        f"{tmp_path / 'shop.csv'} | price(action=free gift, by=0.5, after=2026-06-01, time=date)",
        numeric="date",
    )

    assert plain.class_names == ("buy", "free gift", "look")
    assert june.phases == [(0, 31), (31, 92)]
    assert june.name == text.name
    assert june.digest == text.digest
    assert_array_equal(costs_of(june), costs_of(same))
    assert_array_equal(costs_of(june)[:3], np.array([[0, 1, 1], [1, 1, 0], [1, 0, 1]]) / 1.5)
    assert_array_equal(costs_of(june)[31:33] * 1.5, [[1, 1.5, 0], [1, 0.5, 1]])
    assert_array_equal(june.shuffled(2).hours, june.hours)


def test_a_stretch_between_dates_is_lost_or_wrong(tmp_path: Path) -> None:
    plain = load(shop(tmp_path), numeric="date")
    stretch = {"after": "2026-06-01", "until": "2026-07-01", "time": "date"}

    lossy, noisy = plain.with_lost(1, **stretch), plain.with_noise(1, **stretch)

    assert lossy.schedule is not None
    assert_array_equal(np.flatnonzero(lossy.schedule.slot < 0), np.arange(31, 61))
    assert Facts.of(lossy).schedule is not None  # a plan knows no dates
    assert noisy.schedule is None
    assert noisy.told_costs is not None
    wrong = noisy.told_costs.right != noisy.true_costs.right
    assert_array_equal(np.flatnonzero(wrong), np.arange(31, 61))
    assert simulate(lossy, ["greedy"], shuffle=0)[0].n == 92


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("price(action=gift, by=1)", "there is no action 'gift'"),
        ("lost(1, action=bye)", "there is no action 'bye'; did you mean 'buy'?"),
        ("drift(after=2026-06-01)", "drift takes a date and the column of dates together, as in"),
        ("noise(0.1, time=date)", "noise takes a date and the column of dates together, as in"),
        ("drift(after=2026-13-01, time=date)", "a whole number of rounds, or a date such as"),
        ("drift(after=2027-06-01, time=date)", "not within the rows, which go from 2026-05-01 to"),
        ("drift(after=2026-06-01, time=age)", "'age' is no column of dates"),
        ("delay(hours=2, time=dat)", "there is no feature 'dat'"),
        ("delay(hours=2, time=age) | drift(after=2026-06-01, time=date)", "two columns of time"),
        ("delay(hours=2)", "delay takes either rounds, as in delay(100), or hours and the column"),
        ("delay()", "delay takes either rounds, as in delay(100), or hours and the column"),
    ],
)
def test_what_is_wrong_with_dates_and_names_is_said(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BakeoffError) as error:
        load(f"{shop(tmp_path)} | {text}", numeric="date")

    assert said in str(error.value)


def test_hours_of_dates_are_those_of_the_calendar(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "when,y\n2026-01-02 10:00,a\n2026-01-01 23:00,b\n2026-01-02 22:00,a\n2026-01-03 00:00,b\n"
    )

    stream = f"{tmp_path / 'a.csv'} | delay(batch, hours=24, time=when)"
    daily = load(stream, numeric="when")

    assert daily.hours is not None
    assert_array_equal(np.round(daily.hours, 2), [23, 34, 46, 48])
    assert daily.schedule is not None
    assert_array_equal(np.diff(daily.schedule.begin), [1, 0, 2, 1])
    with pytest.raises(DataError, match="'when' has been read as categories; read it as numbers"):
        load(stream, categorical="when")


def test_the_memory_plan_of_hours_has_room_for_all_that_may_wait() -> None:
    daily = classes().with_delay("batch", hours=2, time=0)

    assert sizes_of(Facts.of(daily)).waiting == N >= sizes_of(daily).waiting


@pytest.mark.parametrize(
    "text",
    ["delay(batch)", "delay(batch, hours=2)", "delay(batch, time=0)",
     "delay(batch, every=3, hours=2, time=0)"],
)  # fmt: skip
def test_a_batch_is_of_rounds_or_of_hours(text: str) -> None:
    with pytest.raises(SpecError, match=r"takes either every, as in .* or hours and the column"):
        classes().with_conditions(text)


def test_feedback_of_one_action_is_lost_and_the_skyline_is_told_all() -> None:
    lossy = classes().with_lost(1, action=1, after=5)

    assert lossy.told_costs is not None
    told = matrix_of(lossy.told_costs, 3)
    true = costs_of(classes())
    assert_array_equal(np.isnan(told), [[False, t >= 5, False] for t in range(N)])
    assert_array_equal(np.where(np.isnan(told), true, told), true)
    assert_array_equal(costs_of(lossy), true)
    assert_array_equal(matrix_of(lossy.revealed_costs, 3), true)
    assert lossy.has_gaps
    assert not classes().with_lost(1).has_gaps
    assert lossy.needs_stream
    assert Facts.of(lossy).needs_stream
    assert lossy.name == "p | lost(1, action=1, after=5)"


def test_gaps_stay_with_their_action_when_others_go() -> None:
    lossy = classes().with_conditions("lost(1, action=2) | available(0.5)")

    assert lossy.told_costs is not None
    action = (lossy.contexts.feature[lossy.contexts.start[1:] - 2] - 2) // 2
    assert_array_equal(np.isnan(lossy.told_costs.value), action == 2)


def test_exponential_delays_have_their_mean_and_batches_round_up() -> None:
    plain = Problem.from_classes(np.zeros((20_000, 1)), np.arange(20_000) % 2)
    schedule = plain.with_delay("exponential", mean=50).schedule

    assert schedule is not None
    when = np.repeat(np.arange(plain.n), np.diff(schedule.begin))
    assert abs((when - schedule.order).mean() - 50) < 1.5
    both = plain.with_delay(3).with_delay("batch", every=10).schedule
    assert both is not None
    assert_array_equal(both.begin[[9, 10, 19, 20]], [0, 7, 7, 17])


def test_memory_counts_what_waits() -> None:
    plain, late = classes(), classes().with_delay(4)

    assert sizes_of(plain).waiting == 0
    assert sizes_of(late).waiting == sizes_of(Facts.of(late)).waiting == 5
    assert Facts.of(late).draws == plain.digest


def test_windows_are_means_between_points_of_a_curve() -> None:
    costs = np.array([1.0] * 100 + [0.0] * 100)
    rounds = new_sums(200, 1, record=False, stream=True).rounds
    curve = Curve(rounds, (np.cumsum(costs) / np.arange(1, 201))[rounds - 1])

    found = curve.windows(4)

    assert_array_equal(found.rounds, [50, 100, 150, 200])
    assert_array_equal(np.round(found.pv_loss, 12), [1, 1, 0, 0])


def test_recovery_is_the_first_two_windows_that_are_as_good_as_before() -> None:
    costs = np.array([0.1] * 100 + [0.9] * 40 + [0.1] * 60)
    rounds = new_sums(200, 1, record=False, stream=True).rounds
    curve = Curve(rounds, (np.cumsum(costs) / np.arange(1, 201))[rounds - 1])

    assert curve.recovery(100) == 60
    assert curve.recovery(20) == 20
    assert curve.recovery(0) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dely(3)", "unknown condition 'dely'; did you mean 'delay'?"),
        ("delay(exponental, mean=3)", "unknown delay 'exponental'; did you mean 'exponential'?"),
        ("delay(-1)", "rounds of delay must be a whole number from 0, got -1"),
        ("delay(1.5)", "rounds of delay must be a whole number from 0, got 1.5"),
        ("delay(exponential)", "needs mean, as in delay(exponential, mean=100)"),
        ("drift()", "drift takes either after or every"),
        ("drift(after=1.5)", "after of drift must be a share of the rounds below 1"),
        ("drift(every=0.2, over=0.1)", "over of drift needs after"),
        ("drift(0.5, after=3)", "'after' of drift is given twice"),
        ("noise(2)", "share of noise must be a share from 0 to 1, got 2"),
        ("noise(nan)", "share of noise must be a share from 0 to 1, got nan"),
        ("noise", "'noise' is not a condition"),
        ("noise(0.1, sed=3)", "noise has no setting 'sed'; did you mean 'seed'?"),
        ("noise(after=0.1, 0.2)", "'0.2' in 'noise(after=0.1, 0.2)' must come first"),
        ("lost(a)", "share of lost must be a share from 0 to 1, got 'a'"),
        ('shift("a)', "is not a quoted text"),
        ("shift(a)", "features have no names here"),
        ("shift(1)", "features are numbered from 0 to 0, got 1"),
        ("price(action=3, by=1)", "actions are numbered from 0 to 2, got 3"),
        ("price(action=1)", "price needs by, as in price(action=0, by=0.3)"),
        ("lives(0.5, 1, 2)", "lives takes 2 settings, got 3"),
        ("delay(3) |", "'' is not a condition"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(BakeoffError) as error:
        classes().with_conditions(text)

    assert said in str(error.value)


@pytest.mark.parametrize("text", ["shift(0)", "price(action=0, by=1)", "lives(1)", "available(1)"])
def test_rankings_refuse_what_needs_numbered_actions(text: str) -> None:
    ranking = Problem.from_ranking(np.eye(4), [0, 1, 2, 3], [0, 0, 1, 1])

    with pytest.raises(BakeoffError, match="actions"):
        ranking.with_conditions(text)


def test_a_drifting_ranking_turns_costs_around() -> None:
    ranking = Problem.from_ranking(np.eye(4), [0, 1, 2, 4], [0, 0, 1, 1]).with_drift(after=1)

    assert_array_equal(ranking.true_costs.value, [1, 0.75, 0.5, 1])


def test_python_says_the_same() -> None:
    with pytest.raises(SpecError, match="share of noise"):
        classes().with_noise(-0.1)
    assert classes().with_delay("exponential", mean=100).stream == "delay(exponential, mean=100)"
