"""Selection: which results to look at, as keywords of every method of `Results`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict, get_args

import polars as pl

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.judging.losses import SKYLINE, Losses
from bakeoff.judging.statistics.significance import Correction, Test
from bakeoff.judging.views import KINDS, TWINS, Criteria
from bakeoff.runs import run_from_text, swept

View = Literal[
    "fixed", "unpeeked", "one_rate", "optimised", "other_orders", "tuned_orders", "elected", "voted"
]


class Selection(TypedDict, total=False):
    """Which results to look at, and how; by default all of them.

    `encoding`: one encoding, such as "-1/0" (the paper's favourite that there is).
    `algorithms`, `datasets`: some of them, by their names in tables.
    `test`, `correction`: what counts as a win, as in `bakeoff report`.
    `view`: "unpeeked" (fixed hyperparameters, and the learning rate that is best on the other
    datasets; the default, if these are enough), "fixed" (the learning rate is the best on each
    dataset, as in the paper), "one_rate" (one learning rate for all datasets), "optimised" (the
    best hyperparameters on each dataset, too), or one of the views in which no loss is chosen
    by itself: "other_orders" (the rate is chosen on the other shuffles of a dataset),
    "tuned_orders" (hyperparameters, too), "elected" (both have the least mean loss on the
    other datasets), "voted" (the other datasets vote on hyperparameters).
    `held_out`: without the datasets that the paper chose hyperparameters on.
    """

    encoding: str | None
    algorithms: str | Sequence[str] | None
    datasets: str | Sequence[str] | None
    test: Test
    correction: Correction
    view: View
    held_out: bool


@dataclass(frozen=True)
class Selected:
    """The losses of a selection, and how to compare them."""

    losses: Losses
    criteria: Criteria


def select(losses: Losses, selection: Selection) -> Selected:
    """Apply a selection to losses.

    Raises
    ------
    SpecError
        If a keyword, a value or a name is unknown.
    """
    _check_words(selection)
    some = with_datasets(losses, names_of(selection.get("datasets")))
    some = with_algorithms(some, names_of(selection.get("algorithms")))
    encoding = selection.get("encoding")
    if encoding is not None and encoding not in some.encodings:
        has = ", ".join(some.encodings) or "none"
        raise SpecError(f"there are no results for {encoding!r}, only for {has}")
    criteria = Criteria(
        encoding,
        selection.get("held_out", False),
        test=selection.get("test", "paper"),
        correction=selection.get("correction", "none"),
        view=selection.get("view"),
    )
    return Selected(some, criteria)


def _check_words(selection: Selection) -> None:
    """Refuse unknown keywords and values, and name the valid ones."""
    for name in selection:
        if name not in Selection.__annotations__:
            hint = did_you_mean(name, Selection.__annotations__)
            raise SpecError(f"there is no keyword {name!r}{hint}")
    known = {"view": (*KINDS, *TWINS), "test": get_args(Test), "correction": get_args(Correction)}
    for name, words in known.items():
        value = selection.get(name)
        if value is not None and value not in words:
            right = ", ".join(map(str, words))
            raise SpecError(f"{name} must be one of {right}, got {value!r}")


def names_of(names: str | Iterable[str] | None) -> list[str] | None:
    """One name or several as a list; None stands for all."""
    if names is None:
        return None
    return [names] if isinstance(names, str) else list(names)


def with_datasets(losses: Losses, names: list[str] | None) -> Losses:
    """Losses on some datasets only."""
    if names is None:
        return losses
    known = losses.problems["problem"].unique().to_list()
    _check_names(names, known, "dataset")
    problems = losses.problems.filter(pl.col("problem").is_in(names))
    among = pl.col("digest").is_in(problems["digest"].implode())
    return replace(losses, problems=problems, settings=losses.settings.filter(among))


def with_algorithms(losses: Losses, names: list[str] | None) -> Losses:
    """Losses of some algorithms, and of the skyline."""
    if names is None:
        return losses
    wanted = [label for name in names for label in labels_of(name, losses.algorithms)]
    _check_names(wanted, [*losses.algorithms, SKYLINE], "algorithm")
    among = pl.col("algorithm").is_in([*wanted, SKYLINE])
    return replace(losses, settings=losses.settings.filter(among))


def labels_of(name: str, known: Iterable[str]) -> list[str]:
    """The label of an algorithm that may be given as a spec."""
    if name in known:
        return [name]
    try:
        labels = [run_from_text(text).label for text in swept(name)]
    except SpecError:
        return [name]
    return list(dict.fromkeys(labels))


def _check_names(names: Iterable[str], known: Sequence[str], what: str) -> None:
    for name in names:
        if name not in known:
            raise SpecError(f"there is no {what} {name!r} here{did_you_mean(name, known)}")
