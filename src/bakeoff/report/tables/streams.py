"""The table of streams: the verdict under each condition, beside the others."""

from bakeoff.judging import NO_CONDITION, Criteria, Losses, UnderStream, by_stream, chance_figure
from bakeoff.report.tables.table import Grid, Panel, Table, figure

COLUMNS = ("leads", "mean loss", "rise", "next", "behind", "p", "how sure")
CAPTION = (
    "Who leads under each condition, and its mean loss; how far that lies above its own mean loss "
    "on the same datasets without conditions (with prices, costs have another range); the next "
    "algorithm, how far its mean loss lies behind, and the chance that an equal would; and how "
    "sure the lead is. Last, how far the one who leads without conditions lies behind the leader."
)


def streams_table(losses: Losses, criteria: Criteria) -> Table:
    """A row for each condition; no panel if there is one at most."""
    rows = by_stream(losses, criteria)
    return Table("streams", "Conditions", CAPTION, (_panel(rows),) if len(rows) > 1 else ())


def columns_of(rows: list[UnderStream]) -> tuple[str, ...]:
    """The headings; the last one only if there are results without conditions."""
    plain = next((one.plain_leader for one in rows if one.plain_leader), "")
    return (*COLUMNS, f"{plain} behind") if plain else COLUMNS


def cells_of(one: UnderStream, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The cells of a row."""
    cells = (
        one.leader,
        figure(one.mean_loss, 4),
        figure(one.rise, 4),
        one.second,
        figure(one.behind, 4),
        chance_figure(one.p) if one.second else "",
        one.grade,
        figure(one.plain_behind, 4),
    )
    return cells[: len(columns)]


def _panel(rows: list[UnderStream]) -> Panel:
    columns = columns_of(rows)
    cells = tuple((one.stream or NO_CONDITION, cells_of(one, columns)) for one in rows)
    n = {one.datasets for one in rows}
    ours = Grid(columns, cells, n.pop() if len(n) == 1 else None)
    return Panel("by condition", ours, corner="condition")
