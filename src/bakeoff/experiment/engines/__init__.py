"""Engines: where jobs are carried out; all give the same rows. base.py says how."""

import importlib
from typing import Literal

from bakeoff.basics.errors import SpecError
from bakeoff.experiment.engines.base import Engine, Where

EngineName = Literal["local", "dask"]
ENGINES: dict[EngineName, str] = {  # the modules whose `engine(where)` makes them
    "local": "bakeoff.experiment.engines.local",
    "dask": "bakeoff.experiment.engines.dask.engine",
}


def engine_of(given: Engine | str | None, where: Where | None = None) -> Engine:
    """An engine that is given, or the one of this name; the local one, if none is.

    Only then is its module imported, as Dask takes a while.
    """
    where = where or Where()
    if where.address is not None and given != "dask":
        raise SpecError("an address is for the dask engine: add engine dask")
    if callable(given):
        return given
    modules = {str(name): module for name, module in ENGINES.items()}
    if (name := given or "local") not in modules:
        known = " or ".join(modules)
        raise SpecError(f"engine must be {known}, got {given!r}")
    made: Engine = importlib.import_module(modules[name]).engine(where)
    return made
