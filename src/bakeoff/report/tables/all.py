"""All tables of the report, in the paper's order."""

from collections.abc import Callable, Sequence

from bakeoff.judging import Criteria, Losses
from bakeoff.report.tables.choices import hyperparameters_table
from bakeoff.report.tables.corpus import corpus_table
from bakeoff.report.tables.findings import findings_table
from bakeoff.report.tables.losses import all_losses_table, cost_sensitive_table
from bakeoff.report.tables.opinions import second_opinions_table
from bakeoff.report.tables.rates import learning_rates_table
from bakeoff.report.tables.standings import standings_table
from bakeoff.report.tables.streams import streams_table
from bakeoff.report.tables.table import Table, without_paper
from bakeoff.report.tables.wins import (
    baseline_table,
    breakdown_table,
    encodings_table,
    main_table,
    multiclass_table,
    multilabel_table,
    reductions_table,
    reductions_wins_table,
    uci_table,
)

__all__ = ["TABLES", "all_tables", "without_paper"]

TABLES: dict[str, Callable[[Losses, Criteria], Table]] = {
    "standings": standings_table,
    "second-opinion": second_opinions_table,
    "streams": streams_table,
    "findings": findings_table,
    "main-results": main_table,
    "cost-sensitive": cost_sensitive_table,
    "reductions": reductions_table,
    "encodings": encodings_table,
    "breakdown": breakdown_table,
    "corpus": corpus_table,
    "hyperparameters": hyperparameters_table,
    "multiclass": multiclass_table,
    "multilabel": multilabel_table,
    "uci": uci_table,
    "reductions-wins": reductions_wins_table,
    "baseline-optimised": baseline_table,
    "learning-rates": learning_rates_table,
    "all-losses": all_losses_table,
}


def all_tables(
    losses: Losses, criteria: Criteria, names: Sequence[str] = tuple(TABLES)
) -> list[Table]:
    """The tables of these names."""
    return [TABLES[name](losses, criteria) for name in names]
