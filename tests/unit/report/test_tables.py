"""Tables of wins and losses of made-up stores, with figures computed by hand."""

import csv
import io
import re

import pytest

from bakeoff.judging.losses import Losses
from bakeoff.judging.views import Criteria
from bakeoff.report.tables.all import TABLES, all_tables
from bakeoff.report.tables.printed import panels, printed
from bakeoff.report.tables.table import to_csv, to_latex, to_markdown
from tests.unit.report.made_up import (
    EG,
    OAA,
    RO,
    TUNING_ID,
    UCI_ID,
    G,
    costs,
    duel,
    made,
    ours,
    panel_of,
    row,
    store,
)

# ---- wins and losses


def test_main_results_are_wins_minus_losses_beside_the_papers() -> None:
    losses = store(*duel((0.5, 0.1), (0.4, 0.2), (0.1, 0.3), (0.2, 0.2)))

    table = made("main-results", losses)

    title = "-1/0 encoding, fixed hyperparameters, held-out datasets"
    grid = ours(table, title)
    assert grid.columns == ("G", "RO")
    assert grid.rows == (("G", ("-", "-1")), ("RO", ("1", "-")))  # RO: two to one
    assert grid.best == ("RO",)
    assert grid.datasets == 4
    assert panel_of(table, title).paper == printed("win_loss_diff", "-1/0 fixed")


def test_tuning_datasets_are_not_held_out() -> None:
    losses = store(
        *duel((0.5, 0.1)),
        row(G, 0.1, "tuning", openml_id=TUNING_ID),
        row(RO, 0.5, "tuning", openml_id=TUNING_ID),
    )

    table = made("main-results", losses)

    held_out = ours(table, "-1/0 encoding, fixed hyperparameters, held-out datasets")
    every = ours(table, "-1/0 encoding, fixed hyperparameters, all datasets")
    assert (held_out.datasets, held_out.rows[0]) == (1, ("G", ("-", "-1")))
    assert (every.datasets, every.rows[0]) == (2, ("G", ("-", "0")))


def test_where_nothing_could_be_chosen_nothing_is_optimised() -> None:
    table = made("main-results", store(*duel((0.2, 0.4))))

    panel = panel_of(table, "-1/0 encoding, optimised hyperparameters, all datasets")
    assert panel.ours is None
    assert panel.needs == (
        "needs runs of G, RO, C-nu, B-g, eG with encoding -1/0 (-a paper "
        "--encoding=-1/0) on all datasets with binary costs"
    )
    assert panel.paper == printed("win_loss_diff", "-1/0 optimised")


def test_optimised_is_the_best_of_what_was_played_on_each_dataset() -> None:
    wider = row("regcb:c0=1e-1,optimistic", 0.05, "p0")

    table = made("main-results", store(*duel((0.2, 0.4), (0.4, 0.2)), wider))

    grid = ours(table, "-1/0 encoding, optimised hyperparameters, all datasets")
    assert grid.rows == (("G", ("-", "-2")), ("RO", ("2", "-")))
    assert grid.best == ("RO",)


def test_who_had_one_choice_only_is_not_optimised() -> None:
    several = [row(f"epsilon-greedy:epsilon={epsilon}", 0.3, "p0") for epsilon in ("0.02", "0.05")]

    table = made("main-results", store(*duel((0.2, 0.4)), *several))

    title = "-1/0 encoding, optimised hyperparameters, all datasets"
    assert ours(table, title).columns == ("G", "eG")
    assert (
        "With -1/0, RO had one set of hyperparameters only, and take no part where "
        "these are optimised."
    ) in table.caption


def test_datasets_with_fewer_choices_are_counted() -> None:
    rows = [
        row(f"epsilon-greedy:epsilon={epsilon}", 0.3, name)
        for name, some in (("a", ("0.02", "0.05", "0.1")), ("b", ("0.02",)))
        for epsilon in some
    ]

    table = made("main-results", store(*rows))

    assert "On 1 dataset fewer than half of some algorithm's hyper" in table.caption


def test_main_results_say_who_elected_hyperparameters() -> None:
    rows = [row(f"regcb:c0={c0},optimistic", 0.3, name) for name in "ab" for c0 in ("1e-1", "1e-2")]

    elected = made("main-results", store(*rows, row(G, 0.2, "a")))
    of_paper = made("main-results", store(*rows, *duel((0.5, 0.1))))

    assert (
        "For each dataset, the hyperparameters of RO were elected by the other "
        "datasets; the verdict holds for these."
    ) in elected.caption
    assert "elected" not in of_paper.caption


def test_a_correction_is_named_and_takes_wins_away() -> None:
    losses = store(*duel((0.30, 0.27), *[(0.2, 0.2)] * 20))  # p = 0.036

    title = "-1/0 encoding, fixed hyperparameters, held-out datasets"
    plain = made("main-results", losses)
    strict = made("main-results", losses, correction="holm")

    assert ours(plain, title).rows[1] == ("RO", ("1", "-"))
    assert ours(strict, title).rows[1] == ("RO", ("0", "-"))
    assert "Holm" in strict.caption


def test_an_encoding_that_was_not_played_says_what_it_needs() -> None:
    table = made("main-results", store(*duel((0.5, 0.1))), encoding="0/1")

    assert all(panel.ours is None for panel in table.panels)
    assert all("--encoding=0/1" in panel.needs for panel in table.panels)
    assert table.panels[0].paper == printed("win_loss_diff", "0/1 fixed")


def test_one_algorithm_alone_makes_no_comparison() -> None:
    table = made("main-results", store(row(G, 0.5)))

    assert all(panel.ours is None for panel in table.panels)


def test_datasets_with_gaps_are_counted_in_the_caption() -> None:
    losses = store(*duel((0.5, 0.1)), row(G, 0.3, "alone"))

    table = made("multiclass", losses)

    title = "-1/0 encoding, fixed hyperparameters, held-out, multiclass datasets"
    assert ours(table, title).rows == (("G", ("-", "0 / 1")), ("RO", ("1 / 0", "-")))
    assert f"({title}: 1)" in table.caption


def test_own_learners_come_after_the_papers_nine() -> None:
    losses = store(row("python:my.Own", 0.1), row("active", 0.2), row(G, 0.4))

    table = made("multiclass", losses)

    title = "-1/0 encoding, fixed hyperparameters, held-out, multiclass datasets"
    assert ours(table, title).columns == ("G", "A", "mine")
    assert ours(table, title).best == ("mine",)


def test_uci_and_multilabel_look_at_their_own_datasets() -> None:
    losses = store(
        *duel((0.5, 0.1)),
        row(G, 0.1, "letter", openml_id=UCI_ID),
        row(RO, 0.5, "letter", openml_id=UCI_ID),
        row(G, 0.1, "scene", task="multilabel"),
        row(RO, 0.5, "scene", task="multilabel"),
    )

    for name in ("uci", "multilabel"):
        (panel,) = made(name, losses).panels
        assert panel.ours is not None
        assert panel.ours.datasets == 1
        assert panel.ours.rows[0] == ("G", ("-", "1 / 0"))


def test_reductions_are_compared_within_an_algorithm() -> None:
    losses = store(
        row("bag:n_policies=4 reduction=ips", 0.5),
        row("bag:n_policies=8 reduction=ips", 0.3),
        row("bag:n_policies=4 reduction=iwr", 0.4),
        row("bag:n_policies=8 reduction=iwr", 0.6),
    )

    difference = made("reductions", losses)
    both = made("reductions-wins", losses)

    title = "Bag, -1/0 encoding, optimised hyperparameters"
    assert ours(difference, title).rows[0] == ("ips", ("-", "1"))
    assert ours(both, title).rows[0] == ("ips", ("-", "1 / 0"))
    assert panel_of(difference, title).paper == printed("reductions", "-1/0 B")
    other = panel_of(both, "epsilon-greedy, -1/0 encoding, optimised hyperparameters")
    assert other.ours is None
    assert "-a paper" in other.needs


def test_reductions_with_one_choice_each_are_not_optimised() -> None:
    losses = store(
        row("bag:n_policies=4 reduction=ips", 0.5),
        row("bag:n_policies=8 reduction=ips", 0.3),
        row("bag:n_policies=4 reduction=iwr", 0.4),
    )

    panel = panel_of(made("reductions", losses), "Bag, -1/0 encoding, optimised hyperparameters")

    assert panel.ours is None
    assert panel.needs == (
        "needs runs of Bag with reductions ips, dr and iwr and several hyperparameters "
        "each (-a paper --encoding=-1/0)"
    )


def test_reductions_of_another_encoding_have_no_figures_of_the_paper() -> None:
    losses = store(row("bag reduction=dr", 0.5, offset=0.0))

    table = made("reductions", losses, encoding="0/1")

    assert [panel.paper for panel in table.panels] == [None, None]


def test_encodings_are_wins_and_losses_of_negative_losses() -> None:
    losses = store(
        *duel((0.1, 0.1), (0.1, 0.4), (0.2, 0.2)),
        *duel((0.5, 0.1), (0.5, 0.1), (0.2, 0.2), offset=0.0),
        row(EG, 0.5, "p0"),  # with one encoding only
    )

    table = made("encodings", losses)

    grid = ours(table, "all datasets, fixed hyperparameters")
    assert grid.columns == ("G", "RO")
    assert grid.rows == (("-1/0 against 0/1", ("2 / 0", "0 / 1")),)
    assert grid.datasets == 3
    large = panel_of(table, "all datasets with n >= 10,000, fixed hyperparameters")
    assert large.ours is None
    assert large.needs == (
        "needs datasets with n >= 10,000 and runs with both encodings (-a fixed "
        "--encoding=-1/0 --encoding=0/1)"
    )


def test_encodings_have_panels_of_both_views_on_all_and_on_large_datasets() -> None:
    table = made("encodings", store(*duel((0.5, 0.1))))

    assert [(panel.title, panel.paper) for panel in table.panels] == [
        ("all datasets, optimised hyperparameters", printed("encoding", "all")),
        (
            "all datasets with n >= 10,000, optimised hyperparameters",
            printed("encoding", "n >= 10,000"),
        ),
        ("all datasets, fixed hyperparameters", None),
        ("all datasets with n >= 10,000, fixed hyperparameters", None),
    ]


def test_encodings_are_optimised_only_with_several_choices_in_both() -> None:
    tuned = [
        row("regcb:c0=1e-1,optimistic", 0.05, "p0", n=10_000, offset=offset)
        for offset in (-1.0, 0.0)
    ]
    both = [*duel((0.5, 0.4), n=10_000), *duel((0.5, 0.1), n=10_000, offset=0.0)]

    fixed_only = made("encodings", store(*both, tuned[0]))
    table = made("encodings", store(*both, *tuned))

    for title in ("all datasets", "all datasets with n >= 10,000"):
        panel = panel_of(fixed_only, f"{title}, optimised hyperparameters")
        assert panel.ours is None
        assert "-a paper" in panel.needs
        best = ours(table, f"{title}, optimised hyperparameters")
        assert (best.columns, best.rows[0][1]) == (("G", "RO"), ("0 / 0", "0 / 0"))
        usual = ours(table, f"{title}, fixed hyperparameters")
        assert usual.rows[0][1] == ("0 / 0", "0 / 1")


def test_a_correction_holds_for_encodings_too() -> None:
    losses = store(
        *duel((0.27, 0.2), *[(0.2, 0.2)] * 20), *duel((0.30, 0.2), *[(0.2, 0.2)] * 20, offset=0.0)
    )

    title = "all datasets, fixed hyperparameters"
    plain = ours(made("encodings", losses), title)
    strict = ours(made("encodings", losses, correction="bh"), title)

    assert plain.rows[0][1] == ("1 / 0", "0 / 0")
    assert strict.rows[0][1] == ("0 / 0", "0 / 0")


def test_a_breakdown_has_nine_subsets_of_held_out_and_of_all_datasets() -> None:
    losses = store(
        *duel((0.5, 0.1)),
        row(G, 0.5, "tuned", openml_id=TUNING_ID),
        row(RO, 0.1, "tuned", openml_id=TUNING_ID),
        row(G, 0.5, "wide", n_features=200, n_actions=12),
        row(RO, 0.1, "wide", n_features=200, n_actions=12),
        row(OAA, 0.04, "wide", offset=0.0),
    )

    table = made("breakdown", losses)

    subsets = list(panels("breakdown"))
    assert [panel.title for panel in table.panels] == [
        f"{where} datasets with {subset}" for where in ("held-out", "all") for subset in subsets
    ]
    counts = [panel.ours.datasets if panel.ours else 0 for panel in table.panels]
    assert counts[:9] == [2, 1, 1, 0, 2, 0, 1, 1, 0]
    assert counts[9:] == [3, 1, 1, 0, 3, 0, 1, 1, 0]
    assert "n >= 10,000" in table.panels[5].needs
    assert table.panels[0].paper == printed("breakdown", "K >= 3")


def test_a_baseline_is_optimised_only_where_there_is_one() -> None:
    without = duel((0.2, 0.3))
    with_it = [row(spec, loss, "p0", baseline=True) for spec, loss in ((G, 0.4), (RO, 0.1))]

    alone = made("baseline-optimised", store(*without))
    both = made("baseline-optimised", store(*without, *with_it))

    assert alone.panels[0].ours is None
    assert "--baseline both" in alone.panels[0].needs
    assert both.panels[0].ours is not None
    assert both.panels[0].ours.best == ("RO",)


def test_who_was_not_played_with_a_baseline_is_not_in_its_table() -> None:
    losses = store(
        *duel((0.2, 0.3)),
        row(G, 0.1, "p0", baseline=True),
        row("cover:n_policies=4,psi=0.1 reduction=ips", 0.4, "p0"),  # takes none
    )

    (panel, _) = made("baseline-optimised", losses).panels

    assert panel.ours is not None
    assert panel.ours.columns == ("G", "C-u")
    assert panel.ours.rows[0] == ("G", ("-", "1 / 0"))


def test_hyperparameters_fixed_with_a_baseline_are_the_papers() -> None:
    panel = made("baseline-optimised", store(*duel((0.2, 0.3)))).panels[1]

    assert panel.ours is not None
    assert panel.paper is not None
    assert dict(panel.ours.rows) == dict(panel.paper.rows)


# ---- all of them


def test_every_table_is_named_as_its_files() -> None:
    tables = all_tables(store(*duel((0.2, 0.3))), Criteria())

    assert [table.name for table in tables] == list(TABLES)


@pytest.mark.parametrize(
    "losses",
    [
        store(row(G, None)),
        store(row(G, 0.5)),
        store(row(OAA, 0.0, offset=0.0)),
        store(*duel((0.0, 0.0), (1.0, 1.0)), *costs("yahoo", 0.5, 0.25)),
    ],
    ids=["errors only", "one result", "skyline only", "few"],
)
def test_tables_of_poor_stores_have_no_nan_and_say_what_they_need(losses: Losses) -> None:
    for table in all_tables(losses, Criteria()):
        for text in (to_csv(table), to_markdown(table), to_latex(table)):
            assert not re.search(r"\b(nan|None|inf)\b", text)
        for panel in table.panels:
            assert panel.ours is not None or panel.needs.startswith("needs ")


def test_hostile_names_do_not_break_the_files() -> None:
    name = '</script>|"x", $\\input{y}\n&'
    losses = store(
        row(G, 0.1, name),
        row("python:my.Own", 0.3, name) | {"algorithm": name},
        row(G, 0.1, f"{name}2", task="ranking"),
    )

    for table in all_tables(losses, Criteria()):
        rows = list(csv.reader(io.StringIO(to_csv(table), newline="")))
        assert {len(line) for line in rows} == {6}
        assert "</script>" not in to_markdown(table)
        assert "\\input" not in to_latex(table)


def test_the_order_of_results_does_not_matter() -> None:
    rows = [
        *duel((0.5, 0.1), (0.4, 0.2), (0.1, 0.3)),
        *duel((0.5, 0.1), (0.1, 0.3), offset=0.0),
        *costs("yahoo", 0.5, 0.25),
    ]

    assert all_tables(store(*rows), Criteria()) == all_tables(store(*reversed(rows)), Criteria())


def test_algorithms_that_never_met_have_an_empty_cell() -> None:
    rows = [row(G, 0.5, "a"), row(RO, 0.1, "a"), row(RO, 0.5, "b"), row(EG, 0.1, "b")]
    title = "-1/0 encoding, fixed hyperparameters, held-out, multiclass datasets"

    grid = ours(made("multiclass", store(*rows)), title)

    cells = {label: dict(zip(grid.columns, cells, strict=True)) for label, cells in grid.rows}
    assert cells["G"]["eG"] == cells["eG"]["G"] == ""
    assert cells["RO"]["G"] == "1 / 0"
