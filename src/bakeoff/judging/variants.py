"""Variants: the settings of an algorithm that was played alone, told apart by labels.

A store with one algorithm in several settings is a contest among these settings.
"""

from collections.abc import Iterable

import polars as pl


def among_settings(rows: pl.DataFrame, skyline: str) -> pl.DataFrame:
    """Rows where settings have labels of their own if there is one algorithm only."""
    played = rows.filter(pl.col("algorithm") != skyline)
    labels = played["algorithm"].drop_nulls().unique().to_list()
    choices = sorted(played["choice"].drop_nulls().unique().to_list())
    if len(labels) != 1 or len(choices) < 2:
        return rows
    names = variant_labels(labels[0], choices)
    label = pl.col("choice").replace_strict(names, default=pl.col("algorithm"))
    return rows.with_columns(algorithm=label)


def variant_labels(label: str, choices: Iterable[str]) -> dict[str, str]:
    """A label for each choice: the algorithm's, and what the others do not share.

    >>> variant_labels("B", ["bag:n_policies=4 reduction=dr", "bag:n_policies=8 reduction=dr"])[
    ...     "bag:n_policies=8 reduction=dr"
    ... ]
    'B n_policies=8'
    """
    parts = {choice: _parts(choice) for choice in choices}
    shared = set.intersection(*map(set, parts.values()))
    return {
        choice: " ".join([label, ",".join(one for one in some if one not in shared)]).strip()
        for choice, some in parts.items()
    }


def _parts(choice: str) -> list[str]:
    """The name of an explorer and its parameters; of an own learner, its values too."""
    explorer, _, reduction = choice.partition(" reduction=")
    name, colon, rest = explorer.partition(":")
    parts = [f"{name}{colon}", *filter(None, rest.split(","))]
    return [*parts, reduction] if reduction else parts
