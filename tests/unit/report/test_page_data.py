"""What the page is told of a table: data it can compute with, never its words."""

import base64
from pathlib import Path

import numpy as np
import pytest

from bakeoff.judging.competitors import fixed
from bakeoff.judging.contest import Condition
from bakeoff.judging.reading import read_curves
from bakeoff.judging.views import Criteria, WinPanel
from bakeoff.report.page.columns import Columns
from bakeoff.report.page.data import page_data, table_data
from bakeoff.report.page.live import live_data
from bakeoff.report.tables.table import Grid, Panel, Table
from bakeoff.store.store import Store
from tests.unit.report.bake_offs import bake_off
from tests.unit.report.made_up import RO, G, row, store

GRID = Grid(("G",), (("G", ("-",)),), 25)


def test_a_new_table_follows_the_filters_if_its_panels_say_how() -> None:
    losses = bake_off()
    view = WinPanel("any words", fixed(losses, "-1/0"), Condition(least_k=3), "both")
    table = Table("toy", "A toy", "", (Panel(view.title, GRID, live=view),))

    (panel,) = table_data(Columns(losses), table)["panels"]

    assert (panel["kind"], panel["shown"]) == ("wins", "both")
    assert panel["condition"]["least_k"] == 3
    assert len(panel["columns"]) == len(losses.algorithms)


def test_a_panel_that_does_not_say_how_stays_as_it_is() -> None:
    losses = bake_off()

    table = Table("toy", "A toy", "", (Panel("any words", GRID),))
    (panel,) = table_data(Columns(losses), table)["panels"]

    assert panel["kind"] == "fixed"
    assert panel["ours"] is not None
    assert panel["ours"]["rows"] == GRID.rows


def test_a_panel_that_the_page_cannot_compute_is_refused() -> None:
    with pytest.raises(TypeError, match="the page cannot compute str"):
        live_data("nonsense", Columns(bake_off()), GRID)


def test_an_algorithm_whose_best_rate_is_everywhere_the_same_keeps_its_other_rates(
    tmp_path: Path,
) -> None:
    """What is chosen on other datasets, and what is best on each, is then one column."""
    losses = store(*[
        row(spec, loss, f"p{i}", learning_rate=rate)
        for i in range(6) for spec in (G, RO) for rate, loss in ((0.1, 0.2), (1.0, 0.4))
    ])  # fmt: skip

    data = page_data(losses, {}, Criteria(), read_curves(Store(tmp_path), []), [])

    columns = {view["kind"]: view["columns"] for view in data["views"]}
    assert columns["unpeeked"] == columns["fixed"]
    for column in columns["fixed"]:
        found = np.frombuffer(base64.b64decode(data["rates"]["columns"][column]))
        assert found.tolist() == [0.2, 0.4] * 6
