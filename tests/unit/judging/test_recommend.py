"""Recommendations from results made up such that the answer is known."""

from typing import Any

import pytest

from bakeoff.judging.recommend import Advice, recommend
from bakeoff.judging.recommended_settings import Use, use_of
from bakeoff.judging.views import Criteria
from tests.unit.report.made_up import EG, OAA, RO, G, duel, row, store


def texts(rows: list[dict[str, Any]], topic: str) -> list[str]:
    return [one.text for one in recommend(store(*rows), Criteria()) if one.topic == topic]


def facts(rows: list[dict[str, Any]], topic: str, *names: str) -> list[tuple[Any, ...]]:
    """Some of the numbers behind each text; the text has them, too."""
    found = [one for one in recommend(store(*rows), Criteria()) if one.topic == topic]
    return [tuple((one.facts or {})[name] for name in names) for one in found]


PLACE = ("algorithm", "wins", "losses", "datasets", "grade")
ENCODING = ("encoding", "is_clear", "datasets", "datasets_for", "datasets_against")
REDUCTION = ("algorithm", "reduction", "wins", "losses", "datasets", "grade")


def test_the_winner_is_recommended_with_its_settings() -> None:
    rows = duel(*[(0.5, 0.1)] * 6)

    (text,) = texts(rows, "settings")

    assert facts(rows, "algorithm", *PLACE) == [("RO", 6, 0, 6, "open")]
    assert facts(rows, "settings", "explorer", "reduction") == [("regcb:c0=0.001,optimistic", None)]
    assert '"regcb:c0=0.001,optimistic"' in text


def test_kinds_of_data_with_another_winner_are_named() -> None:
    few = duel(*[(0.5, 0.1)] * 19)
    many = [
        row(spec, loss, f"wide{i}", n_actions=12)
        for i in range(10)
        for spec, loss in ((G, 0.1), (RO, 0.4))
    ]

    (text,) = texts(few + many, "if K >= 10")

    assert facts(few + many, "if K >= 10", *PLACE) == [("G", 10, 0, 10, "clear")]
    assert "10 datasets" in text
    assert "10 significant wins, 0 losses" in text
    (stays,) = texts(few + many, "stays")
    assert "K >= 3 (29)" in stays


def test_nine_datasets_of_a_kind_are_not_worth_a_word() -> None:
    few = duel(*[(0.5, 0.1)] * 19)
    many = [
        row(spec, loss, f"wide{i}", n_actions=12)
        for i in range(9)
        for spec, loss in ((G, 0.1), (RO, 0.4))
    ]

    assert texts(few + many, "if K >= 10") == []


@pytest.mark.parametrize(
    ("won", "lost", "place"),
    [
        (9, 1, "clearly leads"),  # 22 / 1024
        (8, 2, "probably leads"),  # 112 / 1024
        (7, 3, "leads, but not clearly"),  # 352 / 1024
    ],
)
def test_a_place_is_called_what_a_verdict_calls_it(won: int, lost: int, place: str) -> None:
    few = duel(*[(0.5, 0.1)] * 19)
    many = [
        row(spec, loss if i < won else 0.5 - loss, f"wide{i}", n_actions=12)
        for i in range(won + lost)
        for spec, loss in ((G, 0.1), (RO, 0.4))
    ]

    (wide,) = texts(few + many, "if K >= 10")

    assert f"Greedy (G) {place}" in wide


def test_a_lead_too_small_to_matter_is_not_clear_on_a_kind_of_data_either() -> None:
    """Ten wins of ten, each by 0.008 of a million rounds: chance is out, but who cares."""
    few = duel(*[(0.5, 0.1)] * 19)
    many = [
        row(spec, loss, f"wide{i}", n_actions=12, n=1_000_000)
        for i in range(10)
        for spec, loss in ((G, 0.392), (RO, 0.4))
    ]

    (text,) = texts(few + many, "if K >= 10")

    assert "Greedy (G) leads, but not clearly (10 significant wins, 0 losses)" in text
    assert facts(few + many, "if K >= 10", "grade") == [("open",)]


def test_encodings_are_compared_where_both_were_played() -> None:
    rows = duel(*[(0.3, 0.3)] * 10)
    worse = duel(*[(0.5, 0.5)] * 10, offset=0.0)

    assert texts(rows, "encoding") == []
    assert facts(rows + worse, "encoding", *ENCODING) == [("-1/0", True, 10, 10, 0)]
    (text,) = texts(rows + worse, "encoding")
    assert "20 significant wins, 0 losses" in text


def test_encodings_are_compared_with_optimised_hyperparameters_if_there_are_any() -> None:
    rows = duel(*[(0.3, 0.3)] * 10) + duel(*[(0.3, 0.5)] * 10, offset=0.0)
    tuned = [
        row("regcb:c0=1e-1,optimistic", 0.1, f"p{i}", offset=offset)
        for i in range(10)
        for offset in (-1.0, 0.0)
    ]

    assert facts(rows + tuned, "encoding", *ENCODING[2:]) == [(10, 0, 0)]


def test_the_best_reduction_is_named() -> None:
    rows = [
        row(f"{EG} reduction={reduction}", loss, f"p{i}")
        for i in range(10)
        for reduction, loss in (("ips", 0.5), ("dr", 0.4), ("iwr", 0.1))
    ]

    every = rows + duel(*[(0.5, 0.1)] * 10)
    assert facts(every, "reduction", *REDUCTION) == [("eG", "iwr", 20, 0, 10, "clear")]


def test_a_reduction_whose_lead_may_be_chance_is_not_called_best() -> None:
    rows = [
        row(f"{EG} reduction={reduction}", loss if i < 7 else 0.6 - loss, f"p{i}")
        for i in range(10)
        for reduction, loss in (("dr", 0.4), ("iwr", 0.2))
    ]

    every = rows + duel(*[(0.5, 0.1)] * 10)
    (text,) = texts(every, "reduction")

    assert facts(every, "reduction", *REDUCTION) == [("eG", "iwr", 7, 3, 10, "open")]
    assert "none is clearly best" in text


def test_a_baseline_that_helps_and_one_that_does_not() -> None:
    rows = duel(*[(0.5, 0.1)] * 10) + duel(*[(0.1, 0.4)] * 10, baseline=True)

    assert facts(rows, "baseline", "effect", "algorithms") == [
        ("helps", {"G": {"wins": 10, "losses": 0}}),
        ("hurts", {"RO": {"wins": 0, "losses": 10}}),
    ]


def test_what_makes_no_clear_difference_is_not_advice() -> None:
    fewer = [(0.5, 0.1)] * 6 + [(0.1, 0.5)] * 4
    other = [(0.1, 0.5)] * 6 + [(0.5, 0.1)] * 4
    rows = duel(*fewer) + duel(*other, baseline=True) + duel(*fewer, offset=0.0)
    again = [row | {"pv_loss": 0.6 - row["pv_loss"]} for row in duel(*other, offset=0.0)]

    ((effect, algorithms),) = facts(rows, "baseline", "effect", "algorithms")
    assert "no clear effect" in effect
    assert algorithms == {"G": {"wins": 6, "losses": 4}, "RO": {"wins": 4, "losses": 6}}
    assert facts(duel(*fewer) + again, "encoding", "is_clear") == [(False,)]


@pytest.mark.parametrize(
    ("topic", "others"),
    [
        ("encoding", {"offset": 0.0}),
        ("baseline", {"baseline": True}),
        ("if you tune the rate", {"learning_rate": 1.0}),
    ],
)
@pytest.mark.parametrize("n", [9, 10])
def test_advice_takes_ten_datasets(n: int, topic: str, others: dict[str, Any]) -> None:
    rows = duel(*[(0.5, 0.1)] * n) + duel(*[(0.5, 0.4)] * n, **others)

    assert bool(texts(rows, topic)) is (n == 10)


@pytest.mark.parametrize("n", [9, 10])
def test_advice_on_reductions_takes_ten_datasets(n: int) -> None:
    rows = duel(*[(0.5, 0.1)] * n) + [
        row(f"{EG} reduction={reduction}", loss, f"p{i}")
        for i in range(n)
        for reduction, loss in (("dr", 0.4), ("iwr", 0.2))
    ]

    assert bool(texts(rows, "reduction")) is (n == 10)


def test_a_learning_rate_comes_with_what_it_costs() -> None:
    rows = [
        row(spec, loss, f"p{i}", learning_rate=rate)
        for i in range(5)
        for spec in (G, RO)
        for rate, loss in ((0.1, 0.4), (1.0, 0.2 if i else 0.3), (10.0, 0.1))
    ]

    (text,) = texts(rows, "learning rate")

    names = ("learning_rate", "mean_loss", "datasets", "datasets_at_an_end")
    assert facts(rows, "learning rate", *names) == [(10.0, pytest.approx(0.1), 5, 5)]
    assert "0.1000" in text
    assert "widen" in text


@pytest.mark.parametrize(
    ("loss_elsewhere", "label", "text"),
    [(0.5, "RO", "(RO) also clearly leads"), (0.1, "G", "(G) clearly leads")],
)
def test_who_leads_with_other_ways_to_choose_the_rate(
    loss_elsewhere: float, label: str, text: str
) -> None:
    """RegCB-opt is best at 10 and 1 in turns, but at 0.1 on average."""
    rows = [
        row(spec, loss, f"p{i}", learning_rate=rate)
        for i in range(10)
        for spec, losses in (
            (G, (loss_elsewhere, 0.6, 0.6)),
            (RO, (0.3, 0.05, 0.9) if i % 2 else (0.3, 0.9, 0.05)),
        )
        for rate, loss in zip((0.1, 1.0, 10.0), losses, strict=True)
    ]

    (by_default,) = facts(rows, "algorithm", "algorithm", "wins", "losses", "datasets")
    (tuned,) = texts(rows, "if you tune the rate")
    paper = recommend(store(*rows), Criteria(view="fixed"))
    (advice,) = [one for one in paper if one.topic == "without tuning the rate"]

    assert by_default == (label, 10, 0, 10)
    assert ("RegCB-opt (RO) also" in tuned) is (label == "RO")
    assert text in advice.text
    assert "p = 0.002" in advice.text
    assert advice.facts is not None
    assert advice.facts["algorithm"] == label


@pytest.mark.parametrize("topic", ["if you tune the rate", "without tuning the rate"])
def test_with_one_learning_rate_there_is_none_to_choose(topic: str) -> None:
    assert texts(duel(*[(0.5, 0.1)] * 10), topic) == []


def test_who_tunes_hears_who_is_first_then_and_how_sure_that_is() -> None:
    tuned = [row("regcb:c0=1e-1,optimistic", 0.05, f"p{i}") for i in range(10)]

    rows = duel(*[(0.1, 0.3)] * 10) + tuned
    (text,) = texts(rows, "if you tune")

    assert facts(rows, "if you tune", *PLACE) == [("RO", 10, 0, 10, "clear")]
    assert "p = 0.002" in text
    assert "upper bound" in text


def test_who_did_not_tune_hears_nothing_of_it() -> None:
    assert texts(duel(*[(0.1, 0.3)] * 10), "if you tune") == []


def test_hyperparameters_that_others_elect_are_pointed_out() -> None:
    rows = [
        row(f"python:m.L,a={a}", loss, f"p{i}")
        for i, losses in enumerate([(0.2, 0.1), (0.2, 0.1), (0.1, 0.2)])
        for a, loss in enumerate(losses, 1)
    ]
    worse = [row(G, 0.4, f"p{i}") for i in range(3)]

    (settings,) = texts(rows + worse, "settings")

    assert "of mine were elected by the other datasets" in settings
    assert '"python:m.L,a=2"' in settings
    assert "2 datasets" in settings
    elected = facts(rows + worse, "settings", "explorer", "elected_elsewhere")
    assert elected == [("python:m.L,a=2", ["python:m.L,a=1"])]


def test_uniform_exploration_is_judged_by_its_kin() -> None:
    rows = [row(spec, loss, f"p{i}") for i in range(10) for spec, loss in ((G, 0.1), (EG, 0.3))]

    (text,) = texts(rows, "uniform exploration (eG)")

    names = ("algorithm", "against", "wins", "losses")
    assert facts(rows, "uniform exploration (eG)", *names) == [("eG", "G", 0, 10)]
    assert "costs" in text


def test_logs_for_offline_evaluation_are_compared() -> None:
    exact = {"ips_reward": 0.65, "uniform_cost": 0.66}
    rows = [row(EG, 0.3, "p", **exact), row(G, 0.1, "p", ips_reward=0.46, uniform_cost=0.66)]

    (offline,) = texts(rows, "offline evaluation")

    names = ("algorithm", "median_error", "leader", "leader_error")
    expected = ("eG", pytest.approx(0.01), "G", pytest.approx(0.2))
    assert facts(rows, "offline evaluation", *names) == [expected]
    assert "0.010" in offline
    assert "0.200" in offline
    (alone,) = texts([one | {"pv_loss": 0.05} if one["ips_reward"] == 0.65 else one
                      for one in rows], "offline evaluation")  # fmt: skip
    assert alone.endswith("with a median error of 0.010.")  # the leader has the best logs


@pytest.mark.parametrize("rows", [[], [row(G, 0.5)], [row(OAA, 0.5, offset=0.0)]])
def test_a_store_that_cannot_tell_says_so(rows: list[dict[str, Any]]) -> None:
    (only,) = recommend(store(*rows), Criteria())

    assert isinstance(only, Advice)
    assert "to compare" in only.text


def test_what_a_user_wrote_is_pasted_as_a_name_in_a_file() -> None:
    def used(explorer: str, label: str) -> Use:
        rows = duel(*[(0.5, 0.1)] * 6)
        own = {"algorithm": label, "explorer": explorer, "reduction": None, "learning_rate": 0.5}
        changed = [one | own if one["algorithm"] == "RO" else one for one in rows]
        found = use_of(store(*changed), Criteria())
        assert found is not None
        return found

    rule = used("rule-mine:gamma=10.0,code=2bdef99d", "mine")
    learner = used("python:__main__.Ridge,alpha=0.3", "Ridge")

    assert rule.python.startswith('Learner("FILE.py:mine,gamma=10.0", ')
    assert "-a FILE.py:mine,gamma=10.0 " in rule.command([])
    assert learner.python == ""
    assert learner.command(["a.csv"]).startswith("bakeoff run a.csv -a FILE.py:Ridge,alpha=0.3 -a ")
    assert "--learning-rate" not in learner.command([])
