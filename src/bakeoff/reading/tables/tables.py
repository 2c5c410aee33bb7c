"""Tables as problems: what the readers of named columns share."""

from bakeoff.data import Problem
from bakeoff.reading.options import Options
from bakeoff.reading.tables.features import features_of
from bakeoff.reading.tables.nested import expanded
from bakeoff.reading.tables.table import Table, chosen
from bakeoff.reading.tables.targets import sorted_by_query, target_columns, with_targets


def problem_of(table: Table, options: Options, name: str) -> Problem:
    """The problem of a table: its target columns as costs, the others as features."""
    table = chosen(table, options)
    return problem_with(table, target_columns(table, options), options, name)


def problem_with(table: Table, targets: list[str], options: Options, name: str) -> Problem:
    """The problem of a table without ignored columns, whose targets are known."""
    if options.task == "ranking":
        table = sorted_by_query(table)
    left_out = [*targets, *(["qid"] if options.task == "ranking" else [])]
    X = features_of(expanded(table, left_out), left_out, options)
    return with_targets(X, table, targets, options, name)
