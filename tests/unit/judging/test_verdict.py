"""The verdict in words, on contests small enough to check by hand."""

import re
from typing import Any

import pytest

from bakeoff.judging.losses import Losses
from bakeoff.judging.standings import standings
from bakeoff.judging.statistics.significance import wins
from bakeoff.judging.verdict import verdict
from bakeoff.judging.views import Criteria, main_contest
from bakeoff.judging.wording import chance_figure, chance_in_words, name_of
from tests.unit.report.made_up import EG, OAA, RO, TUNING_ID, G, duel, row, store

SINGLE_RUNS = ("single run", "--shuffles")


def said(losses: Losses, **criteria: Any) -> list[str]:
    return list(verdict(losses, Criteria(**criteria)))


def has(sentence: str, *words: str) -> bool:
    """Whether words stand in a sentence, in this order."""
    return re.search(".*".join(map(re.escape, words)), sentence) is not None


# ---- how sure it is


def test_a_clear_winner_is_called_one() -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * 12)))

    assert has(words[0], "RegCB-opt (RO)", "12 significant wins, 0 losses", "12 datasets")
    assert has(words[1], "clear winner", "p < 0.001", "Greedy (G)", "100%", "1,000 resamples")
    assert has(words[2], "ahead")
    assert has(words[3], "Greedy (G)", "0 significant wins, 12 losses")
    rule, single_runs = words[5:]
    assert has(rule, "the paper's rule")
    assert has(single_runs, *SINGLE_RUNS)


def test_a_likely_winner_is_called_one() -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * 8, *[(0.1, 0.5)] * 2)))

    assert has(words[1], "likely winner", "p = 0.109", "Greedy (G)", " 9")


def test_without_a_clear_winner_the_rival_and_the_chance_are_named() -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * 6, *[(0.1, 0.5)] * 5)))

    assert has(words[1], "no clear winner", "p = 1.000", "Greedy (G)")


def test_the_rival_is_the_one_whose_lag_is_most_likely_chance() -> None:
    """Greedy has the second score, but RegCB-opt is ahead of it on all datasets."""
    rows = [
        row(spec, loss, f"p{i}")
        for i, losses in enumerate([(0.1, 0.3, 0.5)] * 9 + [(0.3, 0.5, 0.1)] * 3)
        for spec, loss in zip((RO, G, EG), losses, strict=True)
    ]

    words = said(store(*rows))

    assert words[0].startswith("RegCB-opt (RO)")
    assert has(words[1], "p = 0.021", "epsilon-greedy (eG)")  # 88 / 4096
    assert words[3].startswith("Greedy (G)")


@pytest.mark.parametrize("n", [9, 10])
def test_ten_datasets_make_a_winner(n: int) -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * n)))

    assert has(words[1], "too few", "10") is (n < 10)


@pytest.mark.parametrize(
    ("chance", "expected"),
    [(1.0, "p = 1.000"), (0.0624, "p = 0.062"), (0.001, "p = 0.001"), (0.00099, "p < 0.001")],
)
def test_small_chances_are_said_to_be_below_a_bound(chance: float, expected: str) -> None:
    assert chance_in_words(chance) == expected
    assert chance_figure(chance) == expected.removeprefix("p ").removeprefix("= ")


def test_few_datasets_and_real_costs_are_pointed_out() -> None:
    rows = duel((0.5, 0.1), task="ranking")
    words = said(store(*rows, *duel((0.5, 0.1), (0.5, 0.1))[2:]), test="z", correction="holm")

    assert words[0].endswith("over 2 datasets.")
    assert has(words[1], "too few", "10")
    assert has(words[-2], "Hoeffding", "on 1 dataset", "z-test", "on 1 dataset", "Holm")
    assert has(words[-1], *SINGLE_RUNS)


def test_level_ones_are_called_level() -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * 5, *[(0.1, 0.5)] * 5)))

    assert has(words[1], "no clear winner", "level")


def test_without_significant_differences_nobody_leads() -> None:
    words = said(store(*duel(*[(0.5, 0.5)] * 12)))

    difference, rule, single_runs = words
    assert has(difference, "No difference", "2 algorithms", "12 datasets")
    assert has(rule, "the paper's rule")
    assert has(single_runs, *SINGLE_RUNS)


# ---- a second opinion


@pytest.mark.parametrize(
    ("losses", "probabilities"),
    [((0.5, 0.1), (" 100%", " 0%", " 0%")), ((0.109, 0.1), (" 0%", " 100%", " 0%"))],
    ids=["large", "small"],
)
def test_the_size_of_differences_gives_a_second_opinion(
    losses: tuple[float, float], probabilities: tuple[str, str, str]
) -> None:
    rows = duel(*[losses] * 30, n=100_000)  # so that both differences are significant

    words = said(store(*rows))

    better, same, worse = probabilities
    assert has(words[1], "clear winner")
    assert has(words[4], "Bayesian", "0.01", "RegCB-opt (RO)", "better than Greedy (G)", better)
    assert has(words[4], "same", same, "worse", worse)


@pytest.mark.parametrize(("n", "times"), [(9, 0), (10, 1)])
def test_a_second_opinion_needs_ten_datasets(n: int, times: int) -> None:
    words = said(store(*duel(*[(0.5, 0.1)] * n)))

    assert sum(has(sentence, "Bayesian") for sentence in words) == times


# ---- the learning rate elected on the other datasets


def at_rates(i: int, spec: str, *losses: float) -> list[dict[str, Any]]:
    return [
        row(spec, loss, f"p{i}", learning_rate=rate)
        for rate, loss in zip((0.1, 1.0, 10.0), losses, strict=True)
    ]


IN_TURNS = (0.9, 0.05), (0.05, 0.9)
RATE_ELSEWHERE = "elected on the other datasets"


@pytest.mark.parametrize(
    ("n", "n_lost", "how"),
    [
        (2, 0, ("but not clearly", "2 significant wins, 0 losses", "p = 0.500")),
        (10, 0, ("clearly leads", "10 significant wins, 0 losses", "p = 0.002")),
        (10, 2, ("probably leads", "8 significant wins, 2 losses", "p = 0.109")),
        (10, 3, ("but not clearly", "7 significant wins, 3 losses", "p = 0.344")),
    ],
)
def test_who_leads_with_the_rate_of_the_other_datasets_is_said(
    n: int, n_lost: int, how: tuple[str, ...]
) -> None:
    """Greedy is best at 10 and 1 in turns, of which the others elect neither.

    With two datasets they elect each other's.
    """
    rows = [
        one
        for i in range(n)
        for one in (
            *at_rates(i, G, 0.2 if i < n_lost else 0.4, *IN_TURNS[i % 2]),
            *at_rates(i, RO, 0.3, 0.3, 0.3),
        )
    ]

    words = said(store(*rows))

    assert words[0].startswith("Greedy (G)")
    assert has(words[-1], RATE_ELSEWHERE, "RegCB-opt (RO)", *how)


def test_with_the_rate_of_the_other_datasets_nobody_may_lead() -> None:
    rows = [
        one
        for i in range(10)
        for one in (*at_rates(i, G, 0.4, *IN_TURNS[i % 2]), *at_rates(i, RO, 0.4, 0.4, 0.4))
    ]

    words = said(store(*rows))

    assert has(words[-1], RATE_ELSEWHERE, "no difference")


@pytest.mark.parametrize(
    "rows",
    [
        duel(*[(0.5, 0.1)] * 12),
        [*at_rates(0, G, 0.1, 0.2, 0.3), *at_rates(0, RO, 0.4, 0.2, 0.3)],
        [
            *at_rates(0, G, 0.1, 0.2, 0.3),
            *at_rates(0, RO, 0.1, 0.2, 0.3),
            *at_rates(1, G, 0.1, 0.2, 0.3)[:1],
            *at_rates(1, RO, 0.4, 0.2, 0.3)[:1],
        ],
    ],
    ids=["one rate", "one dataset", "one dataset with all rates"],
)
def test_where_no_rate_can_be_elected_elsewhere_nothing_is_said(rows: list[dict[str, Any]]) -> None:
    assert not any("rate" in sentence for sentence in said(store(*rows)))


# ---- who elected hyperparameters


def test_a_sweep_beside_the_papers_choice_is_pointed_out() -> None:
    specs = [EG, "epsilon-greedy:epsilon=0.1", G]
    rows = [row(spec, 0.2 + i / 10, f"p{i}") for i in range(3) for spec in specs]

    words = said(store(*rows))

    assert has(words[-1], "eG", "the paper's", "label=")


def test_hyperparameters_that_were_elected_are_pointed_out() -> None:
    rows = [
        row(spec, loss, f"p{i}")
        for i in range(3)
        for spec, loss in (("python:m.L,a=1", 0.1), ("python:m.L,a=2", 0.3), (G, 0.2))
    ]

    words = said(store(*rows))

    assert has(words[-1], "mine", "elected by the other datasets")


def test_hyperparameters_chosen_on_the_only_dataset_flatter_it() -> None:
    rows = [row("python:m.L,a=1", 0.1), row("python:m.L,a=2", 0.3), row(G, 0.2)]

    words = said(store(*rows))

    assert has(words[-1], "mine", "optimistic")


# ---- notes


def test_a_paired_test_is_named_only_where_it_was_done() -> None:
    rows = [one for k in (1, 2, 3) for one in duel((0.5, 0.1), shuffle=k)]
    words = said(store(*rows, *duel((0.5, 0.1), (0.5, 0.1))[2:]), test="paired")

    assert has(words[-1], "paired test", "on 1 dataset", "z-test", "on 1 dataset")


def test_tuning_datasets_are_counted() -> None:
    rows = duel(*[(0.5, 0.1)] * 12, openml_id=TUNING_ID)

    assert has(said(store(*rows))[-1], "12", "the paper's")


def test_several_orders_and_missing_losses_are_pointed_out() -> None:
    again = duel(*[(0.5, 0.1)] * 12, shuffle=2)
    gap = [row(G, 0.2, "gap"), row(RO, 0.2, "gap")]
    third = [row(EG, 0.3, f"p{i}", shuffle=k) for i in range(12) for k in (1, 2)]
    words = said(store(*duel(*[(0.5, 0.1)] * 12), *again, *gap, *third))

    assert has(words[-2], "shuffles", "2")
    assert has(words[-1], "1 of the datasets", "no loss")


# ---- who takes part


def test_who_was_not_played_on_these_datasets_takes_no_part() -> None:
    tuned = row(EG, 0.1, "tuned", openml_id=TUNING_ID)
    what = Criteria(held_out=True)

    contest = main_contest(store(*duel((0.5, 0.1)), tuned), what)

    assert contest.labels == ("G", "RO")
    assert standings(contest, wins(contest))[0].mean_loss == 0.1


def test_who_is_first_but_behind_somebody_hears_so() -> None:
    rows = [
        row(spec, loss, f"p{i}")
        for i in range(4)
        for spec, loss in ((G, 0.1), (RO, 0.3), (EG, 0.3))
    ]
    more = [
        row(spec, loss, f"q{i}")
        for i in range(5)
        for spec, loss in ((G, 0.295), (RO, 0.25), (EG, 0.27))
    ]
    words = said(store(*rows, *more))

    assert words[0].startswith("Greedy (G)")
    assert has(words[2], "loses", "RegCB-opt (RO)")


@pytest.mark.parametrize("rows", [[], [row(G, 0.5)], [row(OAA, 0.5, offset=0.0)]])
def test_nothing_to_compare_is_said(rows: list[dict[str, object]]) -> None:
    (only,) = said(store(*rows))

    assert has(only, "nothing to compare")


def test_own_learners_go_by_their_own_name() -> None:
    assert name_of("mine") == "mine"
    assert name_of("C-u") == "Cover (C-u)"


# ---- what was played


def test_a_leader_counts_only_the_datasets_on_which_it_was_played() -> None:
    rows = duel(*[(0.5, 0.1)] * 12)
    rows += [row(spec, 0.5, f"q{i}") for i in range(11) for spec in (G, EG)]

    words = said(store(*rows))

    assert has(words[0], "RegCB-opt (RO)", "12 significant wins", "12 of 23 datasets")


def test_a_leader_that_was_played_on_few_datasets_is_no_winner() -> None:
    rows = duel(*[(0.5, 0.1)] * 9)
    rows += [row(spec, 0.5, f"q{i}") for i in range(11) for spec in (G, EG)]

    assert has(said(store(*rows))[1], "too few")


def test_the_rate_of_the_other_shuffles_is_told_beside_the_best() -> None:
    rows = [
        row(spec, loss, f"p{i}", shuffle=s, learning_rate=rate)
        for i in range(12)
        for s in (1, 2)
        for rate in (0.1, 1.0)
        for spec, loss in ((G, 0.1 if (s == 1) == (rate < 1) else 0.9), (RO, 0.5))
    ]

    words = said(store(*rows))

    # whichever rate is good in one order is bad in the other
    assert has(words[-1], "on the other shuffles", "RegCB-opt (RO)", "clearly leads")


def test_relatives_of_the_embedded_suite_are_said_to_be_such() -> None:
    rows = [row(spec, 0.5, name) for name in ("digits", "digits-majority") for spec in (G, RO)]

    assert any(has(words, "2 datasets", "1 source") for words in said(store(*rows)))
