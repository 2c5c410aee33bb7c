"""Contents: all datasets and algorithms of a store, and how users name them."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.judging import LAST, NEEDED, in_last_experiment
from bakeoff.runs import run_from_text
from bakeoff.store import Store

VERSION = 8  # characters of a digest that tell contents of one name apart
FACTS = ["n", "n_features", "n_actions"]
COUNTS = [
    pl.len().alias("runs"),
    pl.col("error").count().alias("errors"),
    pl.col(LAST).any().alias("asked"),
]


class Contents(NamedTuple):
    """The datasets and the algorithms of a store, a row for each."""

    rows: pl.DataFrame

    @property
    def n_others(self) -> int:
        """How many rows the last experiment did not ask for."""
        return int((~self.rows[LAST]).sum())

    @property
    def datasets(self) -> pl.DataFrame:
        """dataset, version, FACTS, runs, errors, asked (for by the last experiment)."""
        result = self.rows.group_by("problem", "version", *FACTS).agg(COUNTS)
        return result.sort("problem", "asked", "version", descending=[False, True, False])

    @property
    def algorithms(self) -> pl.DataFrame:
        """algorithm, settings, runs, errors, asked."""
        settings = pl.struct("explorer", "reduction").n_unique().alias("settings")
        result = self.rows.group_by("algorithm").agg(settings, *COUNTS)
        return result.sort("algorithm")

    def named(self, words: Sequence[str], *, others: bool = False) -> pl.DataFrame:
        """The rows that words name, and those that the last experiment did not ask for.

        A word is a dataset, `dataset@version`, an algorithm's label or its spec.
        """
        where = [self._where(word) for word in words]
        if others:
            where.append(~pl.col(LAST))
        return self.rows.filter(pl.any_horizontal(where)) if where else self.rows.clear()

    def _where(self, word: str) -> pl.Expr:
        name, at, version = word.rpartition("@")
        ways = {
            "dataset": pl.col("problem") == word,
            "dataset's version": (pl.col("problem") == name)
            & pl.col("version").str.starts_with(version if at else "-"),
            "algorithm": pl.col("algorithm") == word,
            "spec": pl.col("explorer") == _explorer(word),
        }
        kinds = [what for what, where in ways.items() if not self.rows.filter(where).is_empty()]
        if not kinds:
            known = {*self.rows["problem"], *self.rows["algorithm"].drop_nulls()}
            raise SpecError(f"the store has no {word!r}{did_you_mean(word, known)}")
        if len(kinds) > 1 and kinds != ["algorithm", "spec"]:
            raise SpecError(
                f"{word!r} is a {' and a '.join(kinds)}; name it as dataset@version, "
                f"or as a spec such as 'greedy'"
            )
        return ways[kinds[0]]


def contents_of(store: Store) -> Contents:
    """All results of a store."""
    manifest = store.usable_manifest()
    columns = [*NEEDED, *FACTS, "explorer", "reduction", "error"]
    rows = store.read(columns).drop_nulls("digest")
    is_last = pl.lit(True) if manifest is None else in_last_experiment(manifest)
    version = pl.col("digest").str.slice(0, VERSION).alias("version")
    return Contents(rows.with_columns(is_last.alias(LAST), version))


def _explorer(word: str) -> str:
    try:
        return run_from_text(word).explorer
    except SpecError:
        return word
