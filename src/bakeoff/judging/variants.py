"""Variants: the settings of an algorithm that was played alone, with a label each.

A store with one algorithm in several settings is a contest among these settings.
"""

from collections.abc import Iterable

import polars as pl

from bakeoff.runs import Choice


def codes_apart(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows where results of a user's rule or explorer have a label for each code of it."""
    code = pl.col("explorer").str.extract(r"^(?:rule|own)-.*\b(code=[0-9a-f]+)")
    some = rows.select("algorithm", code=code).unique().drop_nulls()
    several = some.filter(pl.len().over("algorithm") > 1)["algorithm"].unique()
    if several.is_empty():
        return rows
    label = pl.col("algorithm")
    apart = label.is_in(several.implode()) & code.is_not_null()
    return rows.with_columns(pl.when(apart).then(pl.format("{} {}", label, code)).otherwise(label))


def among_settings(rows: pl.DataFrame, skyline: str) -> pl.DataFrame:
    """Rows where settings have labels of their own if there is one algorithm only."""
    played = rows.filter(pl.col("algorithm") != skyline)
    labels = played["algorithm"].drop_nulls().unique().to_list()
    texts = sorted(played["choice"].drop_nulls().unique().to_list())
    if len(labels) != 1 or len(texts) < 2:
        return rows
    names = variant_labels(labels[0], map(Choice.from_text, texts))
    label = pl.col("choice").replace_strict(
        {str(choice): name for choice, name in names.items()}, default=pl.col("algorithm")
    )
    return rows.with_columns(algorithm=label)


def variant_labels(label: str, choices: Iterable[Choice]) -> dict[Choice, str]:
    """A label for each choice: the algorithm's, and what the others do not share.

    >>> four, eight = Choice("bag:n_policies=4", "dr"), Choice("bag:n_policies=8", "dr")
    >>> variant_labels("B", [four, eight])[eight]
    'B n_policies=8'
    """
    parts = {choice: _parts(choice) for choice in choices}
    shared = set.intersection(*map(set, parts.values()))
    return {
        choice: " ".join([label, ",".join(part for part in own if part not in shared)]).strip()
        for choice, own in parts.items()
    }


def _parts(choice: Choice) -> list[str]:
    """An explorer's name, its parameters and the reduction."""
    name, colon, rest = choice.explorer.partition(":")
    parts = [f"{name}{colon}", *filter(None, rest.split(","))]
    return [*parts, choice.reduction] if choice.reduction else parts
