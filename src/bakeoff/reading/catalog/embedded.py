"""The embedded suite: scikit-learn's bundled data, what is derived of them, synthetic.

Nothing is downloaded and nothing depends on the machine; docs/reference/embedded.md describes
each problem. Features are as they come: regression normalises them.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Problem, Task
from bakeoff.reading.catalog.source import Source
from bakeoff.reading.catalog.synthetic import greedy_trap, rich_contexts, shared_baseline, uniforms
from bakeoff.reading.options import Options

LOADERS: dict[str, Callable[[], Any]] = {
    "digits": load_digits,
    "iris": load_iris,
    "wine": load_wine,
    "breast_cancer": load_breast_cancer,
}

PROPERTIES = {  # the digits that have a label
    "even": (0, 2, 4, 6, 8),
    "prime": (2, 3, 5, 7),
    "square": (0, 1, 4, 9),
    "loop": (0, 6, 8, 9),
    "large": (5, 6, 7, 8, 9),
}

TRAITS = {  # the column whose upper half has a label
    "strong": "alcohol",
    "sour": "malic_acid",
    "tannic": "total_phenols",
    "dark": "color_intensity",
}

N_QUERIES = 1000
DOCUMENTS = (5, 10)  # fewest and most in a query


def sources(
    suite: str = "embedded", local: Mapping[int | str, Source] | None = None
) -> list[Source]:
    """The problems of the suite; of the options, only a name has an effect.

    The arguments are those of every suite's module; this one has a single suite, and
    nothing that a local file could stand in for.
    """
    return [
        *(_source(name, "multiclass", _classes(name)) for name in LOADERS),
        _source("digits-majority", "multiclass", _majority("digits")),
        _source("iris-majority", "multiclass", _majority("iris")),
        _source("wine-majority", "multiclass", _majority("wine")),
        _source("digits-properties", "multilabel", digits_properties),
        _source("wine-traits", "multilabel", wine_traits),
        _source("digits-distance", "cost-sensitive", digits_distance),
        _source("iris-tree", "cost-sensitive", iris_tree),
        _source("breast_cancer-triage", "cost-sensitive", breast_cancer_triage),
        _source("digits-largest", "ranking", digits_largest),
        _source("digits-nearest", "ranking", digits_nearest),
        _source("greedy-trap", "cost-sensitive", greedy_trap),
        _source("shared-baseline", "cost-sensitive", shared_baseline),
        _source("rich-contexts", "multiclass", rich_contexts),
    ]


def _source(name: str, task: Task, make: Callable[[str], Problem]) -> Source:
    def read(options: Options) -> Problem:
        return make(options.name or name)

    return Source(name, read=read, origin=f"embedded:{name}", task=task)


# ---- classes


def _classes(loaded: str) -> Callable[[str], Problem]:
    """The data as they are."""

    def make(name: str) -> Problem:
        found = LOADERS[loaded]()
        names = [str(label) for label in found.target_names]
        return Problem.from_classes(_columns(found), found.target, class_names=names, name=name)

    return make


def _majority(loaded: str) -> Callable[[str], Problem]:
    """The most frequent class (of equals, the lowest) against all others."""

    def make(name: str) -> Problem:
        found = LOADERS[loaded]()
        majority = np.bincount(found.target).argmax()
        names = ["rest", str(found.target_names[majority])]
        is_majority = (found.target == majority).astype(np.int64)
        X = _columns(found)
        return Problem.from_classes(X, is_majority, 2, names, name=name)

    return make


def _columns(bunch: Any) -> pl.DataFrame:
    """The features under their names."""
    return pl.DataFrame(bunch.data, schema=[str(name) for name in bunch.feature_names])


# ---- sets of labels


def digits_properties(name: str = "digits-properties") -> Problem:
    """What is true of a digit: each has one to three of five properties."""
    X, y = load_digits(return_X_y=True)
    labels = [np.isin(y, digits) for digits in PROPERTIES.values()]
    return Problem.from_labels(X, np.stack(labels, axis=1), class_names=list(PROPERTIES), name=name)


def wine_traits(name: str = "wine-traits") -> Problem:
    """Four measurements above their median, from the nine others."""
    found = load_wine()
    columns = [found.feature_names.index(column) for column in TRAITS.values()]
    measured = found.data[:, columns]
    return Problem.from_labels(
        _columns(found).drop(*TRAITS.values()),
        measured > np.median(measured, axis=0),
        class_names=list(TRAITS),
        name=name,
    )


# ---- costs


def digits_distance(name: str = "digits-distance") -> Problem:
    """Taking a digit y for k costs |k - y| / 9."""
    X, y = load_digits(return_X_y=True)
    return Problem.from_costs(X, _gaps(y[:, None], np.arange(10)) / 9, name=name)


def iris_tree(name: str = "iris-tree") -> Problem:
    """Mistakes cost their distance in a tree where two of the species are sisters."""
    found = load_iris()
    cost = np.array(  # of answering setosa, versicolor, virginica
        [[0.0, 1.0, 1.0], [1.0, 0.0, 0.5], [1.0, 0.5, 0.0]]
    )
    names = [str(label) for label in found.target_names]
    return Problem.from_costs(_columns(found), cost[found.target], class_names=names, name=name)


def breast_cancer_triage(name: str = "breast_cancer-triage") -> Problem:
    """Discharge, treat, or a biopsy that is never right and never very wrong."""
    found = load_breast_cancer()
    cost = {"malignant": (1.0, 0.0, 0.2), "benign": (0.0, 0.5, 0.2)}
    of_class = np.array([cost[label] for label in found.target_names])
    names = ["discharge", "treat", "biopsy"]
    return Problem.from_costs(_columns(found), of_class[found.target], class_names=names, name=name)


def _gaps(a: Ints, b: Ints) -> Doubles:
    return np.abs(a - b).astype(np.float64)


# ---- ranking


def digits_largest(name: str = "digits-largest") -> Problem:
    """Find the largest of some images: a digit y has grade y // 2, from 0 to 4."""
    X, y = load_digits(return_X_y=True)
    rows, qid = _hands(5, len(y))
    return Problem.from_ranking(X[rows], y[rows] // 2, qid, name=name)


def digits_nearest(name: str = "digits-nearest") -> Problem:
    """Find the digit of a given image: its grade is 4 less the gap between the two.

    A document's features are the differences of its pixels to the given image's, in
    magnitude, so that shared weights can tell likeness. One document at least shows the
    digit of the given image.
    """
    X, y = load_digits(return_X_y=True)
    rows, qid = _hands(6, len(y))
    size = np.bincount(qid)
    place = np.floor(uniforms(7, N_QUERIES, 1)[:, 0] * size).astype(np.int64)
    alike = rows[np.cumsum(size) - size + place]
    given = _next_of_same_digit(y)[alike][qid]
    grade = np.maximum(4 - _gaps(y[rows], y[given]), 0)
    return Problem.from_ranking(np.abs(X[rows] - X[given]), grade, qid, name=name)


def _next_of_same_digit(y: Ints) -> Ints:
    following = np.empty_like(y)
    for digit in range(10):
        rows = np.flatnonzero(y == digit)
        following[rows] = np.roll(rows, -1)
    return following


def _hands(seed: int, n_rows: int) -> tuple[Ints, Ints]:
    """For each query some different rows, and the number of the query of each row."""
    fewest, most = DOCUMENTS
    draws = uniforms(seed, N_QUERIES, n_rows + 1)
    order = np.argsort(draws[:, 1:], axis=1)[:, :most]
    size = fewest + np.floor(draws[:, 0] * (most - fewest + 1))
    kept = np.arange(most) < size[:, None]
    return order[kept], np.nonzero(kept)[0]
