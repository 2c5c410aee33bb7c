"""Contexts: what was logged of an event, as rows of numbers.

A context is a list of numbers, a dictionary of named values, a sparse row
{"indices", "values", "n_features"}, or {"actions": [one of these per action],
"shared": ...}.

The rows made here (`Log.X`; named values by scikit-learn's `DictVectorizer`, a column per name or
word) are for classifiers and policies that take `X`, and for logs of others. Where a learner of
ours wrote the log, it is evaluated on the logged contexts (`Log.raw`), and reward models, `train`
and `replay` see them as it encoded them (evaluation/encoded.py).
"""

import importlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Ints
from bakeoff.data import Place


class Rows(NamedTuple):
    """Features of all events; `first_row` if actions have features of their own."""

    X: Any
    first_row: Ints | None


def rows_of(contexts: Sequence[Any], at: Place) -> Rows:
    """The features of logged contexts, all of one kind."""
    if not any(_has_actions(context) for context in contexts):
        return Rows(_matrix(contexts, at), None)
    flat: list[Any] = []
    places: list[int] = []
    sizes = []
    for i, context in enumerate(contexts):
        if not _has_actions(context):
            raise DataError(f"{at(i)}: this event has no features per action, but others do")
        parts = _with_shared(context)
        if not parts:
            raise DataError(f"{at(i)}: the event has no actions")
        sizes.append(len(parts))
        flat += parts
        places += [i] * len(parts)
    first_row = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return Rows(_matrix(flat, at.of(places)), first_row)


def _has_actions(context: Any) -> bool:
    return isinstance(context, Mapping) and isinstance(context.get("actions"), list)


def _with_shared(context: Mapping[str, Any]) -> list[Any]:
    """A context per action: its own features and the shared ones."""
    shared = context.get("shared")
    parts = context["actions"]
    if not shared:
        return list(parts)
    return [_joined(shared, part) for part in parts]


def _joined(shared: Any, own: Any) -> Any:
    if isinstance(shared, Mapping) and isinstance(own, Mapping):
        return {**{f"shared.{key}": value for key, value in shared.items()}, **own}
    if isinstance(shared, list) and isinstance(own, list):
        return [*shared, *own]
    raise DataError("shared features and those of actions must be of one kind")


def _matrix(contexts: Sequence[Any], at: Place) -> Any:
    """Contexts of one kind as a matrix."""
    kinds = [_kind(context) for context in contexts]
    first = kinds[0]
    at.check(
        [kind == first for kind in kinds],
        lambda i: f"the context is {kinds[i]}, but that of the first event is {first}",
    )
    if first == "nothing":
        return np.zeros((len(contexts), 0))
    if first == "a list of numbers":
        return _dense(contexts, at)
    if first == "a sparse row":
        return _sparse(contexts, at)
    if first == "a dictionary":
        return _named(contexts, at)
    raise DataError(
        f"{at(0)}: a context must be a list of numbers, a dictionary or a sparse row, "
        f"got {json.dumps(contexts[0])[:40]}"
    )


def _kind(context: Any) -> str:
    if context is None:
        return "nothing"
    if isinstance(context, list | tuple | np.ndarray):
        return "a list of numbers"
    if isinstance(context, Mapping):
        sparse_row = "indices" in context and "values" in context
        return "a sparse row" if sparse_row else "a dictionary"
    return f"of type {type(context).__name__}"


def _dense(contexts: Sequence[Any], at: Place) -> Any:
    width = len(contexts[0])
    at.check(
        [len(context) == width for context in contexts],
        lambda i: f"the context has {len(contexts[i])} numbers, but the first event has {width}",
    )
    try:
        return np.array(contexts, np.float64).reshape(len(contexts), width)
    except (TypeError, ValueError):
        bad = next(i for i, c in enumerate(contexts) if not _are_numbers(c))
        raise DataError(f"{at(bad)}: a context in a list must hold numbers") from None


def _are_numbers(values: Any) -> bool:
    return all(isinstance(v, int | float) for v in values)


def _sparse(contexts: Sequence[Any], at: Place) -> Any:
    at.check(
        [len(c["indices"]) == len(c["values"]) for c in contexts],
        lambda i: "the context has more indices than values, or fewer",
    )
    start = np.concatenate(([0], np.cumsum([len(c["indices"]) for c in contexts])))
    indices = np.array([j for c in contexts for j in c["indices"]], np.int64)
    values = np.array([v for c in contexts for v in c["values"]], np.float64)
    least = int(indices.max(initial=-1)) + 1
    width = max(least, *(int(c.get("n_features") or 0) for c in contexts))
    return sparse.csr_array((values, indices, start), shape=(len(contexts), width))


def feature_names(contexts: Sequence[Any]) -> list[str]:
    """The names of the columns that named contexts get, such as "kind=young"."""
    flat = [dict(_flattened(context)) for context in contexts]
    return list(_vectorizer().fit(flat).get_feature_names_out())


def _vectorizer() -> Any:
    """Scikit-learn's, imported when it is needed: it takes a while."""
    return importlib.import_module("sklearn.feature_extraction").DictVectorizer(sort=True)


def _named(contexts: Sequence[Any], at: Place) -> Any:
    """A column per name; words get a column each, and what is missing is 0."""
    flat = [dict(_flattened(context)) for context in contexts]
    try:
        matrix = _vectorizer().fit_transform(flat)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{at.whole()}a named feature must be a number, a word or a list of words: {error}"
        ) from None
    return sparse.csr_array(matrix)


def _flattened(context: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Named values; those of inner dictionaries have both names."""
    values: list[tuple[str, Any]] = []
    for key, value in context.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            values += _flattened(value, f"{name}.")
        elif isinstance(value, list) and value and _are_numbers(value):
            values += [(f"{name}.{i}", float(v)) for i, v in enumerate(value)]
        elif isinstance(value, list) and any(isinstance(v, Mapping) for v in value):
            inner = [v for v in value if isinstance(v, Mapping)]
            for part in inner:
                values += _flattened(part, f"{name}.")
        elif value is not None:
            values.append((name, float(value) if isinstance(value, bool) else value))
    return values
