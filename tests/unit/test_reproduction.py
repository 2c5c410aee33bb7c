"""The parts of a reproduction: stages, agreement of tables, the paper's program."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.judging.competitors import fixed
from bakeoff.judging.contest import Condition
from bakeoff.judging.losses import Losses
from bakeoff.judging.views import Criteria, WinPanel
from bakeoff.reading.catalog import find_all
from bakeoff.report.findings.paper_counts import PaperCount
from bakeoff.report.tables.table import Grid
from bakeoff.reproduction.against_paper import Difference, Lead, each_order, lead_of_paper, leads_of
from bakeoff.reproduction.against_program import Cell, against_program
from bakeoff.reproduction.agreement import Agreement, agreement, nets_of
from bakeoff.reproduction.document import document
from bakeoff.reproduction.elections import votes_of
from bakeoff.reproduction.markdown import lined
from bakeoff.reproduction.program import program_losses
from bakeoff.reproduction.stages import ORDERS, STAGES, Dataset, Stage, stages_named
from bakeoff.reproduction.strata import margins, missing_share, weights_of
from bakeoff.reproduction.study import parts_of
from bakeoff.reproduction.twins import twins_of
from bakeoff.reproduction.whole_grids import on_whole_grids
from bakeoff.runs.choice import Choice
from bakeoff.runs.grids import paper_choices
from tests.unit.report.bake_offs import bake_off
from tests.unit.report.made_up import EG, RO, G, row, store

TUNING_IDS = (21, 22, 23, 28, 30, 32, 50, 54, 61, 62, 181)  # in the paper's list


def grid(**rows: str) -> Grid:
    labels = tuple(rows)
    cells = ((label, tuple(text.split(", "))) for label, text in rows.items())
    return Grid(labels, tuple(cells), 10)


def numbered() -> Losses:
    """Greedy, epsilon-greedy and RegCB-opt on twelve datasets of OpenML."""
    rows = []
    for i in range(12):
        for explorer, loss in ((G, 0.3), (EG, 0.5), (RO, 0.2)):
            rows.append(row(explorer, loss, f"p{i}", openml_id=9000 + i))
    return store(*rows)


def write_program(folder: Path, *lines: str) -> None:
    (folder / "reference").mkdir()
    text = "\n".join(["openml_id,algorithm,encoding,learning_rate,pv_loss", *lines])
    (folder / "reference" / "paper-program.csv").write_text(text)


# ---- stages


def test_stages_come_in_the_order_of_the_study() -> None:
    assert [stage.name for stage in stages_named(["grid", "small"])] == ["small", "grid"]
    assert stages_named(["all"]) == list(STAGES)


def test_an_unknown_stage_is_refused_with_a_hint() -> None:
    with pytest.raises(SpecError, match=r"there is no stage 'smal'.*small"):
        stages_named(["smal"])


def test_every_stage_has_runs() -> None:
    assert all(len(stage.runs) >= 9 for stage in STAGES)


BY_NAME = {stage.name: stage for stage in STAGES}


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_small_datasets_are_played_in_ten_orders(stage: Stage) -> None:
    assert stage.orders(1000) == ORDERS == 10


def test_large_datasets_are_played_in_fewer_orders_but_in_three() -> None:
    grid = BY_NAME["grid"]

    orders = [grid.orders(n) for n in (1_000, 20_000, 1_000_000)]

    assert orders == sorted(orders, reverse=True)
    assert orders[0] == 10
    assert orders[-1] == 3
    assert BY_NAME["costs"].orders(1_000_000) == 10


def test_the_number_of_orders_can_be_overruled() -> None:
    assert BY_NAME["grid"].orders(1_000_000, 5) == BY_NAME["small"].orders(10, 5) == 5


def test_datasets_with_the_same_number_of_orders_are_an_experiment() -> None:
    small, large = find_all(["embedded:iris"])[0], find_all(["embedded:wine"])[0]
    datasets = [Dataset(small, "multiclass", 150), Dataset(large, "multiclass", 10**6)]

    parts = list(parts_of([BY_NAME["grid"]], datasets))

    assert [(len(part.experiment.sources), part.shuffles) for part in parts] == [(1, 10), (1, 3)]
    assert [part.experiment.shuffles for part in parts] == [10, 3]
    (alone,) = parts_of([BY_NAME["grid"]], datasets, 2)
    assert alone.experiment.shuffles == 2


# ---- agreement


def test_wins_minus_losses_are_taken_once_per_pair() -> None:
    shown = grid(G="-, 3 / 1, 0 / 0", RO="1 / 3, -, 9 / 2", eG="0 / 0, 2 / 9, -")

    assert nets_of(shown) == {("G", "RO"): 2, ("G", "eG"): 0, ("RO", "eG"): 7}


def test_signs_agree_or_not() -> None:
    first = {("a", "b"): 3, ("a", "c"): -1, ("b", "c"): 0}
    second = {("a", "b"): 1, ("a", "c"): 2, ("b", "c"): 5}

    assert agreement(first, second) == Agreement(2, 1, None)


def test_rank_correlation_needs_several_pairs() -> None:
    first = {(str(i), "x"): i for i in range(5)}

    assert agreement(first, first).correlation == pytest.approx(1)
    turned = {pair: -net for pair, net in first.items()}
    assert agreement(first, turned).correlation == pytest.approx(-1)


def test_of_encodings_each_column_is_a_pair() -> None:
    paper = Grid(("G", "RO"), (("-1/0 against 0/1", ("9 / 2", "1 / 8")),), 10)
    ours = Grid(("G", "RO"), (("-1/0 against 0/1", ("3 / 2", "4 / 1")),), 10)

    assert agreement(nets_of(paper), nets_of(ours)) == Agreement(2, 1, None)


# ---- our leads and the paper's


def difference(
    paper: Lead, ours: Lead, program: float | None = None, table: str = "t"
) -> Difference:
    return Difference(table, "p", ("R", "A"), paper, ours, 244, program)


def test_a_small_lead_is_not_chance_if_the_papers_was_large() -> None:
    """76 / 19 of 317 datasets in the paper, 20 / 24 of 244 here."""
    paper = lead_of_paper(PaperCount(57, 317, 95), 0.0)
    ours = Lead(-4 / 244, (44 / 244 / 244) ** 0.5)

    one = difference(paper, ours, 9 / 234)

    assert one.is_opposite
    assert one.chance < 1e-4
    assert one.why.startswith("the data")
    assert difference(paper, ours, 57 / 317).why.startswith("ours")
    assert difference(paper, ours).why.startswith("open")
    assert "deviation 12" in difference(paper, ours, None, "baseline-optimised").why


def test_leads_that_may_be_the_same_are_said_to_be_chance() -> None:
    paper = lead_of_paper(PaperCount(2, 31, None), 0.3)

    one = difference(paper, Lead(-2 / 40, 0.08))

    assert one.is_opposite
    assert not one.is_clear
    assert one.why.startswith("chance can do it")


def test_drs_estimator_explains_only_pairs_with_dr() -> None:
    one = difference(Lead(0.3, 0.01), Lead(-0.1, 0.01), None, "reductions")

    assert "estimator" in one._replace(pair=("dr", "iwr")).why
    assert "estimator" not in one._replace(pair=("ips", "iwr")).why


def test_the_encoding_of_an_algorithm_is_named() -> None:
    one = difference(Lead(0, 1), Lead(0, 1))._replace(pair=("-1/0 against 0/1", "RO"))

    assert one.title == "RO, -1/0 against 0/1"


def test_a_lead_is_the_mean_over_orders() -> None:
    rows = [
        row(explorer, loss, f"p{i}", shuffle=s)
        for i in range(3)
        for s, losses in ((1, (0.1, 0.5)), (2, (0.1, 0.5)), (3, (0.5, 0.1)), (4, (0.3, 0.3)))
        for explorer, loss in zip((G, RO), losses, strict=True)
    ]
    losses = store(*rows)
    panel = WinPanel("t", fixed(losses, "-1/0"), Condition(), "both")

    leads = leads_of(panel, each_order(losses), Criteria())

    assert set(leads["G", "RO"].values()) == {0.25}
    assert set(leads["RO", "G"].values()) == {-0.25}


def test_our_datasets_get_the_papers_mix() -> None:
    rng = np.random.default_rng(3)
    problems = pl.DataFrame({
        "n": rng.choice([100, 2_000, 20_000], 300),
        "n_features": rng.choice([10, 500], 300),
        "n_actions": rng.choice([2, 3, 12], 300),
    })  # fmt: skip
    wanted = margins(317)

    weights = weights_of(problems, wanted)

    assert weights.sum() == pytest.approx(1)
    assert weights[problems["n"].to_numpy() >= 10_000].sum() == pytest.approx(43 / 322, abs=1e-6)
    assert weights[problems["n_actions"].to_numpy() >= 10].sum() == pytest.approx(
        31 / 322, abs=0.01
    )
    assert missing_share(problems, wanted) == pytest.approx(41 / 322)  # d >= 10,000
    assert sum(margins(521)[0].shares) == pytest.approx(1)


# ---- the paper's program


def test_the_program_is_compared_dataset_by_dataset(tmp_path: Path) -> None:
    lines = [f"{9000 + i},G,-1/0,0.1,{0.3 if i else 0.9}" for i in range(12)]
    write_program(tmp_path, *lines, "7,G,-1/0,0.1,0.5")
    ours = numbered()

    program = program_losses(tmp_path, ours)

    assert program is not None
    assert program.problems.height == 12  # we have no dataset 7
    (cell,) = [one for one in against_program(ours, program) if one.label == "G"]
    assert (cell.n, cell.won, cell.lost) == (12, 1, 0)
    assert cell.theirs == pytest.approx((0.9 + 11 * 0.3) / 12)


def test_the_program_has_one_order_and_so_has_each_choice_of_ours(tmp_path: Path) -> None:
    write_program(tmp_path, "9000,G,-1/0,0.1,0.1")
    ours = store(*(
        row(G, loss, "p", openml_id=9000, shuffle=s, learning_rate=rate)
        for rate, losses in ((0.1, (0.1, 0.5)), (1.0, (0.5, 0.1)))
        for s, loss in enumerate(losses, 1)
    ))  # fmt: skip
    program = program_losses(tmp_path, ours)

    assert program is not None
    (cell,) = [one for one in against_program(ours, program) if one.label == "G"]
    assert cell.difference == pytest.approx(0)  # not 0.2, which both rates have on average


def test_a_folder_without_reference_losses_has_no_program(tmp_path: Path) -> None:
    assert program_losses(tmp_path, numbered()) is None


def test_reference_losses_without_a_column_are_refused(tmp_path: Path) -> None:
    write_program(tmp_path)
    (tmp_path / "reference" / "paper-program.csv").write_text("openml_id,loss\n1,2\n")

    with pytest.raises(DataError, match=r"paper-program.csv: .* columns openml_id"):
        program_losses(tmp_path, numbered())


# ---- the document


def test_the_document_has_the_claims_the_program_and_the_tables(tmp_path: Path) -> None:
    write_program(tmp_path, *(f"{9000 + i},G,-1/0,0.1,0.3" for i in range(12)))

    made = document(numbered(), tmp_path, "bakeoff reproduce DIR")

    assert "12 datasets: 12 multiclass" in made.text
    assert "| ro-first | RO vs G | +9 of 322 | 12 / 0 | 12 | \\< 0.001 |" in made.tables
    assert "The latter judge, as in the paper." in made.text  # all are held-out
    assert "| -1/0 | G | 12 |" in made.tables
    assert "not inferior" in made.text
    assert "### main-results: -1/0 encoding, fixed hyperparameters, held-out" in made.tables
    assert made.text.index("reproduction.svg") < made.text.index("## ")
    assert b"<svg" in made.figure
    assert set(made.files) == {"reproduction.md", "reproduction-tables.md", "reproduction.svg"}


def test_the_document_is_short_and_has_twins_noise_and_orders(tmp_path: Path) -> None:
    made = document(bake_off(25, n_orders=3), tmp_path, "bakeoff reproduce DIR")

    assert len(made.text.split()) <= 3000
    assert "**What noise would give.** If it were all noise" in made.text
    assert "in all 3 orders" in made.text
    assert "learning rate chosen on the other shuffles" in made.text
    assert "supported" in made.text


def test_twins_are_about_the_same_datasets() -> None:
    losses = bake_off(25, n_orders=3)

    (twins,) = twins_of(losses, Criteria())

    assert twins.kinds == ("fixed", "other_orders", "unpeeked")
    assert twins.n == 25
    peeking, honest = (sum(places[k].mean_loss for places in twins.places.values()) for k in (0, 1))
    assert peeking < honest


def test_a_cell_is_inferior_undecided_or_not() -> None:
    def verdict(difference: float, error: float, won: int = 5, lost: int = 5) -> str:
        return Cell("-1/0", "G", 100, won, lost, 0.3 + difference, 0.3, error).verdict

    assert verdict(0.003, 0.002) == "not inferior"
    assert verdict(0.008, 0.002) == "undecided"
    assert verdict(0.018, 0.002) == "inferior"
    assert "loses clearly more" in verdict(0.003, 0.002, 16, 33)


def test_few_held_out_datasets_leave_the_judging_to_all(tmp_path: Path) -> None:
    rows = [
        row(explorer, loss, f"p{i}", openml_id=openml_id)
        for i, openml_id in enumerate([*TUNING_IDS, 9001])
        for explorer, loss in ((G, 0.3), (EG, 0.5), (RO, 0.2))
    ]

    made = document(store(*rows), tmp_path, "bakeoff reproduce DIR")

    n = len(TUNING_IDS) + 1
    assert f"{len(TUNING_IDS)} of ours are among those" in made.text
    assert f"| ro-first | RO vs G | +9 of 322 | {n} / 0 | {n} |" in made.tables
    assert "### main-results: -1/0 encoding, fixed hyperparameters, all data" in made.tables


def test_tables_of_optimised_settings_need_the_whole_grid(tmp_path: Path) -> None:
    def played(name: str, texts: Sequence[str]) -> list[Any]:
        return [
            row(text, 0.1 if text == "greedy" else 0.5, name, offset=offset)
            for text in texts
            for offset in (-1.0, 0.0)
        ]

    whole = [one for i in range(10) for one in played(f"w{i}", paper_choices())]
    part = [one for i in range(5) for one in played(f"p{i}", paper_choices()[:-1])]

    made = document(store(*whole, *part), tmp_path, "bakeoff reproduce DIR", "Lacks!")

    assert on_whole_grids(store(*whole, *part)).problems.height == 10
    panel = "-1/0 encoding, optimised hyperparameters, all datasets"
    assert f"| main-results | {panel} | 521 | 10 |" in made.tables
    assert "**Lacks!**" in made.text
    alone = document(store(*part), tmp_path, "bakeoff reproduce DIR")
    assert "about the 0 datasets on which the whole grid was played" in alone.text
    assert "optimised hyperparameters, all datasets |" not in alone.tables


# ---- elections


def test_tuning_datasets_elect_and_held_out_ones_judge() -> None:
    def both(name: str, paper: float, other: float, **facts: Any) -> list[Any]:
        text = "epsilon-greedy:epsilon={} reduction=iwr"
        losses = {text.format("0.02"): paper, text.format("0.1"): other}
        return [
            row(text, losses.get(text, 0.9), name, **facts)
            for text in paper_choices()
            if text.startswith("epsilon-greedy")
        ]

    voters = [
        one
        for i, openml_id in enumerate(TUNING_IDS)
        for one in both(f"t{i}", 0.5, 0.1, openml_id=openml_id)
    ]
    judges = [*both("h0", 0.1, 0.5), *both("h1", 0.1, 0.5), *both("h2", 0.5, 0.1)]

    (vote,) = votes_of(store(*voters, *judges), Criteria())

    assert (vote.label, vote.n_voters, vote.n) == ("eG", len(TUNING_IDS), 3)
    assert vote.elected == vote.recounted == Choice.from_spec("epsilon-greedy:epsilon=0.1")
    assert vote.paper == Choice.from_spec("epsilon-greedy:epsilon=0.02")
    assert (vote.won, vote.lost) == (1, 2)


def test_a_document_has_one_sentence_a_line() -> None:
    text = """# A. B

One. *Two* by
Eq. 7. **Three.** Still three? 4 is `a. B`.

- Five. Six
  goes on.
  - Nested. Here.
- 0.5 is no end.

| A. B |
| --- |

```
x. Y

z
```
"""
    expected = """# A. B

One.
*Two* by Eq. 7.
**Three.** Still three?
4 is `a. B`.

- Five.
  Six goes on.
  - Nested.
    Here.
- 0.5 is no end.

| A. B |
| --- |

```
x. Y

z
```
"""
    assert lined(text) == expected
    assert lined(lined(text)) == lined(text)
