"""Explorers, one file each (Section 3); EXPLORERS holds every record found here."""

import importlib
import pkgutil

from bakeoff.explorers.base import Explorer


def _find() -> dict[str, Explorer]:
    found = {}
    for module in pkgutil.iter_modules(__path__):
        contents = vars(importlib.import_module(f"{__name__}.{module.name}"))
        for record in contents.values():
            if isinstance(record, Explorer):
                found[record.name] = record
    return found


EXPLORERS = _find()
