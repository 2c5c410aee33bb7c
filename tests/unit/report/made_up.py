"""Results by hand, and the tables made from them."""

from typing import Any

from bakeoff import Run
from bakeoff.judging.losses import Losses, losses_of
from bakeoff.judging.views import Criteria
from bakeoff.report.tables.all import TABLES
from bakeoff.report.tables.table import Grid, Panel, Table
from bakeoff.store.rows import rows_of

G, RO, EG = "greedy", "regcb:c0=1e-3,optimistic", "epsilon-greedy:epsilon=0.02"
OAA = "supervised"
TUNING_ID, UCI_ID = 21, 6  # both in the paper's lists


def row(explorer: str, loss: float | None, problem: str = "iris", **others: Any) -> dict[str, Any]:
    """A result of a run on a problem of 1,000 rows, but for what is said."""
    run = Run.from_text(explorer) if "python:" not in explorer else None
    rate, offset = others.get("learning_rate", 0.1), others.pop("offset", -1.0)
    usual: dict[str, Any] = {
        "problem": problem,
        "digest": problem.ljust(64, "."),
        "task": "multiclass",
        "n": 1000,
        "n_features": 4,
        "n_actions": 3,
        "shuffle": 1,
        "algorithm": run.label if run else "mine",
        "explorer": run.explorer if run else explorer,
        "reduction": run.reduction if run else None,
        "learning_rate": rate,
        "encoding": f"{offset:g}/{offset + 1:g}",
        "offset": offset,
        "baseline": False,
        "seed": 1,
        "pv_loss": loss,
        "error": "exploded" if loss is None else None,
    }
    made = usual | others
    return {"run": f"{explorer} {rate} {offset} {made['baseline']}", **made}


def store(*rows: dict[str, Any]) -> Losses:
    return losses_of(rows_of(rows))


def duel(*losses: tuple[float, float], **others: Any) -> list[dict[str, Any]]:
    """Greedy and RegCB-opt on one problem after the other."""
    return [
        row(explorer, loss, f"p{i}", **others)
        for i, pair in enumerate(losses)
        for explorer, loss in zip((G, RO), pair, strict=True)
    ]


def panel_of(table: Table, title: str) -> Panel:
    (found,) = [panel for panel in table.panels if panel.title == title]
    return found


def ours(table: Table, title: str) -> Grid:
    grid = panel_of(table, title).ours
    assert grid is not None
    return grid


def made(name: str, losses: Losses, **asked: Any) -> Table:
    return TABLES[name](losses, Criteria(**asked))


def costs(problem: str, *losses: float, offset: float = 0.0) -> list[dict[str, Any]]:
    """Greedy on several shuffles of a problem with real-valued costs."""
    return [
        row(G, loss, problem, shuffle=i, task="cost-sensitive", offset=offset)
        for i, loss in enumerate(losses, 1)
    ]
