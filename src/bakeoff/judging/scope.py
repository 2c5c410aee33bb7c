"""Scope: what the last experiment asked for, and what else a store holds.

Files change, and algorithms are tried and dropped. A verdict is about what was asked
for last; the rest is kept, and named.
"""

from typing import NamedTuple

import polars as pl

from bakeoff.basics.text import counted
from bakeoff.store import Manifest

NEEDED = ["problem", "digest", "shuffle", "algorithm", "run"]
MOST_NAMES = 5  # of each kind in a notice
ASKED = "_asked"


class Scoped(NamedTuple):
    """Rows that were asked for last, and in words what else there is."""

    rows: pl.DataFrame
    others: str  # empty if there is nothing else


def scoped(rows: pl.DataFrame, manifest: Manifest | None) -> Scoped:
    """The rows of the last experiment; all of them if it is not known."""
    if manifest is None or not manifest.problems or not manifest.runs:
        return Scoped(rows, "")
    marked = rows.with_columns(is_asked(manifest).alias(ASKED))
    inside, outside = marked.filter(ASKED), marked.filter(~pl.col(ASKED))
    return Scoped(inside.drop(ASKED), others_in_words(inside, outside))


def is_asked(manifest: Manifest) -> pl.Expr:
    """Whether the last experiment asked for a row; what cannot be read has no run."""
    streams = [f"{one.digest} {shuffle}" for one in manifest.problems for shuffle in one.shuffles]
    runs = [text for texts in manifest.runs.values() for text in texts]
    stream = pl.format("{} {}", "digest", "shuffle")
    both = stream.is_in(streams) & pl.col("run").is_in(runs)
    return pl.col("digest").is_null() | both.fill_null(False)


def others_in_words(inside: pl.DataFrame, outside: pl.DataFrame) -> str:
    """What a store holds beside the last experiment; empty if that is nothing."""
    if outside.is_empty():
        return ""
    asked = set(inside["digest"])
    data = outside.filter(~pl.col("digest").is_in(list(asked)))
    labels = set(outside["algorithm"].drop_nulls()) - set(inside["algorithm"])
    parts = []
    if data.height:
        names = set(data["problem"])
        old = names & set(inside["problem"])  # the same name, other contents
        parts += [
            _listed("dataset", sorted(names - old)),
            _listed("earlier version", sorted(old), "of "),
        ]
    parts.append(_listed("algorithm", sorted(labels)))
    found = "; ".join(filter(None, parts)) or counted(outside.height, "run")
    return (
        f"The store also holds what the last experiment did not ask for, which is kept "
        f"and not counted: {found}. `bakeoff report --all` (in Python, "
        f"everything=True) counts it, `bakeoff status` lists it, `bakeoff forget` "
        f"drops it."
    )


def _listed(what: str, names: list[str], link: str = "") -> str:
    if not names:
        return ""
    some = ", ".join(names[:MOST_NAMES])
    more = ", ..." if len(names) > MOST_NAMES else ""
    return f"{counted(len(names), what)} ({link}{some}{more})"
