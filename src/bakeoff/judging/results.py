"""Results: what a store holds, as tables, words and figures.

    store = bakeoff.open("results")
    store.standings(encoding="-1/0", test="paired")

The numbers are those of `bakeoff report`: both call the same functions.
"""

import importlib
import os
import shutil
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Protocol, Unpack
from weakref import finalize

import polars as pl

from bakeoff.basics.errors import ResultsError, SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.experiment import Summary
from bakeoff.judging.contest import Contest, contest_of
from bakeoff.judging.frames import as_html, as_text, losses_frame, standings_frame, wins_frame
from bakeoff.judging.losses import Losses
from bakeoff.judging.pairs import Pair, Pairs
from bakeoff.judging.reading import curves_of, read_curves, read_losses, read_rows
from bakeoff.judging.selection import Selected, Selection, labels_of, names_of, select, streams_in
from bakeoff.judging.standings import Standing, standings
from bakeoff.judging.streams import by_stream, streams_frame
from bakeoff.judging.verdict import Verdict, verdict
from bakeoff.judging.views import competitors_of, main_contest
from bakeoff.judging.wording import full_name
from bakeoff.store import Store, merge, opened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCATTER = "scatter"  # a figure of two algorithms
KEY = ["digest", "encoding", "baseline", "explorer", "reduction", "inputs", "learning_rate"]


class Printable(Protocol):
    """A table of the report as text."""

    @property
    def latex(self) -> str:
        """For a paper."""

    @property
    def markdown(self) -> str:
        """For people."""

    @property
    def csv(self) -> str:
        """For programs."""


class Results:
    """A store of results to look at: tables, words, figures and the page.

    Every method takes the same keywords (docs/guide/results.md says more):

    - `encoding`, `algorithms`, `datasets`: one encoding, some algorithms or datasets;
    - `view`: how settings are chosen, such as "unpeeked", "fixed" or "one_rate";
    - `stream`: only problems under these conditions, such as "delay(100)";
    - `test`, `correction`: what counts as a win;
    - `held_out`: leave out the datasets that the paper chose hyperparameters on.

    What was read is kept: open the store again to see what has come since.

    Parameters
    ----------
    folder
        The folder of a store, or several.
    everything
        Whether to show all that the folder holds.

    Raises
    ------
    ResultsError
        If there is no store, or it cannot be read.

    Examples
    --------
    >>> runs = bakeoff.grid("greedy", learning_rates=1)
    >>> store = bakeoff.Experiment("embedded:iris", runs).run("results")
    >>> store.losses()["dataset"].to_list()
    ['iris']
    """

    def __init__(self, folder: str | os.PathLike[str], *, everything: bool = False) -> None:
        self.folder = Path(folder)
        self._everything = everything
        self._store = opened(folder)

    @cached_property
    def _losses(self) -> Losses:
        return read_losses(self._store, everything=self._everything)

    # ---- what there is

    @property
    def datasets(self) -> list[str]:
        """The names of the datasets."""
        return self._losses.problems["problem"].unique().sort().to_list()

    @property
    def streams(self) -> list[str]:
        """The conditions under which datasets were played; "" stands for none."""
        return streams_in(self._losses)

    @property
    def algorithms(self) -> list[str]:
        """The names of the algorithms in tables."""
        return self._losses.algorithms

    @property
    def encodings(self) -> list[str]:
        """The encodings that were played, the default first."""
        return self._losses.encodings

    @property
    def others(self) -> str:
        """What the store holds besides the last experiment, in words."""
        return self._losses.others

    # ---- tables

    def rows(self, **look: Unpack[Selection]) -> pl.DataFrame:
        """The rows of the store, one for each run on each order of a dataset's rows.

        With a `view`, those of the settings that it shows.

        Parameters
        ----------
        **look
            Which results to look at: see `Results`.

        Returns
        -------
        pl.DataFrame
            A table with a row for each run and order.

        Raises
        ------
        SpecError
            If there is no such keyword, algorithm or dataset.
        """
        selected = select(self._losses, look)
        rows = read_rows(self._store, everything=self._everything)
        for column, name in (("problem", "datasets"), ("algorithm", "algorithms")):
            wanted = names_of(look.get(name))  # type: ignore[arg-type]
            if wanted is not None:
                labels = [one for w in wanted for one in labels_of(w, self.algorithms)]
                rows = rows.filter(pl.col(column).is_in([*wanted, *labels]))
        if look.get("stream") is not None:
            rows = rows.filter(pl.col("digest").is_in(selected.losses.problems["digest"].implode()))
        if look.get("encoding") is not None:
            rows = rows.filter(pl.col("encoding") == look["encoding"])
        if "view" in look:
            shown = [table.select(KEY) for table in self._contest(selected).chosen]
            rows = rows.join(pl.concat(shown), on=KEY, how="semi", nulls_equal=True)
        return rows

    def losses(self, **look: Unpack[Selection]) -> pl.DataFrame:
        """The loss of each algorithm on each dataset, and the settings it comes from.

        The learning rate is the best one on the other datasets, unless the view is another.

        Parameters
        ----------
        **look
            Which results to look at: see `Results`.

        Returns
        -------
        pl.DataFrame
            A table with a row for each dataset and algorithm.

        Raises
        ------
        SpecError
            If there is no such keyword, algorithm or dataset.
        """
        return losses_frame(self._contest(select(self._losses, look)))

    def wins(self, *, difference: bool = False, **look: Unpack[Selection]) -> pl.DataFrame:
        """On how many datasets the row wins significantly against the column.

        With `difference`, wins minus losses, as in the table that `bakeoff run` prints.

        Parameters
        ----------
        difference
            Whether to subtract the losses.
        **look
            Which results to look at: see `Results`.

        Returns
        -------
        pl.DataFrame
            A table of algorithms against algorithms.

        Raises
        ------
        SpecError
            If there is no such keyword, algorithm or dataset.
        """
        selected = select(self._losses, look)
        contest = self._compared(selected)
        order = [standing.label for standing in self._places(selected)]
        outcomes = selected.criteria.wins(contest)
        return wins_frame(contest, outcomes, order, difference=difference)

    def standings(self, **look: Unpack[Selection]) -> pl.DataFrame:
        """Significant wins and losses of each algorithm over all others, best first.

        Parameters
        ----------
        **look
            Which results to look at: see `Results`.

        Returns
        -------
        pl.DataFrame
            A table with a row for each algorithm.

        Raises
        ------
        SpecError
            If there is no such keyword, algorithm or dataset.
        """
        return standings_frame(self._places(select(self._losses, look)))

    def by_stream(self, **look: Unpack[Selection]) -> pl.DataFrame:
        """The verdict under each condition: who leads, and what becomes of who led without.

        `rise` is how far the leader's mean loss lies above its own without conditions, and
        `plain_behind` how far the leader without conditions lies behind.

        Parameters
        ----------
        **look
            Which results to look at: see `Results`.

        Returns
        -------
        pl.DataFrame
            A table with a row for each condition; that without any has "" for `stream`.

        Raises
        ------
        SpecError
            If there is no such keyword, algorithm or dataset.
        """
        selected = select(self._losses, look)
        return streams_frame(by_stream(selected.losses, selected.criteria))

    # ---- words and figures

    def verdict(self, **look: Unpack[Selection]) -> Verdict:
        """Who leads, by how much and how sure that is; `str()` gives the sentence.

        See `Verdict`: `grade`, `reasons`, and the numbers behind them.

        Parameters
        ----------
        **look
            Which results to look at: see `Results`.

        Returns
        -------
        Verdict
            A `Verdict`.

        Raises
        ------
        SpecError
            If there is no such keyword, algorithm or dataset.
        """
        selected = select(self._losses, look)
        return verdict(selected.losses, selected.criteria)

    def figure(
        self, name: str, *, x: str | None = None, y: str | None = None, **look: Unpack[Selection]
    ) -> "Figure":
        """A figure of the report, such as "pairs", for matplotlib.

        A figure has the view that its caption in the report says. "scatter" shows the
        losses of two algorithms, `x` and `y`, against each other, a point for each dataset.

        Parameters
        ----------
        name
            The name of the figure.
        x
            The algorithm on the horizontal axis of "scatter".
        y
            The one on the vertical axis.
        **look
            Which results to look at: see `Results`.

        Returns
        -------
        Figure
            A figure of matplotlib.

        Raises
        ------
        SpecError
            If there is no such figure or keyword.
        ResultsError
            If the results cannot fill it.
        """
        every = importlib.import_module("bakeoff.report.figures.all")  # takes a while
        if name not in (*every.FIGURES, SCATTER):
            hint = did_you_mean(name, (*every.FIGURES, SCATTER))
            raise SpecError(f"unknown figure {name!r}{hint}")
        if (name == SCATTER) != (x is not None and y is not None):
            raise SpecError(
                f"figure {SCATTER!r}, and no other, takes two algorithms: "
                f"figure({SCATTER!r}, x='G', y='RO')"
            )
        selected = select(self._losses, look)
        if x is not None and y is not None:
            drawing = every.draw_pairs(
                self._pair(x, y, selected), selected.losses, selected.criteria
            )
        else:
            drawing = every.draw(
                name, selected.losses, lambda: self._curves(selected), selected.criteria
            )
        if drawing.canvas is None:
            raise ResultsError(f"{self.folder}: figure {name!r} {drawing.needs}")
        return drawing.canvas

    def _pair(self, x: str, y: str, selected: Selected) -> Pairs:
        losses, criteria = selected.losses, selected.criteria
        encoding = criteria.encoding_of(losses)
        view = criteria.view_of(losses)
        rivals = competitors_of(losses, view, encoding, criteria)
        known = {one.label: one for one in rivals}
        for label in (x, y):
            if label not in known:
                raise SpecError(
                    f"{self.folder}: has no algorithm {label!r} in the view {view!r}"
                    f"{did_you_mean(label, known)}; it has {', '.join(known)}"
                )
        title = f"{full_name(x)} against {full_name(y)}"
        return Pairs(
            SCATTER, title, f"Loss relative to supervised learning, {encoding} encoding.",
            [[Pair(title, known[x], known[y])]], criteria.condition,
            "needs datasets that both have played, and a skyline there (-a supervised)",
        )  # fmt: skip

    def table(self, name: str, **look: Unpack[Selection]) -> "Printable":
        """A table of the report, such as "main-results": its `latex`, `markdown` or `csv`.

        Parameters
        ----------
        name
            The name of the table.
        **look
            Which results to look at: see `Results`.

        Returns
        -------
        Printable
            The table, with `latex`, `markdown` and `csv`.

        Raises
        ------
        SpecError
            If there is no such table or keyword.
        ResultsError
            If the results cannot fill it.
        """
        every = importlib.import_module("bakeoff.report.tables.all")
        if name not in every.TABLES:
            known = ", ".join(every.TABLES)
            raise SpecError(
                f"unknown table {name!r}{did_you_mean(name, every.TABLES)}; known: {known}"
            )
        selected = select(self._losses, look)
        table: Printable = every.without_paper(
            every.TABLES[name](selected.losses, selected.criteria)
        )
        return table

    def page(self, out: str | os.PathLike[str] | None = None, **look: Unpack[Selection]) -> Path:
        """Write the page of the report, report.html.

        Parameters
        ----------
        out
            The folder to write it into (default: the store's).
        look
            What to look at, as in the other methods.

        Returns
        -------
        Path
            The page.

        Raises
        ------
        SpecError
            If the results of several stores have no `out`.
        """
        if out is None and self._store.folder != self.folder:
            raise SpecError("say in which folder the page of several stores goes: page('folder')")
        selected = select(self._losses, look)
        written = importlib.import_module("bakeoff.report").write_report(
            self._store.folder, selected.losses, selected.criteria, Path(out) if out else None,
            tables=[], figures=[], everything=self._everything,
        )  # fmt: skip
        return Path(written.page)

    def _curves(self, selected: Selected) -> pl.DataFrame:
        contest = self._compared(selected)
        curves = read_curves(self._store, contest.chosen, everything=self._everything)
        return curves_of(curves, contest)

    # ---- in a notebook and at a prompt

    def _repr_html_(self) -> str:
        return as_html(self.folder, self.verdict(), self.others)

    def __repr__(self) -> str:
        return as_text(self.folder, self.verdict(), self.others)

    # ---- contests

    def _contest(self, selected: Selected) -> Contest:
        losses, criteria = selected.losses, selected.criteria
        encoding = criteria.encoding_of(losses)
        rivals = competitors_of(losses, criteria.view_of(losses), encoding, criteria)
        return contest_of(losses, rivals, criteria.condition)

    def _compared(self, selected: Selected) -> Contest:
        return main_contest(selected.losses, selected.criteria)

    def _places(self, selected: Selected) -> list[Standing]:
        contest = self._compared(selected)
        return standings(contest, selected.criteria.wins(contest))


class Finished(Results, Summary):
    """The results of an experiment that has just been run, with its summary."""

    def __init__(self, summary: Summary) -> None:
        Results.__init__(self, summary.folder)
        Summary.__init__(self, **vars(summary))


class _Merged(Results):
    """The results of several stores, in a folder that goes with this object."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]], *, everything: bool) -> None:
        temporary = Path(mkdtemp(prefix="bakeoff-"))
        finalize(self, shutil.rmtree, temporary, ignore_errors=True)
        merge(Store(temporary), [opened(folder) for folder in folders])
        super().__init__(temporary, everything=everything)
        self.folder = Path(" + ".join(str(folder) for folder in folders))


def open(
    folder: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = "results",
    *,
    everything: bool = False,
) -> Results:
    """The results in a folder, or in several, to look at in Python.

    They are those of the last experiment, or, if you ask for `everything`, all that
    the folder holds. Of several folders, they are those of the last experiment of each.

    Parameters
    ----------
    folder
        The folder of a store, or several.
    everything
        Whether to show all that the folder holds.

    Returns
    -------
    Results
        A `Results`.

    Raises
    ------
    ResultsError
        If there is no store, or it cannot be read.

    Examples
    --------
    >>> runs = bakeoff.grid("greedy", learning_rates=1)
    >>> _ = bakeoff.Experiment("embedded:iris", runs).run("results")
    >>> bakeoff.open("results").algorithms
    ['G']
    """
    if isinstance(folder, (str, os.PathLike)):
        return Results(folder, everything=everything)
    if not folder:
        raise SpecError("open needs at least one folder of results")
    return _Merged(list(folder), everything=everything)
