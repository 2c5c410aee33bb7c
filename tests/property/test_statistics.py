"""Statistics equal the slow reference, and do not depend on the order of anything.

Losses are multiples of 1/64, so that their sums are exact in whatever order.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from polars.testing import assert_frame_equal

from bakeoff.judging.contest import Condition, Contest, contest_of
from bakeoff.judging.losses import Losses, losses_of
from bakeoff.judging.rates import rates_elsewhere
from bakeoff.judging.statistics.leads import flip_test
from bakeoff.judging.statistics.signed_rank import SAMPLES, _weights, signed_rank
from bakeoff.judging.statistics.significance import (
    Correction,
    Test,
    corrected,
    differences,
    p_values,
    tally,
    wins,
)
from bakeoff.judging.voting import Ballots, runoff
from bakeoff.store.rows import rows_of
from tests.reference import statistics as reference
from tests.results import algorithms, contest_by_hand, losses, result, skyline

LABELS = ("G", "B", "eG")
TASKS = {"p": "multiclass", "q": "multilabel", "r": "ranking"}  # of problems
TESTS: tuple[Test, ...] = ("paper", "z", "paired")
CORRECTIONS: tuple[Correction, ...] = ("none", "holm", "bh")
WAYS = list(product(TESTS, CORRECTIONS))

Rows = list[dict[str, Any]]

few = settings(max_examples=40, deadline=None)
many = settings(max_examples=200, deadline=None)


def some_of(values: Sequence[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.sampled_from(values), min_size=1, unique=True)


@st.composite
def stores(draw: st.DrawFn) -> Rows:
    """Rows of a store; settings may lack orders, and some of their runs failed."""
    loss = st.integers(0, 64).map(lambda k: k / 64)
    orders = st.one_of(st.just([1, 2, 3]), some_of([1, 2, 3]))
    rows = []
    for problem in draw(some_of(list(TASKS))):
        for label in draw(some_of(LABELS)):
            for rate in draw(some_of([0.1, 1.0])):
                for shuffle in draw(orders):
                    for seed in draw(some_of([1, 2])):
                        value = draw(loss) if draw(st.integers(0, 19)) else None
                        rows.append(
                            result(
                                value,
                                problem=problem,
                                task=TASKS[problem],
                                algorithm=label,
                                explorer=f"explorer of {label}",
                                reduction=None if label == "G" else "dr",
                                learning_rate=rate,
                                shuffle=shuffle,
                                seed=seed,
                            )
                        )
    return draw(st.permutations(rows))


def loss_tables() -> st.SearchStrategy[list[list[float]]]:
    """Losses of three competitors on problems with 100 examples; some have none."""
    loss = st.integers(0, 100).map(lambda k: k / 100) | st.just(np.nan)
    row = st.lists(loss, min_size=3, max_size=3)
    return st.lists(row, min_size=1, max_size=4)


def score_tables(least: int = 1) -> st.SearchStrategy[list[list[int]]]:
    """Wins minus losses of up to six choices on some datasets."""
    return st.integers(1, 6).flatmap(
        lambda n_choices: st.lists(
            st.lists(st.integers(-3, 3), min_size=n_choices, max_size=n_choices),
            min_size=least,
            max_size=12,
        )
    )


def by_rate() -> st.SearchStrategy[dict[str, dict[float, float]]]:
    """Losses of one algorithm at some rates on up to five datasets."""
    loss = st.integers(0, 64).map(lambda k: k / 64)
    rates = st.one_of(
        st.fixed_dictionaries({0.1: loss, 1.0: loss, 10.0: loss}),
        st.dictionaries(st.sampled_from([0.1, 1.0, 10.0, 30.0]), loss, min_size=1),
    )
    return st.dictionaries(st.sampled_from("abcde"), rates, min_size=1)


def played_at(table: dict[str, dict[float, float]]) -> Losses:
    """A store of Greedy with the losses of each dataset by rate."""
    return losses(*(
        result(loss, problem=problem, digest=problem, learning_rate=rate)
        for problem, losses_at in table.items()
        for rate, loss in losses_at.items()
    ))  # fmt: skip


def sizes_of_differences(most: int = 8) -> st.SearchStrategy[list[float]]:
    """Multiples of 1/64, so that means of two are exact, also on the edges."""
    difference = st.integers(-8, 8).map(lambda k: k / 64)
    return st.lists(difference, max_size=most)


def contest(found: Losses, labels: Sequence[str] = LABELS) -> Contest:
    return contest_of(found, algorithms(*labels))


def the_same(one: Contest, other: Contest) -> None:
    assert_frame_equal(one.problems, other.problems)
    assert_array_equal(one.by_shuffle, other.by_shuffle)
    for mine, yours in zip(one.chosen, other.chosen, strict=True):
        assert_frame_equal(mine, yours)


# ---- the reference


@few
@given(stores())
def test_losses_equal_the_reference(rows: Rows) -> None:
    expected = {
        (digest, setting): orders
        for digest, settings in reference.orders_of(rows).items()
        for setting, orders in settings.items()
    }

    found = losses(*rows).settings

    assert found.height == len(expected)
    for row in found.iter_rows(named=True):
        orders = expected[row["digest"], reference.setting_of(row)]
        assert row["choice"] == reference.setting_of(row)[3]
        assert dict(zip(row["shuffles"], row["by_shuffle"], strict=True)) == orders
        assert row["loss"] == reference.mean(orders.values())


@few
@given(stores())
def test_the_chosen_settings_equal_the_reference(rows: Rows) -> None:
    expected: dict[tuple[str, str], tuple[reference.Setting, list[float]]] = {}
    for digest, every in reference.orders_of(rows).items():
        settings = reference.in_same_orders(every)
        for label in LABELS:
            best = reference.best({s: o for s, o in settings.items() if s[0] == label})
            if best is not None:
                expected[digest, label] = best, list(settings[best].values())

    met = contest(losses(*rows))

    assert met.n == len({digest for digest, _ in expected})
    found = {}
    for a, label in enumerate(LABELS):
        for i, row in enumerate(met.chosen[a].iter_rows(named=True)):
            if row["algorithm"] is not None:
                orders = met.by_shuffle[i, a]
                values = orders[~np.isnan(orders)].tolist()
                found[row["digest"], label] = reference.setting_of(row), values
                assert met.losses[i, a] == reference.mean(values)
            else:
                assert np.isnan(met.by_shuffle[i, a]).all()
    assert found == expected


@few
@given(stores(), st.sampled_from(TESTS))
def test_p_values_equal_the_reference(rows: Rows, test: Test) -> None:
    met = contest(losses(*rows))
    found = p_values(met, test)

    for i, (n, task) in enumerate(met.problems.select("n", "task").iter_rows()):
        for a, b in combinations(range(len(LABELS)), 2):
            x, y = (one[~np.isnan(one)].tolist() for one in met.by_shuffle[i, [a, b]])
            if not x or not y:
                assert np.isnan(found[a, b, i])
                continue
            p, q = reference.mean(x), reference.mean(y)
            if test == "paired" and len(x) >= 3:
                expected = reference.paired_test(x, y, n)
            elif task not in reference.BINARY:
                expected = reference.hoeffding(p, q, n)
            elif test == "paper":
                won = wins(met, "paper")
                assert won[a, b, i] == reference.paper_wins(p, q, n)
                assert won[b, a, i] == reference.paper_wins(q, p, n)
                continue
            else:
                expected = reference.z_test(p, q, n)
            assert found[a, b, i] == pytest.approx(expected, rel=1e-6, abs=1e-12)


@many
@given(st.lists(st.integers(0, 997), max_size=12), st.sampled_from([0.05, 0.2]))
def test_corrections_equal_the_reference(numbers: list[int], level: float) -> None:
    p = [number / 997 for number in numbers]  # no multiple of which is a level

    holm = corrected(np.array(p), "holm") < level
    bh = corrected(np.array(p), "bh") < level

    assert holm.tolist() == reference.holm(p, level)
    assert bh.tolist() == reference.benjamini_hochberg(p, level)


@many
@given(score_tables())
def test_elections_equal_the_reference(scores: list[list[int]]) -> None:
    names = [str(c) for c in range(len(scores[0]))]

    election = runoff(np.array(scores, dtype=float), names)

    stayed = [list(one) for one in election.rounds]
    left = [min(set(a) - set(b)) for a, b in pairwise(stayed)]
    assert [*left, election.winner] == [str(c) for c in reference.runoff(scores)]
    for votes in election.rounds:
        assert sum(votes.values()) == pytest.approx(len(scores))


@many
@given(score_tables(least=2))
def test_elections_without_each_voter_equal_the_reference(scores: list[list[int]]) -> None:
    choices = [str(c) for c in range(len(scores[0]))]
    voters = [f"voter {i}" for i in range(len(scores))]

    found = Ballots(choices, voters, np.array(scores, float)).elect_without_each()

    expected = [str(reference.runoff(scores[:i] + scores[i + 1 :])[-1]) for i in range(len(scores))]
    assert list(found.values()) == expected


@few
@given(stores())
def test_errors_and_skylines_come_from_the_orders_of_the_contest(rows: Rows) -> None:
    """In order k the squared error is k^2, the loss of the skyline k / 4."""
    told = [row | {"ips_loss": row["shuffle"], "uniform_cost": 0.0} for row in rows]
    sky = [
        skyline(k / 4, problem=problem, task=task, shuffle=k)
        for problem, task in TASKS.items()
        for k in (1, 2, 3)
    ]

    met = contest(losses(*told, *sky))

    for chosen in met.chosen:
        for i, row in enumerate(chosen.iter_rows(named=True)):
            if row["shuffles"] is not None:
                of_orders = reference.mean(k**2 for k in row["shuffles"])
                assert row["ips_loss_error"] == of_orders
                best = reference.mean(k / 4 for k in row["shuffles"])
                assert met.problems["skyline"][i] == best


@many
@given(st.lists(st.integers(-16, 16), max_size=9))
def test_the_chance_of_a_lead_equals_the_reference(differences: list[int]) -> None:
    expected = reference.flip_test(differences)

    assert flip_test(differences) == expected  # halves of halves have no rounding


@few
@given(by_rate())
def test_rates_elected_elsewhere_equal_the_reference(table: dict[str, dict[float, float]]) -> None:
    found = rates_elsewhere(played_at(table), pl.col("algorithm") == "G")

    assert found == reference.rates_elsewhere(table)


@settings(max_examples=20, deadline=None)
@given(sizes_of_differences(), st.sampled_from([0, 1, 3]))
def test_second_opinions_equal_the_reference(values: list[float], same: int) -> None:
    with_prior = np.sort([*values, 0.0])
    draws = _weights(with_prior).tolist()

    found = signed_rank(np.array(values), same / 64)

    assert found == reference.signed_rank(with_prior.tolist(), same / 64, draws)


# ---- leads, rates and second opinions


@many
@given(st.lists(st.integers(-16, 16), max_size=30), st.integers(1, 9))
def test_a_lead_that_grows_is_less_likely_chance(differences: list[int], more: int) -> None:
    ahead = differences if sum(differences) >= 0 else [-x for x in differences]
    behind = [i for i, difference in enumerate(ahead) if difference < 0]

    further = [-x if i in behind[:more] else x for i, x in enumerate(ahead)]

    assert flip_test(further) <= flip_test(ahead)


@few
@given(by_rate(), st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_no_dataset_has_a_say_in_its_own_rate(
    table: dict[str, dict[float, float]], other_losses: list[float]
) -> None:
    """The others' losses are multiples of 1/64: none differ by mere rounding."""
    name = min(table)
    own = dict(zip(table[name], other_losses, strict=False))

    one, other = (
        rates_elsewhere(played_at(each), pl.col("algorithm") == "G")
        for each in (table, table | {name: own})
    )

    assert one.get(name) == other.get(name)


@few
@given(sizes_of_differences(most=40))
def test_probabilities_of_second_opinions_add_up(values: list[float]) -> None:
    found = signed_rank(np.array(values), 1 / 64)

    assert all(0 <= share <= 1 for share in found)
    assert sum(found) == pytest.approx(1)  # rounding


@few
@given(sizes_of_differences(most=40))
def test_swapping_algorithms_swaps_second_opinions(values: list[float]) -> None:
    one, other = (signed_rank(sign * np.array(values), 1 / 64) for sign in (1, -1))

    five_errors = 5 * np.sqrt(2 * 0.25 / SAMPLES)  # of the difference of two shares
    assert one.better == pytest.approx(other.worse, abs=five_errors)
    assert one.same == pytest.approx(other.same, abs=five_errors)
    assert one.worse == pytest.approx(other.better, abs=five_errors)


# ---- orders that do not matter


@few
@given(stores(), st.randoms(use_true_random=False))
def test_the_order_of_a_stores_rows_changes_nothing(rows: Rows, random: Any) -> None:
    shuffled = random.sample(rows, len(rows))

    one, other = losses(*rows), losses(*shuffled)

    assert_frame_equal(one.problems, other.problems)
    assert_frame_equal(one.settings, other.settings)
    the_same(contest(one), contest(other))


@few
@given(st.lists(st.floats(0, 1), min_size=2, max_size=9), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_bit_of_a_mean(values: list[float], random: Any) -> None:
    rows = rows_of([result(loss, seed=i) for i, loss in enumerate(values)])
    order = random.sample(range(len(values)), len(values))

    one, other = losses_of(rows), losses_of(rows[order])

    assert one.settings["loss"].to_list() == other.settings["loss"].to_list()


@few
@given(stores(), st.permutations(range(len(LABELS))))
def test_the_order_of_algorithms_changes_nothing(rows: Rows, order: list[int]) -> None:
    found = losses(*rows)

    one, other = contest(found), contest(found, [LABELS[a] for a in order])

    assert_array_equal(one.losses[:, order], other.losses)
    for how in WAYS:
        assert_array_equal(wins(one, *how)[np.ix_(order, order)], wins(other, *how))


@few
@given(stores(), st.permutations(list(TASKS)))
def test_the_order_of_problems_changes_nothing(rows: Rows, names: list[str]) -> None:
    new = dict(zip(TASKS, names, strict=True))
    renamed = [row | {"problem": new[row["problem"]]} for row in rows]

    one, other = contest(losses(*rows)), contest(losses(*renamed))

    order = [other.problems["digest"].to_list().index(d) for d in one.problems["digest"]]
    assert_array_equal(one.losses, other.losses[order])
    for how in WAYS:
        assert_array_equal(wins(one, *how), wins(other, *how)[:, :, order])


@few
@given(loss_tables())
def test_the_order_of_voters_changes_nothing(table: list[list[float]]) -> None:
    won = wins(contest_by_hand(table))
    scores = (won.sum(axis=1, dtype=np.float64) - won.sum(axis=0, dtype=np.float64)).T

    assert runoff(scores, LABELS) == runoff(scores[::-1], LABELS)


# ---- wins and losses


@few
@given(loss_tables())
def test_tables_of_wins_are_antisymmetric(table: list[list[float]]) -> None:
    met = contest_by_hand(table)

    for how in WAYS:
        won = wins(met, *how)
        assert not (won & won.swapaxes(0, 1)).any()
        assert_array_equal(differences(won), -differences(won).T)
        for a, b, i in np.argwhere(won):
            assert table[i][a] < table[i][b]


@few
@given(loss_tables())
def test_corrections_only_take_wins_away(table: list[list[float]]) -> None:
    met = contest_by_hand(table)
    for test in TESTS:
        none, holm, bh = (wins(met, test, one) for one in CORRECTIONS)
        assert not (bh & ~none).any()
        assert not (holm & ~bh).any()


@few
@given(loss_tables())
def test_a_z_test_wins_less_than_the_papers_rule(table: list[list[float]]) -> None:
    met = contest_by_hand(table)

    assert not (wins(met, "z") & ~wins(met, "paper")).any()


@few
@given(stores())
def test_parts_of_a_contest_add_up(rows: Rows) -> None:
    met = contest(losses(*rows))
    parts = [met.only(Condition(tasks=(task,))) for task in TASKS.values()]

    total = sum(tally(wins(part)) for part in parts)

    assert_array_equal(total, tally(wins(met)))
