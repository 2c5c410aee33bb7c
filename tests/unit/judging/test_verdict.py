"""The verdict: its rule and its words, on contests small enough to check by hand."""

import html
import json
import re
from typing import Any

import numpy as np
import pytest

from bakeoff.judging.losses import Losses
from bakeoff.judging.standings import standings
from bakeoff.judging.statistics.significance import wins
from bakeoff.judging.verdict import Verdict, verdict
from bakeoff.judging.views import Criteria, main_contest
from bakeoff.judging.wording import chance_figure, chance_in_words, listed, name_of
from tests.unit.report.made_up import EG, OAA, RO, TUNING_ID, G, duel, row, store

CLEAR = [(0.5, 0.1)] * 12  # Greedy's and RegCB-opt's losses


def judge(losses: Losses, **criteria: Any) -> Verdict:
    return verdict(losses, Criteria(**criteria))


def of(*pairs: tuple[float, float], **others: Any) -> Verdict:
    return judge(store(*duel(*pairs, **others)))


def has(sentence: str, *words: str) -> bool:
    """Whether words stand in a sentence, in this order."""
    return re.search(".*".join(map(re.escape, words)), sentence) is not None


def any_has(sentences: list[str], *words: str) -> bool:
    return any(has(sentence, *words) for sentence in sentences)


def rows_of_three(*losses: tuple[float, float, float], **others: Any) -> list[dict[str, Any]]:
    """RegCB-opt, Greedy and epsilon-greedy on one problem after the other."""
    return [
        row(spec, loss, f"p{i}", **others)
        for i, some in enumerate(losses)
        for spec, loss in zip((RO, G, EG), some, strict=True)
    ]


def at_rates(i: int, spec: str, *losses: float) -> list[dict[str, Any]]:
    return [
        row(spec, loss, f"p{i}", learning_rate=rate)
        for rate, loss in zip((0.1, 1.0, 10.0), losses, strict=True)
    ]


# ---- a clear winner, and what speaks against one


def test_a_clear_winner_is_called_one() -> None:
    found = of(*CLEAR)

    assert (found.grade, found.leader, found.level) == ("clear", "RO", ())
    assert has(str(found), "RegCB-opt", "clear winner", "0.400")
    assert len(found.reasons) == 4
    assert found.chance is not None
    assert (found.chance.rival, found.chance.p) == ("G", 2 / 2**12)
    assert found.robustness is not None
    assert [way.test for way in found.robustness.ways] == ["paper", "z"]
    assert found.robustness.clear == 2


@pytest.mark.parametrize(
    ("n_won", "n_lost", "grade", "word"),
    [(8, 2, "likely", "likely winner"), (8, 4, "open", "not clearly")],
)
def test_a_lead_that_may_be_chance_is_not_clear(
    n_won: int, n_lost: int, grade: str, word: str
) -> None:
    found = of(*[(0.5, 0.1)] * n_won, *[(0.1, 0.3)] * n_lost)

    assert found.grade == grade
    assert found.leader == "RO"
    assert has(str(found), "RegCB-opt", word)


@pytest.mark.parametrize("n", [9, 10])
def test_ten_datasets_make_a_winner(n: int) -> None:
    found = of(*[(0.5, 0.1)] * n)

    assert found.grade == ("clear" if n == 10 else "open")
    assert has(str(found), "9 datasets are too few") is (n == 9)


def test_level_ones_are_called_level() -> None:
    found = of(*[(0.5, 0.1)] * 5, *[(0.1, 0.5)] * 5)

    assert (found.grade, found.level) == ("open", ("G", "RO"))
    assert has(str(found), "Greedy and RegCB-opt", "level")


def test_without_significant_differences_nobody_leads() -> None:
    found = of(*[(0.5, 0.5)] * 12)

    assert (found.grade, found.leader) == ("open", None)
    assert has(str(found), "do not differ", "12 datasets")


def test_a_lead_too_small_to_matter_is_no_clear_winner() -> None:
    """On 30 large datasets a difference of 0.009 is significant everywhere."""
    found = of(*[(0.109, 0.1)] * 30, n=100_000)

    assert found.chance is not None
    assert found.chance.grade == "clear"
    assert found.size is not None
    assert found.size.difference == pytest.approx(0.009)
    assert found.size.within == ("G",)
    assert found.grade == "open"
    assert has(str(found), "RegCB-opt leads", "too little to matter")


def test_a_difference_of_what_matters_is_enough() -> None:
    """0.11 - 0.1 is 0.00999... in binary."""
    assert of(*[(0.11, 0.1)] * 30, n=100_000).grade == "clear"


def test_who_wins_often_but_loses_a_lot_has_no_lower_mean_loss() -> None:
    found = of(*[(0.13, 0.1)] * 18, *[(0.1, 0.9)] * 2, n=100_000)

    assert found.leader == "RO"
    assert found.size is not None
    assert found.size.not_higher == ("G",)
    assert found.grade == "open"
    assert has(str(found), "RegCB-opt wins most often", "Greedy")


def test_a_leader_whose_rivals_lose_less_is_not_near_them() -> None:
    """Greedy's mean loss is far below that of RegCB-opt, which wins twice."""
    found = of((0.2, 0.1), (0.2, 0.1), (0.1, 0.9), *[(0.3, 0.3)] * 9)

    assert (found.leader, found.grade) == ("RO", "open")
    assert has(str(found), "not clearly", "no higher for Greedy")
    assert "within" not in str(found)


def test_a_leader_with_the_mean_loss_of_its_rival_is_level_with_it() -> None:
    found = of((0.2, 0.1), (0.2, 0.1), (0.1, 0.3), *[(0.3, 0.3)] * 9)

    assert found.leader == "RO"
    assert any_has(found.reasons, "loss is level with Greedy's")


def test_the_size_is_the_distance_to_the_lowest_mean_loss() -> None:
    """Greedy has the second score, but epsilon-greedy the second mean loss."""
    rows = rows_of_three(*[(0.1, 0.1, 0.13)] * 7, *[(0.1, 0.6, 0.3)] * 5)

    found = judge(store(*rows))

    assert [one.label for one in found.algorithms] == ["RO", "G", "eG"]
    assert found.size is not None
    assert found.size.rival == "eG"
    assert found.size.difference == pytest.approx(1.21 / 12)
    assert any_has(found.reasons, "epsilon-greedy's, the next lowest")


def test_one_rival_that_is_as_good_is_enough_against_a_clear_winner() -> None:
    """The second of the standings is far behind, but the third has the lower mean loss."""
    rows = rows_of_three(*[(0.1, 0.3, 0.13)] * 22, *[(0.9, 0.95, 0.1)] * 2, n=100_000)

    found = judge(store(*rows))

    assert [one.label for one in found.algorithms] == ["RO", "eG", "G"]
    assert found.size is not None
    assert found.size.not_higher == ("eG",)
    assert found.grade == "open"


def test_a_leader_on_the_strength_of_one_dataset_hears_so() -> None:
    """Without the dataset on which Greedy beats both others it is level with RegCB-opt."""
    rows = rows_of_three((0.1, 0.11, 0.5), *[(0.3, 0.3, 0.3)] * 11, (0.3, 0.1, 0.3))

    found = judge(store(*rows))

    assert found.leader == "G"
    assert found.influence is not None
    decisive = {one.dataset: one.leader for one in found.influence.decisive}
    assert decisive == {"p12": "RO"}
    assert has(str(found), "Greedy leads", "one dataset (p12)")
    assert any_has(found.reasons, "Without p12", "RegCB-opt")
    assert found.grade == "open"


# ---- who the rival is


def test_the_rival_is_the_one_whose_lag_is_most_likely_chance() -> None:
    """Greedy has the second score, but RegCB-opt is ahead of it on all datasets."""
    found = judge(store(*rows_of_three(*[(0.1, 0.3, 0.5)] * 9, *[(0.3, 0.5, 0.1)] * 3)))

    assert [one.label for one in found.algorithms] == ["RO", "G", "eG"]
    assert found.chance is not None
    assert found.chance.rival == "eG"
    assert found.chance.p == 88 / 4096
    assert any_has(found.reasons, "epsilon-greedy", "p = 0.021")
    assert found.size is not None
    assert found.size.rival == "G"


def test_the_leader_beside_each_of_the_others() -> None:
    found = judge(store(*rows_of_three(*[(0.1, 0.3, 0.1)] * 9, *[(0.3, 0.2, 0.6)] * 3)))
    leader, *others = found.algorithms

    assert leader.label == "RO"
    assert (leader.difference, leader.wins, leader.ties, leader.losses) == (0, 0, 0, 0)
    by_label = {one.label: one for one in others}
    greedy, epsilon = by_label["G"], by_label["eG"]
    assert (greedy.wins, greedy.ties, greedy.losses) == (3, 0, 9)
    assert (epsilon.wins, epsilon.ties, epsilon.losses) == (0, 9, 3)
    assert greedy.difference == pytest.approx((9 * 0.2 - 3 * 0.1) / 12)
    assert greedy.low < greedy.difference < greedy.high
    assert greedy.p_head_to_head == pytest.approx(2 * (1 + 12 + 66 + 220) / 2**12)


def test_who_is_first_but_behind_somebody_hears_so() -> None:
    """Greedy beats epsilon-greedy more often than RegCB-opt does, but loses to RegCB-opt."""
    rows = rows_of_three(*[(0.3, 0.1, 0.3)] * 4)
    rows += [
        row(spec, loss, f"q{i}")
        for i in range(5)
        for spec, loss in ((G, 0.295), (RO, 0.25), (EG, 0.27))
    ]

    found = judge(store(*rows))

    assert found.leader == "G"
    assert any_has(found.reasons, "RegCB-opt", "5 to 4")


@pytest.mark.parametrize("n", [9, 10])
def test_an_interval_takes_ten_datasets(n: int) -> None:
    assert np.isnan(of(*[(0.5, 0.1)] * n).algorithms[1].low) == (n < 10)


# ---- learning rates


IN_TURNS = (0.9, 0.05), (0.05, 0.9)


def turning_rows(n: int) -> list[dict[str, Any]]:
    """Greedy is best at 10 and 1 in turns, of which the other datasets elect neither."""
    return [
        one
        for i in range(n)
        for one in (*at_rates(i, G, 0.4, *IN_TURNS[i % 2]), *at_rates(i, RO, 0.3, 0.3, 0.3))
    ]


def test_the_default_view_does_not_peek() -> None:
    losses = store(*turning_rows(12))

    found, paper = judge(losses), judge(losses, view="fixed")

    assert (found.view, found.leader, found.grade) == ("unpeeked", "RO", "likely")
    assert any_has(found.notes, "on the other datasets")
    assert (paper.view, paper.leader, paper.grade) == ("fixed", "G", "open")
    assert has(str(paper), "Greedy leads", "in hindsight", "without, RegCB-opt does")
    assert any_has(paper.notes, "in hindsight", "as in the paper")


def test_without_hindsight_nobody_may_lead() -> None:
    rows = [
        one
        for i in range(12)
        for one in (*at_rates(i, G, 0.4, *IN_TURNS[i % 2]), *at_rates(i, RO, 0.4, 0.4, 0.4))
    ]

    found = judge(store(*rows), view="fixed")

    assert has(str(found), "Greedy leads", "in hindsight", "nobody does clearly")


@pytest.mark.parametrize("n", [1, 4, 5])
def test_too_few_datasets_cannot_choose_rates_for_each_other(n: int) -> None:
    found = judge(store(*turning_rows(n)))

    assert found.view == ("unpeeked" if n == 5 else "fixed")
    assert any_has(found.notes, "in hindsight", "too few") is (n < 5)


def test_an_algorithm_that_others_cannot_choose_a_rate_for_is_not_lost() -> None:
    """Epsilon-greedy was played on one dataset, so no other one can elect its rate."""
    rows = [*turning_rows(6), *at_rates(0, EG, 0.2, 0.3, 0.4)]

    found = judge(store(*rows))

    assert found.view == "fixed"
    assert {one.label for one in found.algorithms} == {"G", "RO", "eG"}
    assert any_has(found.notes, "in hindsight", "eG")


def test_with_one_rate_nothing_is_said_about_rates() -> None:
    found = of(*CLEAR)

    assert found.view == "fixed"
    assert not any_has(found.notes, "hindsight")
    assert has(found.about, "one learning rate")


# ---- ways of counting


def test_the_ways_are_views_and_encodings_and_tests() -> None:
    rows = turning_rows(10)
    rows += [one | {"encoding": "0/1", "offset": 0.0} for one in rows]

    found = judge(store(*rows))

    assert found.robustness is not None
    ways = found.robustness.ways
    assert {(way.view, way.encoding, way.test) for way in ways} == {
        (view, encoding, test)
        for view in ("fixed", "unpeeked", "one_rate")
        for encoding in ("-1/0", "0/1")
        for test in ("paper", "z")
    }
    assert [(way.view, way.encoding, way.test) for way in ways if way.is_shown] == [
        ("unpeeked", "-1/0", "paper")
    ]
    assert {way.leader for way in ways if way.view == "fixed"} == {"G"}
    assert (found.robustness.leads, found.robustness.clear) == (8, 8)
    assert found.robustness.grade == "likely"


def test_a_winner_in_one_encoding_only_is_not_clear() -> None:
    rows = duel(*CLEAR) + duel(*[(b, a) for a, b in CLEAR], offset=0.0)

    found = judge(store(*rows))

    assert found.grade == "open"
    assert has(str(found), "RegCB-opt leads", "not with the encoding 0/1")
    assert judge(store(*rows), encoding="-1/0").grade == "clear"


@pytest.mark.parametrize("n_orders", [2, 3])
def test_the_paired_test_is_a_way_where_there_are_orders(n_orders: int) -> None:
    rows = [one for k in range(n_orders) for one in duel(*CLEAR, shuffle=k + 1)]

    found = judge(store(*rows), test="paired")

    assert found.robustness is not None
    assert [way.test for way in found.robustness.ways] == ["paper", "z", "paired"][:n_orders]
    assert [way.test for way in found.robustness.ways if way.is_shown] == [
        "paired" if n_orders == 3 else "z"
    ]


# ---- as text, for programs, and in a notebook


def test_a_verdict_is_its_sentence_and_all_its_sentences() -> None:
    found = of(*CLEAR)

    assert str(found) == f"{found}" == found.sentence
    assert list(found) == [found.sentence, *found.reasons, *found.notes]
    assert repr(found).splitlines() == list(found)


def test_a_verdict_in_a_notebook_says_and_draws_what_it_says_in_words() -> None:
    found = of(*[(0.5, 0.1)] * 12)
    shown = found._repr_html_()

    assert html.escape(str(found)) in shown
    for label, *cells in found.rows():
        assert name_of(label) in shown
        assert all(f"<td>{html.escape(cell)}</td>" in shown for cell in cells)
    assert all(html.escape(reason) in shown for reason in found.reasons)
    assert shown.count("class=dot") == len(found.algorithms)


def test_a_verdict_is_json() -> None:
    found = json.loads(json.dumps(of(*[(0.5, 0.1)] * 3).to_dict(), allow_nan=False))

    assert found["grade"] == "open"
    assert found["size"]["low"] is None
    assert found["algorithms"][0]["name"] == "RegCB-opt"
    assert found["algorithms"][0]["p"] is None
    assert found["robustness"]["ways"][0]["leader"] == "RO"


def test_the_rows_beside_a_verdict() -> None:
    rows = duel(*CLEAR, constant_action_cost=0.6, uniform_cost=0.7)

    found = judge(store(*rows, *[row(OAA, 0.05, f"p{i}", offset=0.0) for i in range(12)]))

    assert found.columns == ("mean loss", "vs leader", "wins", "ties", "losses", "p")
    assert found.rows() == [
        ("RO", "0.1000", "", "", "", "", ""),
        ("G", "0.5000", "+0.4000", "0", "0", "12", "< 0.001"),
        ("(skyline)", "0.0500", "-0.0500", "", "", "", ""),
        ("(best constant action)", "0.6000", "+0.5000", "", "", "", ""),
        ("(uniform)", "0.7000", "+0.6000", "", "", "", ""),
    ]


# ---- who elected hyperparameters


def test_a_sweep_beside_the_papers_choice_is_pointed_out() -> None:
    specs = [EG, "epsilon-greedy:epsilon=0.1", G]
    rows = [row(spec, 0.2 + i / 10, f"p{i}") for i in range(3) for spec in specs]

    assert any_has(judge(store(*rows)).notes, "eG", "the paper's", "label=")


def test_hyperparameters_that_were_elected_are_pointed_out() -> None:
    rows = [
        row(spec, loss, f"p{i}")
        for i in range(3)
        for spec, loss in (("python:m.L,a=1", 0.1), ("python:m.L,a=2", 0.3), (G, 0.2))
    ]

    assert any_has(judge(store(*rows)).notes, "mine", "elected by the other datasets")


def test_hyperparameters_chosen_on_the_only_dataset_flatter_it() -> None:
    rows = [row("python:m.L,a=1", 0.1), row("python:m.L,a=2", 0.3), row(G, 0.2)]

    assert any_has(judge(store(*rows)).notes, "mine", "optimistic")


# ---- notes


def test_real_costs_and_corrections_are_pointed_out() -> None:
    rows = duel((0.5, 0.1), task="ranking")
    found = judge(store(*rows, *duel((0.5, 0.1), (0.5, 0.1))[2:]), test="z", correction="holm")

    words = "Hoeffding", "on 1 dataset", "z-test", "on 1 dataset", "Holm"
    assert any_has(found.notes, *words)
    assert any_has(found.notes, "one shuffle", "--shuffles")


def test_a_paired_test_is_named_only_where_it_was_done() -> None:
    rows = [one for k in (1, 2, 3) for one in duel((0.5, 0.1), shuffle=k)]
    found = judge(store(*rows, *duel((0.5, 0.1), (0.5, 0.1))[2:]), test="paired")

    assert any_has(found.notes, "paired test", "on 1 dataset", "z-test", "on 1 dataset")


def test_tuning_datasets_are_counted() -> None:
    found = of(*CLEAR, openml_id=TUNING_ID)

    assert any_has(found.notes, "12", "the paper's tuning list")


def test_several_orders_and_missing_losses_are_pointed_out() -> None:
    again = duel(*CLEAR, shuffle=2)
    gap = [row(G, 0.2, "gap"), row(RO, 0.2, "gap")]
    third = [row(EG, 0.3, f"p{i}", shuffle=k) for i in range(12) for k in (1, 2)]
    found = judge(store(*duel(*CLEAR), *again, *gap, *third))

    assert any_has(found.notes, "shuffles", "2", "--test paired")
    assert has(found.notes[0], "On 1 dataset (gap) ", " has no loss", "mean losses leave it out")


def test_relatives_of_the_embedded_suite_are_said_to_be_such() -> None:
    rows = [row(spec, 0.5, name) for name in ("digits", "digits-majority") for spec in (G, RO)]

    assert any_has(judge(store(*rows)).notes, "2 datasets", "1 source")


# ---- who takes part


def test_who_was_not_played_on_these_datasets_takes_no_part() -> None:
    tuned = row(EG, 0.1, "tuned", openml_id=TUNING_ID)
    what = Criteria(held_out=True)

    contest = main_contest(store(*duel((0.5, 0.1)), tuned), what)

    assert contest.labels == ("G", "RO")
    assert standings(contest, wins(contest))[0].mean_loss == 0.1


def test_a_leader_that_was_played_on_few_datasets_is_no_winner() -> None:
    rows = duel(*[(0.5, 0.1)] * 9)
    rows += [row(spec, 0.5, f"q{i}") for i in range(11) for spec in (G, EG)]

    found = judge(store(*rows))

    assert found.grade == "open"
    assert has(str(found), "RegCB-opt leads", "no dataset with epsilon-greedy")


def test_who_never_met_has_no_difference() -> None:
    rows = [*duel(*CLEAR), *[row(spec, 0.5, f"q{i}") for i in range(11) for spec in (G, EG)]]

    found = judge(store(*rows))

    by_label = {one.label: one for one in found.algorithms}
    assert by_label["eG"].datasets == 0
    assert np.isnan(by_label["eG"].difference)
    assert found.grade == "open"


@pytest.mark.parametrize("rows", [[], [row(OAA, 0.5, offset=0.0)]])
def test_nothing_to_compare_is_said(rows: list[dict[str, object]]) -> None:
    found = judge(store(*rows))

    assert list(found) == [str(found)]
    assert has(str(found), "nothing to compare")


def test_those_who_never_met_cannot_be_compared() -> None:
    assert has(str(judge(store(row(G, 0.1, "a"), row(RO, 0.1, "b")))), "nothing", "same dataset")


def test_one_dataset_makes_no_winner_but_has_a_lowest_loss() -> None:
    found = of((0.5, 0.1))

    assert str(found) == "RegCB-opt has the lowest loss on p0: 0.100, Greedy 0.500"
    assert found.grade == "open"
    assert str(of((0.3, 0.3))) == "Greedy and RegCB-opt share the lowest loss on p0"


def test_one_algorithm_alone_stands_beside_what_it_can_be_measured_by() -> None:
    facts = {"constant_action_cost": 0.6, "uniform_cost": 0.7}
    rows = [row(G, 0.2, "a", **facts), row(G, 0.4, "b", **facts)]

    found = judge(store(*rows))

    assert has(str(found), "Greedy", "0.300", "2 datasets", "best constant action: 0.6")
    assert found.beside == pytest.approx({"constant": 0.6, "uniform": 0.7})
    assert [one[0] for one in found.rows()] == ["G", "(best constant action)", "(uniform)"]


# ---- words


@pytest.mark.parametrize(
    ("chance", "expected"),
    [
        (1.0, "p = 1.000"),
        (0.0624, "p = 0.062"),
        (0.0625, "p = 0.063"),
        (0.001, "p = 0.001"),
        (0.00099, "p < 0.001"),
    ],
)
def test_small_chances_are_said_to_be_below_a_bound(chance: float, expected: str) -> None:
    assert chance_in_words(chance) == expected
    assert chance_figure(chance) == expected.removeprefix("p ").removeprefix("= ")


def test_own_learners_go_by_their_own_name() -> None:
    assert name_of("mine") == "mine"
    assert name_of("C-u") == "Cover (C-u)"


def test_many_names_are_counted() -> None:
    assert listed([]) == ""
    assert listed("a") == "a"
    assert listed("abc") == "a, b and c"
    assert listed("abcd") == "a, b and 2 others"
