"""Tables of standings and second opinions of made-up stores, computed by hand."""

from typing import Any

import pytest

from tests.unit.report.made_up import EG, RO, TUNING_ID, G, duel, made, ours, panel_of, row, store

FIXED = "-1/0 encoding, fixed hyperparameters"
UNPEEKED = f"{FIXED}, learning rate elected on the other datasets"
ONE_RATE = f"{FIXED}, one learning rate for all datasets"
OPTIMISED = "-1/0 encoding, optimised hyperparameters"


def at_rates(problem: str, spec: str, *losses: float) -> list[dict[str, Any]]:
    return [
        row(spec, loss, problem, learning_rate=rate)
        for rate, loss in zip((0.1, 1.0), losses, strict=True)
    ]


def torn() -> list[dict[str, Any]]:
    """Greedy leads if it may choose its rate on each of two datasets, and only then."""
    return [
        *at_rates("a", G, 0.1, 0.9),
        *at_rates("b", G, 0.9, 0.1),
        *at_rates("a", RO, 0.3, 0.3),
        *at_rates("b", RO, 0.3, 0.3),
    ]


# ---- standings


def test_standings_have_all_numbers_of_the_verdict() -> None:
    table = made("standings", store(*duel(*[(0.5, 0.125)] * 3, (0.125, 0.5))))

    grid = ours(table, FIXED)
    assert grid.datasets == 4
    assert grid.columns == (
        "score", "wins", "losses", "first in", "score in 95 %", "p of lead",
        "mean loss", "median over skyline", "best on", "mean rank", "median excess",
        "within 0.02 of the best", "worst regret", "datasets",
    )  # fmt: skip
    labels = [label for label, _ in grid.rows]
    assert labels == ["RO", "G"]
    first, second = (dict(zip(grid.columns, cells, strict=True)) for _, cells in grid.rows)
    assert (first["score"], first["wins"], first["losses"]) == ("2", "3", "1")
    assert (second["score"], second["wins"], second["losses"]) == ("-2", "1", "3")
    assert first["p of lead"] == second["p of lead"] == "0.625"  # 10 / 16
    assert (first["mean loss"], second["mean loss"]) == ("0.2188", "0.4062")
    assert first["median over skyline"] == first["median excess"] == ""  # no skyline
    assert (first["best on"], second["best on"]) == ("75%", "25%")
    assert (first["mean rank"], second["mean rank"]) == ("1.25", "1.75")
    assert first["within 0.02 of the best"] == "75%"
    assert (first["worst regret"], second["worst regret"]) == ("0.3750", "0.3750")
    assert (first["datasets"], second["datasets"]) == ("4", "4")


def test_datasets_are_those_on_which_an_algorithm_was_played() -> None:
    rows = [row("greedy", 0.5, f"q{i}") for i in range(3)]
    rows += [row("epsilon-greedy:epsilon=0.02", 0.5, f"q{i}") for i in range(3)]

    grid = ours(made("standings", store(*duel((0.5, 0.1)), *rows)), FIXED)

    played = {label: cells[grid.columns.index("datasets")] for label, cells in grid.rows}
    assert grid.datasets == 4
    assert played == {"RO": "1", "G": "4", "eG": "3"}


def test_excess_is_measured_from_the_skyline() -> None:
    rows = duel((0.5, 0.25), (0.75, 0.25), (0.5, 0.5))
    sky = [row("supervised", 0.125, f"p{i}") for i in range(3)]

    grid = ours(made("standings", store(*rows, *sky)), FIXED)

    place = grid.columns.index("median excess")
    assert {label: cells[place] for label, cells in grid.rows} == {"RO": "0.1250", "G": "0.3750"}


def test_small_chances_are_printed_as_below_a_bound() -> None:
    grid = ours(made("standings", store(*duel(*[(0.5, 0.1)] * 12))), FIXED)

    place = grid.columns.index("p of lead")
    assert [cells[place] for _, cells in grid.rows] == ["< 0.001", "< 0.001"]


def test_scores_at_rates_of_the_other_datasets_stand_beside_those_at_the_best() -> None:
    table = made("standings", store(*torn()))

    grid = ours(table, FIXED)
    scores = [cells[:2] for _, cells in grid.rows]
    assert grid.columns[:2] == ("score", "score, rate elected elsewhere")
    assert [label for label, _ in grid.rows] == ["G", "RO"]
    assert scores == [("2", "-2"), ("-2", "2")]


def test_the_view_without_peeking_has_a_panel_of_its_own() -> None:
    table = made("standings", store(*torn()))

    grid = ours(table, UNPEEKED)
    assert [panel.title for panel in table.panels] == [FIXED, UNPEEKED, ONE_RATE]
    assert "score, rate elected elsewhere" not in grid.columns
    assert [(label, cells[0]) for label, cells in grid.rows] == [("RO", "2"), ("G", "-2")]


def test_a_lone_dataset_has_no_scores_at_rates_of_others() -> None:
    rates = [row(spec, 0.2, "p0", learning_rate=3.0) for spec in (G, RO)]

    table = made("standings", store(*duel((0.5, 0.1)), *rates))

    assert "score, rate elected elsewhere" not in ours(table, FIXED).columns
    assert panel_of(table, UNPEEKED).ours is None


def test_with_one_rate_there_is_no_view_of_rates_of_others() -> None:
    table = made("standings", store(*duel((0.5, 0.1), (0.5, 0.1))))

    assert [panel.title for panel in table.panels] == [FIXED]


def test_optimised_standings_are_there_if_there_was_something_to_choose() -> None:
    wider = row("regcb:c0=1e-1,optimistic", 0.05, "p0")

    without = made("standings", store(*duel((0.2, 0.4))))
    table = made("standings", store(*duel((0.2, 0.4)), wider))

    assert OPTIMISED not in [panel.title for panel in without.panels]
    assert [label for label, _ in ours(table, FIXED).rows] == ["G", "RO"]
    assert [label for label, _ in ours(table, OPTIMISED).rows] == ["RO", "G"]


def test_optimised_standings_stand_beside_those_of_settings_elected_elsewhere() -> None:
    """RegCB-opt has more to choose from: what is best here is bad on the other dataset."""
    wider = [
        row("regcb:c0=1e-1,optimistic", loss, name) for name, loss in (("p0", 0.05), ("p1", 0.95))
    ]

    grid = ours(made("standings", store(*duel((0.3, 0.9), (0.3, 0.1)), *wider)), OPTIMISED)

    assert grid.columns[:2] == ("score", "score, settings elected elsewhere")
    assert [(label, *cells[:2]) for label, cells in grid.rows] == [
        ("RO", "2", "-2"),
        ("G", "-2", "2"),
    ]


@pytest.mark.parametrize(
    ("facts", "voters"),
    [
        ({}, "by the other datasets; the verdict holds for these."),
        (
            {"openml_id": TUNING_ID},
            "by the tuning datasets, each dataset's without its own vote; the verdict "
            "holds for these.",
        ),
    ],
    ids=["others", "tuning"],
)
def test_standings_say_who_elected_hyperparameters(facts: dict[str, int], voters: str) -> None:
    rows = [row(f"python:m.L,a={a}", 0.1 * a, name, **facts) for name in "abc" for a in (1, 2)]

    table = made("standings", store(*rows, row(G, 0.3, "a", **facts)))

    assert table.caption.endswith(f"hyperparameters of mine were elected {voters}")


def test_standings_say_it_once_if_it_holds_for_both_encodings() -> None:
    rows = [
        row(f"python:m.L,a={a}", 0.1 * a, name, offset=offset)
        for name in "ab"
        for a in (1, 2)
        for offset in (-1.0, 0.0)
    ]

    caption = made("standings", store(*rows)).caption

    assert caption.count("the hyperparameters of mine were elected by") == 1


def test_standings_say_nothing_of_elections_where_there_were_none() -> None:
    caption = made("standings", store(*duel((0.5, 0.1)))).caption

    assert "The hyperparameters of" not in caption


# ---- second opinions


def test_a_second_opinion_is_of_the_leader_against_each_of_the_others() -> None:
    rows = [
        row(spec, loss, f"p{i}", n=100_000)
        for i in range(30)
        for spec, loss in ((G, 0.25), (RO, 0.125), (EG, 0.1325))
    ]

    table = made("second-opinion", store(*rows))

    panel = panel_of(table, FIXED)
    assert panel.corner == "RO against"
    assert ours(table, FIXED).columns == (
        "mean difference", "leader better", "practically the same", "leader worse",
    )  # fmt: skip
    assert ours(table, FIXED).rows == (
        ("eG", ("-0.0075", "0%", "100%", "0%")),
        ("G", ("-0.1250", "100%", "0%", "0%")),
    )
    assert ours(table, FIXED).datasets == 30


def test_a_second_opinion_may_disagree_with_the_wins() -> None:
    """RegCB-opt wins by little on 41 datasets, and loses by much on 39."""
    losses = store(*duel(*[(0.205, 0.2)] * 41, *[(0.1, 0.6)] * 39, n=100_000))

    table = made("second-opinion", losses)

    assert panel_of(table, FIXED).corner == "RO against"
    mean = "0.2412"  # (39 * 0.5 - 41 * 0.005) / 80
    assert ours(table, FIXED).rows == (("G", (mean, "0%", "0%", "100%")),)


def test_a_second_opinion_is_over_datasets_that_both_have_a_loss_on() -> None:
    rows = duel((0.5, 0.25), (0.5, 0.25))
    gaps = [row(RO, 0.1, "gap"), row(EG, 0.9, "gap")]

    table = made("second-opinion", store(*rows, *gaps))

    means = {label: cells[0] for label, cells in ours(table, FIXED).rows}
    assert means == {"G": "-0.2500", "eG": "-0.8000"}


def test_algorithms_that_never_met_have_no_second_opinion() -> None:
    rows = [
        row(spec, loss, name)
        for name, pairs in (("a", ((G, 0.1), (RO, 0.9))), ("b", ((RO, 0.1), (EG, 0.9))))
        for spec, loss in pairs
    ]

    table = made("second-opinion", store(*rows))

    assert dict(ours(table, FIXED).rows)["eG"] == ("", "", "", "")


def test_each_view_has_a_second_opinion() -> None:
    table = made("second-opinion", store(*torn()))

    assert [(panel.title, panel.corner) for panel in table.panels] == [
        (FIXED, "G against"),
        (UNPEEKED, "RO against"),
        (ONE_RATE, "RO against"),
    ]


def test_one_algorithm_alone_has_no_second_opinion() -> None:
    panel = panel_of(made("second-opinion", store(row(G, 0.5))), FIXED)

    assert panel.ours is None
    assert panel.needs == "needs runs of two algorithms (-a fixed)"
