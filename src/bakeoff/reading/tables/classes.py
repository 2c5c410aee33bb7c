"""Classes: numbers or words as actions, in sorted order."""

from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.core.types import Ints
from bakeoff.data import class_name as class_name

MANY = 20  # rows from which on a class of its own for most of them is suspicious


def classes_of(labels: Any, where: str) -> tuple[Ints, list[str]]:
    """Each row's class as a number, and the names of the classes that occur.

    `where` begins messages: `rows.csv: the target 'class'`.
    """
    values, codes = np.unique(labels, return_inverse=True)
    if labels.dtype.kind == "f":
        _check_classes(labels, len(values), where)
    if len(labels) >= MANY and 2 * len(values) > len(labels):
        notify(f"{where} has {len(values)} classes in {len(labels)} rows; is it the right one?")
    return codes, two_or_more([class_name(value) for value in values], where)


def two_or_more(names: list[str], where: str) -> list[str]:
    """The names of actions, unless there is nothing to choose from."""
    if len(names) < 2:
        found = f"only the class {names[0]!r}" if names else "no class"
        raise DataError(f"{where} holds {found}, but a problem needs at least two")
    return names


def _check_classes(numbers: Any, n_different: int, where: str) -> None:
    """Refuse the target of a regression."""
    fractions = (numbers != np.floor(numbers)).any()
    if fractions and n_different > max(2, len(numbers) // 2):
        raise DataError(
            f"{where} holds {n_different} different numbers in {len(numbers)} rows; "
            f"turn a regression target into classes first"
        )
