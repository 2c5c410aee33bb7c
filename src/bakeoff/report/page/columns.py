"""Columns of the page: competitors with their loss and setting on every problem.

Numbers are base64 of little-endian arrays, and therefore exact.
"""

import base64
from collections.abc import Hashable, Sequence
from typing import Any, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bakeoff.judging import Competitor, Condition, Contest, Losses, Numbers, contest_of
from bakeoff.report.page.schema import Column


class Columns:
    """The columns of a page, each once; they are known by their number."""

    def __init__(self, losses: Losses) -> None:
        self.losses = losses
        digests = losses.problems["digest"]
        self.place = {digest: i for i, digest in enumerate(digests)}
        shuffles = losses.problems["shuffles"].to_numpy()
        self.shuffled = np.flatnonzero(shuffles > 1)
        self.most = max([1, *shuffles.tolist()])
        self.columns: list[Column] = []
        self.competitors: list[Competitor] = []
        self.chosen: list[pl.DataFrame] = []  # of each column: problems' settings
        self.settings: dict[str, int] = {}
        self._known: dict[tuple[str, ...], int] = {}
        self._asked: dict[Hashable, list[int]] = {}

    def of(
        self,
        competitors: Sequence[Competitor],
        condition: Condition | None = None,
        is_light: bool = False,
    ) -> list[int]:
        """The columns of a contest: of its competitors those that have any loss.

        Light ones have losses only.
        """
        rivals = tuple((one.label, one.where.meta.serialize(), one.across) for one in competitors)
        key = rivals, condition, is_light
        if key not in self._asked:  # several tables show the same
            self._asked[key] = self._of(competitors, condition, is_light)
        return [*self._asked[key]]

    def _of(
        self, competitors: Sequence[Competitor], condition: Condition | None, is_light: bool
    ) -> list[int]:
        contest = contest_of(self.losses, competitors, condition)
        has_any = np.atleast_1d(~np.isnan(contest.losses).all(axis=0))
        return [
            self._add(contest, a, competitor, is_light)
            for a, competitor in enumerate(competitors)
            if has_any[a]
        ]

    def _add(self, contest: Contest, a: int, competitor: Competitor, is_light: bool) -> int:
        where = self.places(contest.problems["digest"])
        n_problems = len(self.place)
        losses = np.full(n_problems, np.nan)
        losses[where] = contest.losses[:, a]
        column = {"label": competitor.label, "losses": encoded(losses)}
        if not is_light:
            column |= self._details(contest, a, losses)
        key = tuple(column.values())
        if key not in self._known:
            self._known[key] = len(self.columns)
            self.columns.append(cast(Column, column))
            self.competitors.append(competitor)
            self.chosen.append(contest.chosen[a])
        return self._known[key]

    def _details(self, contest: Contest, a: int, losses: Numbers) -> dict[str, str]:
        """Chosen settings, losses order by order, and skylines if they differ."""
        where = self.places(contest.problems["digest"])
        n_problems = len(self.place)
        settings = np.full(n_problems, -1, np.int32)
        chosen = contest.chosen[a].select("choice", "learning_rate", "baseline")
        settings[where] = [self._setting(*row) for row in chosen.iter_rows()]
        column = {"settings": encoded(settings)}
        if not np.isnan(losses[self.shuffled]).all():
            orders = np.full((n_problems, self.most), np.nan)
            orders[where, : contest.by_shuffle.shape[2]] = contest.by_shuffle[:, a]
            column["by_shuffle"] = encoded(orders[self.shuffled])
        skyline = self._own_skyline(contest)
        if skyline is not None:
            column["skyline"] = encoded(skyline)
        return column

    def _own_skyline(self, contest: Contest) -> NDArray[Any] | None:
        """The skylines of a contest, if they are not those of all orders."""
        usual, own = (
            table["skyline"].cast(pl.Float64).fill_null(np.nan).to_numpy().copy()
            for table in (self.losses.problems, contest.problems)
        )
        result = usual.copy()
        result[self.places(contest.problems["digest"])] = own
        return None if np.array_equal(result, usual, equal_nan=True) else result

    def places(self, digests: pl.Series) -> list[int]:
        """Where problems stand on the page."""
        return [self.place[digest] for digest in digests]

    def _setting(self, choice: str | None, rate: float | None, baseline: bool) -> int:
        if choice is None:
            return -1
        text = choice if rate is None else f"{choice}, learning rate {rate:g}"
        if baseline:
            text += ", baseline"
        return self.settings.setdefault(text, len(self.settings))


def encoded(numbers: NDArray[Any]) -> str:
    """An array as text."""
    little = numbers.astype(numbers.dtype.newbyteorder("<"))
    return base64.b64encode(little.tobytes()).decode()
