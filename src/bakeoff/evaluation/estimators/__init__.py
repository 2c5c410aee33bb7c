"""Estimators, one file each; ESTIMATORS holds every record found here."""

import importlib
import pkgutil
from collections.abc import Iterable

from bakeoff.evaluation.estimators.base import Estimator


def _records() -> Iterable[Estimator]:
    for module in pkgutil.iter_modules(__path__):
        contents = vars(importlib.import_module(f"{__name__}.{module.name}"))
        yield from (one for one in contents.values() if isinstance(one, Estimator))


ESTIMATORS = {one.name: one for one in sorted(_records(), key=lambda one: one.place)}
