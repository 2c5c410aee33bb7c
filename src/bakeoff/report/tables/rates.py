"""The table of learning rates: chosen per dataset, or one for all."""

from bakeoff.judging import Criteria, Losses, Rates, fixed, rates_of
from bakeoff.report.tables.table import Grid, Panel, Table, figure

COLUMNS = (
    "datasets", "mean loss, rate per dataset", "one rate", "mean loss at it",
    "lowest is best on", "highest is best on",
)  # fmt: skip


def learning_rates_table(losses: Losses, criteria: Criteria) -> Table:
    """Per encoding and algorithm, what choosing the rate on each dataset is worth."""
    by_encoding = {
        encoding: rates_of(losses, fixed(losses, encoding, test=criteria.test), criteria.condition)
        for encoding in criteria.encodings(losses)
    }
    panels = tuple(_panel(encoding, rates) for encoding, rates in by_encoding.items())
    caption = (
        "Mean loss over datasets with the learning rate chosen on each, as in the "
        "paper, and with the one rate for all that has the least; and on how "
        "many datasets the lowest or the highest rate of the grid is better than all "
        f"others. {_ends(by_encoding)}"
    )
    return Table("learning-rates", "Learning rates", caption, panels)


def _panel(encoding: str, every: list[Rates]) -> Panel:
    rows = tuple((rates.label, _cells(rates)) for rates in every)
    most = max((rates.n for rates in every), default=0)
    return Panel(
        f"{encoding} encoding, fixed hyperparameters",
        Grid(COLUMNS, rows, most) if rows else None,
        f"needs runs (-a fixed --encoding={encoding})",
        corner="algorithm",
    )


def _cells(rates: Rates) -> tuple[str, ...]:
    several = rates.n_rates > 1
    return (
        f"{rates.n:,}",
        figure(rates.loss, 4),
        f"{rates.rate:g}",
        figure(rates.loss_at_rate, 4),
        f"{rates.n_lowest:,}" if several else "",
        f"{rates.n_highest:,}" if several else "",
    )


def _ends(by_encoding: dict[str, list[Rates]]) -> str:
    """Where the best rate lies at an end of the grid, in words."""
    several = [
        (rates, encoding)
        for encoding, row in by_encoding.items()
        for rates in row
        if rates.n_rates > 1
    ]
    if not several:
        return "No algorithm was played with several rates."
    at_ends = sum(rates.n_lowest + rates.n_highest for rates, _ in several)
    cases = sum(rates.n for rates, _ in several)
    text = f"It is at an end of the grid in {at_ends:,} of {cases:,} cases"
    if at_ends == 0:
        return f"{text}."
    worst, encoding = max(several, key=lambda one: _share_at_ends(one[0]))
    return (
        f"{text}, most often for {worst.label} with {encoding} (lowest on "
        f"{worst.n_lowest:,}, highest on {worst.n_highest:,} of {worst.n:,} datasets): "
        "a wider grid (--learning-rate) may give lower losses there."
    )


def _share_at_ends(rates: Rates) -> float:
    return (rates.n_lowest + rates.n_highest) / rates.n
