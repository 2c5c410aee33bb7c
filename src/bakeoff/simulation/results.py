"""Simulated: the results of `simulate`, as a list, a table and a plot."""

import importlib
from typing import TYPE_CHECKING

import polars as pl

from bakeoff.simulation.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Simulated(list[Result]):
    """Results in the order of their runs, with `frame()` and `plot()`.

    Parameters
    ----------
    iterable
        Results.

    Examples
    --------
    >>> results = bakeoff.simulate(bakeoff.load("embedded:iris"), "greedy")
    >>> results.frame().height
    9
    """

    def frame(self) -> pl.DataFrame:
        """A row for each run, with its settings and its loss.

        Returns
        -------
        pl.DataFrame
            A polars table.
        """
        return pl.DataFrame(
            [
                {
                    "algorithm": result.run.label,
                    "explorer": result.run.explorer,
                    "reduction": result.run.reduction,
                    "learning_rate": result.run.learning_rate,
                    "encoding": result.run.encoding,
                    "baseline": result.run.baseline,
                    "seed": result.run.seed,
                    "pv_loss": None if result.error else result.pv_loss,
                    "seconds": result.seconds,
                    "error": result.error,
                }
                for result in self
            ],
            schema_overrides={"pv_loss": pl.Float64, "error": pl.String, "reduction": pl.String},
        )

    def best(self) -> "Simulated":
        """The best run of each algorithm, by its loss; the best first.

        Returns
        -------
        Simulated
            A `Simulated` with one result per algorithm.
        """
        by_label: dict[str, Result] = {}
        for result in self:
            if result.error is None:
                first = by_label.setdefault(result.run.label, result)
                if result.pv_loss < first.pv_loss:
                    by_label[result.run.label] = result
        return Simulated(sorted(by_label.values(), key=lambda result: result.pv_loss))

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the learning curve of the best run of each algorithm.

        Parameters
        ----------
        ax
            Where to draw; a new figure if not given.

        Returns
        -------
        Axes
            The axes of matplotlib.
        """
        if ax is None:
            ax = importlib.import_module("matplotlib.pyplot").figure().add_subplot()
        for result in self.best():
            ax.plot(result.curve.rounds, result.curve.pv_loss, label=result.run.label)
        ax.set(xscale="log", xlabel="rounds", ylabel="mean cost so far", ylim=(0, None))
        ax.legend()
        return ax

    def _repr_html_(self) -> str:
        with pl.Config(tbl_rows=-1, tbl_hide_column_data_types=True, fmt_str_lengths=60):
            return self.frame().drop("error", "seconds").sort("pv_loss")._repr_html_()
