"""What the page is told of a table: data it can compute with, never its words."""

import pytest

from bakeoff.judging.competitors import fixed
from bakeoff.judging.contest import Condition
from bakeoff.judging.views import WinPanel
from bakeoff.report.page.columns import Columns
from bakeoff.report.page.data import table_data
from bakeoff.report.page.live import live_data
from bakeoff.report.tables.table import Grid, Panel, Table
from tests.unit.report.bake_offs import bake_off

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
