"""Simulated: the results of `simulate`, as a list, a table and a plot."""

import importlib
from typing import TYPE_CHECKING, Any

from bakeoff.basics import pages
from bakeoff.simulation.result import Result

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes


def _polars() -> Any:
    """Polars, imported when a table is asked for: it takes a while."""
    return importlib.import_module("polars")


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

    def frame(self) -> "pl.DataFrame":
        """A row for each run, with its settings and its loss.

        Returns
        -------
        pl.DataFrame
            A polars table.
        """
        pl = _polars()
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
        """Who has the lowest loss, and all runs, for notebooks."""
        best = self.best()
        if not best:
            return pages.fragment(pages.status("check", "No run has a loss"))
        first, second = best[0], best[1] if len(best) > 1 else None
        said = f"{first.run.label} has the lowest loss, {first.pv_loss:.4f}"
        if second is not None and f"{second.pv_loss:.4f}" == f"{first.pv_loss:.4f}":
            said = f"{first.run.label} and {second.run.label} are level, with {first.pv_loss:.4f}"
        elif second is not None:
            said += f"; {second.run.label} has {second.pv_loss:.4f}"
        runs = sorted(self, key=lambda result: (result.error is not None, result.pv_loss))
        dots = [
            pages.Dot(
                str(result.run), None if result.error else result.pv_loss,
                cells=["failed" if result.error else f"{result.pv_loss:.4f}"],
            )
            for result in runs
        ]  # fmt: skip
        drawn = pages.forest(["run", "mean cost", "loss"], dots, decimals=3)
        return pages.fragment(pages.status("new", said) + drawn)
