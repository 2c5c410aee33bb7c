"""Explorers, one file each (Section 3).

EXPLORERS holds every record found here, NAMES what their variants are called.
"""

import importlib
import pkgutil
from collections.abc import Iterable

from bakeoff.core.explorers.base import ESTIMATES as ESTIMATES
from bakeoff.core.explorers.base import REDUCTIONS as REDUCTIONS
from bakeoff.core.explorers.base import Explorer, Name, ranges_of


def _records() -> Iterable[Explorer]:
    for module in pkgutil.iter_modules(__path__):
        contents = vars(importlib.import_module(f"{__name__}.{module.name}"))
        yield from (one for one in contents.values() if isinstance(one, Explorer))


def by_name(records: Iterable[Explorer]) -> dict[str, Explorer]:
    """Records by their names; two that would replace each other are refused."""
    found: dict[str, Explorer] = {}
    pairs: dict[str, Explorer] = {}
    for record in records:
        other = found.setdefault(record.name, record)
        if other is not record:
            raise TypeError(f"two explorers are called {record.name!r}")
        same = pairs.setdefault(record.kernels, record)
        if (same.explore, same.learn) != (record.explore, record.learn):
            raise TypeError(
                f"{record.name!r} and {same.name!r} have different kernels of one "
                f"name, {record.kernels!r}: rename their functions or files"
            )
    return found


def names_of(records: Iterable[Explorer]) -> dict[str, Name]:
    """The names of all variants by label, in the order of tables."""
    found: dict[str, Name] = {}
    for name in (name for record in records for name in record.names):
        if found.setdefault(name.label, name) != name:
            raise TypeError(f"two algorithms have the label {name.label!r}")
    return dict(sorted(found.items(), key=lambda item: item[1].place))


__all__ = ["EXPLORERS", "NAMES", "Explorer", "Name", "by_name", "names_of", "ranges_of"]

EXPLORERS = by_name(_records())
NAMES = names_of(EXPLORERS.values())
