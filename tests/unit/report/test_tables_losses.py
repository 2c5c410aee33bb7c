"""Tables of losses, datasets and votes of made-up stores, computed by hand."""

import pytest

from bakeoff.report.tables.choices import in_short
from bakeoff.report.tables.corpus import counts_in
from bakeoff.report.tables.printed import printed
from bakeoff.runs import Choice
from tests.unit.report.made_up import (
    EG,
    OAA,
    TUNING_ID,
    G,
    costs,
    duel,
    made,
    ours,
    panel_of,
    row,
    store,
)

# ---- losses


def test_real_valued_costs_have_mean_and_standard_error_over_shuffles() -> None:
    table = made("cost-sensitive", store(*costs("prices", 0.1, 0.2, 0.3)))

    grid = ours(table, "prices, 0/1 encoding")
    assert grid.rows == (("loss", ("0.200 +- 0.0577",)),)  # 0.1 / sqrt(3)
    assert grid.best == ("G",)


def test_one_shuffle_has_no_standard_error() -> None:
    table = made("cost-sensitive", store(*costs("prices", 0.25)))

    assert ours(table, "prices, 0/1 encoding").rows == (("loss", ("0.250",)),)


def test_the_papers_losses_stand_beside_ours_or_alone() -> None:
    table = made("cost-sensitive", store(*costs("yahoo", 0.6), *costs("a", 0.5)))

    assert [panel.title for panel in table.panels] == [
        "a, 0/1 encoding",
        "mslr30k, 0/1 encoding",
        "mslr30k, -1/0 encoding",
        "rcv1-costs, 0/1 encoding",
        "yahoo, 0/1 encoding",
        "yahoo, -1/0 encoding",
    ]
    assert [panel.ours is None for panel in table.panels] == [False, True, True, True, False, True]
    rcv1, yahoo = table.panels[3].paper, table.panels[4].paper
    assert rcv1 is not None
    assert len(rcv1.columns) == 9
    assert rcv1.best == printed("cost_sensitive", "RCV1").best
    assert yahoo == printed("cost_sensitive", "Yahoo")
    assert "bakeoff run paper-cost-sensitive" in table.panels[3].needs
    assert "--shuffles 10" in table.panels[3].needs


def test_an_encoding_that_is_asked_for_leaves_the_others_out() -> None:
    losses = store(*costs("yahoo", 0.6), *costs("yahoo", 0.5, offset=-1.0))

    table = made("cost-sensitive", losses, encoding="-1/0")

    assert [panel.title for panel in table.panels] == [
        "mslr30k, -1/0 encoding",
        "yahoo, -1/0 encoding",
    ]
    assert ours(table, "yahoo, -1/0 encoding").rows == (("loss", ("0.500",)),)


def test_all_losses_of_an_encoding_that_was_not_played_say_what_they_need() -> None:
    (panel,) = made("all-losses", store(row(G, 0.5)), encoding="9/10").panels

    assert panel.ours is None
    assert panel.needs.startswith("needs runs")


def test_learning_rates_at_an_end_of_the_grid_are_pointed_out() -> None:
    losses = store(
        *[row(G, loss, "a", learning_rate=rate)
          for rate, loss in ((0.1, 0.5), (1.0, 0.3), (10.0, 0.2))],
        *[row(G, loss, "b", learning_rate=rate)
          for rate, loss in ((0.1, 0.6), (1.0, 0.1), (10.0, 0.4))],
    )  # fmt: skip

    table = made("learning-rates", losses)

    grid = ours(table, "-1/0 encoding, fixed hyperparameters")
    assert grid.rows == (("G", ("2", "0.1500", "1", "0.2000", "0", "1")),)
    assert "an end of the grid in 1 of 2 cases, most often for G with -1/0 " in (table.caption)


def test_with_one_learning_rate_there_is_no_end_to_point_out() -> None:
    table = made("learning-rates", store(row(G, 0.5)))

    grid = ours(table, "-1/0 encoding, fixed hyperparameters")
    assert grid.rows == (("G", ("1", "0.5000", "0.1", "0.5000", "", "")),)
    assert "No algorithm was played with several rates." in table.caption


def test_all_losses_have_facts_losses_and_settings_of_each_dataset() -> None:
    losses = store(*duel((0.5, 0.125)), row(OAA, 0.0625, "p0", offset=0.0))

    table = made("all-losses", losses)

    title = "-1/0 encoding, fixed hyperparameters"
    assert ours(table, title).columns == ("n", "d", "K", "skyline loss", "G", "RO")
    assert ours(table, title).rows == (
        ("p0", ("1000", "4", "3", "0.062500", "0.500000", "0.125000")),
    )
    assert ours(table, f"{title}: settings").rows[0][1] == (
        "greedy reduction=iwr, learning rate 0.1",
        "regcb:c0=0.001,optimistic, learning rate 0.1",
    )


def test_datasets_of_the_same_name_are_told_apart() -> None:
    losses = store(row(G, 0.1, digest="ab" * 32), row(G, 0.2, digest="cd" * 32), row(G, 0.3, "b"))

    grid = ours(made("all-losses", losses), "-1/0 encoding, fixed hyperparameters")

    names = [label for label, _ in grid.rows]
    assert names == ["b", "iris (abababab)", "iris (cdcdcdcd)"]


# ---- facts and votes


@pytest.mark.parametrize(
    ("ends", "values", "counts"),
    [
        ((2, 9), [2, 3, 9, 10, 2], [2, 2, 1]),
        ((0.01, 0.1), [0.0, 0.01, 0.011, 0.1, 0.5], [2, 2, 1]),
        ((50,), [], [0, 0]),
    ],
)
def test_a_bin_holds_its_upper_end(
    ends: tuple[float, ...], values: list[float], counts: list[int]
) -> None:
    assert counts_in(values, ends) == counts


def test_the_corpus_is_counted_in_the_papers_bins() -> None:
    losses = store(
        row(G, 0.1, "a", n_actions=2, n=100),
        row(OAA, 0.1, "a", n_actions=2, n=100, offset=0.0),
        row(G, 0.1, "b", n_actions=12, n=1001),
        row(G, 0.1, "scene", task="multilabel", n=1211, n_actions=6),
    )

    table = made("corpus", losses)

    by_actions = ours(table, "multiclass datasets by actions")
    assert by_actions.rows == (("2", ("1",)), ("3-9", ("0",)), ("10+", ("1",)))
    by_n = ours(table, "multiclass datasets by examples")
    assert [cells for _, cells in by_n.rows] == [("1",), ("0",), ("1",), ("0",)]
    by_skyline = ours(table, "multiclass datasets by skyline loss")
    assert [cells for _, cells in by_skyline.rows] == [("0",), ("1",), ("0",), ("0",), ("0",)]
    assert "1 multiclass datasets have no skyline" in table.caption
    assert ours(table, "multilabel datasets").rows == (("scene", ("1,211", "4", "6", "")),)
    assert panel_of(table, "ranking datasets").ours is None
    assert panel_of(table, "ranking datasets").paper == printed("data_ltr", "all")


def test_choices_are_written_as_the_paper_does() -> None:
    assert in_short(Choice.from_text("greedy reduction=iwr")) == "-"
    assert in_short(Choice.from_text("regcb:c0=0.001,optimistic")) == "C0 = 10^-3"
    assert in_short(Choice.from_text("regcb:c0=0.002")) == "C0 = 0.002"
    assert (
        in_short(Choice.from_text("cover:n_policies=4,psi=1.0 reduction=ips"))
        == "N = 4, psi = 1, IPS"
    )
    assert in_short(Choice.from_text("python:my.Own,depth=3")) == "python:my.Own,depth=3"


def test_tuning_datasets_elect_hyperparameters() -> None:
    wide, narrow = "regcb:c0=1e-1,optimistic", "regcb:c0=1e-3,optimistic"
    losses = store(
        row(wide, 0.1, "a", openml_id=TUNING_ID),
        row(narrow, 0.4, "a", openml_id=TUNING_ID),
        row(G, 0.4, "a", openml_id=TUNING_ID),
        *[row(spec, loss, f"b{i}") for i in range(3)
          for spec, loss in ((wide, 0.4), (narrow, 0.1))],
    )  # fmt: skip

    table = made("hyperparameters", losses)

    grid = ours(table, "elected by the tuning datasets")
    assert grid.rows == (("G", ("-",)), ("RO", ("C0 = 10^-1",)))
    assert grid.datasets == 1


def test_all_datasets_elect_if_none_is_for_tuning() -> None:
    losses = store(
        *[row(spec, loss, f"b{i}") for i in range(3)
          for spec, loss in (("regcb:c0=1e-1", 0.4), ("regcb:c0=1e-3", 0.1))],
        *[row(EG, 0.2, f"b{i}") for i in range(3)],
    )  # fmt: skip

    table = made("hyperparameters", losses)

    grid = ours(table, "elected by all datasets")
    assert grid.rows == (
        ("R", ("C0 = 10^-3",)),
        ("eG", ("epsilon = 0.02, IWR (no other was played)",)),
    )
    assert grid.datasets == 3
    assert "no tuning datasets" in table.caption


def test_there_is_no_election_with_one_choice_each() -> None:
    (panel,) = made("hyperparameters", store(*duel((0.2, 0.3)))).panels

    assert panel.ours is None
    assert "-a paper" in panel.needs
