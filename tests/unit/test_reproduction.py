"""The parts of a reproduction: stages, agreement of tables, the paper's program."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.judging.losses import Losses
from bakeoff.judging.statistics.leads import CLEAR, flip_test
from bakeoff.judging.views import Criteria
from bakeoff.report.tables.table import Grid
from bakeoff.reproduction.against_program import Cell, against_program
from bakeoff.reproduction.agreement import Agreement, Compared, agreement, nets_of, partings
from bakeoff.reproduction.document import document
from bakeoff.reproduction.elections import votes_of
from bakeoff.reproduction.program import program_losses
from bakeoff.reproduction.stages import STAGES, stages_named
from bakeoff.reproduction.whole_grids import on_whole_grids
from bakeoff.runs.choice import Choice
from bakeoff.runs.grids import paper_choices
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


def test_who_parts_from_the_paper_is_told_by_its_program() -> None:
    paper = grid(G="-, 5", RO="-5, -")
    ours = grid(G="-, -6", RO="6, -")

    def why(program: Grid | None, table: str = "t") -> str:
        (one,) = partings(Compared(table, "p", paper, ours, program))
        return one.why

    assert why(ours).startswith("the data")
    assert why(paper).startswith("ours")
    assert why(grid(G="-, 0", RO="0, -")).endswith("no difference on our datasets")
    assert why(None).startswith("open: no losses")
    assert "deviation 12" in why(None, "baseline-optimised")
    assert partings(Compared("t", "p", paper, paper, None)) == []


def test_a_small_lead_on_the_other_side_may_be_chance() -> None:
    paper = grid(G="-, 5", RO="-5, -")
    ours = grid(G="-, -5", RO="5, -")

    (one,) = partings(Compared("t", "p", paper, ours, paper))

    assert flip_test([1] * 5) > CLEAR >= flip_test([1] * 6)  # so 6 is the least
    assert one.why.startswith("chance can do it: a lead of fewer than 6")


def test_of_encodings_each_column_is_a_pair() -> None:
    paper = Grid(("G", "RO"), (("-1/0 against 0/1", ("9 / 2", "1 / 8")),), 10)
    ours = Grid(("G", "RO"), (("-1/0 against 0/1", ("3 / 2", "4 / 1")),), 10)

    (one,) = partings(Compared("encodings", "p", paper, ours, None))

    assert agreement(nets_of(paper), nets_of(ours)) == Agreement(2, 1, None)
    assert one.title == "RO, -1/0 against 0/1"


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

    text = document(numbered(), tmp_path, "bakeoff reproduce DIR")

    assert "12 datasets: 12 multiclass" in text
    assert "| ro-first | RO vs G | 12 / 0 | 12 | \\< 0.001 |" in text
    assert "The latter judge, as in the paper." in text  # all are held-out
    assert "| \\-1/0 | G | 12 |" in text or "| -1/0 | G | 12 |" in text
    assert "### main-results: -1/0 encoding, fixed hyperparameters, held-out" in text


def test_a_cell_that_misses_its_goal_is_said_to() -> None:
    assert Cell("-1/0", "G", 100, 3, 9, 0.3, 0.3).goal == "met: +6 at most +6.9"
    assert Cell("-1/0", "G", 100, 3, 12, 0.3, 0.3).goal.startswith("**missed**: +9")
    assert Cell("-1/0", "B", 100, 0, 50, 0.31, 0.3).goal.startswith("met: mean")
    assert Cell("-1/0", "B", 100, 0, 50, 0.32, 0.3).goal.startswith("**missed**: mean")


def test_few_held_out_datasets_leave_the_judging_to_all(tmp_path: Path) -> None:
    rows = [
        row(explorer, loss, f"p{i}", openml_id=openml_id)
        for i, openml_id in enumerate([*TUNING_IDS, 9001])
        for explorer, loss in ((G, 0.3), (EG, 0.5), (RO, 0.2))
    ]

    text = document(store(*rows), tmp_path, "bakeoff reproduce DIR")

    n = len(TUNING_IDS) + 1
    assert f"{len(TUNING_IDS)} of ours are among those" in text
    assert f"| ro-first | RO vs G | {n} / 0 | {n} |" in text
    assert "### main-results: -1/0 encoding, fixed hyperparameters, all data" in text


def test_tables_of_optimised_settings_need_the_whole_grid(tmp_path: Path) -> None:
    def played(name: str, texts: Sequence[str]) -> list[Any]:
        return [
            row(text, 0.1 if text == "greedy" else 0.5, name, offset=offset)
            for text in texts
            for offset in (-1.0, 0.0)
        ]

    whole = [one for i in range(10) for one in played(f"w{i}", paper_choices())]
    part = [one for i in range(5) for one in played(f"p{i}", paper_choices()[:-1])]

    text = document(store(*whole, *part), tmp_path, "bakeoff reproduce DIR", "Lacks!")

    assert on_whole_grids(store(*whole, *part)).problems.height == 10
    panel = "-1/0 encoding, optimised hyperparameters, all datasets"
    assert f"| main-results | {panel} | 521 | 10 |" in text
    assert "**Lacks!**" in text
    alone = document(store(*part), tmp_path, "bakeoff reproduce DIR")
    assert "about the 0 datasets on which the whole grid was played" in alone
    assert "optimised hyperparameters, all datasets |" not in alone


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
